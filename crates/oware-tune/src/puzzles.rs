//! Composes endgame puzzles: boards from fast games, proven by tables, varied in theme and
//! difficulty.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use oware_app::Knowledge;
use oware_app::puzzle::{Goal, PUZZLE_RULES, Puzzle, SolverMove, Theme};
use oware_notation::{PositionFormat, write_position};
use oware_rules::{Board, Position, Side, SowingBoard};
use oware_tables::Layer;

use crate::random::Random;
use crate::sample;

/// The fewest seeds on the board of a puzzle.
const FEWEST: u8 = 4;

/// What is asked for.
#[derive(clap::Args)]
pub(crate) struct Puzzles {
    /// Where to: a puzzle a line, in JSON.
    out: PathBuf,
    /// Root of endgame tables, with the bounds of the rules of abapa.
    #[arg(long)]
    tables: PathBuf,
    /// The most seeds on the board of a puzzle.
    #[arg(long, default_value_t = 12)]
    most_seeds: u8,
    /// Puzzles of each difficulty.
    #[arg(long, default_value_t = 50)]
    each: usize,
    /// Games whose ends are looked at.
    #[arg(long, default_value_t = 300_000)]
    games: usize,
    /// The same seed and tables give the same puzzles.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Composes and writes.
pub(crate) fn run(asked: &Puzzles) -> Result<()> {
    let knowledge = Knowledge::open(&asked.tables, &PUZZLE_RULES)?;
    ensure!(!knowledge.is_empty(), "{}: no tables of abapa", asked.tables.display());
    let mut random = Random::new(asked.seed);
    let mut shelf = Shelf::default();
    let mut seen = HashSet::new();
    for _ in 0..asked.games {
        let Some(board) = endgame(&mut random, asked.most_seeds) else { continue };
        let goal = if random.chance(0.25) { Goal::Draw } else { Goal::Win };
        if seen.insert(board)
            && let Some(puzzle) = Puzzle::compose(board, goal, &knowledge)?
        {
            shelf.put(puzzle);
        }
    }
    write(&asked.out, &shelf.choose(asked.each))
}

/// A board late in a game of two who mostly capture what they can.
fn endgame(random: &mut Random, most_seeds: u8) -> Option<Board> {
    let target = FEWEST + random.below(usize::from(most_seeds - FEWEST) + 1) as u8;
    let mut position = Position::start(PUZZLE_RULES);
    for _ in 0..400 {
        if position.board().total() <= target {
            // Some plies more, so that boards right after a capture are not the rule.
            return (random.below(4) == 0).then_some(position.board());
        }
        let legal: Vec<_> = position.legal_moves().into_iter().collect();
        if legal.is_empty() {
            return None;
        }
        let greedy = random.chance(0.6);
        let any = legal[random.below(legal.len())];
        let most = |mv: &&_| position.board().sow(**mv, &PUZZLE_RULES).captured;
        let mv = if greedy { *legal.iter().max_by_key(most)? } else { any };
        let after = position.play_unchecked(mv);
        // Play goes on past 25 seeds: what matters is the board.
        let mut setup = after.setup();
        let total: u8 = setup.stores.iter().sum();
        setup.stores = [total / 2, total - total / 2];
        position =
            Position::new(setup, oware_rules::Rules { play_on: true, ..PUZZLE_RULES }).ok()?;
    }
    None
}

/// Puzzles of five difficulties, sorted into heaps of what is alike.
#[derive(Default)]
struct Shelf {
    kept: [BTreeMap<Kind, Vec<Puzzle>>; 5],
}

impl Shelf {
    fn put(&mut self, puzzle: Puzzle) {
        let kept = &mut self.kept[usize::from(puzzle.difficulty) - 1];
        kept.entry(kind(&puzzle)).or_default().push(puzzle);
    }

