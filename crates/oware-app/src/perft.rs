//! Perft with threads: the first plies are laid out as tasks, the tasks are counted by whoever
//! is free. Sums do not depend on the order, so the results are the same for any number of
//! threads.

use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use oware_rules::{House, Move, PerftCounts, Position, ROW, perft, perft_detailed};

/// The greatest depth that is counted, in plies. It bounds the stack; no count for a depth of
/// this size could be waited for.
pub const MAX_PERFT_DEPTH: u32 = 100;

/// Tasks aimed at for each thread, so that an uneven tree still keeps all of them busy.
const TASKS_PER_THREAD: usize = 64;
/// Plies below which a task is not split further: they take less time than a hand-over.
const SMALLEST_TASK: u32 = 5;

/// What is counted below each task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PerftMode {
    /// Only the number of sequences, as fast as can be. `ended` and `slams` stay 0.
    Nodes,
    /// Also finished games and grand slams, which means looking at every leaf.
    Detailed,
}

/// A part of the tree: everything below one position.
struct Task {
    /// Which root move it belongs to.
    root: Move,
    position: Position,
    depth: u32,
}

/// Counts below each legal move of the position, from the mover's left to his right.
///
/// At depth 0 there is nothing below any move, and the result is empty. Depths above
/// [`MAX_PERFT_DEPTH`] are counted as that depth.
#[must_use]
pub fn perft_divide(
    position: &Position,
    depth: u32,
    threads: NonZeroUsize,
    mode: PerftMode,
) -> Vec<(House, PerftCounts)> {
    let depth = depth.min(MAX_PERFT_DEPTH);
    if depth == 0 {
        return Vec::new();
    }
    let mut counts = [PerftCounts::default(); ROW];
    let mut tasks = Vec::new();
    for mv in position.legal_moves() {
        step(position, mv, mv, depth, mode, &mut counts, &mut tasks);
    }
    let wanted = if threads.get() == 1 { 0 } else { TASKS_PER_THREAD * threads.get() };
    while tasks.len() < wanted && tasks.iter().any(|task| task.depth > SMALLEST_TASK) {
        for task in std::mem::take(&mut tasks) {
            for mv in task.position.legal_moves() {
                step(&task.position, task.root, mv, task.depth, mode, &mut counts, &mut tasks);
            }
        }
    }
    for (sum, below) in counts.iter_mut().zip(count_all(&tasks, threads, mode)) {
        *sum += below;
    }
    let moves = position.legal_moves().iter();
    moves.map(|mv| (House::of(position.to_move(), mv), counts[mv.index()])).collect()
}

/// Counts from the position itself: the sum of [`perft_divide`], and 1 at depth 0.
#[must_use]
pub fn perft_total(
    position: &Position,
    depth: u32,
    threads: NonZeroUsize,
    mode: PerftMode,
) -> PerftCounts {
    if depth == 0 {
        let ended = mode == PerftMode::Detailed && position.ending().is_some();
        return PerftCounts { nodes: 1, ended: u64::from(ended), slams: 0 };
    }
    perft_divide(position, depth, threads, mode).into_iter().map(|(_, below)| below).sum()
}

/// Makes one legal move with `depth` plies to go, this one included: either a leaf, which is
/// counted here, or the end of the game, or a new task.
fn step(
    position: &Position,
    root: Move,
    mv: Move,
    depth: u32,
    mode: PerftMode,
    counts: &mut [PerftCounts; ROW],
    tasks: &mut Vec<Task>,
) {
    let outcome = position.outcome(mv);
    if depth == 1 {
        let detailed = mode == PerftMode::Detailed;
        let leaf = PerftCounts {
            nodes: 1,
            ended: u64::from(detailed && outcome.ending.is_some()),
            slams: u64::from(detailed && outcome.grand_slam),
        };
        counts[root.index()] += leaf;
    } else if outcome.ending.is_none() {
        tasks.push(Task { root, position: outcome.after, depth: depth - 1 });
    }
}

/// Counts all tasks; the sums stand by root move.
fn count_all(tasks: &[Task], threads: NonZeroUsize, mode: PerftMode) -> [PerftCounts; ROW] {
    let next = AtomicUsize::new(0);
    let total = Mutex::new([PerftCounts::default(); ROW]);
    let work = || {
        let mut mine = [PerftCounts::default(); ROW];
        while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
            let below = match mode {
                PerftMode::Nodes => PerftCounts {
                    nodes: perft(&task.position, task.depth),
                    ..PerftCounts::default()
                },
                PerftMode::Detailed => perft_detailed(&task.position, task.depth),
            };
            mine[task.root.index()] += below;
        }
        let mut total = total.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        for (sum, more) in total.iter_mut().zip(mine) {
            *sum += more;
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads.get().min(tasks.len()) {
            // Where the system gives no more threads, those there are do the work.
            if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        work();
    });
    total.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use oware_rules::{Rules, Setup, Side, divide};

    fn threads(n: usize) -> NonZeroUsize {
        NonZeroUsize::new(n).unwrap()
    }

    #[test]
    fn equal_for_any_number_of_threads() {
        let setup = Setup {
            houses: [0, 0, 2, 1, 6, 3, 1, 1, 2, 0, 0, 0],
            stores: [16, 16],
            to_move: Side::North,
        };
        for preset in oware_rules::PRESETS {
            for position in
                [Position::start(preset.rules), Position::new(setup, preset.rules).unwrap()]
            {
                for depth in 0..=8 {
                    let one = perft_divide(&position, depth, threads(1), PerftMode::Nodes);
                    let plain: Vec<_> = divide(&position, depth);
                    let plain =
                        plain.into_iter().map(|(mv, n)| (House::of(position.to_move(), mv), n));
                    assert!(plain.eq(one.iter().map(|(house, c)| (*house, c.nodes))), "{depth}");
                    for n in [2, 3, 7] {
                        assert_eq!(
                            one,
                            perft_divide(&position, depth, threads(n), PerftMode::Nodes)
                        );
                    }
                    let detailed = perft_detailed(&position, depth);
                    for n in [1, 4] {
                        assert_eq!(
                            detailed,
                            perft_total(&position, depth, threads(n), PerftMode::Detailed),
                            "{} depth {depth} with {n} threads",
                            preset.name
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn a_finished_game_has_no_moves() {
        let setup = Setup { houses: [0; 12], stores: [24, 24], to_move: Side::South };
        let over = Position::new(setup, Rules::ABAPA).unwrap();
        assert!(perft_divide(&over, 3, threads(2), PerftMode::Nodes).is_empty());
        assert_eq!(perft_total(&over, 3, threads(2), PerftMode::Detailed), PerftCounts::default());
        let here = perft_total(&over, 0, threads(2), PerftMode::Detailed);
        assert_eq!((here.nodes, here.ended), (1, 1));
    }
}
