//! The guess at the horizon: a small network, fitted to endgame tables and to searches by
//! `oware-tune`.
//!
//! Its inputs are pairs (house, seeds in it), of which every board has twelve, and for each side
//! the set of houses in which it could capture next. Each input has a row of weights, and the sums
//! over the fourteen rows are the hidden units, cut to 0 and [`ONE`] and squared. What is made of
//! them depends on the seeds on the board, in [`STAGES`] groups. All of it is integer arithmetic,
//! so that it gives the same values on every machine.
//!
//! That pairs beat bare numbers of seeds, so that the first layer is a sum of rows, was found by
//! authors of programs for CodinGame's Oware (2020); cut squares come from the networks of chess
//! programs, where they let a unit say what otherwise takes two.

use std::fmt;

use oware_rules::row::{ONES, houses_of_two_or_three};
use oware_rules::{Board, HOUSES, ROW, SowingBoard};

use crate::Score;

/// Hidden units.
pub const HIDDEN: usize = 64;
/// Numbers of seeds in a house that are told apart: 0 to 23, where 23 stands for more, too.
pub const COUNTS: usize = 24;
/// Sets of houses of one row.
pub const SETS: usize = 1 << ROW;
/// Inputs that have a row of weights.
pub const INPUTS: usize = HOUSES * COUNTS + 2 * SETS;
/// Groups of numbers of seeds on the board, each [`STAGE_SEEDS`] wide.
pub const STAGES: usize = 8;
/// How many numbers of seeds make a group.
pub const STAGE_SEEDS: usize = 6;
/// Where hidden units are cut. Its square is the largest that fits 16 bits with a sign.
pub const ONE: i16 = 181;
/// Sums of the output are hundredths of a seed times 2 to this.
pub const OUT_BITS: u32 = 16;

/// How a file of weights begins.
const MAGIC: [u8; 8] = *b"owareev2";
const NUMBERS: usize = (INPUTS + 1 + STAGES) * HIDDEN + STAGES;
/// Bytes of a file of weights: magic, numbers of 16 bits, checksum.
const LENGTH: usize = MAGIC.len() + 2 * NUMBERS + 8;

type Units = [i16; HIDDEN];

/// The weights of a network.
#[derive(Clone, PartialEq, Eq)]
#[repr(align(64))]
pub struct Network {
    /// By house and seeds in it.
    rows: [[Units; COUNTS]; HOUSES],
    /// By who captures, the mover first, and where.
    threats: [[Units; SETS]; 2],
    /// What hidden units are without any row.
    bias: Units,
    /// By group of seeds on the board.
    out: [Units; STAGES],
    /// By group; hundredths of a seed.
    out_bias: [i16; STAGES],
}

/// Bytes that are no weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WeightsError {
    /// The file is not as long as these weights are.
    Length,
    /// The file does not begin as it must.
    Magic,
    /// The checksum at the end is not that of what stands before it.
    Checksum,
}

impl fmt::Display for WeightsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WeightsError::Length => write!(f, "weights: expected {LENGTH} bytes"),
            WeightsError::Magic => write!(f, "weights: expected owareev2 at the beginning"),
            WeightsError::Checksum => write!(f, "weights: damaged, the checksum is another"),
        }
    }
}

impl std::error::Error for WeightsError {}

/// The network that is built in.
pub static NETWORK: Network = match Network::parse(include_bytes!("eval/weights.bin")) {
    Ok(network) => network,
    Err(_) => panic!("eval/weights.bin is no file of weights"),
};

/// The guess of the network that is built in: what the mover will still take more than the
/// opponent. Never more than the seeds on the board.
#[must_use]
pub fn evaluate(board: Board) -> Score {
    Score(NETWORK.value(board))
}

