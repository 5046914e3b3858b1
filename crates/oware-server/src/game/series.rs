//! Games that follow each other: matches, whose starts alternate, and rematches, which go on
//! alternating. The seats change with every game, whoever won.

use oware_rules::Side;

use super::GameState;
use crate::clock::Millis;
use crate::store::{Door, GameRow, MatchRow, SeatRow};
use crate::wire::Status;

/// What a player has in a match before one of its games.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Score {
    /// A win 1, a draw 0.5: South's and North's of that game.
    pub points: [f64; 2],
    /// Seeds taken, which break ties.
    pub seeds: [f64; 2],
}

impl Score {
    /// The score before game `number`, from the games of the match.
    #[must_use]
    pub fn before(number: u8, games: &[GameRow]) -> Score {
        let mut score = Score::default();
        for row in games {
            let Some(of) = row.match_.as_ref().filter(|of| of.number < number) else { continue };
            let Some(ending) = &row.ending else { continue };
            // Who sits South in this game sat South in every second one before it.
            let swapped = (number - of.number) % 2 == 1;
            for side in Side::BOTH {
                let here = if swapped { side.other() } else { side }.index();
                score.seeds[here] += ending.score[side.index()];
                score.points[here] += match ending.winner.map(crate::view::side_of) {
                    Some(winner) if winner == side => 1.0,
                    Some(_) => 0.0,
                    None => 0.5,
                };
            }
        }
        score
    }
}

impl GameState {
    /// Whether another game of the match is due.
    #[must_use]
    pub fn goes_on(&self) -> bool {
        // A match ends with a game that was called off, or that somebody left.
        let ended = self.row.status == Status::Over && !self.is_aborted() && !self.is_abandoned();
        let more = self.row.match_.as_ref().is_some_and(|of| of.number < of.games);
        ended && more && self.next.is_none()
    }

    /// Whether both want a rematch that is not there yet. The computer wants what the person
    /// wants, and people at one device speak for each other.
    #[must_use]
    pub fn wants_rematch(&self) -> bool {
        let wish = |side: Side| {
            self.wishes[side.index()]
                || matches!(self.seat(side), SeatRow::Computer { .. })
                || self.seat(side) == self.seat(side.other())
        };
        self.rematch.is_none()
            && self.wishes.contains(&true)
            && wish(Side::South)
            && wish(Side::North)
    }

    fn follower(&self, id: String, seed: u64, now: Millis) -> GameRow {
        let [south, north] = self.row.seats.clone().map(|seat| match seat {
            SeatRow::Computer { level, .. } => SeatRow::Computer { level, seed },
            other => other,
        });
        let start = self.game.start();
        GameRow {
            id,
            seq: 0,
            status: Status::Playing,
            seats: [north, south],
            door: Door::Closed,
            plies: 0,
            position: start.to_string(),
            to_move: start.to_move(),
            due_at: None,
            ending: None,
            created_at: now,
            updated_at: now,
            ..self.row.clone()
        }
    }
}

/// The next game of the match, begun with the seats changed.
#[must_use]
pub fn next_in_match(state: &GameState, id: String, seed: u64, now: Millis) -> GameRow {
    let mut row = state.follower(id, seed, now);
    if let Some(of) = &mut row.match_ {
        of.number += 1;
    }
    row
}

/// The rematch: another game or, after a match, another match; the other side begins.
#[must_use]
pub fn rematch(state: &GameState, id: String, match_id: String, seed: u64, now: Millis) -> GameRow {
    let mut row = state.follower(id, seed, now);
    row.match_ = row.match_.map(|of| MatchRow { id: match_id, number: 1, games: of.games });
    row
}
