//! What moves found without tables lose, measured by tables.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use oware_app::InMemory;
use oware_rules::{Game, Rules, SowingBoard};
use oware_search::{Endgame, Engine, Limits, Options as EngineOptions};

use super::positions;
use crate::random::Random;

/// Random moves at the beginning of a game: as many, and up to so many more.
const OPENING: (usize, usize) = (4, 10);
/// A game that is not over after so many plies is given up.
const LONGEST: usize = 300;

/// What a move may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effort {
    /// Time.
    Time(Duration),
    /// Positions.
    Nodes(u64),
}

impl Effort {
    fn limits(self) -> Limits {
        match self {
            Effort::Time(time) => Limits::time(time),
            Effort::Nodes(nodes) => Limits::nodes(nodes),
        }
    }
}

impl FromStr for Effort {
    /// What was expected.
    type Err = String;

    fn from_str(text: &str) -> Result<Effort, String> {
        let number = |digits: &str| digits.parse().ok().filter(|&number: &u64| number > 0);
        let time = text.strip_suffix("ms").and_then(number);
        let time = time.map(|number| Effort::Time(Duration::from_millis(number)));
        let nodes = || text.strip_suffix('n').and_then(number).map(Effort::Nodes);
        time.or_else(nodes).ok_or_else(|| {
            format!("{text:?}: expected milliseconds as 10ms, or positions as 5000n")
        })
    }
}

impl fmt::Display for Effort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Effort::Time(time) => write!(f, "{} ms", time.as_millis()),
            Effort::Nodes(nodes) => write!(f, "{nodes} nodes"),
        }
    }
}

/// What is asked.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Root of endgame tables: `even` values.
    #[arg(long)]
    tables: PathBuf,
    /// Rules of the games. The tables share loops evenly; so do these.
    #[arg(long, default_value = "abapa,loop_split=even")]
    rules: Rules,
    /// What a move may cost, several with commas: 10ms, or 5000n for positions.
    #[arg(long, value_delimiter = ',', default_value = "10ms,100ms,1000ms")]
    effort: Vec<Effort>,
    /// Positions for each of these; the last number serves for what is left.
    #[arg(long, value_delimiter = ',', default_value = "10000,2000,300")]
    positions: Vec<usize>,
    /// The fewest seeds.
    #[arg(long, default_value_t = 12)]
    from: usize,
    /// The most seeds.
    #[arg(long, default_value_t = 22)]
    to: usize,
    /// Positions a move of the games may look at.
    #[arg(long, default_value_t = 2_000)]
    nodes: u64,
    /// Threads of the search that is measured.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Size of its transposition table in MiB.
    #[arg(long, default_value_t = 16)]
    hash: usize,
    /// The same seed gives the same positions.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// What was found for some positions.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Losses {
    pub(crate) positions: usize,
    pub(crate) exact: usize,
    /// Another result than under best play, by the sign of the final difference.
    pub(crate) results: usize,
    /// Seeds lost, their squares, and the most by one move.
    pub(crate) seeds: f64,
    squares: f64,
    most: i32,
    depths: f64,
}

impl Losses {
    fn add(&mut self, lost: i32, result_changed: bool, depth: u32) {
        self.positions += 1;
        self.exact += usize::from(lost == 0);
        self.results += usize::from(result_changed);
        self.seeds += f64::from(lost);
        self.squares += f64::from(lost * lost);
        self.most = self.most.max(lost);
        self.depths += f64::from(depth);
    }

    fn join(&mut self, other: &Losses) {
        self.positions += other.positions;
        self.exact += other.exact;
        self.results += other.results;
        self.seeds += other.seeds;
        self.squares += other.squares;
        self.most = self.most.max(other.most);
        self.depths += other.depths;
    }

    /// A row of the table.
    fn row(&self, name: &str) -> String {
        let count = self.positions.max(1) as f64;
        let mean = self.seeds / count;
        let error = 2.0 * ((self.squares / count - mean * mean).max(0.0) / count).sqrt();
        format!(
            "| {name} | {} | {mean:.4} +- {error:.4} | {:.2} | {:.2} | {} | {:.1} |",
            self.positions,
            100.0 * self.exact as f64 / count,
            100.0 * self.results as f64 / count,
            self.most,
            self.depths / count
        )
    }
}