impl Network {
    /// Reads a file of weights: `owareev2`; then numbers of 16 bits with sign, lowest byte first,
    /// namely rows by house and seeds, rows by side and set of houses, the bias, the outputs'
    /// weights and biases by group; then the FNV-1a hash of all that (64 bits, lowest byte first).
    ///
    /// # Errors
    /// When the bytes are not exactly that.
    pub const fn parse(bytes: &[u8]) -> Result<Network, WeightsError> {
        if bytes.len() != LENGTH {
            return Err(WeightsError::Length);
        }
        let mut at = 0;
        while at < MAGIC.len() {
            if bytes[at] != MAGIC[at] {
                return Err(WeightsError::Magic);
            }
            at += 1;
        }
        let sum = fnv(bytes, LENGTH - 8).to_le_bytes();
        let mut at = 0;
        while at < sum.len() {
            if bytes[LENGTH - 8 + at] != sum[at] {
                return Err(WeightsError::Checksum);
            }
            at += 1;
        }
        let mut network = Network {
            rows: [[[0; HIDDEN]; COUNTS]; HOUSES],
            threats: [[[0; HIDDEN]; SETS]; 2],
            bias: [0; HIDDEN],
            out: [[0; HIDDEN]; STAGES],
            out_bias: [0; STAGES],
        };
        let mut number = 0;
        while number < HOUSES * COUNTS {
            network.rows[number / COUNTS][number % COUNTS] = units(bytes, number);
            number += 1;
        }
        let mut number = 0;
        while number < 2 * SETS {
            network.threats[number / SETS][number % SETS] = units(bytes, HOUSES * COUNTS + number);
            number += 1;
        }
        network.bias = units(bytes, INPUTS);
        let mut stage = 0;
        while stage < STAGES {
            network.out[stage] = units(bytes, INPUTS + 1 + stage);
            network.out_bias[stage] = short(bytes, NUMBERS - STAGES + stage);
            stage += 1;
        }
        Ok(network)
    }

    /// The file of these weights, as [`parse`](Self::parse) reads it.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let rows = self.rows.iter().flatten().chain(self.threats.iter().flatten());
        let rows = rows.chain([&self.bias]).chain(&self.out).flatten();
        let mut bytes = MAGIC.to_vec();
        for number in rows.chain(&self.out_bias) {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        let sum = fnv(&bytes, bytes.len());
        bytes.extend_from_slice(&sum.to_le_bytes());
        bytes
    }

    /// The network with these numbers, in the order of the file.
    ///
    /// # Errors
    /// When they are not as many as a network has.
    pub fn of_numbers(numbers: &[i16]) -> Result<Network, WeightsError> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        let sum = fnv(&bytes, bytes.len());
        bytes.extend_from_slice(&sum.to_le_bytes());
        Network::parse(&bytes)
    }

    /// What the mover will still take more than the opponent, in hundredths of a seed.
    #[inline]
    #[must_use]
    pub fn value(&self, board: Board) -> i32 {
        let houses = board.houses();
        let mut sums = self.bias;
        for (rows, seeds) in self.rows.iter().zip(houses) {
            add(&mut sums, &rows[usize::from(seeds).min(COUNTS - 1)]);
        }
        for (rows, set) in self.threats.iter().zip(threats(board, &houses)) {
            add(&mut sums, &rows[set % SETS]);
        }
        let seeds = board.total();
        let stage = (usize::from(seeds) / STAGE_SEEDS).min(STAGES - 1);
        let mut value = 0;
        for (sum, weight) in sums.iter().zip(&self.out[stage]) {
            let unit = (*sum).clamp(0, ONE);
            // At most 181 times 181, which fits.
            let square = unit.wrapping_mul(unit);
            value += i32::from(square) * i32::from(*weight);
        }
        let most = i32::from(seeds) * 100;
        ((value >> OUT_BITS) + i32::from(self.out_bias[stage])).clamp(-most, most)
    }
}

#[inline]
fn add(sums: &mut Units, row: &Units) {
    for (sum, weight) in sums.iter_mut().zip(row) {
        *sum = sum.wrapping_add(*weight);
    }
}

