//! A game: a position with its history, so that repetition, undo and offers have a meaning.

use std::fmt;

use crate::{
    Ending, FinalScore, House, Move, MoveReport, PlayError, Position, Reason, Rules, Side,
};

/// What a player may offer the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OfferKind {
    /// To end the game as a loop: the seeds on the board are shared by the rules' loop split.
    Loop,
    /// A draw, whatever the stores hold.
    Draw,
}

impl fmt::Display for OfferKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            OfferKind::Loop => "loop",
            OfferKind::Draw => "draw",
        })
    }
}

/// An end that people decide, outside the rules of play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchEnd {
    /// This player resigned.
    Resignation(Side),
    /// This player ran out of time.
    Time(Side),
    /// This player left.
    Abandonment(Side),
    /// Somebody decided: who won (`None` for a draw), and with which stores.
    Adjudication {
        /// The winner.
        winner: Option<Side>,
        /// The stores the decision gives.
        score: FinalScore,
    },
    /// Both agreed on a draw.
    DrawAgreed,
    /// Both agreed that play goes round in a loop.
    LoopAgreed,
}

/// Why the game refuses something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GameError {
    /// The move is not legal.
    Play(PlayError),
    /// The game is over.
    Over(Reason),
    /// There is no offer of the other player to answer.
    NoOffer,
    /// An offer already waits for an answer.
    OfferWaits(OfferKind),
}

impl fmt::Display for GameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameError::Play(error) => error.fmt(f),
            GameError::Over(reason) => PlayError::GameOver(*reason).fmt(f),
            GameError::NoOffer => f.write_str("there is no offer of the other player to answer"),
            GameError::OfferWaits(kind) => {
                write!(f, "an offer ({kind}) already waits for an answer")
            }
        }
    }
}

impl std::error::Error for GameError {}

impl From<PlayError> for GameError {
    fn from(error: PlayError) -> GameError {
        GameError::Play(error)
    }
}

/// One ply of a game, and what it led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlyRecord {
    /// The move.
    pub mv: Move,
    /// The position after it, before any sharing out.
    pub after: Position,
    /// Seeds captured by it.
    pub captured: u8,
    /// Whether it was a grand slam.
    pub grand_slam: bool,
    /// Plies without a capture up to here, this one included; 0 if it captured.
    pub capture_free: u32,
    /// How often the position after it has occurred since the last capture, this time included.
    pub occurrences: u16,
    /// The end of the game by the rules, if this ply brought it.
    pub ending: Option<Ending>,
}

impl PlyRecord {
    /// The house that was lifted.
    #[must_use]
    pub fn house(&self) -> House {
        House::of(self.after.to_move().other(), self.mv)
    }
}

/// What can be taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Undone {
    Ply(Move),
    End(Ending),
}

/// A game from its first position on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    start: Position,
    plies: Vec<PlyRecord>,
    undone: Vec<Undone>,
    /// An end that people decided; ends by the rules stand in the last ply.
    agreed: Option<Ending>,
    offer: Option<(Side, OfferKind)>,
}

impl Game {
    /// A game from the usual start.
    #[must_use]
    pub fn new(rules: Rules) -> Game {
        Game::from_position(Position::start(rules))
    }

    /// A game from any position. If it is an end by itself the game is over at once.
    #[must_use]
    pub fn from_position(start: Position) -> Game {
        Game { start, plies: Vec::new(), undone: Vec::new(), agreed: None, offer: None }
    }

