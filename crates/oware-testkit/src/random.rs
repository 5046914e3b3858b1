//! Random numbers, positions and rules for tests, the same at every run with the same seed.

use std::env;

use crate::oracle::{
    OracleFeeding, OracleGame, OracleGrandSlam, OracleLoopSplit, OraclePosition, OracleRules,
    OracleStuck, fnv64,
};

/// The environment variable that sets the seed of [`TestRng::from_env`].
pub const SEED_VARIABLE: &str = "OWARE_SEED";

/// The default seed, before the name of the test is mixed in.
const DEFAULT_SEED: u64 = 0x0057_A7E5_EED5_0048;

/// A small random number generator (splitmix64); good enough for tests and for nothing else.
#[derive(Clone, Debug)]
pub struct TestRng {
    seed: u64,
    state: u64,
}

impl TestRng {
    /// A generator with this seed.
    pub fn new(seed: u64) -> Self {
        Self { seed, state: seed }
    }

    /// A generator for the test of this name, which says on standard error how to repeat the run.
    ///
    /// The seed is taken from the environment variable `OWARE_SEED` (decimal, or hexadecimal after
    /// `0x`) if it is set, else from a fixed default and the name.
    ///
    /// # Panics
    ///
    /// If the variable holds no such number.
    #[expect(clippy::print_stderr, reason = "a failing test must show the seed that repeats it")]
    pub fn from_env(name: &str) -> Self {
        let seed = match env::var(SEED_VARIABLE) {
            Ok(text) => read_seed(&text)
                .unwrap_or_else(|| panic!("{SEED_VARIABLE}={text} is not a 64-bit number")),
            Err(env::VarError::NotPresent) => DEFAULT_SEED ^ fnv64(name.as_bytes()),
            Err(error) => panic!("{SEED_VARIABLE}: {error}"),
        };
        eprintln!("{name}: {SEED_VARIABLE}={seed:#018x}");
        Self::new(seed)
    }

