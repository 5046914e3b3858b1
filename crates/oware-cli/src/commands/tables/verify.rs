//! `oware tables verify`: every board again, by the rules.

use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

use oware_retro::{BuildError, LayerVerified, SolveError, Target, VerifyError, VerifyJob, verify};
use oware_tables::Kind;

use super::build::{stop_flag, target_name};
use super::{TableArgs, ThreadsArgs};
use crate::output::{complain, print};

const EXAMPLES: &str = "\
For each board all moves are made and the value compared with what they give; files are compared
with the manifest and every checksum looked at. Where there are distances too, they prove that no
value supports itself in a circle of moves; without them values are only consistent. Without
--convention all tables of the rules are looked at.

Examples:
  oware tables verify --layers 12
  oware tables verify --rules awari --convention even,low";

/// Arguments of `oware tables verify`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct VerifyArgs {
    #[command(flatten)]
    tables: TableArgs,
    #[command(flatten)]
    threads: ThreadsArgs,
}

pub(crate) fn run(args: &VerifyArgs) -> anyhow::Result<ExitCode> {
    let dir = args.tables.dir()?;
    let rules = args.tables.rules();
    let set = super::open(&dir, &rules)?;
    let mut targets = args.tables.targets();
    if args.tables.any_kind() {
        let listed =
            |target: &Target| target.conventions().iter().any(|&c| set.lists(Kind::value(c), 0));
        targets = Target::ALL.into_iter().filter(listed).collect();
    }
    // Says what is missing before anything is read.
    if !args.tables.any_kind() || targets.is_empty() {
        for kind in args.tables.kinds() {
            args.tables.tables(&set, kind)?;
        }
    }
    drop(set);
    let stop = stop_flag()?;
    let unread = Mutex::new(None);
    let result = verify(&VerifyJob {
        root: &dir,
        rules: rules.table_rules(),
        targets: &targets,
        layers: args.tables.layers().map(|layers| *layers.end()),
        threads: args.threads.number(),
        stop: &stop,
        tell: &|layer| {
            // The work goes on; that nobody could read of it is told at the end.
            if let Err(error) = print(&said(layer)) {
                unread.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            }
        },
    });
    if let Some(error) = unread.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error.into());
    }
    match result {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(VerifyError::Build(BuildError::Solve(SolveError::Stopped))) => {
            complain(&"stopped before everything was looked at");
            Ok(ExitCode::from(130))
        }
        Err(error) => Err(error.into()),
    }
}

fn said(layer: &LayerVerified) -> String {
    let LayerVerified { target, seeds, boards, proved } = *layer;
    let how = match proved {
        true => "values and distances right, which proves them",
        false => "values consistent (no distances, so circles are not ruled out)",
    };
    format!("{} layer {seeds}: {boards} boards, {how}\n", target_name(target))
}
