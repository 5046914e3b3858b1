//! Whether what endgame tables prove is reached: wins are won and draws are not lost, whatever
//! the opponent does and however play goes round.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use oware_app::knowledge::Past;
use oware_app::{InMemory, Knowledge, Thinker};
use oware_rules::{Board, Game, Position, Rules, Setup, Side, SowingBoard, TOTAL_SEEDS};
use oware_search::{Control, Limits};
use oware_tables::{Convention, Houses, Layer, TableSet};

use super::adversary::{Adversary, gain};
use super::positions;
use crate::random::Random;

/// A game that is not over after so many plies does not end.
const LONGEST: usize = 3_000;

/// What is asked.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Root of endgame tables: values and distances, all three conventions.
    #[arg(long)]
    tables: PathBuf,
    /// Rules, several with `;` between them. Those that prove something share loops by own rows.
    #[arg(long, value_delimiter = ';', default_value = "abapa;abapa-first-repetition")]
    rules: Vec<Rules>,
    /// The most seeds on a board.
    #[arg(long, default_value_t = 8)]
    most_seeds: usize,
    /// Games under each rules against each opponent.
    #[arg(long, default_value_t = 2_000)]
    games: usize,
    /// Positions a move may look at.
    #[arg(long, default_value_t = 300)]
    nodes: u64,
    /// The same seed gives the same games.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Leaves out the proof over all boards.
    #[arg(long)]
    no_proof: bool,
}

/// Results of games.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// Games that began with a win that was sure, and those of them won.
    pub(crate) wins: [usize; 2],
    /// Games that began with a draw that was sure, those of them won, and those drawn.
    pub(crate) draws: [usize; 3],
    /// Games in which more became sure later.
    pub(crate) raised: usize,
    /// Games in which more became sure by the tables, with an earlier position in the way that the
    /// rules allow no more, and those of them that did not bring it. Nothing was proven there.
    pub(crate) in_the_way: [usize; 2],
    /// Plies of the longest game.
    pub(crate) longest: usize,
    /// Games in which something sure was given up, and what it was.
    pub(crate) failures: Vec<String>,
}

/// By how many seeds a player ends ahead at least, whatever becomes of loops; `None` where the
/// tables do not know.
fn least_ahead(tables: &Knowledge, position: &Position, side: Side) -> Result<Option<i32>> {
    let facts = tables.facts(position.board())?;
    let store = |side| i32::from(position.store(side).get());
    let lead = store(side) - store(side.other());
    Ok(match position.to_move() == side {
        true => facts.value(Convention::Low).map(|low| lead + i32::from(low)),
        false => facts.value(Convention::High).map(|high| lead - i32::from(high)),
    })
}

/// A position in which a side ends `least` seeds ahead or more, and this is forced; `None` if the
/// board drawn does not allow that.
fn sure_position(
    tables: &Knowledge,
    random: &mut Random,
    most_seeds: usize,
    least: i32,
    rules: Rules,
) -> Result<Option<(Position, Side)>> {
    let seeds = 1 + random.below(most_seeds);
    let houses = positions::houses(random, seeds);
    let mover = Side::BOTH[random.below(2)];
    let moves_first = random.chance(0.5);
    let convention = if moves_first { Convention::Low } else { Convention::High };
    let board = Board::from_houses(houses)?;
    let value = tables.facts(board)?.value(convention).context("a table is missing")?;
    if value == convention.endless(seeds) {
        return Ok(None);
    }
    let lead = if moves_first { least } else { -least } - i32::from(value);
    let rest = i32::from(TOTAL_SEEDS) - seeds as i32;
    let own = (rest + lead) / 2;
    if (rest + lead) % 2 != 0 || !(0..=rest).contains(&own) {
        return Ok(None);
    }
    let setup = Setup::from_mover(houses, [own as u8, (rest - own) as u8], mover);
    let position = Position::new(setup, rules)?;
    let side = if moves_first { mover } else { mover.other() };
    Ok(position.ending().is_none().then_some((position, side)))
}

