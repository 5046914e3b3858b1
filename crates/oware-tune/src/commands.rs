//! The commands: files in, files and tables of numbers out.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use oware_app::InMemory;
use oware_rules::{Board, Rules};
use oware_search::eval::Network;
use oware_search::{Endgame, plain};
use oware_tables::TableSet;

use crate::ahead::{Ahead, Leaf};
use crate::chances;
use crate::duel::{self, Effort};
use crate::errors;
use crate::gather::{self, Gathered};
use crate::judge::judge;
use crate::label;
use crate::measure;
use crate::model::{Model, Shape};
use crate::puzzles;
use crate::quantise;
use crate::random::Random;
use crate::sample::{self, Sample, UNKNOWN};
use crate::train::{Recipe, train};
use crate::{Command, Guessing};

/// Entries of the searches' tables: 2 to this.
const BITS: u32 = 16;
/// The same in duels.
const DUEL_BITS: u32 = 18;
/// One sample of this many is kept from training.
const KEPT: usize = 20;

/// Runs a command.
pub(crate) fn run(command: Command) -> Result<()> {
    match command {
        Command::Measure(what) => measure::run(what),
        Command::Puzzles(asked) => puzzles::run(&asked),
        Command::Gather { out, guessing, quota, lowest, seed, games } => {
            gather(&out, &guessing, Gathered::new(quota, lowest), seed, games)
        }
        Command::Label { boards, out, guessing, depth, captures, from, to, one_of } => {
            let mut samples = sample::read(&boards)?;
            samples.retain(|sample| (from..=to).contains(&sample.seeds()));
            let samples = samples.into_iter().step_by(one_of.max(1));
            let mut samples: Vec<Sample> = samples.collect();
            let leaf = if captures { Leaf::Captures } else { Leaf::Still };
            label(&mut samples, &guessing, leaf, depth)?;
            sample::write(&out, &samples)
        }
        Command::Judge { boards, out, tables: root, most_seeds, nodes, threads, one_of } => {
            let samples = sample::read(&boards)?;
            let mut samples: Vec<Sample> = samples.into_iter().step_by(one_of.max(1)).collect();
            let known = tables(&Guessing { weights: None, tables: root, most_seeds })?;
            let known = known.map(|known| known as Arc<dyn Endgame>);
            judge(&mut samples, known.as_ref(), nodes, threads)?;
            sample::write(&out, &samples)
        }
        Command::Chances { games, nodes, seed, threads } => {
            let seen = chances::games(games, nodes, seed, threads)?;
            let (a, b, log) = chances::fit(&seen);
            println!("{} positions: width {a} + {b} * sqrt(seeds), mean log {log:.4}", seen.len());
            Ok(())
        }
        Command::Train {
            samples,
            hidden,
            no_linear,
            squared,
            duos,
            threats,
            epochs,
            batch,
            rate,
            bend,
            seed,
            out,
            model,
        } => {
            ensure!(hidden.is_multiple_of(8), "hidden is {hidden}, expected a multiple of 8");
            ensure!(batch > 0, "batch is 0, expected 1 or more");
            let shape = Shape { hidden, linear: !no_linear || hidden == 0, squared, duos, threats };
            let recipe = Recipe { epochs, batch, rate, bend };
            let trained = learn(&samples, shape, recipe, seed)?;
            write_out(&trained, out.as_deref(), model.as_deref())
        }
        Command::Export { model, out } => {
            let bytes = std::fs::read(&model);
            let bytes = bytes.with_context(|| format!("cannot read {}", model.display()))?;
            let model = Model::parse(&bytes)
                .with_context(|| format!("{}: not a model", model.display()))?;
            sample::write_whole(&out, &quantise::network(&model)?.to_bytes())
        }
        Command::Duel {
            first,
            second,
            tables: root,
            most_seeds,
            pairs,
            nodes,
            milliseconds,
            first_captures,
            second_captures,
            seed,
        } => {
            ensure!(nodes > 0 || milliseconds > 0, "expected a limit of nodes or milliseconds");
            let judge = tables(&Guessing { weights: None, tables: root, most_seeds })?;
            let player = |weights: &Path, captures| {
                let leaf = if captures { Leaf::Captures } else { Leaf::Still };
                let guess = guess((weights != Path::new("hand")).then_some(weights))?;
                anyhow::Ok(Ahead::new(guess, leaf, None, DUEL_BITS))
            };
            let mut players = [player(&first, first_captures)?, player(&second, second_captures)?];
            let effort = Effort { nodes, time: Duration::from_millis(milliseconds) };
            let mut random = Random::new(seed);
            let mut score = duel::Score::default();
            for _ in 0..pairs {
                duel::pair(&mut players, effort, judge.as_deref(), &mut random, &mut score);
            }
            println!("{}", score.tell());
            Ok(())
        }
    }
}