    /// So many puzzles of each difficulty, the easy ones first; one of each heap in turn, so
    /// that rare themes are not drowned.
    fn choose(self, each: usize) -> Vec<Puzzle> {
        let mut chosen = Vec::new();
        for heaps in self.kept {
            let mut heaps: Vec<_> = heaps.into_values().map(Vec::into_iter).collect();
            let wanted = chosen.len() + each;
            while chosen.len() < wanted {
                let before = chosen.len();
                chosen.extend(heaps.iter_mut().filter_map(Iterator::next).take(wanted - before));
                if chosen.len() == before {
                    break;
                }
            }
        }
        chosen
    }
}

/// Goal, the rarest theme, and the number of moves up to three.
type Kind = (bool, Option<Theme>, usize);

/// What makes puzzles alike: their goal, the rarest of their themes, and their length.
fn kind(puzzle: &Puzzle) -> Kind {
    const RARE: [Theme; 8] = [
        Theme::Feed,
        Theme::Starve,
        Theme::Sacrifice,
        Theme::Quiet,
        Theme::Temptation,
        Theme::GrandSlam,
        Theme::Escape,
        Theme::Capture,
    ];
    let rarest = RARE.into_iter().find(|theme| puzzle.themes.contains(theme));
    (puzzle.goal == Goal::Draw, rarest, puzzle.moves.len().min(3))
}

fn write(out: &Path, puzzles: &[Puzzle]) -> Result<()> {
    let mut text = String::new();
    for puzzle in puzzles {
        text.push_str(&line(puzzle));
        text.push('\n');
    }
    sample::write_whole(out, text.as_bytes())?;
    for difficulty in 1..=5 {
        let count = puzzles.iter().filter(|puzzle| puzzle.difficulty == difficulty).count();
        println!("difficulty {difficulty}: {count}");
    }
    for theme in Theme::ALL {
        let count = puzzles.iter().filter(|puzzle| puzzle.themes.contains(&theme)).count();
        println!("{}: {count}", theme.name());
    }
    Ok(())
}

/// A puzzle as a JSON object. Every text in it is of letters, digits and hyphens.
fn line(puzzle: &Puzzle) -> String {
    let quoted = |texts: Vec<String>| {
        texts.iter().map(|text| format!("{text:?}")).collect::<Vec<_>>().join(",")
    };
    let themes = quoted(puzzle.themes.iter().map(|theme| theme.name().to_owned()).collect());
    let moves = puzzle.moves.iter().map(solver_move).collect::<Vec<_>>().join(",");
    let mut text = String::new();
    let _ = write!(
        text,
        r#"{{"id":"{}","position":"{}","goal":"{}","difficulty":{},"themes":[{themes}],"#,
        id(puzzle),
        write_position(&puzzle.position, PositionFormat::Canonical),
        puzzle.goal.name(),
        puzzle.difficulty,
    );
    let depth = puzzle.depth.map_or_else(|| "null".to_owned(), |depth| depth.to_string());
    let _ = write!(text, r#""depth":{depth},"moves":[{moves}]}}"#);
    text
}

fn solver_move(step: &SolverMove) -> String {
    let reply = step.reply.map_or_else(|| "null".to_owned(), |reply| format!("\"{reply}\""));
    let wrong = step.wrong.iter().map(|wrong| {
        let line: String = wrong.line.iter().map(|house| house.letter()).collect();
        format!(r#"{{"house":"{}","most":{},"line":"{line}"}}"#, wrong.house, wrong.most)
    });
    let wrong = wrong.collect::<Vec<_>>().join(",");
    format!(r#"{{"house":"{}","reply":{reply},"wrong":[{wrong}]}}"#, step.house)
}

/// A name that follows from board and goal, so that what people have solved stays solved when
/// puzzles are added: `w` or `d`, the seeds, and the index of the board in its layer.
fn id(puzzle: &Puzzle) -> String {
    debug_assert_eq!(puzzle.position.to_move(), Side::South);
    let board = puzzle.position.board();
    let seeds = board.total();
    let index = Layer::new(usize::from(seeds)).index(&board.houses()).unwrap_or(0);
    format!("{}{seeds}-{index}", &puzzle.goal.name()[..1])
}