/// A player with tables at the root and the leaves.
pub(crate) fn player(knowledge: Knowledge, set: &TableSet, most_seeds: usize) -> Result<Thinker> {
    let options = oware_search::Options { hash_mib: 1, ..oware_search::Options::default() };
    let mut player = Thinker::new(options)?;
    let leaves = InMemory::load(set, most_seeds as u8, 2)?.context("there are no even tables")?;
    player.engine().set_endgame(Some(leaves));
    player.set_knowledge(Some(knowledge));
    Ok(player)
}

/// What games are played with.
pub(crate) struct Trial<'a> {
    /// The player that must not give anything up.
    pub(crate) player: &'a mut Thinker,
    /// What is sure.
    pub(crate) tables: &'a Knowledge,
    /// The rules.
    pub(crate) rules: Rules,
    /// The most seeds on a board.
    pub(crate) most_seeds: usize,
    /// Positions a move may look at.
    pub(crate) nodes: u64,
}

impl Trial<'_> {
    /// Plays games against an opponent, a third of them from sure draws, a third from wins by two
    /// seeds, a third from any sure wins.
    pub(crate) fn play(
        &mut self,
        adversary: Adversary,
        games: usize,
        random: &mut Random,
    ) -> Result<Tally> {
        let mut tally = Tally::default();
        for number in 0..games {
            let (position, side) = loop {
                let least = [0, 2, 1 + random.below(self.most_seeds) as i32][number % 3];
                let found = sure_position(self.tables, random, self.most_seeds, least, self.rules)?;
                if let Some(found) = found {
                    break found;
                }
            };
            self.game(adversary, position, side, random, &mut tally)?;
        }
        Ok(tally)
    }

    fn game(
        &mut self,
        adversary: Adversary,
        start: Position,
        side: Side,
        random: &mut Random,
        tally: &mut Tally,
    ) -> Result<()> {
        self.player.engine().clear();
        let limits = Limits::nodes(self.nodes);
        let mut game = Game::from_position(start);
        let begun = least_ahead(self.tables, &start, side)?.context("a table is missing")?;
        let (mut sure, mut said) = (begun, begun);
        let mut fault = None;
        while !game.is_over() && game.plies().len() < LONGEST {
            // What becomes sure on the way counts only where the past cannot be in the way.
            let now = least_ahead(self.tables, game.position(), side)?.unwrap_or(i32::MIN);
            if now > sure && Past::of(&game) == Past::Clear {
                sure = now;
            }
            said = said.max(now);
            let mv = if game.position().to_move() == side {
                self.player.think(&game, &limits, &Control::new(), &mut |_| {}).best
            } else {
                Some(adversary.choose(&game, self.tables, random)?)
            };
            if mv.is_none_or(|mv| game.play_quick(mv).is_err()) {
                fault = Some("no legal move was found");
                break;
            }
        }
        let won = game.ending().is_some_and(|ending| ending.winner == Some(side));
        let drawn = game.ending().is_some_and(|ending| ending.winner.is_none());
        if begun > 0 {
            tally.wins[0] += 1;
            tally.wins[1] += usize::from(won);
        } else {
            tally.draws[0] += 1;
            tally.draws[1] += usize::from(won);
            tally.draws[2] += usize::from(drawn);
        }
        tally.raised += usize::from(sure > begun);
        if said.signum() > sure.signum() {
            tally.in_the_way[0] += 1;
            tally.in_the_way[1] += usize::from(!won);
        }
        tally.longest = tally.longest.max(game.plies().len());
        let fault = fault.or(match sure {
            _ if !game.is_over() => Some("the game does not end"),
            1.. if !won => Some("a sure win is not won"),
            0 if !won && !drawn => Some("a sure draw is lost"),
            _ => None,
        });
        if let Some(fault) = fault {
            let told = positions::told(&game);
            tally.failures.push(format!("{fault} by {side} ({sure} seeds were sure): {told}"));
        }
        Ok(())
    }
}

