//! Labels by the engine itself, with its own network and endgame tables at the leaves: slower
//! than looking ahead a few plies, and much nearer to the truth.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use anyhow::Result;
use oware_rules::{Game, Position, Rules, Setup, Side};
use oware_search::{Control, Endgame, Engine, Limits, Options};

use crate::label;
use crate::sample::Sample;

/// Samples that a thread takes at once.
const AT_ONCE: usize = 1 << 12;

/// Labels every sample: by tables where they reach, else by a search of so many positions.
///
/// Each stretch of samples begins with an empty table, so that the labels do not depend on the
/// number of threads.
///
/// # Errors
/// When there is no memory for a transposition table.
pub(crate) fn judge(
    samples: &mut [Sample],
    tables: Option<&Arc<dyn Endgame>>,
    nodes: u64,
    threads: usize,
) -> Result<()> {
    let stretches: Vec<_> = samples.chunks_mut(AT_ONCE).map(std::sync::Mutex::new).collect();
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.max(1))
            .map(|_| {
                scope.spawn(|| -> Result<()> {
                    let mut engine = Engine::new(Options::default())?;
                    engine.set_endgame(tables.cloned());
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        let Some(stretch) = stretches.get(number) else { return Ok(()) };
                        if number.is_multiple_of(50) {
                            eprintln!("{} of {} stretches", number, stretches.len());
                        }
                        engine.clear();
                        let mut stretch =
                            stretch.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                        for sample in stretch.iter_mut() {
                            let known = tables.and_then(|t| label::exact(&**t, sample.board()));
                            sample.value =
                                known.unwrap_or_else(|| value(&mut engine, sample, nodes));
                        }
                    }
                })
            })
            .collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("no worker panics"))
    })
}

/// What the engine sees in a board, stores left out.
fn value(engine: &mut Engine, sample: &Sample, nodes: u64) -> i16 {
    let rest = 48 - sample.seeds() as u8;
    let stores = [rest / 2, rest - rest / 2];
    let setup = Setup { houses: sample.houses, stores, to_move: Side::South };
    let position = Position::new(setup, Rules::ABAPA).expect("48 seeds in all");
    let report = engine.search(
        &Game::from_position(position),
        &Limits::nodes(nodes),
        &Control::new(),
        &mut |_| {},
    );
    let lead = 100 * (i32::from(stores[0]) - i32::from(stores[1]));
    (report.score().hundredths() - lead) as i16
}
