//! Where a game stands: the fold of its events.

use std::collections::HashMap;

use oware_notation::read_position;
use oware_rules::{Game, House, MatchEnd, Position, Reason, Side};

use super::clocks::Clocks;
use super::{Damaged, End, Event, Stamped};
use crate::clock::Millis;
use crate::store::{EventRow, GameRow, SeatRow};
use crate::view;
use crate::wire::{self, OfferKind, Status, TimeControl};

/// Plies after which a game has really begun: it cannot be called off any more, and the clocks
/// run.
pub(super) const BEGUN: u32 = 2;

/// What is known of a ply beside the move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The number of its event.
    pub seq: u32,
    /// When it was taken.
    pub at: Millis,
    /// What the clock took.
    pub spent_ms: Option<Millis>,
    /// What was given back for lag.
    pub lag_ms: Millis,
    /// The clocks when it was the mover's turn, South's first.
    pub before: Option<[Millis; 2]>,
    /// What the client called it.
    pub id: String,
}

/// A game of the site.
#[derive(Clone, Debug, PartialEq)]
pub struct GameState {
    pub(super) row: GameRow,
    pub(super) game: Game,
    pub(super) clocks: Option<Clocks>,
    /// Since when it is the mover's turn.
    pub(super) turn_since: Millis,
    pub(super) offer: Option<(Side, OfferKind)>,
    /// At how many plies each side last made an offer of each kind.
    pub(super) offered: [[Option<u32>; 3]; 2],
    pub(super) moments: Vec<Moment>,
    pub(super) actions: HashMap<(String, String), u32>,
    /// All but the moves and what was taken back.
    pub(super) log: Vec<Stamped>,
    pub(super) wishes: [bool; 2],
    pub(super) next: Option<String>,
    pub(super) rematch: Option<String>,
}

impl GameState {
    /// A game in which nothing has happened yet.
    ///
    /// # Errors
    /// When the row names rules or a start that cannot be read.
    pub fn new(row: GameRow) -> Result<GameState, Damaged> {
        let damaged = |why: String| Damaged { game: row.id.clone(), why };
        let rules = row.rules.parse().map_err(|error| damaged(format!("rules: {error}")))?;
        let start = match &row.start {
            None => Position::start(rules),
            Some(text) => read_position(text)
                .and_then(|read| read.resolve(None, rules))
                .map_err(|error| damaged(format!("start: {error}")))?,
        };
        let clocks = match row.time {
            TimeControl::Clock { initial_s, increment_s } => {
                Some(Clocks::new(initial_s, increment_s))
            }
            _ => None,
        };
        let open = row.seats.contains(&SeatRow::Open);
        let created_at = row.created_at;
        let mut state = GameState {
            row: GameRow {
                seq: 0,
                plies: 0,
                status: if open { Status::Waiting } else { Status::Playing },
                ending: None,
                updated_at: created_at,
                ..row
            },
            game: Game::from_position(start),
            clocks,
            turn_since: created_at,
            offer: None,
            offered: Default::default(),
            moments: Vec::new(),
            actions: HashMap::new(),
            log: Vec::new(),
            wishes: [false; 2],
            next: None,
            rematch: None,
        };
        state.bring_row_up_to_date();
        Ok(state)
    }

    /// A game from the store, retracted moves included in the events.
    ///
    /// # Errors
    /// When the events do not fit the game or each other.
    pub fn restore(row: &GameRow, events: &[EventRow]) -> Result<GameState, Damaged> {
        let stamped = read_events(row, events)?;
        let mut state = GameState::first(row, &stamped)?;
        for event in &stamped {
            state.apply(event)?;
        }
        if (state.row.seq, &state.row.position) != (row.seq, &row.position) {
            let why = format!(
                "its events lead to {} and {}, its row says {} and {}",
                state.row.seq, state.row.position, row.seq, row.position
            );
            return Err(Damaged { game: row.id.clone(), why });
        }
        Ok(state)
    }

