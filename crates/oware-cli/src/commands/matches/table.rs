//! The results of a match as text.

use std::fmt::Write as _;

use oware_app::matches::{Outcome, Plan, Tally};

/// A number of Elo with its sign; what cannot be measured is infinite.
fn elo(value: f64) -> String {
    if value.is_finite() { format!("{value:+.1}") } else { format!("{value:+}") }
}

/// The Elo difference with its error bars.
pub(super) fn estimate_text(tally: &Tally) -> String {
    match tally.pairs.estimate() {
        None => "no pair yet".into(),
        Some(estimate) => format!(
            "Elo {} [{}, {}], LOS {:.1} %",
            elo(estimate.elo),
            elo(estimate.elo_low),
            elo(estimate.elo_high),
            100.0 * estimate.superiority
        ),
    }
}

/// The results of a match.
pub(super) fn text(plan: &Plan, outcome: &Outcome) -> String {
    let mut text = String::new();
    for [first, second] in plan.meetings() {
        let tally = outcome.tally(plan, first, second, plan.games());
        let Tally { wins, draws, losses, pairs, .. } = tally;
        let [first, second] = [first, second].map(|engine| &plan.engines[engine].name);
        let games = tally.games();
        let _ = writeln!(text, "{first} against {second}: {games} games");
        let _ = writeln!(text, "  won {wins}, drawn {draws}, lost {losses}");
        let _ = writeln!(text, "  pairs with 0 to 2 points: {}", list(&pairs.0));
        if let Some(estimate) = pairs.estimate() {
            let _ = writeln!(
                text,
                "  score {:.2} % +- {:.2}, {}",
                100.0 * estimate.score,
                100.0 * estimate.score_error,
                estimate_text(&tally)
            );
        }
        let _ = writeln!(text, "  seeds ahead {:+.2} a game", tally.seeds_ahead());
    }
    for (engine, effort) in plan.engines.iter().zip(&outcome.effort) {
        let depth = effort.depth as f64 / f64::from(effort.searched.max(1));
        let speed = effort.nodes as f64 / effort.time.as_secs_f64().max(1e-9);
        let _ = writeln!(
            text,
            "{}: {} searches, depth {depth:.2}, {speed:.0} nodes/s",
            engine.name, effort.searched
        );
    }
    text
}

fn list(counts: &[u64]) -> String {
    counts.iter().map(u64::to_string).collect::<Vec<_>>().join(" ")
}
