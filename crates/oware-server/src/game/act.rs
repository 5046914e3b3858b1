//! What an action leads to: events, or a refusal. Nothing is changed here.

use oware_rules::{House, Side};

use super::state::BEGUN;
use super::{End, Event, GameState, Refusal};
use crate::clock::Millis;
use crate::store::{Door, SeatRow};
use crate::view;
use crate::wire::{Action, OfferKind, PHRASES, Status};

/// Phrases of one side within [`PHRASE_TIME`], and in a whole game.
const PHRASES_AT_ONCE: usize = 5;
const PHRASE_TIME: Millis = 30_000;
const PHRASES_IN_ALL: usize = 100;
/// Plies of the longest game; it cannot go on, so that no game costs more than it should.
const MOST_PLIES: u32 = 2_000;

/// Who does something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Actor<'a> {
    /// A player, by id.
    Player(&'a str),
    /// The computer that sits at this side.
    Computer(Side),
}

/// Something that shall be done, with what the game itself does not know.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// By whom.
    pub actor: Actor<'a>,
    /// What the client calls it.
    pub id: Option<&'a str>,
    /// What.
    pub action: &'a Action,
    /// The lag of the line, there and back, as the server measured it.
    pub lag: Option<Millis>,
    /// From when each side may be held to have left, where it stays away.
    pub claim_at: [Option<Millis>; 2],
    /// Whether the actor has an account.
    pub account: bool,
}

/// What an action leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// These events. None at all: what is asked for is so already.
    Do(Vec<Event>),
    /// The action was done before, as this event.
    Done(u32),
    /// The time was over before: these events, and the action is refused.
    TooLate(Vec<Event>),
}

impl GameState {
    /// That an action is the one that was done before under its id, as far as moves can tell.
    fn done_before(&self, seq: u32, action: &Action) -> Result<(), Refusal> {
        let Some(index) = self.moments.iter().position(|moment| moment.seq == seq) else {
            return Ok(());
        };
        let played = self.game.plies().get(index).map(|ply| ply.house().to_string());
        let same = match action {
            Action::Move { ply, house, .. } => {
                *ply as usize == index + 1 && Some(house) == played.as_ref()
            }
            _ => false,
        };
        if same {
            return Ok(());
        }
        let why = format!("this id was used for another action of this game: ply {}", index + 1);
        Err(Refusal::field("id", why))
    }

    /// What an action leads to.
    ///
    /// # Errors
    /// Why it is refused.
    pub fn decide(&self, request: &Request<'_>, now: Millis) -> Result<Decision, Refusal> {
        if let (Actor::Player(player), Some(id)) = (request.actor, request.id)
            && let Some(seq) = self.actions.get(&(player.to_owned(), id.to_owned()))
        {
            return self.done_before(*seq, request.action).map(|()| Decision::Done(*seq));
        }
        if let Action::Join = request.action {
            return self.join(request).map(Decision::Do);
        }
        if let (Action::Decline, true) = (request.action, self.is_asked(request.actor)) {
            return Ok(Decision::Do(vec![self.ended(End::Aborted, self.open_side(), None, now)]));
        }
        let side = self.acting_side(request)?;
        if let Some(events) = self.timed_out(now) {
            return Ok(match request.action {
                Action::Claim if Some(side) != self.to_move() => Decision::Do(events),
                _ => Decision::TooLate(events),
            });
        }
        if let Action::Move { ply, house, lag_ms } = request.action {
            return self.play_house(request, *ply, house, *lag_ms, now);
        }
        let events = match request.action {
            Action::Offer { offer, .. } => self.make_offer(side, *offer, now)?,
            Action::Accept => self.accept(request.actor, now)?,
            Action::Decline => self.decline(request.actor)?,
            Action::Resign { .. } => {
                self.check_playing()?;
                vec![self.ended(End::Resigned, Some(side), Some(side), now)]
            }
            Action::Abort => self.abort(side, now)?,
            Action::Claim => self.claim(side, request.claim_at, now)?,
            Action::Say { phrase } => self.say(side, phrase, now)?,
            Action::Rematch => self.wish_rematch(side)?,
            Action::Join | Action::Move { .. } => Vec::new(),
        };
        Ok(Decision::Do(events))
    }

    pub(super) fn is_later_in_match(&self) -> bool {
        self.row.match_.as_ref().is_some_and(|of| of.number > 1)
    }

    pub(super) fn check_playing(&self) -> Result<(), Refusal> {
        match self.row.status {
            Status::Waiting => Err(Refusal::Waiting),
            Status::Playing => Ok(()),
            Status::Over => Err(Refusal::Over),
        }
    }

