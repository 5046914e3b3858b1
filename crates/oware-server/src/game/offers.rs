//! Offers: a draw, a loop, taking back.
//!
//! One waits at a time. An offer lapses when the other player moves (docs/RULES.md has it so for
//! draw and loop); one to take back lapses with any move, since it means another move then.

use oware_rules::Side;

use super::{Actor, End, Event, GameState, Refusal};
use crate::clock::Millis;
use crate::store::SeatRow;
use crate::view;
use crate::wire::OfferKind;

impl GameState {
    pub(super) fn make_offer(
        &self,
        by: Side,
        offer: OfferKind,
        now: Millis,
    ) -> Result<Vec<Event>, Refusal> {
        self.check_playing()?;
        match self.offer {
            // Both want the same: that is an agreement.
            Some((other, waiting)) if other != by && waiting == offer => {
                return self.agree(other, offer, now);
            }
            Some((_, waiting)) if waiting == offer => return Ok(Vec::new()),
            Some(_) => return Err(Refusal::field("offer", "another offer waits for an answer")),
            None => {}
        }
        if offer == OfferKind::Takeback {
            if self.row.rated {
                return Err(Refusal::Forbidden("in rated games nothing is taken back"));
            }
            if self.plies_to_take_back(by).is_none() {
                return Err(Refusal::field("offer", "you have made no move to take back"));
            }
            if self.grants_takeback(by) {
                return self.agree(by, offer, now);
            }
        }
        if self.offered[by.index()][offer as usize] == Some(self.row.plies) {
            return Err(Refusal::TooMany("you offered that already; make a move first"));
        }
        Ok(vec![Event::Offered { by: view::side(by), offer }])
    }

    /// Whether nobody needs to be asked: the computer does not mind, and two people at one
    /// device have asked each other.
    fn grants_takeback(&self, by: Side) -> bool {
        let other = self.seat(by.other());
        matches!(other, SeatRow::Computer { .. }) || other == self.seat(by)
    }

    /// How many plies go when a side takes back its last move; `None` if it has made none.
    fn plies_to_take_back(&self, by: Side) -> Option<u32> {
        let plies = if self.game.position().to_move() == by { 2 } else { 1 };
        (self.row.plies >= plies).then_some(plies)
    }

    pub(super) fn accept(&self, actor: Actor<'_>, now: Millis) -> Result<Vec<Event>, Refusal> {
        self.check_playing()?;
        let (by, offer) = self.offer.ok_or(Refusal::NoOffer)?;
        if !self.sides(actor)[by.other().index()] {
            return Err(Refusal::NoOffer);
        }
        self.agree(by, offer, now)
    }

    fn agree(&self, by: Side, offer: OfferKind, now: Millis) -> Result<Vec<Event>, Refusal> {
        let end = match offer {
            OfferKind::Draw => End::DrawAgreed,
            OfferKind::Loop => End::LoopAgreed,
            OfferKind::Takeback => {
                let plies = self.plies_to_take_back(by).ok_or(Refusal::NoOffer)?;
                let first = self.row.plies - plies;
                let before = self.moments.get(first as usize).and_then(|moment| moment.before);
                return Ok(vec![Event::TakenBack { plies, left_ms: before }]);
            }
        };
        Ok(vec![self.ended(end, Some(by.other()), None, now)])
    }

    pub(super) fn decline(&self, actor: Actor<'_>) -> Result<Vec<Event>, Refusal> {
        self.check_playing()?;
        let (by, offer) = self.offer.ok_or(Refusal::NoOffer)?;
        let sides = self.sides(actor);
        let decliner = match (sides[by.other().index()], sides[by.index()]) {
            (true, _) => by.other(),
            (false, true) => by,
            (false, false) => return Err(Refusal::NotYours),
        };
        Ok(vec![Event::Declined { by: view::side(decliner), offer }])
    }

    /// What becomes of the waiting offer when `mover` moves on.
    pub(super) fn lapse(&self, mover: Side) -> Option<Event> {
        let (by, offer) = self.offer?;
        (by != mover || offer == OfferKind::Takeback)
            .then(|| Event::Declined { by: view::side(mover), offer })
    }
}