    /// The game before the first of its events, from its row as it is now.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn first(row: &GameRow, events: &[Stamped]) -> Result<GameState, Damaged> {
        let mut row = row.clone();
        for stamped in events {
            if let Event::Joined { side, .. } = &stamped.event {
                row.seats[view::side_of(*side).index()] = SeatRow::Open;
            }
        }
        GameState::new(row)
    }

    /// The row, as it is to be kept.
    #[must_use]
    pub fn row(&self) -> &GameRow {
        &self.row
    }

    /// The game by the rules.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The number of the last event.
    #[must_use]
    pub fn seq(&self) -> u32 {
        self.row.seq
    }

    /// The clocks.
    #[must_use]
    pub fn clocks(&self) -> Option<&Clocks> {
        self.clocks.as_ref()
    }

    /// The offer that waits, and whose it is.
    #[must_use]
    pub fn offer(&self) -> Option<(Side, OfferKind)> {
        self.offer
    }

    /// The game that follows in the match.
    #[must_use]
    pub fn next(&self) -> Option<&str> {
        self.next.as_deref()
    }

    /// The rematch.
    #[must_use]
    pub fn rematch(&self) -> Option<&str> {
        self.rematch.as_deref()
    }

    /// Whose turn it is; none unless it is played.
    #[must_use]
    pub fn to_move(&self) -> Option<Side> {
        (self.row.status == Status::Playing).then(|| self.game.position().to_move())
    }

    /// Who sits at a side.
    #[must_use]
    pub fn seat(&self, side: Side) -> &SeatRow {
        &self.row.seats[side.index()]
    }

    /// Which sides a player plays, South's first.
    #[must_use]
    pub fn sides_of(&self, player: &str) -> [bool; 2] {
        Side::BOTH.map(|side| matches!(self.seat(side), SeatRow::Player(id) if id == player))
    }

    /// Whether two persons play who need not see each other.
    #[must_use]
    pub fn is_between_persons(&self) -> bool {
        match &self.row.seats {
            [SeatRow::Player(south), SeatRow::Player(north)] => south != north,
            _ => false,
        }
    }

    /// Applies what happened.
    ///
    /// # Errors
    /// When it cannot have happened here; the state is then of no use any more.
    pub fn apply(&mut self, stamped: &Stamped) -> Result<(), Damaged> {
        let game = self.row.id.clone();
        let damaged = |why: &str| Damaged { game, why: format!("event {}: {why}", stamped.seq) };
        if stamped.seq != self.row.seq + 1 {
            return Err(damaged("not the next number"));
        }
        self.change(stamped).map_err(|why| damaged(&why))?;
        if let Some(action) = &stamped.action {
            self.actions.insert(action.clone(), stamped.seq);
        }
        if !matches!(stamped.event, Event::Moved { .. } | Event::TakenBack { .. }) {
            self.log.push(stamped.clone());
        }
        self.row.seq = stamped.seq;
        self.row.updated_at = stamped.at;
        self.bring_row_up_to_date();
        debug_assert_eq!(
            self.game.position().houses().iter().chain(&self.game.position().stores()).sum::<u8>(),
            oware_rules::TOTAL_SEEDS,
        );
        Ok(())
    }

    fn change(&mut self, stamped: &Stamped) -> Result<(), String> {
        let at = stamped.at;
        match &stamped.event {
            Event::Joined { side, player } => {
                self.row.seats[view::side_of(*side).index()] = SeatRow::Player(player.clone());
                self.row.status = Status::Playing;
                self.turn_since = at;
            }
            Event::Moved { .. } => self.play(stamped)?,
            Event::Offered { by, offer } => {
                let by = view::side_of(*by);
                self.offer = Some((by, *offer));
                self.offered[by.index()][*offer as usize] = Some(self.row.plies);
            }
            Event::Declined { .. } => self.offer = None,
            Event::TakenBack { plies, left_ms } => self.take_back(*plies, *left_ms, at)?,
            Event::Ended { end, by: _, loser, left_ms } => {
                self.end(*end, loser.map(view::side_of))?;
                if let (Some(clocks), Some(left)) = (&mut self.clocks, left_ms) {
                    clocks.set(*left);
                }
            }
            Event::ClockShifted { away_ms, left_ms, .. } => match (&mut self.clocks, left_ms) {
                (Some(clocks), Some(left)) => {
                    clocks.set(*left);
                    self.turn_since = at;
                    self.run_clock();
                }
                _ => self.turn_since += away_ms,
            },
            Event::Said { .. } => {}
            Event::RematchWished { by } => self.wishes[view::side_of(*by).index()] = true,
            Event::Next { game, rematch: true } => self.rematch = Some(game.clone()),
            Event::Next { game, rematch: false } => self.next = Some(game.clone()),
        }
        Ok(())
    }

    fn play(&mut self, stamped: &Stamped) -> Result<(), String> {
        let Event::Moved { ply, house, spent_ms, lag_ms, left_ms } = &stamped.event else {
            return Ok(());
        };
        let mover = self.game.position().to_move();
        let house = House::try_from(*house).map_err(|error| error.to_string())?;
        if *ply != self.row.plies + 1 || house.side() != mover {
            return Err(format!("ply {ply} by {house} is not the next move"));
        }
        self.game.play_quick(house.as_move()).map_err(|error| error.to_string())?;
        self.moments.push(Moment {
            seq: stamped.seq,
            at: stamped.at,
            spent_ms: *spent_ms,
            lag_ms: *lag_ms,
            before: self.clocks.as_ref().map(Clocks::standing),
            id: stamped.action.as_ref().map(|(_, id)| id.clone()).unwrap_or_default(),
        });
        if let (Some(clocks), Some(left)) = (&mut self.clocks, left_ms) {
            clocks.moved(mover, *left, *lag_ms);
        }
        self.row.plies += 1;
        self.turn_since = stamped.at;
        self.run_clock();
        Ok(())
    }

    /// Lets the mover's clock run, once each side has made a move.
    fn run_clock(&mut self) {
        let mover = self.game.position().to_move();
        let runs = self.row.plies >= BEGUN && !self.game.is_over();
        if let Some(clocks) = &mut self.clocks {
            if runs {
                clocks.run(mover, self.turn_since);
            } else {
                clocks.stand();
            }
        }
    }

    fn take_back(
        &mut self,
        plies: u32,
        left: Option<[Millis; 2]>,
        at: Millis,
    ) -> Result<(), String> {
        if plies == 0 || plies > self.row.plies {
            return Err(format!("{plies} plies cannot be taken back"));
        }
        for _ in 0..plies {
            self.game.undo();
            self.moments.pop();
        }
        self.row.plies -= plies;
        self.offer = None;
        self.offered = Default::default();
        self.turn_since = at;
        if let (Some(clocks), Some(left)) = (&mut self.clocks, left) {
            clocks.set(left);
        }
        self.run_clock();
        Ok(())
    }

    fn end(&mut self, end: End, loser: Option<Side>) -> Result<(), String> {
        let lost = |end: fn(Side) -> MatchEnd| loser.map(end).ok_or("nobody lost");
        let end = match end {
            End::Rules => None,
            End::Aborted => None,
            End::Resigned => Some(lost(MatchEnd::Resignation)?),
            End::Time => Some(lost(MatchEnd::Time)?),
            End::Abandoned => Some(lost(MatchEnd::Abandonment)?),
            End::DrawAgreed => Some(MatchEnd::DrawAgreed),
            End::LoopAgreed => Some(MatchEnd::LoopAgreed),
        };
        if let Some(end) = end {
            self.game.end(end).map_err(|error| error.to_string())?;
        }
        let stores = self.game.position().stores();
        let ending = self.game.ending().as_ref().map(view::ending);
        self.row.ending = Some(ending.unwrap_or_else(|| wire::Ending {
            reason: ABORTED.to_owned(),
            score: stores.map(f64::from),
            winner: None,
        }));
        self.row.status = Status::Over;
        self.offer = None;
        if let Some(clocks) = &mut self.clocks {
            clocks.stand();
        }
        Ok(())
    }

    fn bring_row_up_to_date(&mut self) {
        self.row.position = self.game.position().to_string();
        self.row.to_move = self.game.position().to_move();
        self.row.due_at = self.due_at();
    }

    /// Whether it was called off before it began.
    #[must_use]
    pub fn is_aborted(&self) -> bool {
        self.row.ending.as_ref().is_some_and(|ending| ending.reason == ABORTED)
    }

    /// Whether it ended because somebody left.
    #[must_use]
    pub fn is_abandoned(&self) -> bool {
        self.game.ending().is_some_and(|ending| ending.reason == Reason::Abandonment)
    }
}

/// The reason of a game that was called off.
const ABORTED: &str = "aborted";

/// The events of a game from their rows.
pub(super) fn read_events(row: &GameRow, events: &[EventRow]) -> Result<Vec<Stamped>, Damaged> {
    events.iter().map(|event| Stamped::of_row(&row.id, event)).collect()
}
