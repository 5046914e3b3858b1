//! Play by the tables: what they promise is what is reached, on every board.
//!
//! Boards of up to 6 seeds, 8 where the variable `OWARE_LONG` is 1. Moves are made by the rules'
//! own board; only values and distances come from the solver.
//!
//! - The forcing side plays value-keeping moves of least distance, the other side value-keeping
//!   moves of most distance: each such line lasts exactly `distance` plies to the conversion.
//! - The forcing side plays the same, the other side anything: the value of the forcing side
//!   never falls, and no line goes round in a circle, so each ends in a conversion.
//!
//! A conversion lowers the seeds, so that games end too. All ties are followed.

use oware_retro::{Alone, InMemory, LayerJob, MoveTables, Target, solve_layer};
use oware_rules::{Board, Rules, SowingBoard, Stuck, TableRules};
use oware_tables::header::all_table_rules;
use oware_tables::{Convention, Houses, Layer, NO_DISTANCE};
use oware_testkit::TestRng;

/// The highest layer.
fn seeds() -> usize {
    if std::env::var("OWARE_LONG").is_ok_and(|long| long == "1") { 8 } else { 6 }
}

/// Values and distances of all layers, by convention, layer and index.
struct Tables {
    rules: Rules,
    layers: Vec<Layer>,
    values: [Vec<Vec<i8>>; 3],
    distances: [Vec<Vec<u8>>; 3],
}

impl Tables {
    fn solve(table_rules: TableRules, seeds: usize) -> Tables {
        let TableRules { grand_slam, feeding, stuck } = table_rules;
        let mut tables = Tables {
            rules: Rules { grand_slam, feeding, stuck, play_on: true, ..Rules::ABAPA },
            layers: (0..=seeds).map(Layer::new).collect(),
            values: Default::default(),
            distances: Default::default(),
        };
        let moves = MoveTables::new(table_rules, seeds);
        for target in [Target::Even, Target::Bounds] {
            let mut lower = InMemory::new();
            for seeds in 0..=seeds {
                let job = LayerJob::quiet(&moves, seeds, target, &lower);
                let job = LayerJob { distances: true, ..job };
                let solved = solve_layer(&job, &mut Alone).unwrap();
                let found = solved.values.into_iter().zip(solved.distances);
                for (&convention, (values, distances)) in target.conventions().iter().zip(found) {
                    lower.push(convention, values.clone());
                    tables.values[convention as usize].push(values);
                    tables.distances[convention as usize].push(distances);
                }
            }
        }
        tables
    }

    fn seeds(&self) -> usize {
        self.layers.len() - 1
    }

    fn at(&self, board: Board) -> (usize, usize) {
        let houses = board.houses();
        let seeds: usize = houses.iter().map(|&seeds| usize::from(seeds)).sum();
        (seeds, self.layers[seeds].index(&houses).unwrap() as usize)
    }

    fn value(&self, convention: Convention, board: Board) -> i8 {
        let (seeds, index) = self.at(board);
        self.values[convention as usize][seeds][index]
    }

    /// `None` where nothing is forced.
    fn distance(&self, convention: Convention, board: Board) -> Option<u32> {
        let (seeds, index) = self.at(board);
        let byte = self.distances[convention as usize][seeds][index];
        (byte != NO_DISTANCE).then_some(byte.into())
    }

    /// Whether a value is forced on a board, and then whether by its mover.
    fn forcing(&self, convention: Convention, board: Board) -> Option<bool> {
        let value = self.value(convention, board);
        let seeds = self.at(board).0 as i8;
        match convention {
            Convention::Even => (value != 0).then_some(value > 0),
            Convention::Low => (value > -seeds).then_some(true),
            Convention::High => (value < seeds).then_some(false),
        }
    }

    /// Every legal move: what it brings its player if he gets the value of the board after it.
    fn moves(&self, convention: Convention, board: Board) -> Vec<Outcome> {
        let outcome = |mv| {
            let sown = board.sow(mv, &self.rules);
            let captured = sown.captured as i8;
            if sown.ends_by_slam(&self.rules) {
                return Outcome { brings: captured - sown.given as i8, after: None };
            }
            let brings = captured - self.value(convention.after_a_move(), sown.board);
            Outcome { brings, after: (captured == 0).then_some(sown.board) }
        };
        board.legal(&self.rules).iter().map(outcome).collect()
    }

    /// Plies to the next conversion by a move.
    fn plies(&self, convention: Convention, outcome: &Outcome) -> Option<u32> {
        match outcome.after {
            None => Some(1),
            Some(after) => Some(1 + self.distance(convention.after_a_move(), after)?),
        }
    }
}

/// What a move leads to.
struct Outcome {
    brings: i8,
    /// The board after it, seen by the next player; `None` after a conversion.
    after: Option<Board>,
}

/// What is known of a board in a walk.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    Never,
    /// On the line that is being walked: to meet it again would be a circle.
    Here,
    /// The least and the most plies to a conversion.
    Lasts(u32, u32),
}

/// What the other side plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Defence {
    /// Moves that keep the value, and of those what lasts longest.
    Best,
    /// Every legal move.
    Any,
}

/// A walk over every line from every board.
struct Walk<'a> {
    tables: &'a Tables,
    defence: Defence,
    seen: [Vec<Vec<Seen>>; 3],
}

