//! The arguments of `oware match`.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::Context;
use oware_app::matches::{EngineSpec, Format, Openings, Plan, Random, Rulings, Sprt};
use oware_rules::Rules;

use crate::output::Usage;

/// The most pairs that can be asked for.
const MOST_PAIRS: u32 = 1_000_000;

const EXAMPLES: &str = "\
An engine is KEY=VALUE with commas between (values with commas in double quotes):
  name=NAME                  what it is called; no two are called the same
  kind=builtin               the engine of this program, with hash=MIB, threads=N, check=yes|no,
                             tables=DIR (endgame tables at the root), leaves=SEEDS (and in the
                             search), book=FILE (openings; built-in for the book of this
                             program), without=PART+PART (parts of the search switched off)
  kind=plain                 the plain alpha-beta, the first player of this project
  kind=level                 a level of the computer: level=NAME, seed=N, tables=DIR
  kind=process               a program that speaks the protocol: cmd=PROGRAM ARGUMENTS,
                             option.NAME=VALUE for setoption, timeout=SECONDS it may be silent,
                             restarts=N failures before the match is given up, rules=trusted if
                             it knows the rules without having an option for them
  nodes=N depth=N            what it may spend on a move, and
  movetime=MS clock=10+0.1   its time for a move, for the game and for each move in seconds
  margin=MS                  how late a move may come (100 if not said)

The two games of a pair begin with the same opening, sides swapped. With limits by nodes or depth
the games are the same on every machine, however many are played at once. Errors are 95 %
intervals from the results of pairs; LOS is how likely it is that the first engine is the stronger
one. A test (--sprt) is the generalised one on pairs that Stockfish's fishtest uses. Standings are
by maximum likelihood. Interrupted by a signal or killed, a match with --dir loses only the games
that are not finished; with more --pairs it goes on beyond its end. It cannot see that an engine
was built anew: take another directory then.

Examples:
  oware match --engine name=new,nodes=20000 --engine name=old,kind=plain,nodes=20000 --pairs 100
  oware match --each nodes=20000 --engine name=a,hash=1 --engine name=b,hash=64 --pairs 500
  oware match --each nodes=20000 --engine name=new --engine name=old,hash=1 --sprt 0,5,0.05,0.05 \
              --dir matches/new
  oware match --engine movetime=100 --engine name=other,kind=process,movetime=100,cmd=./other";

/// Arguments of `oware match`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct MatchArgs {
    /// An engine: KEY=VALUE with commas between; two or more of this option are needed
    #[arg(long = "engine", value_name = "ENGINE", required = true)]
    engines: Vec<String>,
    /// What counts for every engine that does not say otherwise
    #[arg(long, value_name = "KEYS", default_value = "", hide_default_value = true)]
    each: String,
    /// Pairs of games between any two engines that meet [default: 50; with --sprt as many as it
    /// takes]
    #[arg(long, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_PAIRS)))]
    pairs: Option<u32>,
    /// The first engine meets each of the others, instead of everybody everybody
    #[arg(long)]
    gauntlet: bool,
    /// Rules: a preset, or fields, or both (see `oware rules`)
    #[arg(long, value_name = "RULES", default_value_t)]
    rules: Rules,
    /// Openings: OGN games, or a line each of moves (FfBe), a position, or POSITION moves MOVES
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Plies of an opening: random ones [default: 8], or the most taken from a file
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=200))]
    opening_plies: Option<u16>,
    /// Random openings are left out if a small search sees a side more than this ahead, in seeds
    #[arg(long, value_name = "SEEDS", default_value_t = 2.0, value_parser = seeds)]
    opening_limit: f64,
    /// Which random openings
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Games at once [default: as many as there are processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    concurrency: Option<u16>,
    /// Endgame tables that decide games where they prove the result
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Tables also decide where they prove nothing, as if loops were split evenly
    #[arg(long, requires = "tables")]
    even: bool,
    /// A game is decided when both engines have seen the same one this far ahead for so many plies
    #[arg(long, value_name = "SEEDS,PLIES", value_parser = scores)]
    scores: Option<(i32, u32)>,
    /// Longer games are ended; the seeds are then shared as in a loop
    #[arg(long, value_name = "N", default_value_t = 1000,
          value_parser = clap::value_parser!(u16).range(1..=10_000))]
    max_plies: u16,
    /// End the match when it is clear whether the first engine is ELO0 or ELO1 stronger than the
    /// second, with these chances of error
    #[arg(long, value_name = "ELO0,ELO1,ALPHA,BETA", allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// Where to keep the match: every game is saved as it ends, and the same command goes on later
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// A name for the records
    #[arg(long, value_name = "NAME", default_value = "oware match")]
    event: String,
    /// Write the result as one JSON object
    #[arg(long)]
    json: bool,
    /// Say nothing but the result
    #[arg(long, short)]
    quiet: bool,
}

