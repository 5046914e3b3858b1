//! `oware analyse`: what the moves of a position are worth, and what those of a game cost.

mod asked;
mod game_text;
mod json;
mod text;

use std::io::{IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use anyhow::Context;
use oware_app::Knowledge;
use oware_app::analysis::{
    Analyst, Caption, Control, Effort, GameAnalysis, Options, Tables, annotate, svg,
};
use oware_notation::{Record, ogn};
use oware_rules::Rules;
use oware_tables::TileCache;

use super::tables;
use crate::output::{complain, print, write_file};

pub(crate) use asked::AnalyseArgs;
use asked::{Asked, AskedGame};

/// How often it is looked whether a signal came.
const WATCH: Duration = Duration::from_millis(20);

/// The program, as answers and records name it.
const PROGRAM: &str = env!("CARGO_PKG_VERSION");

pub(crate) fn run(args: &AnalyseArgs) -> anyhow::Result<ExitCode> {
    let asked = args.asked()?;
    let mut desk = Desk::new(args)?;
    let good = match &asked {
        Asked::Position(game) => desk.position(game)?,
        Asked::Games(games) => desk.games(games)?,
    };
    Ok(match (desk.control.is_stopped(), good) {
        (true, _) => {
            complain(&"stopped; this is what was found so far");
            ExitCode::from(130)
        }
        (false, true) => ExitCode::SUCCESS,
        (false, false) => ExitCode::FAILURE,
    })
}

/// What the command works with.
struct Desk<'a> {
    args: &'a AnalyseArgs,
    effort: Effort,
    control: Arc<Control>,
    analyst: Analyst,
    /// The tables of all rules met so far.
    tables: Vec<(Rules, Option<Tables>)>,
    /// What is kept of all of them.
    tiles: Arc<TileCache>,
    /// Those in use.
    in_use: Option<Rules>,
}