fn tables(guessing: &Guessing) -> Result<Option<Arc<InMemory>>> {
    let Some(root) = &guessing.tables else { return Ok(None) };
    let set = TableSet::open(root, Rules::ABAPA.table_rules())?;
    let tables = InMemory::load(&set, guessing.most_seeds, 2)?;
    ensure!(tables.is_some(), "{}: no `even` tables from 0 seeds up", root.display());
    Ok(tables)
}

/// What guesses at leaves, in hundredths of a seed.
type Guess = Box<dyn Fn(Board) -> i32>;

fn guess(weights: Option<&Path>) -> Result<Guess> {
    match weights {
        None => Ok(Box::new(|board| plain::by_hand(board).hundredths())),
        Some(path) => {
            let fault = || format!("cannot read {}", path.display());
            let bytes = std::fs::read(path).with_context(fault)?;
            if let Some(model) = Model::parse(&bytes) {
                return Ok(Box::new(move |board| model.hundredths(board)));
            }
            let network = Network::parse(&bytes).with_context(|| path.display().to_string())?;
            Ok(Box::new(move |board| network.value(board)))
        }
    }
}

fn gather(
    out: &Path,
    guessing: &Guessing,
    mut gathered: Gathered,
    seed: u64,
    games: usize,
) -> Result<()> {
    let tables = tables(guessing)?;
    let guess = guess(guessing.weights.as_deref())?;
    let mut search = Ahead::new(guess, Leaf::Still, tables.as_deref(), BITS);
    search.seed(seed);
    search.one_of = 40;
    let mut random = Random::new(seed);
    let begun = Instant::now();
    let mut before = 0;
    for number in 1..=games {
        gather::game(&mut search, &mut random, &mut gathered);
        if number.is_multiple_of(1000) {
            let all: usize = gathered.count().iter().sum();
            eprintln!("{number} games, {all} boards, {:.0?}", begun.elapsed());
            // The numbers of seeds that games hardly meet would never fill.
            if all - before < 50_000 {
                break;
            }
            before = all;
        }
    }
    println!("{:?}", gathered.count());
    sample::write(out, &gathered.into_samples())
}

fn label(samples: &mut [Sample], guessing: &Guessing, leaf: Leaf, depth: u32) -> Result<()> {
    let tables = tables(guessing)?;
    let guess = guess(guessing.weights.as_deref())?;
    let mut search = Ahead::new(guess, leaf, tables.as_deref(), BITS);
    let begun = Instant::now();
    let mut nodes = 0;
    for (number, sample) in samples.iter_mut().enumerate() {
        let known = tables.as_deref().and_then(|tables| label::exact(tables, sample.board()));
        sample.value = known.unwrap_or_else(|| label::ahead(&mut search, sample, depth));
        nodes += search.nodes;
        if number % 100_000 == 99_999 {
            eprintln!("{} labels, {nodes} nodes, {:.0?}", number + 1, begun.elapsed());
        }
    }
    Ok(())
}

fn learn(paths: &[PathBuf], shape: Shape, recipe: Recipe, seed: u64) -> Result<Trained> {
    let mut samples = Vec::new();
    for path in paths {
        samples.extend(sample::read(path)?);
    }
    ensure!(samples.iter().all(|sample| sample.value != UNKNOWN), "there are boards without label");
    let mut random = Random::new(seed);
    random.shuffle(&mut samples);
    let number = samples.len() / KEPT;
    let (kept, seen) = samples.split_at_mut(number);
    ensure!(!kept.is_empty(), "fewer than {KEPT} samples");
    let mut model = Model::new(shape, &mut random);
    println!("{shape:?}, {recipe:?}, seed {seed}: {} samples, {} kept", seen.len(), kept.len());
    let mut sums = vec![0.0; shape.hidden];
    let begun = Instant::now();
    train(&mut model, seen, recipe, &mut random, &mut |epoch, loss, model| {
        let errors = errors::by_seeds(kept, &mut |sample| model.value(sample, &mut sums).into());
        let root = errors::total(&errors).root_mean_square();
        eprintln!("epoch {epoch}: loss {loss:.4}, kept {root:.4}, {:.0?}", begun.elapsed());
    });
    let errors = errors::by_seeds(kept, &mut |sample| model.value(sample, &mut sums).into());
    print!("{}", errors::table(&errors, 3));
    let kept = kept.to_vec();
    Ok(Trained { model, kept })
}

/// A model and the samples that it has not seen.
struct Trained {
    model: Model,
    kept: Vec<Sample>,
}

fn write_out(trained: &Trained, out: Option<&Path>, model: Option<&Path>) -> Result<()> {
    if let Some(path) = model {
        sample::write_whole(path, &trained.model.to_bytes())?;
    }
    if let Some(path) = out {
        let network = quantise::network(&trained.model)?;
        let mut value = |sample: &Sample| f64::from(network.value(sample.board())) / 100.0;
        let errors = errors::by_seeds(&trained.kept, &mut value);
        print!("in whole numbers:\n{}", errors::table(&errors, 3));
        sample::write_whole(path, &network.to_bytes())?;
    }
    Ok(())
}