/// Powers of two, so that an index can be masked instead of checked.
const NUMBERS_OF_SEEDS: usize = 64;

/// Where the last seed falls, by house and seeds in it: a bit for each house of the other row, 6
/// higher where it is the second seed that falls there.
static LANDINGS: [[u16; NUMBERS_OF_SEEDS]; ROW] = landings();

const fn landings() -> [[u16; NUMBERS_OF_SEEDS]; ROW] {
    let mut table = [[0; NUMBERS_OF_SEEDS]; ROW];
    let mut house = 0;
    while house < ROW {
        let mut at = ROW;
        while at < HOUSES {
            // A lap is eleven houses, for the origin is skipped.
            table[house][at - house] = 1 << (at - ROW);
            table[house][at - house + HOUSES - 1] = 1 << at;
            at += 1;
        }
        house += 1;
    }
    table
}

/// For each side, the mover first: the houses of the other in which one of its moves ends and
/// captures, as bits. Whether it is its turn, and whether that is a grand slam, is not looked at.
#[inline]
fn threats(board: Board, houses: &[u8; HOUSES]) -> [usize; 2] {
    let mut landings = [0; 2];
    for (house, of_house) in LANDINGS.iter().enumerate() {
        for (side, set) in landings.iter_mut().enumerate() {
            let seeds = usize::from(houses[side * ROW + house]);
            *set |= usize::from(of_house[seeds % NUMBERS_OF_SEEDS]);
        }
    }
    let makes_two_or_three = |row| usize::from(houses_of_two_or_three(row));
    let captured = |set: usize, other: u64| {
        (set & makes_two_or_three(other + ONES))
            | (set >> ROW & makes_two_or_three(other + 2 * ONES))
    };
    let [mover, opponent] = board.rows();
    [captured(landings[0], opponent), captured(landings[1], mover)]
}

const fn short(bytes: &[u8], number: usize) -> i16 {
    let at = MAGIC.len() + 2 * number;
    i16::from_le_bytes([bytes[at], bytes[at + 1]])
}

const fn units(bytes: &[u8], row: usize) -> Units {
    let mut units = [0; HIDDEN];
    let mut unit = 0;
    while unit < HIDDEN {
        units[unit] = short(bytes, row * HIDDEN + unit);
        unit += 1;
    }
    units
}

/// FNV-1a (Fowler, Noll, Vo) of the first bytes, 64 bits.
const fn fnv(bytes: &[u8], length: usize) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325;
    let mut at = 0;
    while at < length {
        hash = (hash ^ bytes[at] as u64).wrapping_mul(0x100_0000_01b3);
        at += 1;
    }
    hash
}

#[cfg(test)]
mod tests {
    use oware_rules::{Board, GrandSlam, MoveSet, Rules, SowingBoard};
    use oware_testkit::TestRng;

    use super::{HIDDEN, LENGTH, NETWORK, NUMBERS, Network, WeightsError, evaluate, fnv};

    /// Changes with the weights, and only with them.
    const SUM: u64 = 0x7fd7_68e2_52f2_67d8;
    const PINNED: [([u8; 12], i32); 4] = [
        ([4; 12], -25),
        ([0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3], 270),
        ([16, 0, 0, 1, 1, 2, 0, 1, 0, 2, 1, 0], 357),
        ([0, 0, 0, 1, 0, 2, 0, 0, 1, 0, 0, 1], -418),
    ];

    #[test]
    fn weights_are_those_that_were_measured() {
        let bytes = NETWORK.to_bytes();
        assert_eq!(bytes, include_bytes!("eval/weights.bin"));
        let sum = fnv(&bytes, LENGTH - 8);
        assert_eq!(sum, SUM, "expected {SUM:#018x}, got {sum:#018x}");
    }

    #[test]
    fn values_are_the_same_on_every_machine() {
        for (houses, value) in PINNED {
            let board = Board::from_houses(houses).unwrap();
            assert_eq!(evaluate(board).hundredths(), value, "{houses:?}");
        }
    }

