//! `oware match`: games between engines, and what they prove.

mod args;
mod json;
mod live;
mod table;

use std::process::ExitCode;

use oware_app::matches::{Outcome, Runner, Store};

pub(crate) use args::MatchArgs;

use super::tables::stop_flag;
use crate::output::{complain, print};

pub(crate) fn run(args: &MatchArgs) -> anyhow::Result<ExitCode> {
    let plan = args.plan()?;
    let stop = stop_flag()?;
    let (mut store, known) = match args.dir() {
        None => (None, Outcome::default()),
        Some(dir) => Store::open(dir, &plan).map(|(store, known)| (Some(store), known))?,
    };
    let mut live = live::Live::new(&plan, args.quiet());
    live.begin(known.finished(&plan));
    let runner = Runner { plan: &plan, concurrency: args.concurrency(), stop: &stop };
    let result = runner.run(known, &mut |finished, played, opening_plies, outcome| {
        if let Some(store) = &mut store {
            store.add(&plan, finished, played, opening_plies)?;
        }
        live.tell(finished, played, outcome);
        Ok(())
    });
    live.clear();
    let outcome = result?;
    match args.json() {
        true => print(&json::text(&plan, &outcome)?)?,
        false => print(&table::text(&plan, &outcome))?,
    }
    if outcome.is_complete(&plan) {
        return Ok(ExitCode::SUCCESS);
    }
    complain(&match store {
        Some(_) => "stopped before all games were played; the same command goes on",
        None => "stopped before all games were played",
    });
    Ok(ExitCode::from(130))
}
