//! The results of a match as text.

use std::fmt::Write as _;

use oware_app::matches::{Outcome, Plan, Sprt, Tally, Verdict, standings};

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

/// How the test stands.
pub(super) fn test_text(sprt: &Sprt, outcome: &Outcome) -> String {
    let (lower, upper) = sprt.bounds();
    format!("LLR {:.2} [{lower:.2}, {upper:.2}]", outcome.course.ratio)
}

/// The results of a match.
pub(super) fn text(plan: &Plan, outcome: &Outcome) -> String {
    let mut text = String::new();
    let end = outcome.end(plan);
    if plan.engines.len() > 2 {
        write_standings(&mut text, plan, outcome, end);
    }
    for [first, second] in plan.meetings() {
        let tally = outcome.tally(plan, first, second, end);
        let names = [first, second].map(|engine| plan.engines[engine].name.as_str());
        write_meeting(&mut text, names, &tally);
    }
    if let Some(sprt) = &plan.sprt {
        write_test(&mut text, sprt, outcome);
    }
    for (engine, effort) in plan.engines.iter().zip(&outcome.effort) {
        if let Some(depth) = effort.mean_depth() {
            let speed = effort.nodes as f64 / effort.time.as_secs_f64().max(1e-9);
            let _ = writeln!(
                text,
                "{}: mean depth {depth:.2} in {} searches, {speed:.0} nodes/s",
                engine.name, effort.searched
            );
        }
    }
    text
}

fn write_standings(text: &mut String, plan: &Plan, outcome: &Outcome, end: usize) {
    let names = plan.engines.iter().map(|engine| engine.name.chars().count());
    let width = names.max().unwrap_or(0).max("engine".len());
    let _ = writeln!(
        text,
        "{:>3}  {:<width$} {:>8} {:>7} {:>9} {:>7} {:>8}",
        "", "engine", "Elo", "+-", "points", "games", "seeds"
    );
    for (place, standing) in standings(plan, outcome, end).iter().enumerate() {
        let _ = writeln!(
            text,
            "{:>3}  {:<width$} {:>8} {:>7} {:>9.1} {:>7} {:>+8.2}",
            place + 1,
            plan.engines[standing.engine].name,
            elo(standing.elo),
            standing.error.map_or_else(|| "-".into(), |error| format!("{error:.1}")),
            standing.points,
            standing.games,
            standing.seeds_ahead
        );
    }
    text.push('\n');
}

fn write_meeting(text: &mut String, [first, second]: [&str; 2], tally: &Tally) {
    let Tally { wins, draws, losses, pairs, faults, adjudicated, .. } = tally;
    let _ = writeln!(text, "{first} against {second}: {} games", tally.games());
    let _ = writeln!(text, "  won {wins}, drawn {draws}, lost {losses}");
    let counts: Vec<String> = pairs.0.iter().map(u64::to_string).collect();
    let _ = writeln!(text, "  pairs with 0, 0.5, 1, 1.5, 2 points: {}", counts.join(", "));
    if let Some(estimate) = pairs.estimate() {
        let _ = writeln!(
            text,
            "  score {:.2} % +- {:.2}, {}",
            100.0 * estimate.score,
            100.0 * estimate.score_error,
            estimate_text(tally)
        );
    }
    let _ = writeln!(text, "  seeds ahead {:+.2} a game", tally.seeds_ahead());
    if *adjudicated > 0 {
        let _ = writeln!(text, "  decided by the runner: {adjudicated} games");
    }
    for (name, faults) in [first, second].into_iter().zip(faults) {
        if *faults > 0 {
            let _ = writeln!(text, "  lost by a fault or on time: {name}, {faults} games");
        }
    }
}

fn write_test(text: &mut String, sprt: &Sprt, outcome: &Outcome) {
    let Sprt { elo0, elo1, alpha, beta } = sprt;
    let pairs = outcome.course.pairs.pairs();
    let _ = writeln!(text, "test of Elo {elo0} against {elo1} (errors {alpha}, {beta}):");
    let ended = match outcome.course.verdict {
        Some(Verdict::Null) => format!("{elo0} is accepted"),
        Some(Verdict::Alternative) => format!("{elo1} is accepted"),
        None => "undecided".into(),
    };
    let _ = writeln!(text, "  {} after {pairs} pairs: {ended}", test_text(sprt, outcome));
}