/// Positions of fast games from random openings, with a choice of moves, at most one of each game
/// for each number of seeds: as many for each number as that allows.
pub(crate) fn sample(
    rules: Rules,
    (from, to): (usize, usize),
    number: usize,
    nodes: u64,
    random: &mut Random,
) -> Result<Vec<Game>> {
    let mut engine = Engine::new(EngineOptions { hash_mib: 1, ..EngineOptions::default() })?;
    let quota = number.div_ceil(to + 1 - from);
    let mut count = vec![0; to + 1];
    let mut found = Vec::with_capacity(number);
    for _ in 0..number * 50 {
        let mut game = Game::new(rules);
        let opening = OPENING.0 + random.below(OPENING.1 + 1);
        positions::stray(random, &mut game, opening);
        let mut last = 0;
        while !game.is_over() && game.plies().len() < LONGEST && found.len() < number {
            let board = game.position().board();
            let seeds = usize::from(board.total());
            // Which of the positions with so many seeds it is must not depend on how it came up.
            let wanted = (from..=to).contains(&seeds) && seeds != last && random.chance(0.3);
            if wanted && count[seeds] < quota && game.legal_moves().len() > 1 {
                count[seeds] += 1;
                last = seeds;
                found.push(game.clone());
            }
            if seeds < from {
                break;
            }
            let report = positions::quietly(&mut engine, &game, &Limits::nodes(nodes));
            game.play_quick(report.best().context("a running game has a move")?)?;
        }
        if found.len() == number {
            break;
        }
    }
    Ok(found)
}

/// Lets an engine without tables choose in each of these games, and looks at the moves. The
/// losses stand by seeds on the board.
pub(crate) fn measure(
    engine: &mut Engine,
    truth: &InMemory,
    games: &[Game],
    effort: Effort,
) -> Result<Vec<Losses>> {
    let mut losses = vec![Losses::default(); usize::from(truth.most_seeds()) + 1];
    for game in games {
        engine.clear();
        let report = positions::quietly(engine, game, &effort.limits());
        let position = game.position();
        let board = position.board();
        let played = report.best().context("a running game has a move")?;
        let best: i32 = truth.value(board).context("the tables do not reach so far")?.into();
        let value = positions::value_of_move(truth, board, played, game.rules());
        let value = value.context("the tables do not reach so far")?;
        let side = position.to_move();
        let store = |side| i32::from(position.store(side).get());
        let lead: i32 = store(side) - store(side.other());
        let seeds = usize::from(board.total());
        let changed = (lead + best).signum() != (lead + value).signum();
        losses[seeds].add(best - value, changed, report.depth);
    }
    Ok(losses)
}

/// Measures and prints.
pub(crate) fn run(options: &Options) -> Result<()> {
    ensure!(options.from <= options.to, "from: expected at most {}", options.to);
    ensure!(!options.positions.is_empty(), "positions: expected a number for each effort");
    let truth = super::even_tables(&options.tables, &options.rules, options.to)?;
    let mut random = Random::new(options.seed);
    let most = options.positions.iter().copied().max().unwrap_or(0);
    let between = (options.from, options.to);
    let mut games = sample(options.rules, between, most, options.nodes, &mut random)?;
    random.shuffle(&mut games);
    println!(
        "rules {}, {} positions from games of {} nodes a move, {} threads, {} MiB, seed {}",
        options.rules,
        games.len(),
        options.nodes,
        options.threads,
        options.hash,
        options.seed
    );
    let made = EngineOptions {
        threads: options.threads,
        hash_mib: options.hash,
        ..EngineOptions::default()
    };
    let mut engine = Engine::new(made)?;
    for (index, &effort) in options.effort.iter().enumerate() {
        let last = options.positions.len() - 1;
        let number = options.positions[index.min(last)].min(games.len());
        let losses = measure(&mut engine, &truth, &games[..number], effort)?;
        println!("\n{effort} a move:\n");
        println!(
            "| seeds | positions | seeds lost | best moves % | results lost % | most | depth |"
        );
        println!("|---|---|---|---|---|---|---|");
        let mut all = Losses::default();
        for (seeds, losses) in losses.iter().enumerate().filter(|(_, l)| l.positions > 0) {
            println!("{}", losses.row(&seeds.to_string()));
            all.join(losses);
        }
        println!("{}", all.row("all"));
    }
    Ok(())
}
