//! How the weaker levels choose: by a short look ahead that they misjudge, within bounds that a
//! better look sets, so that they err like people and are never silly.
//!
//! What a move costs is told by a reference search of [`REFERENCE_NODES`] positions over all
//! moves: the value of the best one less its own. The bounds, each before the next:
//!
//! 1. A capture that wins the game at once is taken.
//! 2. If a capture costs at most [`CAPTURE_COST`], such a capture is taken.
//! 3. No move costs more than the level's own bound, nor more than a quarter of a seed for each
//!    seed on the board: towards the end nothing is thrown away.
//! 4. If among these there are moves after which the opponent cannot win at once, one of them is
//!    played: it defends to the end.

use oware_rules::{Game, Move, MoveSet, Position, Reason, SowingBoard};
use oware_search::{Control, Engine, Limits, Line, Options, Part, Parts, Report, Score};

use crate::level::Human;

/// Positions of the reference search.
pub(crate) const REFERENCE_NODES: u64 = 16 * 1024;
/// A capture that costs at most this is taken.
pub(crate) const CAPTURE_COST: Score = Score::whole(1);
/// No move costs more than this for each seed on the board, in hundredths of a seed.
const LOST_A_SEED: i32 = 25;
/// Positions of a level's own look; its depth is met before that.
const SIGHT_NODES: u64 = 256 * 1024;
/// Memory for a look, in MiB: little, since it is made anew for each move.
const HASH_MIB: usize = 1;

/// The move that a weaker level plays, with what it expects of it, and the plies it saw.
/// `None` if there is no legal move, or no memory. `draw` gives a number for each move.
pub(crate) fn choose(
    game: &Game,
    human: Human,
    draw: impl Fn(Move) -> u64,
    control: &Control,
) -> Option<(Line, u32)> {
    let seen = look(game, human, control)?;
    let allowed = allowed(game.position(), &reference(game, control)?, human.most_lost);
    let seeds = i32::from(game.position().board().total());
    let spread = human.misjudges * seeds / 48;
    let lines = seen.lines.into_iter().filter(|line| allowed.contains(line.mv));
    // Of equals the one that was found first: the order is the search's own.
    let misjudged = |line: &Line| line.score + misjudgement(draw(line.mv), spread);
    let best =
        lines.reduce(|best, line| if misjudged(&line) > misjudged(&best) { line } else { best });
    Some((best?, seen.depth))
}

/// What the level sees of all moves.
fn look(game: &Game, human: Human, control: &Control) -> Option<Report> {
    let parts = if human.trained { Parts::ALL } else { Parts::ALL.without(Part::Fitted) };
    let limits = Limits { depth: Some(human.depth), ..all_moves(game, SIGHT_NODES) };
    values(game, parts, &limits, control)
}

/// What a better look sees of all moves.
pub(crate) fn reference(game: &Game, control: &Control) -> Option<Report> {
    values(game, Parts::ALL, &all_moves(game, REFERENCE_NODES), control)
}

fn all_moves(game: &Game, nodes: u64) -> Limits {
    Limits { lines: game.legal_moves().len(), ..Limits::nodes(nodes) }
}

/// The values of all moves by the last depth that was finished, so that they can be compared.
fn values(game: &Game, parts: Parts, limits: &Limits, control: &Control) -> Option<Report> {
    let options = Options { hash_mib: HASH_MIB, parts, ..Options::default() };
    let mut finished = None;
    let mut keep = |report: &Report| finished = Some(report.clone());
    let last = Engine::new(options).ok()?.search(game, limits, control, &mut keep);
    Some(finished.unwrap_or(last))
}

/// The moves that the bounds leave.
pub(crate) fn allowed(position: &Position, reference: &Report, most_lost: i32) -> MoveSet {
    let wins: MoveSet = position.legal_moves().iter().filter(|&mv| wins(position, mv)).collect();
    if !wins.is_empty() {
        return wins;
    }
    let best = reference.score();
    let within = |cost: Score, also: &dyn Fn(Move) -> bool| -> MoveSet {
        let lines = reference.lines.iter();
        let near = lines.filter(|line| best - line.score <= cost).map(|line| line.mv);
        near.filter(|&mv| also(mv)).collect()
    };
    let captures = within(CAPTURE_COST, &|mv| captures(position, mv));
    let bound = most_lost.min(LOST_A_SEED * i32::from(position.board().total()));
    let allowed = match captures.is_empty() {
        true => within(Score::of_hundredths(bound), &|_| true),
        false => captures,
    };
    let defend: MoveSet = allowed.iter().filter(|&mv| !can_be_beaten(position, mv)).collect();
    if defend.is_empty() { allowed } else { defend }
}

/// Whether a move takes seeds.
fn captures(position: &Position, mv: Move) -> bool {
    position.board().sow(mv, position.rules()).captured > 0
}

/// Whether a move takes the seed that decides the game.
fn wins(position: &Position, mv: Move) -> bool {
    position.ending_after(mv).is_some_and(|ending| {
        ending.reason == Reason::Majority && ending.winner == Some(position.to_move())
    })
}

/// Whether the opponent can take the deciding seed after a move, or has it by the move.
fn can_be_beaten(position: &Position, mv: Move) -> bool {
    if let Some(ending) = position.ending_after(mv) {
        return ending.winner == Some(position.to_move().other());
    }
    let after = position.play_unchecked(mv);
    after.legal_moves().iter().any(|reply| wins(&after, reply))
}

/// An error of judgement up to `spread` hundredths of a seed either way, small ones more often.
fn misjudgement(drawn: u64, spread: i32) -> Score {
    let part = |bits: u64| i64::from(bits as u32) - (1 << 31);
    let sum = (part(drawn) + part(drawn >> 32)) * i64::from(spread);
    Score::of_hundredths((sum >> 32) as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misjudgements_stay_within_their_spread() {
        assert_eq!(misjudgement(0, 300), Score::of_hundredths(-300));
        assert!(misjudgement(u64::MAX, 300) < Score::whole(3));
        assert_eq!(misjudgement(u64::MAX / 3, 0), Score::default());
        assert_eq!(misjudgement(1 << 31 | 1 << 63, 300), Score::default());
    }
}