    /// Which sides the actor plays.
    pub(super) fn sides(&self, actor: Actor<'_>) -> [bool; 2] {
        match actor {
            Actor::Player(player) => self.sides_of(player),
            Actor::Computer(side) => Side::BOTH.map(|one| one == side),
        }
    }

    /// The side for which the actor acts.
    fn acting_side(&self, request: &Request<'_>) -> Result<Side, Refusal> {
        let sides = self.sides(request.actor);
        let asked = match request.action {
            Action::Offer { side, .. } | Action::Resign { side } => side.map(view::side_of),
            _ => None,
        };
        match (asked, sides) {
            (_, [false, false]) => Err(Refusal::NotYours),
            (Some(side), _) if !sides[side.index()] => Err(Refusal::NotYours),
            (Some(side), _) => Ok(side),
            (None, [true, true]) => {
                let mover = self.game.position().to_move();
                // At one device: whoever moves next acts, but whoever moved last takes back.
                let takes_back =
                    matches!(request.action, Action::Offer { offer: OfferKind::Takeback, .. });
                Ok(if takes_back { mover.other() } else { mover })
            }
            (None, [true, false]) => Ok(Side::South),
            (None, [false, true]) => Ok(Side::North),
        }
    }

    /// The event of an end, with the clocks as they are.
    pub(super) fn ended(
        &self,
        end: End,
        by: Option<Side>,
        loser: Option<Side>,
        now: Millis,
    ) -> Event {
        Event::Ended {
            end,
            by: by.map(view::side),
            loser: loser.map(view::side),
            left_ms: self.clocks.as_ref().map(|clocks| clocks.left(now)),
        }
    }