    #[test]
    fn nothing_is_worth_more_than_the_seeds_on_the_board() {
        let empty = Board::from_houses([0; 12]).unwrap();
        assert_eq!(evaluate(empty).hundredths(), 0);
        let mut random = TestRng::from_env("eval::nothing_is_worth_more");
        for _ in 0..200 {
            let mut board = Board::START;
            while let Some(mv) = {
                let legal = board.legal(&Rules::ABAPA);
                legal.iter().nth(random.below(legal.len().max(1)))
            } {
                let seeds = i32::from(board.total());
                let value = evaluate(board).hundredths();
                assert!(value.abs() <= 100 * seeds, "{board:?}: {value}");
                if random.below(100) == 0 {
                    break;
                }
                board = board.sow(mv, &Rules::ABAPA).board;
            }
        }
    }

    /// The houses where moves capture, found by playing them. Laps beyond the second are left out,
    /// as the network does.
    fn where_captured(board: Board) -> usize {
        let rules = Rules { grand_slam: GrandSlam::Captures, ..Rules::ABAPA };
        let houses = board.houses();
        let mut set = 0;
        for mv in MoveSet::from_bits(0x3f).iter() {
            let seeds = usize::from(houses[mv.index()]);
            let at = mv.index() + seeds - if seeds < 12 { 0 } else { 11 };
            if (1..=22).contains(&seeds) && board.sow(mv, &rules).captured > 0 {
                set |= 1 << (at - 6);
            }
        }
        set
    }

    /// The same sum written as the definition says it, in wider numbers.
    #[test]
    fn sums_are_those_of_the_definition() {
        let mut random = TestRng::from_env("eval::sums");
        for _ in 0..2000 {
            let mut houses = [0u8; 12];
            for _ in 0..random.below(49) {
                houses[random.below(12)] += 1;
            }
            let seeds = usize::from(houses.iter().sum::<u8>());
            let board = Board::from_houses(houses).unwrap();
            let threatened = [where_captured(board), where_captured(board.turned())];
            let stage = (seeds / 6).min(7);
            let mut value = 0i64;
            for unit in 0..HIDDEN {
                let weight = |(row, n): (&[_; 24], u8)| {
                    let units: &[i16; HIDDEN] = &row[usize::from(n).min(23)];
                    i64::from(units[unit])
                };
                let mut sum: i64 = NETWORK.rows.iter().zip(houses).map(weight).sum();
                sum += i64::from(NETWORK.threats[0][threatened[0]][unit]);
                sum += i64::from(NETWORK.threats[1][threatened[1]][unit]);
                let cut = (sum + i64::from(NETWORK.bias[unit])).clamp(0, 181);
                value += cut * cut * i64::from(NETWORK.out[stage][unit]);
            }
            let value = value.div_euclid(65_536) + i64::from(NETWORK.out_bias[stage]);
            let most = 100 * seeds as i64;
            let expected = value.clamp(-most, most);
            assert_eq!(i64::from(evaluate(board).hundredths()), expected, "{houses:?}");
        }
    }

    #[test]
    fn other_bytes_are_refused() {
        let parse = |bytes: &[u8]| Network::parse(bytes).err();
        let good = NETWORK.to_bytes();
        assert_eq!(parse(&good), None);
        assert_eq!(parse(&good[1..]), Some(WeightsError::Length));
        let mut bad = good.clone();
        bad[0] ^= 1;
        assert_eq!(parse(&bad), Some(WeightsError::Magic));
        for at in [8, LENGTH / 2, LENGTH - 1] {
            let mut bad = good.clone();
            bad[at] ^= 0x40;
            assert_eq!(parse(&bad), Some(WeightsError::Checksum), "byte {at}");
        }
        assert_eq!(Network::of_numbers(&[0; NUMBERS - 1]).err(), Some(WeightsError::Length));
    }
}
