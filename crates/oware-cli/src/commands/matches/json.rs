//! The results of a match as JSON.

use oware_app::matches::{Effort, Outcome, Plan, Sprt, Tally, Verdict, standings};
use serde::Serialize;

#[derive(Serialize)]
struct Result<'a> {
    event: &'a str,
    rules: String,
    engines: Vec<Engine<'a>>,
    games: usize,
    planned: usize,
    complete: bool,
    meetings: Vec<Meeting<'a>>,
    standings: Vec<Place<'a>>,
    sprt: Option<Test>,
}

#[derive(Serialize)]
struct Engine<'a> {
    name: &'a str,
    settings: String,
    /// Of this run alone: it is not kept with the games.
    searches: u32,
    mean_depth: Option<f64>,
    nodes: u64,
    seconds: f64,
}

/// What is infinite, since all games were won or lost, is null.
#[derive(Serialize)]
struct Meeting<'a> {
    first: &'a str,
    second: &'a str,
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    pentanomial: [u64; 5],
    score: Option<f64>,
    score_error: Option<f64>,
    elo: Option<f64>,
    elo_low: Option<f64>,
    elo_high: Option<f64>,
    los: Option<f64>,
    seeds_ahead: f64,
    faults: [u64; 2],
    adjudicated: u64,
}

#[derive(Serialize)]
struct Place<'a> {
    name: &'a str,
    elo: f64,
    elo_error: Option<f64>,
    points: f64,
    games: u64,
    seeds_ahead: f64,
}

#[derive(Serialize)]
struct Test {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    llr: f64,
    lower: f64,
    upper: f64,
    pairs: u64,
    /// `null` while neither is accepted.
    accepted: Option<&'static str>,
}

/// The results in one line.
pub(super) fn text(plan: &Plan, outcome: &Outcome) -> serde_json::Result<String> {
    let end = outcome.end(plan);
    let name = |engine: usize| plan.engines[engine].name.as_str();
    let place = |standing: oware_app::matches::Standing| Place {
        name: name(standing.engine),
        elo: standing.elo,
        elo_error: standing.error.filter(|error| error.is_finite()),
        points: standing.points,
        games: standing.games,
        seeds_ahead: standing.seeds_ahead,
    };
    let result = Result {
        event: &plan.event,
        rules: plan.rules.id(),
        engines: plan.engines.iter().zip(&outcome.effort).map(engine).collect(),
        games: outcome.finished(plan),
        planned: plan.games(),
        complete: outcome.is_complete(plan),
        meetings: plan
            .meetings()
            .into_iter()
            .map(|[first, second]| {
                let tally = outcome.tally(plan, first, second, end);
                meeting(name(first), name(second), &tally)
            })
            .collect(),
        standings: standings(plan, outcome, end).into_iter().map(place).collect(),
        sprt: plan.sprt.as_ref().map(|sprt| test(sprt, outcome)),
    };
    let mut text = serde_json::to_string(&result)?;
    text.push('\n');
    Ok(text)
}

fn engine<'a>((spec, effort): (&'a oware_app::matches::EngineSpec, &Effort)) -> Engine<'a> {
    Engine {
        name: &spec.name,
        settings: spec.to_string(),
        searches: effort.searched,
        mean_depth: effort.mean_depth(),
        nodes: effort.nodes,
        seconds: effort.time.as_secs_f64(),
    }
}

fn meeting<'a>(first: &'a str, second: &'a str, tally: &Tally) -> Meeting<'a> {
    let estimate = tally.pairs.estimate();
    let finite = |value: Option<f64>| value.filter(|value| value.is_finite());
    Meeting {
        first,
        second,
        games: tally.games(),
        wins: tally.wins,
        draws: tally.draws,
        losses: tally.losses,
        pentanomial: tally.pairs.0,
        score: estimate.map(|e| e.score),
        score_error: estimate.map(|e| e.score_error),
        elo: finite(estimate.map(|e| e.elo)),
        elo_low: finite(estimate.map(|e| e.elo_low)),
        elo_high: finite(estimate.map(|e| e.elo_high)),
        los: estimate.map(|e| e.superiority),
        seeds_ahead: tally.seeds_ahead(),
        faults: tally.faults,
        adjudicated: tally.adjudicated,
    }
}

fn test(sprt: &Sprt, outcome: &Outcome) -> Test {
    let (lower, upper) = sprt.bounds();
    Test {
        elo0: sprt.elo0,
        elo1: sprt.elo1,
        alpha: sprt.alpha,
        beta: sprt.beta,
        llr: outcome.course.ratio,
        lower,
        upper,
        pairs: outcome.course.pairs.pairs(),
        accepted: outcome.course.verdict.map(|verdict| match verdict {
            Verdict::Null => "elo0",
            Verdict::Alternative => "elo1",
        }),
    }
}
