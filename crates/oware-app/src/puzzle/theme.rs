//! What a puzzle is about, found by looking at its solution.

use oware_rules::{Ending, Game, Position, Reason, SowingBoard};

use super::SolverMove;

/// What a puzzle is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Theme {
    /// The first move captures.
    Capture,
    /// The first move captures nothing although another one would capture.
    Quiet,
    /// Another move captures more than the first move of the solution, and misses the goal.
    Temptation,
    /// The solution lets the opponent capture at once, which another move would not.
    Sacrifice,
    /// The opponent has no seeds, and has to be fed.
    Feed,
    /// In the end the opponent plays his last seed away and cannot be fed.
    Starve,
    /// A legal move is a grand slam, which takes nothing.
    GrandSlam,
    /// The first move captures nothing and takes seeds out of the opponent's reach: he could
    /// capture if it were his turn, and after it he cannot.
    Escape,
    /// The solver has to find three moves or more.
    Long,
}

impl Theme {
    /// All of them.
    pub const ALL: [Theme; 9] = [
        Theme::Capture,
        Theme::Quiet,
        Theme::Temptation,
        Theme::Sacrifice,
        Theme::Feed,
        Theme::Starve,
        Theme::GrandSlam,
        Theme::Escape,
        Theme::Long,
    ];

    /// The name in files and on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Theme::Capture => "capture",
            Theme::Quiet => "quiet",
            Theme::Temptation => "temptation",
            Theme::Sacrifice => "sacrifice",
            Theme::Feed => "feed",
            Theme::Starve => "starve",
            Theme::GrandSlam => "grand_slam",
            Theme::Escape => "escape",
            Theme::Long => "long",
        }
    }
}

/// The themes of a puzzle.
pub(super) fn of(start: &Position, moves: &[SolverMove]) -> Vec<Theme> {
    let mut all = Theme::ALL.to_vec();
    all.retain(|&theme| has(start, moves, theme));
    all
}

fn has(start: &Position, moves: &[SolverMove], theme: Theme) -> bool {
    let Some(first) = moves.first() else { return false };
    let (board, rules) = (start.board(), start.rules());
    let captured = board.sow(first.house.as_move(), rules).captured;
    match theme {
        Theme::Capture => captured > 0,
        Theme::Quiet => captured == 0 && first.wrong.iter().any(|wrong| wrong.captured > 0),
        Theme::Temptation => first.wrong.iter().any(|wrong| wrong.captured > captured),
        Theme::Sacrifice => {
            let gives = most_captured(&start.play_unchecked(first.house.as_move()));
            gives > captured
                && first
                    .wrong
                    .iter()
                    .any(|wrong| most_captured(&start.play_unchecked(wrong.house.as_move())) == 0)
        }
        Theme::Feed => board.opponent_is_empty(),
        Theme::Starve => ends_without_move(start, moves),
        Theme::GrandSlam => {
            let legal = start.legal_moves();
            legal.iter().any(|mv| board.sow(mv, rules).grand_slam)
        }
        Theme::Escape => {
            let after = start.play_unchecked(first.house.as_move());
            let turned = oware_rules::Setup { to_move: start.to_move().other(), ..start.setup() };
            captured == 0
                && most_captured(&after) == 0
                && Position::new(turned, *rules).is_ok_and(|turned| most_captured(&turned) > 0)
        }
        Theme::Long => moves.len() >= 3,
    }
}

/// The most seeds that the player to move can capture at once.
fn most_captured(position: &Position) -> u8 {
    let (board, rules) = (position.board(), position.rules());
    position.legal_moves().iter().map(|mv| board.sow(mv, rules).captured).max().unwrap_or(0)
}

/// Whether after the solution whatever the opponent plays is his last seed, and he cannot be fed.
fn ends_without_move(start: &Position, moves: &[SolverMove]) -> bool {
    let mut game = Game::from_position(*start);
    for house in moves.iter().flat_map(|step| [Some(step.house), step.reply]).flatten() {
        if game.play_quick(house.as_move()).is_err() {
            return false;
        }
    }
    let last = game.position();
    let is_stuck = |ending: Ending| ending.reason == Reason::NoMove;
    match game.ending() {
        Some(ending) => is_stuck(ending),
        None => last.legal_moves().iter().all(|mv| last.ending_after(mv).is_some_and(is_stuck)),
    }
}
