//! `oware match`: games between engines, and what they prove.

mod args;
mod live;
mod table;

use std::process::ExitCode;

use oware_app::matches::{Outcome, Runner};

pub(crate) use args::MatchArgs;

use super::tables::stop_flag;
use crate::output::{complain, print};

pub(crate) fn run(args: &MatchArgs) -> anyhow::Result<ExitCode> {
    let plan = args.plan()?;
    let tables = args.tables()?;
    let stop = stop_flag()?;
    let runner = Runner { plan: &plan, tables, concurrency: args.concurrency(), stop: &stop };
    let mut live = live::Live::new(&plan, args.quiet());
    let result = runner.run(Outcome::default(), &mut |finished, _, outcome| {
        live.tell(finished, outcome);
        Ok(())
    });
    live.clear();
    let outcome = result?;
    print(&table::text(&plan, &outcome))?;
    if outcome.games.len() < plan.games() {
        complain(&"stopped before all games were played");
        return Ok(ExitCode::from(130));
    }
    Ok(ExitCode::SUCCESS)
}
