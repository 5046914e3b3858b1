//! `oware book build`: builds a book by drop-out expansion, and checks it.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context;
use oware_app::Book;
use oware_app::book::{BuildJob, BuildProgress, Phase, Recipe, build};
use oware_rules::Rules;

use super::words::Amount;
use crate::commands::tables::stop_flag;
use crate::output::{complain, write_file};

/// The book that is part of the program has so many boards.
const EXPANSIONS: u32 = 3000;
/// How often what there is so far is written.
const BETWEEN_FILES: Duration = Duration::from_secs(10);

const EXAMPLES: &str = "\
From the start on, that board is looked at next which is reached soonest and at the least loss
(drop-out expansion). Then each move that a player of the book would make is checked by a deeper
search, and refused if it costs too much. Interrupted by a signal or killed, the same command goes
on with the file. The same arguments give the same bytes with any number of threads; `oware book
stats` tells those of a book.

The defaults are those of the book that is part of the program.

Examples:
  oware book build --output abapa.owb
  oware book build --output awari.owb --rules awari --nodes 100000 --expansions 1000";

/// Arguments of `oware book build`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct BuildArgs {
    /// The file to write, and to go on with if it is there
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Rules: a preset, or fields, or both (see `oware rules`)
    #[arg(long, value_name = "RULES", default_value_t)]
    rules: Rules,
    /// Positions looked at to value the moves of a board
    #[arg(long, value_name = "N", default_value_t = Recipe::default().nodes,
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// How many boards to value
    #[arg(long, value_name = "N", default_value_t = EXPANSIONS,
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    expansions: u32,
    /// Positions looked at to check a move; 0 checks nothing, and the book will play nothing
    #[arg(long, value_name = "N", default_value_t = Recipe::default().check_nodes)]
    check_nodes: u64,
    /// Moves that cost no more seeds than this against the best are checked too
    #[arg(long, value_name = "SEEDS", default_value_t = Amount(Recipe::default().margin))]
    margin: Amount,
    /// Moves that cost more seeds than this by the check are refused
    #[arg(long, value_name = "SEEDS", default_value_t = Amount(Recipe::default().most_loss))]
    most_loss: Amount,
    /// Plies that a seed lost by the player of the book counts for in the choice of what to look
    /// at next
    #[arg(long, value_name = "PLIES", default_value_t = Recipe::default().own_weight)]
    own_weight: u16,
    /// The same for a seed lost by his opponent
    #[arg(long, value_name = "PLIES", default_value_t = Recipe::default().other_weight)]
    other_weight: u16,
    /// Threads [default: as many as there are processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Say nothing but errors
    #[arg(long, short)]
    quiet: bool,
}

impl BuildArgs {
    fn recipe(&self) -> Recipe {
        Recipe {
            rules: self.rules,
            nodes: self.nodes,
            own_weight: self.own_weight,
            other_weight: self.other_weight,
            check_nodes: self.check_nodes,
            margin: self.margin.0,
            most_loss: self.most_loss.0,
        }
    }
}

pub(crate) fn run(args: &BuildArgs) -> anyhow::Result<ExitCode> {
    let known = match args.output.try_exists() {
        Ok(true) => Some(Book::read(&args.output).context("cannot go on with the file")?),
        Ok(false) => None,
        Err(error) => {
            let shown = args.output.display();
            return Err(error).with_context(|| format!("cannot read {shown}"));
        }
    };
    let entries = args.expansions as usize;
    let stop = stop_flag()?;
    let mut keeper = Keeper::new(args, known.as_ref(), &stop);
    let built = build(BuildJob {
        recipe: args.recipe(),
        entries,
        threads: super::threads(args.threads),
        known,
        stop: &stop,
        tell: &mut |progress| keeper.tell(progress),
    });
    keeper.teller.clear();
    if let Some(error) = keeper.failed {
        return Err(error);
    }
    let (book, whole) = built.context("remove the file, or name another one with --output")?;
    if !whole {
        if keeper.is_ahead(&book) {
            write_file(&args.output, &book.to_bytes())?;
        }
        complain(&"stopped; the same command goes on with the file");
        return Ok(ExitCode::from(130));
    }
    let bytes = book.to_bytes();
    write_file(&args.output, &bytes)?;
    let (boards, size) = (book.entries().len(), bytes.len());
    if boards < entries {
        keeper.teller.say(&format!("no move leads on: {boards} boards are all there are"));
    }
    let shown = args.output.display();
    keeper.teller.say(&format!("The book is in {shown}: {boards} boards, {size} bytes."));
    Ok(ExitCode::SUCCESS)
}

/// Writes the book now and then while it is built.
struct Keeper<'a> {
    args: &'a BuildArgs,
    stop: &'a AtomicBool,
    /// Boards of the file there was: what is not ahead of it is not worth writing.
    boards: usize,
    written: Instant,
    teller: Teller,
    /// The first fault in writing; the work is then given up.
    failed: Option<anyhow::Error>,
}

impl<'a> Keeper<'a> {
    fn new(args: &'a BuildArgs, known: Option<&Book>, stop: &'a AtomicBool) -> Keeper<'a> {
        let boards = known.map_or(0, |known| known.entries().len());
        let teller = Teller::new(args.quiet);
        Keeper { args, stop, boards, written: Instant::now(), teller, failed: None }
    }

    fn is_ahead(&self, book: &Book) -> bool {
        book.entries().len() >= self.boards.min(self.args.expansions as usize).max(1)
    }

    fn tell(&mut self, progress: &BuildProgress<'_>) {
        self.teller.tell(progress);
        let ahead = self.is_ahead(progress.book);
        if self.failed.is_some() || !ahead || self.written.elapsed() < BETWEEN_FILES {
            return;
        }
        self.written = Instant::now();
        if let Err(error) = write_file(&self.args.output, &progress.book.to_bytes()) {
            self.failed = Some(error);
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

/// Tells how the work goes on, on standard error.
pub(super) struct Teller {
    quiet: bool,
    terminal: bool,
    told: Instant,
    phase: Option<(Phase, Instant, usize)>,
}

impl Teller {
    pub(super) fn new(quiet: bool) -> Teller {
        let terminal = std::io::stderr().is_terminal();
        Teller { quiet, terminal, told: Instant::now(), phase: None }
    }

    pub(super) fn say(&self, text: &str) {
        if !self.quiet {
            // Progress that nobody can read is no reason to give up the work.
            let _ = writeln!(std::io::stderr(), "{text}");
        }
    }

    /// Wipes the line that shows how it goes on.
    pub(super) fn clear(&self) {
        if self.terminal && !self.quiet {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }

    pub(super) fn tell(&mut self, progress: &BuildProgress<'_>) {
        let now = Instant::now();
        let known = self.phase.filter(|(phase, ..)| *phase == progress.phase);
        let (_, begun, first) =
            *self.phase.insert(known.unwrap_or((progress.phase, now, progress.done)));
        // Without a terminal each line stays, and so there are fewer.
        let between = Duration::from_millis(if self.terminal { 200 } else { 10_000 });
        if self.quiet || now - self.told < between {
            return;
        }
        self.told = now;
        let what = match progress.phase {
            Phase::Expand => "boards valued",
            Phase::Check => "boards checked",
        };
        let (done, of) = (progress.done, progress.of);
        let each = (now - begun).as_secs_f64() / (done - first).max(1) as f64;
        let left = each * of.saturating_sub(done) as f64;
        let line = format!("{done} of {of} {what}, {left:.0} s left");
        match self.terminal {
            true => _ = write!(std::io::stderr(), "\r\x1b[K{line}"),
            false => self.say(&line),
        }
    }
}