impl MatchArgs {
    /// What is to be played.
    pub(super) fn plan(&self) -> anyhow::Result<Plan> {
        let engine = |text: &String| {
            let read = EngineSpec::read(text, &self.each);
            read.map_err(|error| Usage(format!("invalid value for --engine: {error}")))
        };
        let format = if self.gauntlet { Format::Gauntlet } else { Format::RoundRobin };
        let openings = self.openings()?;
        let plan = Plan {
            event: self.event.clone(),
            rules: self.rules,
            engines: self.engines.iter().map(engine).collect::<Result<_, _>>()?,
            format,
            pairs: self.pairs(&openings),
            openings,
            rulings: Rulings {
                tables: self.tables.clone(),
                even: self.even,
                scores: self.scores,
                plies: usize::from(self.max_plies),
            },
            sprt: self.sprt,
        };
        plan.check().map_err(|error| Usage(error.to_string()))?;
        Ok(plan)
    }

    fn openings(&self) -> anyhow::Result<Openings> {
        let plies = self.opening_plies.map(usize::from);
        let Some(path) = &self.openings else {
            let limit = (self.opening_limit * 100.0).round() as i32;
            return Ok(Openings::Random(Random {
                seed: self.seed,
                plies: plies.unwrap_or(Random::default().plies),
                limit,
            }));
        };
        let shown = path.display();
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {shown}"))?;
        Openings::read(&text, self.rules, plies).with_context(|| shown.to_string())
    }

    /// How many pairs; of a test, as many as can be had.
    fn pairs(&self, openings: &Openings) -> usize {
        match (self.pairs, self.sprt, openings.len()) {
            (Some(pairs), ..) => pairs as usize,
            (None, Some(_), there) => there.unwrap_or(MOST_PAIRS as usize),
            (None, None, _) => 50,
        }
    }

    /// Games at once.
    pub(super) fn concurrency(&self) -> usize {
        let processors = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        self.concurrency.map_or_else(processors, usize::from)
    }

    /// Where the match is kept.
    pub(super) fn dir(&self) -> Option<&Path> {
        self.dir.as_deref()
    }

    pub(super) fn json(&self) -> bool {
        self.json
    }

    pub(super) fn quiet(&self) -> bool {
        self.quiet
    }
}

fn seeds(text: &str) -> Result<f64, String> {
    let seeds = text.parse::<f64>().ok().filter(|seeds| (0.0..=48.0).contains(seeds));
    seeds.ok_or_else(|| "expected a number of seeds from 0 to 48, such as 2.5".into())
}

fn scores(text: &str) -> Result<(i32, u32), String> {
    let read = |(least, plies): (&str, &str)| {
        let least = seeds(least).ok().filter(|least| *least > 0.0)?;
        let plies = plies.parse().ok().filter(|plies| (1..=10_000).contains(plies))?;
        Some(((least * 100.0).round() as i32, plies))
    };
    text.split_once(',')
        .and_then(read)
        .ok_or_else(|| "expected seeds and plies with a comma, such as 10,8".into())
}