    /// The rules it is played by.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        self.start.rules()
    }

    /// Where it began.
    #[must_use]
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// Where it stands. When the game is over the seeds on the board are not yet shared out:
    /// that is in [`ending`](Self::ending).
    #[must_use]
    pub fn position(&self) -> &Position {
        self.plies.last().map_or(&self.start, |ply| &ply.after)
    }

    /// The plies so far.
    #[must_use]
    pub fn plies(&self) -> &[PlyRecord] {
        &self.plies
    }

    /// The houses lifted so far, in order.
    pub fn houses_played(&self) -> impl Iterator<Item = House> + '_ {
        self.plies.iter().map(PlyRecord::house)
    }

    /// The position before ply `index` (0 for the start); `None` past the last.
    #[must_use]
    pub fn position_at(&self, index: usize) -> Option<&Position> {
        match index {
            0 => Some(&self.start),
            _ => self.plies.get(index - 1).map(|ply| &ply.after),
        }
    }

    /// The end, if the game is over.
    #[must_use]
    pub fn ending(&self) -> Option<Ending> {
        self.agreed.or_else(|| match self.plies.last() {
            Some(ply) => ply.ending,
            None => self.start.ending(),
        })
    }

    /// Whether the game is over.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.ending().is_some()
    }

    /// The legal moves; none when the game is over.
    #[must_use]
    pub fn legal_moves(&self) -> crate::MoveSet {
        if self.is_over() { crate::MoveSet::EMPTY } else { self.position().legal_moves() }
    }

    /// How often the present position has occurred since the last capture, this time included.
    #[must_use]
    pub fn occurrences(&self) -> u16 {
        self.plies.last().map_or(1, |ply| ply.occurrences)
    }

    /// Plies without a capture so far.
    #[must_use]
    pub fn capture_free(&self) -> u32 {
        self.plies.last().map_or(0, |ply| ply.capture_free)
    }

    fn check_running(&self) -> Result<(), GameError> {
        self.ending().map_or(Ok(()), |ending| Err(GameError::Over(ending.reason)))
    }

    /// Plays the move of a house. An offer of the other player lapses by it.
    ///
    /// # Errors
    /// When the game is over, the house is the other player's, or the move is not legal; the
    /// game is then untouched.
    pub fn play_house(&mut self, house: House) -> Result<MoveReport, GameError> {
        self.check_running()?;
        if house.side() != self.position().to_move() {
            return Err(PlayError::NotYours(house).into());
        }
        self.play(house.as_move())
    }

    /// Plays a move of the player to move. An offer of the other player lapses by it.
    ///
    /// # Errors
    /// When the game is over or the move is not legal; the game is then untouched.
    pub fn play(&mut self, mv: Move) -> Result<MoveReport, GameError> {
        let report = self.check_running().and_then(|()| {
            self.position().check(mv)?;
            Ok(self.position().report(mv))
        })?;
        self.undone.clear();
        self.push(mv);
        Ok(report)
    }

    /// Plays a move like [`play`](Self::play), without telling its story: for replays.
    ///
    /// # Errors
    /// As [`play`](Self::play).
    pub fn play_quick(&mut self, mv: Move) -> Result<(), GameError> {
        self.check_running()?;
        self.position().check(mv)?;
        self.undone.clear();
        self.push(mv);
        Ok(())
    }

    /// Appends a legal move. An offer of the player who moves stands on; one of the other
    /// player is declined by moving.
    fn push(&mut self, mv: Move) {
        let before = *self.position();
        let mover = before.to_move();
        if self.offer.is_some_and(|(by, _)| by != mover) {
            self.offer = None;
        }
        let outcome = before.outcome(mv);
        let after = outcome.after;
        let capture_free = if outcome.captured > 0 { 0 } else { self.capture_free() + 1 };
        let mut ply = PlyRecord {
            mv,
            after,
            captured: outcome.captured,
            grand_slam: outcome.grand_slam,
            capture_free,
            occurrences: 1,
            ending: outcome.ending,
        };
        ply.occurrences = self.count_occurrences(&after, capture_free);
        ply.ending = ply.ending.or_else(|| self.loop_ending(&ply));
        self.plies.push(ply);
        if ply.ending.is_some() {
            self.offer = None;
        }
    }

    /// Counts a position that is about to be added among those since the last capture. Only
    /// every second one has the same side to move.
    fn count_occurrences(&self, position: &Position, capture_free: u32) -> u16 {
        let here = self.plies.len() + 1;
        let first = here - capture_free as usize;
        let earlier = (first..here).rev().skip(1).step_by(2).filter(|&index| {
            self.position_at(index).is_some_and(|old| old.board() == position.board())
        });
        1 + u16::try_from(earlier.count()).unwrap_or(u16::MAX - 1)
    }

    fn loop_ending(&self, ply: &PlyRecord) -> Option<Ending> {
        let rules = self.rules();
        if rules.repetition.is_some_and(|times| ply.occurrences >= times.get()) {
            return Some(ply.after.settle(Reason::Repetition));
        }
        rules
            .capture_free_limit
            .is_some_and(|limit| ply.capture_free >= u32::from(limit.get()))
            .then(|| ply.after.settle(Reason::CaptureFreeLimit))
    }

    /// Takes back the last thing that happened: an end that people decided, else the last ply.
    /// Gives `false` if there is nothing to take back.
    pub fn undo(&mut self) -> bool {
        let undone = match self.agreed.take() {
            Some(ending) => Undone::End(ending),
            None => match self.plies.pop() {
                Some(ply) => Undone::Ply(ply.mv),
                None => return false,
            },
        };
        self.undone.push(undone);
        self.offer = None;
        true
    }

    /// Does again what was last taken back. Gives `false` if there is nothing.
    pub fn redo(&mut self) -> bool {
        match self.undone.pop() {
            Some(Undone::Ply(mv)) => self.push(mv),
            Some(Undone::End(ending)) => self.agreed = Some(ending),
            None => return false,
        }
        self.offer = None;
        true
    }

    /// Whether [`redo`](Self::redo) would do something.
    #[must_use]
    pub fn can_redo(&self) -> bool {
        !self.undone.is_empty()
    }

    /// The offer that waits for an answer, and whose it is.
    #[must_use]
    pub fn offer(&self) -> Option<(Side, OfferKind)> {
        self.offer
    }

    /// Makes an offer; either player may at any time. It lapses when the other player moves.
    ///
    /// # Errors
    /// When the game is over or an offer already waits.
    pub fn make_offer(&mut self, by: Side, kind: OfferKind) -> Result<(), GameError> {
        self.check_running()?;
        if let Some((_, waiting)) = self.offer {
            return Err(GameError::OfferWaits(waiting));
        }
        self.offer = Some((by, kind));
        Ok(())
    }

    fn take_offer(&mut self, answerer: Side) -> Result<OfferKind, GameError> {
        self.check_running()?;
        match self.offer {
            Some((by, kind)) if by != answerer => {
                self.offer = None;
                Ok(kind)
            }
            _ => Err(GameError::NoOffer),
        }
    }

    /// Accepts the other player's offer, which ends the game.
    ///
    /// # Errors
    /// When there is no such offer.
    pub fn accept_offer(&mut self, by: Side) -> Result<Ending, GameError> {
        let end = match self.take_offer(by)? {
            OfferKind::Loop => MatchEnd::LoopAgreed,
            OfferKind::Draw => MatchEnd::DrawAgreed,
        };
        self.end(end)
    }

    /// Declines the other player's offer.
    ///
    /// # Errors
    /// When there is no such offer.
    pub fn decline_offer(&mut self, by: Side) -> Result<OfferKind, GameError> {
        self.take_offer(by)
    }

    /// Ends the game by a decision of people.
    ///
    /// # Errors
    /// When it is over already.
    pub fn end(&mut self, end: MatchEnd) -> Result<Ending, GameError> {
        self.check_running()?;
        let position = self.position();
        let lost = |reason, loser: Side| Ending {
            reason,
            score: FinalScore::whole(position.stores()),
            winner: Some(loser.other()),
        };
        let ending = match end {
            MatchEnd::Resignation(loser) => lost(Reason::Resignation, loser),
            MatchEnd::Time(loser) => lost(Reason::Time, loser),
            MatchEnd::Abandonment(loser) => lost(Reason::Abandonment, loser),
            MatchEnd::Adjudication { winner, score } => {
                Ending { reason: Reason::Adjudication, score, winner }
            }
            MatchEnd::DrawAgreed => Ending {
                reason: Reason::DrawAgreed,
                score: FinalScore::whole(position.stores()),
                winner: None,
            },
            MatchEnd::LoopAgreed => position.settle(Reason::LoopAgreed),
        };
        self.undone.clear();
        self.offer = None;
        self.agreed = Some(ending);
        Ok(ending)
    }
}