    /// The seed the generator started from.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The next 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.state;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A number from 0 to `bound - 1`.
    ///
    /// # Panics
    ///
    /// If `bound` is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        assert!(bound > 0, "no number is below 0");
        (self.next_u64() % bound as u64) as usize
    }

    /// A number from `low` to `high`, both included.
    ///
    /// # Panics
    ///
    /// If `low` is above `high`.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        assert!(low <= high, "no number is from {low} to {high}");
        low + self.below(high - low + 1)
    }

    /// True once in `times` calls on average.
    pub fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of the items, each as likely as the others.
    ///
    /// # Panics
    ///
    /// If there are none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// A position of one of the kinds below, with 48 seeds in all.
    pub fn position(&mut self) -> OraclePosition {
        match self.below(6) {
            0 => self.uniform_position(),
            1 => self.scattered_position(),
            2 => self.huge_position(),
            3 => self.starving_position(),
            4 => self.slam_position(),
            _ => self.played_position(),
        }
    }

    /// A position with a random number of seeds on the board (0 to 48), every way of laying them
    /// into the houses as likely as the others.
    pub fn uniform_position(&mut self) -> OraclePosition {
        // 11 bars among the seeds in a row separate the houses.
        let seeds = self.between(0, 48);
        let mut is_bar = vec![false; seeds + 11];
        let mut bars = 0;
        while bars < 11 {
            let place = self.below(is_bar.len());
            if !is_bar[place] {
                is_bar[place] = true;
                bars += 1;
            }
        }
        let mut houses = [0; 12];
        let mut house = 0;
        for bar in is_bar {
            if bar {
                house += 1;
            } else {
                houses[house] += 1;
            }
        }
        self.finish(houses)
    }

    /// A position with a random number of seeds (0 to 48), each thrown into any house: few houses
    /// are empty and few are large.
    pub fn scattered_position(&mut self) -> OraclePosition {
        let mut houses = [0; 12];
        let seeds = self.between(0, 48);
        self.scatter(&mut houses, seeds, 0, 11);
        self.finish(houses)
    }

    /// A position with one or two houses of 12 or more seeds, sometimes of 23 or more.
    pub fn huge_position(&mut self) -> OraclePosition {
        let mut houses = [0; 12];
        let mut left = 48;
        for _ in 0..self.between(1, 2) {
            let least = if self.one_in(2) { 23 } else { 12 };
            if left < least {
                break;
            }
            let seeds = self.between(least, left);
            let house = self.below(12);
            houses[house] += seeds as u8;
            left -= seeds;
        }
        let rest = self.between(0, left);
        self.scatter(&mut houses, rest, 0, 11);
        self.finish(houses)
    }

    /// A position where the opponent of the player to move has 0 to 4 seeds on his row.
    pub fn starving_position(&mut self) -> OraclePosition {
        let mut houses = [0; 12];
        let few = self.between(0, 4);
        self.scatter(&mut houses, few, 6, 11);
        let most = *self.pick(&[3, 10, 20, 44]);
        let own = self.between(0, most);
        self.scatter(&mut houses, own, 0, 5);
        let mut position = self.finish(houses);
        position.to_move = 0;
        if self.one_in(2) { position } else { position.mirrored() }
    }

    /// A position where the player to move mostly has a grand slam, sometimes by a house that is
    /// sown round the whole board, also onto an empty row; one seed may be put in its way.
    pub fn slam_position(&mut self) -> OraclePosition {
        let mut houses = [0; 12];
        let origin = self.below(6);
        let others = self.between(0, 8);
        self.scatter(&mut houses, others, 0, 5);
        if self.one_in(6) {
            // 11 seeds lay one in every other house, then the rest goes on to the last house.
            houses[origin] = (11 + 11 - origin) as u8;
            let few = self.between(0, 3);
            for seeds in &mut houses[6..6 + few] {
                *seeds = 1;
            }
        } else {
            let chain = self.between(1, 6);
            houses[origin] = (5 + chain - origin) as u8;
            for seeds in &mut houses[6..6 + chain] {
                *seeds = self.between(1, 2) as u8;
            }
        }
        if self.one_in(4) {
            houses[self.between(6, 11)] += 1;
        }
        let mut position = self.finish(houses);
        position.to_move = 0;
        if self.one_in(2) { position } else { position.mirrored() }
    }

    /// A position from random play under random rules, at most 300 plies from the opening.
    pub fn played_position(&mut self) -> OraclePosition {
        let rules = OracleRules { repetition: None, capture_free_limit: None, ..self.rules() };
        let mut game = OracleGame::new(rules, OraclePosition::start());
        let plies = self.between(0, 300);
        while game.moves().len() < plies && game.end().is_none() {
            let index = *self.pick(&game.legal());
            game.play(index).unwrap_or_else(|error| panic!("{error}"));
        }
        *game.position()
    }

    /// Random rules, every field by itself: each of its values as likely as the others, the
    /// numbers out of a few small and large ones.
    pub fn rules(&mut self) -> OracleRules {
        OracleRules {
            grand_slam: *self.pick(OracleGrandSlam::ALL),
            feeding: *self.pick(OracleFeeding::ALL),
            stuck: *self.pick(OracleStuck::ALL),
            loop_split: *self.pick(OracleLoopSplit::ALL),
            repetition: *self.pick(&[None, Some(2), Some(3), Some(4), Some(7)]),
            capture_free_limit: *self.pick(&[
                None,
                Some(1),
                Some(2),
                Some(15),
                Some(50),
                Some(100),
            ]),
            play_on: self.one_in(2),
        }
    }

    /// Throws seeds into the houses from `first` to `last`.
    fn scatter(&mut self, houses: &mut [u8; 12], seeds: usize, first: usize, last: usize) {
        for _ in 0..seeds {
            houses[self.between(first, last)] += 1;
        }
    }

    /// Adds a player to move and stores with the seeds that are not on the board: mostly such that
    /// nobody has won yet, if there are such.
    fn finish(&mut self, houses: [u8; 12]) -> OraclePosition {
        let on_board: usize = houses.iter().map(|seeds| usize::from(*seeds)).sum();
        let rest = 48 - on_board;
        let south = if self.one_in(4) {
            self.between(0, rest)
        } else {
            self.between(rest.saturating_sub(24), rest.min(24))
        };
        OraclePosition {
            houses,
            stores: [south as u8, (rest - south) as u8],
            to_move: self.below(2),
        }
    }
}

/// Reads a decimal number, or a hexadecimal one after `0x`.
fn read_seed(text: &str) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}