impl<'a> Walk<'a> {
    fn new(tables: &'a Tables, defence: Defence) -> Walk<'a> {
        let layers = || tables.layers.iter().map(|layer| vec![Seen::Never; layer.size() as usize]);
        Walk { tables, defence, seen: std::array::from_fn(|_| layers().collect()) }
    }

    /// The least and the most plies of the lines from a board on which a value is forced.
    fn lasts(&mut self, convention: Convention, board: Board) -> (u32, u32) {
        let (seeds, index) = self.tables.at(board);
        let name = || format!("{}, {convention}, {board:?}, {:?}", self.tables.rules, self.defence);
        match self.seen[convention as usize][seeds][index] {
            Seen::Lasts(least, most) => return (least, most),
            Seen::Here => panic!("a circle: {}", name()),
            Seen::Never => self.seen[convention as usize][seeds][index] = Seen::Here,
        }
        let followed = self.followed(convention, board);
        let mut lasts = (u32::MAX, 0);
        for outcome in &followed {
            let (least, most) = match outcome.after {
                None => (0, 0),
                Some(after) => self.lasts(convention.after_a_move(), after),
            };
            lasts = (lasts.0.min(1 + least), lasts.1.max(1 + most));
        }
        // Without a move the seeds are shared out.
        if followed.is_empty() {
            lasts = (0, 0);
        }
        self.seen[convention as usize][seeds][index] = Seen::Lasts(lasts.0, lasts.1);
        lasts
    }

    /// The moves that are followed from a board on which a value is forced.
    fn followed(&self, convention: Convention, board: Board) -> Vec<Outcome> {
        let Walk { tables, defence, .. } = *self;
        let name = || format!("{}, {convention}, {board:?}, {defence:?}", tables.rules);
        let value = tables.value(convention, board);
        let by_mover = tables.forcing(convention, board);
        let by_mover = by_mover.unwrap_or_else(|| panic!("nothing is forced: {}", name()));
        let mut moves = tables.moves(convention, board);
        if moves.is_empty() {
            assert_eq!(value, shared_out(&board.houses(), tables.rules.stuck), "{}", name());
            return moves;
        }
        if !by_mover && defence == Defence::Any {
            // Whatever the other side does, the forcing side has no less.
            assert!(moves.iter().all(|outcome| outcome.brings <= value), "{}", name());
            return moves;
        }
        moves.retain(|outcome| outcome.brings == value);
        assert!(!moves.is_empty(), "no move keeps the value: {}", name());
        // No distance is endlessly far: never taken by the forcing side, never there for the
        // other one.
        let far = |outcome: &Outcome| tables.plies(convention, outcome).unwrap_or(u32::MAX);
        let all = moves.iter().map(far);
        let wanted = if by_mover { all.min() } else { all.max() };
        moves.retain(|outcome| Some(far(outcome)) == wanted);
        moves
    }
}

/// What the mover gets where he has no legal move.
fn shared_out(houses: &Houses, stuck: Stuck) -> i8 {
    let [mover, opponent] = [&houses[..6], &houses[6..]].map(|row| row.iter().sum::<u8>() as i8);
    match stuck {
        Stuck::OwnRows => mover - opponent,
        Stuck::OpponentTakesAll => -(mover + opponent),
    }
}

/// The plies of the longest lines, by convention (even, low, high).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Longest {
    /// Against the defence that keeps the value and takes longest.
    best: [u32; 3],
    /// Against any, which may give up seeds to last longer.
    any: [u32; 3],
}

/// Walks from every board of all layers.
fn walk(rules: TableRules, seeds: usize) -> Longest {
    let tables = Tables::solve(rules, seeds);
    let mut longest = [[0; 3]; 2];
    let mut walks = [Defence::Best, Defence::Any].map(|defence| Walk::new(&tables, defence));
    for seeds in 0..=tables.seeds() {
        for houses in tables.layers[seeds].boards() {
            let board = Board::from_houses(houses).unwrap();
            for convention in Convention::ALL {
                let distance = tables.distance(convention, board);
                let name = || format!("{rules}, {convention}, {houses:?}");
                let forced = tables.forcing(convention, board).is_some();
                assert_eq!(forced, distance.is_some(), "{}", name());
                let Some(distance) = distance else { continue };
                let [best, any] = walks.each_mut().map(|walk| walk.lasts(convention, board));
                assert_eq!(best, (distance, distance), "{}", name());
                // The best defence is one of all.
                assert!(any.0 <= distance && distance <= any.1, "{}: {any:?}", name());
                for (longest, lasts) in longest.iter_mut().zip([best, any]) {
                    let longest = &mut longest[convention as usize];
                    *longest = (*longest).max(lasts.1);
                }
            }
        }
    }
    for (convention, layers) in Convention::ALL.into_iter().zip(&tables.distances) {
        let far = layers.iter().flatten().filter(|&&byte| byte != NO_DISTANCE).max();
        let far = u32::from(*far.unwrap());
        let line = longest[0][convention as usize];
        assert_eq!(line, far, "{rules}, {convention}: longest line and longest distance");
    }
    let [best, any] = longest;
    Longest { best, any }
}

/// The longest lines of abapa, and of awari alike.
fn longest_known() -> Longest {
    match seeds() {
        6 => Longest { best: [64, 63, 64], any: [64, 63, 64] },
        _ => Longest { best: [64, 91, 92], any: [92, 141, 142] },
    }
}

#[test]
fn abapa() {
    assert_eq!(walk(Rules::ABAPA.table_rules(), seeds()), longest_known());
}

#[test]
fn awari() {
    assert_eq!(walk(Rules::AWARI.table_rules(), seeds()), longest_known());
}

#[test]
fn other_table_rules() {
    let mut rng = TestRng::from_env("other_table_rules");
    let all: Vec<TableRules> = all_table_rules().collect();
    walk(*rng.pick(&all), seeds());
}

#[test]
fn every_combination_of_table_rules_to_four_seeds() {
    all_table_rules().for_each(|rules| _ = walk(rules, 4));
}