    /// The seat that nobody has taken.
    #[must_use]
    pub fn open_side(&self) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| *self.seat(*side) == SeatRow::Open)
    }

    /// Whether this very player was asked to play.
    fn is_asked(&self, actor: Actor<'_>) -> bool {
        match (&self.row.door, actor) {
            (Door::Player(asked), Actor::Player(player)) => {
                self.row.status == Status::Waiting && asked == player
            }
            _ => false,
        }
    }

    fn join(&self, request: &Request<'_>) -> Result<Vec<Event>, Refusal> {
        let Actor::Player(player) = request.actor else { return Err(Refusal::NotYours) };
        let Some(side) = self.open_side() else {
            // Whoever sits there already has what they asked for.
            let sits = self.sides_of(player).contains(&true);
            return if sits { Ok(Vec::new()) } else { Err(Refusal::Taken) };
        };
        if self.row.status == Status::Over {
            return Err(Refusal::Over);
        }
        if self.sides_of(player).contains(&true) {
            return Err(Refusal::Forbidden("you cannot play against yourself here"));
        }
        match &self.row.door {
            Door::Player(asked) if asked != player => {
                return Err(Refusal::Forbidden("somebody else was asked to this game"));
            }
            Door::Closed => return Err(Refusal::Forbidden("this seat is not open")),
            _ => {}
        }
        if self.row.rated && !request.account {
            return Err(Refusal::NotSignedIn);
        }
        Ok(vec![Event::Joined { side: view::side(side), player: player.to_owned() }])
    }

    fn play_house(
        &self,
        request: &Request<'_>,
        ply: u32,
        house: &str,
        lag: Option<u32>,
        now: Millis,
    ) -> Result<Decision, Refusal> {
        let read = house.parse::<House>();
        let house = read.map_err(|error| Refusal::field("house", error.to_string()))?;
        let next = self.row.plies + 1;
        if ply != next {
            let index = (ply as usize).wrapping_sub(1);
            let same = self.game.plies().get(index).is_some_and(|one| one.house() == house)
                && self.sides(request.actor)[house.side().index()];
            return match self.seq_of_ply(ply).filter(|_| same) {
                Some(seq) => Ok(Decision::Done(seq)),
                None => Err(Refusal::Stale { asked: ply, next }),
            };
        }
        self.check_playing()?;
        let mover = self.game.position().to_move();
        if !self.sides(request.actor)[mover.index()] || house.side() != mover {
            return Err(Refusal::NotYourTurn);
        }
        let mut after = self.game.clone();
        after.play_quick(house.as_move()).map_err(|error| Refusal::of_rules(error, house))?;
        let charge = match (&self.clocks, request.actor) {
            (None, _) => None,
            (Some(clocks), _) if clocks.running().is_none() => None,
            (Some(clocks), Actor::Computer(_)) => clocks.charge_computer(now),
            (Some(clocks), Actor::Player(_)) => {
                match clocks.charge(now, lag.map(Millis::from), request.lag) {
                    Some(charge) => Some(charge),
                    None => {
                        let ended = self.ended(End::Time, None, Some(mover), now);
                        return Ok(Decision::TooLate(vec![ended]));
                    }
                }
            }
        };
        let left_ms = match (&charge, &self.clocks) {
            (Some(charge), _) => Some(charge.left),
            (None, clocks) => clocks.as_ref().map(|clocks| clocks.left(now)),
        };
        let mut events = vec![Event::Moved {
            ply,
            house: house.letter(),
            spent_ms: charge.map(|charge| charge.spent),
            lag_ms: charge.map_or(0, |charge| charge.lag),
            left_ms,
        }];
        if after.is_over() {
            events.push(Event::Ended { end: End::Rules, by: None, loser: None, left_ms });
        } else if ply >= MOST_PLIES {
            events.push(Event::Ended { end: End::LoopAgreed, by: None, loser: None, left_ms });
        } else {
            events.extend(self.lapse(mover));
        }
        Ok(Decision::Do(events))
    }

    /// The number of the event by which a standing ply was played.
    fn seq_of_ply(&self, ply: u32) -> Option<u32> {
        let moment = self.moments.get((ply as usize).checked_sub(1)?)?;
        Some(moment.seq)
    }

    fn abort(&self, side: Side, now: Millis) -> Result<Vec<Event>, Refusal> {
        match self.row.status {
            Status::Over => return Err(Refusal::Over),
            Status::Playing if self.row.plies >= BEGUN => {
                return Err(Refusal::Forbidden("the game has begun: resign, or offer a draw"));
            }
            Status::Playing if self.is_later_in_match() => {
                return Err(Refusal::Forbidden("the match has begun: resign this game"));
            }
            _ => {}
        }
        Ok(vec![self.ended(End::Aborted, Some(side), None, now)])
    }

    fn claim(
        &self,
        side: Side,
        claim_at: [Option<Millis>; 2],
        now: Millis,
    ) -> Result<Vec<Event>, Refusal> {
        self.check_playing()?;
        let other = side.other();
        let away = claim_at[other.index()];
        if !self.is_claimable() || away.is_none() {
            return Err(Refusal::Forbidden("the other player has time and is there"));
        }
        if away.is_some_and(|at| now < at) {
            return Err(Refusal::Forbidden("the other player may still come back"));
        }
        // Before the game has begun there is nothing to win.
        let ended = if self.row.plies < BEGUN && !self.is_later_in_match() {
            self.ended(End::Aborted, Some(side), None, now)
        } else {
            self.ended(End::Abandoned, Some(side), Some(other), now)
        };
        Ok(vec![ended])
    }

    /// Whether staying away costs the game: with clocks, between two persons. Games by days are
    /// lost by time alone.
    #[must_use]
    pub fn is_claimable(&self) -> bool {
        self.row.status == Status::Playing && self.clocks.is_some() && self.is_between_persons()
    }

    fn say(&self, side: Side, phrase: &str, now: Millis) -> Result<Vec<Event>, Refusal> {
        if !PHRASES.contains(&phrase) {
            let why = format!("expected one of {}", PHRASES.join(", "));
            return Err(Refusal::field("phrase", why));
        }
        if self.row.status == Status::Waiting {
            return Err(Refusal::Waiting);
        }
        let by = view::side(side);
        let own = self
            .log
            .iter()
            .rev()
            .filter(|said| matches!(said.event, Event::Said { by: who, .. } if who == by));
        let times: Vec<Millis> = own.map(|said| said.at).collect();
        let lately = times.iter().filter(|at| now - **at < PHRASE_TIME).count();
        if lately >= PHRASES_AT_ONCE || times.len() >= PHRASES_IN_ALL {
            return Err(Refusal::TooMany("that is enough said for now"));
        }
        Ok(vec![Event::Said { by, phrase: phrase.to_owned() }])
    }

    fn wish_rematch(&self, side: Side) -> Result<Vec<Event>, Refusal> {
        if self.row.status != Status::Over {
            return Err(Refusal::Forbidden("the game is not over"));
        }
        if self.row.seats.contains(&SeatRow::Open) {
            return Err(Refusal::Waiting);
        }
        if self.next.is_some() || self.goes_on() {
            return Err(Refusal::Forbidden("the match goes on"));
        }
        if self.rematch.is_some() || self.wishes[side.index()] {
            return Ok(Vec::new());
        }
        Ok(vec![Event::RematchWished { by: view::side(side) }])
    }
}