/// Proves for every board of a layer that the move of the tables keeps what is sure and makes
/// progress: after each reply more is sure, or the next capture is nearer, so that no position
/// comes back. Gives the number of boards where something is forced, and the faults.
pub(crate) fn prove(
    tables: &Knowledge,
    rules: &Rules,
    seeds: usize,
) -> Result<(usize, Vec<String>)> {
    let (mut boards, mut faults) = (0, Vec::new());
    for houses in Layer::new(seeds).boards() {
        let board = Board::from_houses(houses)?;
        let facts = tables.facts(board)?;
        let low = facts.value(Convention::Low).context("a table is missing")?;
        if low == Convention::Low.endless(seeds) || board.legal(rules).is_empty() {
            continue;
        }
        boards += 1;
        if let Some(fault) = fault_of(tables, rules, board, low)? {
            faults.push(format!("{}: {fault}", shown(houses)));
        }
    }
    Ok((boards, faults))
}

fn shown(houses: Houses) -> String {
    houses.map(|seeds| seeds.to_string()).join("-")
}

fn fault_of(
    tables: &Knowledge,
    rules: &Rules,
    board: Board,
    low: i8,
) -> Result<Option<&'static str>> {
    let Some(best) = tables.best(board, Convention::Low)? else {
        return Ok(Some("the tables choose no move"));
    };
    let (captured, after) = gain(board, best.mv, rules);
    let high = tables.facts(after)?.value(Convention::High);
    if high.map(|high| captured - i32::from(high)) != Some(low.into()) {
        return Ok(Some("the move gives up what is sure"));
    }
    if captured > 0 {
        return Ok(None);
    }
    for reply in after.legal(rules) {
        let (captured, then) = gain(after, reply, rules);
        let facts = tables.facts(then)?;
        let value = facts.value(Convention::Low).map(|value| i32::from(value) - captured);
        if value < Some(low.into()) {
            return Ok(Some("less is sure after a reply"));
        }
        let nearer = facts.distance(Convention::Low).is_some_and(|left| left + 2 <= best.distance);
        if captured == 0 && value == Some(low.into()) && !nearer {
            return Ok(Some("no progress after a reply"));
        }
    }
    Ok(None)
}

/// Measures and prints.
pub(crate) fn run(options: &Options) -> Result<()> {
    let mut failures = 0;
    for (number, rules) in options.rules.iter().enumerate() {
        let tables = Knowledge::open(&options.tables, rules)?;
        let set = TableSet::open(&options.tables, rules.table_rules())?;
        println!(
            "rules {rules}, up to {} seeds, {} nodes, seed {}",
            options.most_seeds, options.nodes, options.seed
        );
        if !options.no_proof {
            let (mut boards, mut faults) = (0, Vec::new());
            for seeds in 1..=options.most_seeds {
                let found = prove(&tables, rules, seeds)?;
                boards += found.0;
                faults.extend(found.1);
            }
            println!("every reply to the tables' move on {boards} boards: {} faults", faults.len());
            faults.iter().for_each(|line| println!("  {line}"));
            failures += faults.len();
        }
        let mut player = player(tables.clone(), &set, options.most_seeds)?;
        for adversary in Adversary::ALL {
            let mut random = Random::new(options.seed ^ (number as u64) << 32);
            let mut trial = Trial {
                player: &mut player,
                tables: &tables,
                rules: *rules,
                most_seeds: options.most_seeds,
                nodes: options.nodes,
            };
            let tally = trial.play(adversary, options.games, &mut random)?;
            println!(
                "{}: {} of {} wins won, {} draws ({} won, {} drawn); more became sure in {}, a win \
                 with the past in the way in {} ({} not won); longest {} plies; {} failures",
                adversary.name(),
                tally.wins[1],
                tally.wins[0],
                tally.draws[0],
                tally.draws[1],
                tally.draws[2],
                tally.raised,
                tally.in_the_way[0],
                tally.in_the_way[1],
                tally.longest,
                tally.failures.len()
            );
            tally.failures.iter().for_each(|line| println!("  {line}"));
            failures += tally.failures.len();
        }
    }
    ensure!(failures == 0, "{failures} failures");
    Ok(())
}