impl<'a> Desk<'a> {
    fn new(args: &'a AnalyseArgs) -> anyhow::Result<Desk<'a>> {
        let options =
            Options { hash_mib: args.hash(), threads: args.threads(), ..Options::default() };
        let control = Arc::new(Control::new());
        watch(Arc::clone(&control))?;
        Ok(Desk {
            args,
            effort: args.effort(),
            control,
            analyst: Analyst::new(options)?,
            tables: Vec::new(),
            tiles: args.tiles(),
            in_use: None,
        })
    }

    /// Puts the tables of some rules on the desk; gives how many seeds are in memory.
    fn take_tables(&mut self, rules: &Rules) -> anyhow::Result<Option<u8>> {
        if !self.tables.iter().any(|(other, _)| other == rules) {
            let tables = match self.args.tables_dir() {
                Some(dir) => self.open_tables(&dir, rules)?,
                None => None,
            };
            self.tables.push((*rules, tables));
        }
        let found = self.tables.iter().find(|(other, _)| other == rules);
        let tables = found.and_then(|(_, tables)| tables.clone());
        let in_memory = tables.as_ref().and_then(Tables::seeds_in_memory);
        if self.in_use != Some(*rules) {
            self.analyst.set_tables(tables);
            self.in_use = Some(*rules);
        }
        Ok(in_memory)
    }

    fn open_tables(&self, dir: &Path, rules: &Rules) -> anyhow::Result<Option<Tables>> {
        let (seeds, threads) = (self.args.table_seeds(), self.args.threads());
        let tables = Knowledge::open_with(dir, rules, Arc::clone(&self.tiles))
            .and_then(|known| Tables::of(known, seeds, threads))
            .context("the endgame tables cannot be used (--no-tables leaves them out)")?;
        if tables.is_none() && self.args.names_tables() {
            // Nobody need read it; the answer says the same.
            let dir = dir.display();
            let _ = writeln!(std::io::stderr(), "note: {dir} has no endgame tables for {rules}");
        }
        Ok(tables)
    }

    fn position(&mut self, game: &oware_rules::Game) -> anyhow::Result<bool> {
        let in_memory = self.take_tables(game.rules())?;
        let lines = self.args.lines().unwrap_or(oware_rules::ROW);
        let found = self.analyst.position(game, &self.effort, lines, &self.control)?;
        let how = How { args: self.args, effort: &self.effort, in_memory };
        print(&match self.args.json {
            true => json::position(game, &found, &how)?,
            false => text::position(game, &found, &how),
        })?;
        Ok(true)
    }

    /// Analyses the games one by one, says what came of each, then writes the files. Gives
    /// whether all went well.
    fn games(&mut self, games: &[AskedGame]) -> anyhow::Result<bool> {
        let mut good = true;
        let mut annotated = Vec::new();
        for (number, asked) in games.iter().enumerate() {
            let (record, game) = match &asked.game {
                Ok(found) => found,
                Err(why) => {
                    good = false;
                    match self.args.json {
                        true => print(&json::fault(asked, why)?)?,
                        false => complain(&format_args!("{}: {why}", asked.place())),
                    }
                    continue;
                }
            };
            let in_memory = self.take_tables(game.rules())?;
            let progress = Progress::new(self.args.quiet, number + 1, games.len());
            let lines = self.args.lines().unwrap_or(1);
            let found = self.analyst.game(game, &self.effort, lines, &self.control, &mut |p, n| {
                progress.tell(p, n);
            });
            progress.clear();
            let found = found?;
            let how = How { args: self.args, effort: &self.effort, in_memory };
            print(&match self.args.json {
                true => json::game(asked, record, game, &found, &how)?,
                false => {
                    let gap = if number > 0 { "\n" } else { "" };
                    gap.to_owned() + &game_text::game(asked, record, game, &found, &how)
                }
            })?;
            match &self.args.svg {
                Some(path) if found.stopped => not_written(path),
                Some(path) => write_file(path, picture(record, game, &found).as_bytes())?,
                None => {}
            }
            annotated.push(annotate(record, &found, PROGRAM, &how.sentence()));
            if self.control.is_stopped() {
                break;
            }
        }
        self.write_annotated(&annotated, good)?;
        Ok(good)
    }

    /// Writes the annotated records, unless some are missing: half a file helps nobody.
    fn write_annotated(&self, records: &[Record], good: bool) -> anyhow::Result<()> {
        let Some(path) = &self.args.annotate else { return Ok(()) };
        if good && !self.control.is_stopped() {
            return write_file(path, ogn::write_all(records).as_bytes());
        }
        not_written(path);
        Ok(())
    }
}

fn not_written(path: &Path) {
    complain(&format_args!("{} is not written", path.display()));
}

/// Asks the analysis to stop when a signal comes.
fn watch(control: Arc<Control>) -> anyhow::Result<()> {
    let stop = tables::stop_flag()?;
    thread::spawn(move || {
        while !stop.load(Ordering::Relaxed) {
            thread::sleep(WATCH);
        }
        control.stop();
    });
    Ok(())
}

fn picture(record: &Record, game: &oware_rules::Game, found: &GameAnalysis) -> String {
    let name = |tag| record.tag(tag).unwrap_or("?").to_owned();
    let result = match game.ending() {
        Some(ending) => format!("{} ({})", ending.score, ending.reason),
        None => "not over".to_owned(),
    };
    svg(found, &Caption { south: name("South"), north: name("North"), result })
}

/// How an analysis was made, for those who read it.
struct How<'a> {
    args: &'a AnalyseArgs,
    effort: &'a Effort,
    /// Seeds of the largest table in memory.
    in_memory: Option<u8>,
}

impl How<'_> {
    /// In a line: program, limits, threads, tables.
    fn sentence(&self) -> String {
        let mut parts = vec![format!("oware {PROGRAM}")];
        let Effort { depth, nodes, time } = self.effort;
        parts.extend(depth.map(|depth| format!("{depth} plies")));
        parts.extend(nodes.map(|nodes| format!("{nodes} positions a search")));
        parts.extend(time.map(|time| format!("{} s a search", time.as_secs_f64())));
        parts.extend(Some(self.args.threads()).filter(|n| *n > 1).map(|n| format!("{n} threads")));
        parts.push(match self.in_memory {
            Some(seeds) => format!("endgame tables, to {seeds} seeds in memory"),
            None => "no endgame tables in memory".to_owned(),
        });
        parts.join(", ")
    }
}

/// Says on a terminal how far a game is.
struct Progress {
    on: bool,
    game: usize,
    games: usize,
}

impl Progress {
    fn new(quiet: bool, game: usize, games: usize) -> Progress {
        Progress { on: !quiet && std::io::stderr().is_terminal(), game, games }
    }

    fn tell(&self, plies: usize, of: usize) {
        if self.on {
            // Progress that nobody can read is no reason to give up the work.
            let _ = write!(
                std::io::stderr(),
                "\r\x1b[Kgame {} of {}: ply {} of {of}",
                self.game,
                self.games,
                plies + 1
            );
        }
    }

    fn clear(&self) {
        if self.on {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}
