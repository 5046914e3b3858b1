//! What a board tells about its value without any table: a forecast of two plies.
//!
//! A move acts on the mover's row by itself, and on the opponent's row by a function of that row
//! and of a small number, the *kind* of the move (0: nothing reaches the opponent; 7 for each lap
//! of six seeds that he gets, plus the number of his houses that get one seed more). So what a
//! move does to either row is prepared once a row, and put together board by board: the seeds
//! that a move captures, less what the opponent can then capture, at best over all moves. The
//! forecast has only to be cheap, the same everywhere, and near the truth; rules of feeding and
//! houses of more than two laps are left out.

use oware_rules::{GrandSlam, ROW, TableRules};

use crate::rows::Row;

/// Laps of the opponent's houses that are told apart.
const LAPS: usize = 3;
/// Kinds that are told apart; greater ones count as the last.
const KINDS: usize = 7 * LAPS;
/// Kinds whose captures are looked at: 1..=6 and 8..=13, numbered from 0.
const CAPTURING: usize = 2 * ROW;
/// Seeds of a house are looked at up to here.
const SEEDS: usize = 64;

/// Houses of a row are told apart up to this many seeds in a [`row_key`].
const KEY_SEEDS: u8 = 3;
/// Number of different [`row_key`]s.
pub(super) const ROW_KEYS: usize = 1 << (2 * ROW);

/// A row with its houses cut at three seeds.
pub(super) fn row_key(row: &Row) -> u16 {
    row.iter().fold(0, |key, &seeds| key << 2 | u16::from(seeds.min(KEY_SEEDS)))
}

/// The next row of the same total in the order of the ranks; the last row stays.
pub(super) fn step(row: &mut Row) {
    if let Some(last) = (1..ROW).rev().find(|&house| row[house] > 0) {
        let moved = row[last];
        row[last] = 0;
        row[last - 1] += 1;
        row[ROW - 1] = moved - 1;
    }
}

/// The kind of the move of `seeds` from a house.
const fn kind(house: usize, seeds: usize) -> usize {
    let own = ROW - 1 - house;
    if seeds <= own {
        return 0;
    }
    let lap = (seeds - own - 1) / (2 * ROW - 1);
    let rest = (seeds - own - 1) % (2 * ROW - 1) + 1;
    if rest <= ROW { 7 * lap + rest } else { 7 * (lap + 1) }
}

/// `KIND_BIT[house][seeds]`: the kind of the move, if it is from 1 to 6, as a bit from 0 on.
static KIND_BIT: [[u8; SEEDS]; ROW] = kind_bits();

const fn kind_bits() -> [[u8; SEEDS]; ROW] {
    let mut bits = [[0; SEEDS]; ROW];
    let mut house = 0;
    while house < ROW {
        let mut seeds = 1;
        while seeds < SEEDS {
            let kind = kind(house, seeds);
            if kind > 0 && kind <= ROW {
                bits[house][seeds] = 1 << (kind - 1);
            }
            seeds += 1;
        }
        house += 1;
    }
    bits
}

/// What a row of the mover is open to after one of its moves: the kinds from 1 to 6 of replies
/// that capture, as bits from 0 on, and those that capture four seeds or more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Open {
    any: u8,
    many: u8,
}

/// What a kind of move does to a row of the opponent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Reached {
    /// The kinds from 1 to 6 of the opponent's moves afterwards, as bits from 0 on.
    kinds: u8,
    /// The captured seeds.
    captured: u8,
}

/// The moves of the mover's rows of a tile, sorted by kind so that all rows of the mover are
/// looked at together, one kind after the other.
#[derive(Clone, Debug, Default)]
pub(super) struct Moves {
    /// Number of rows, made up to full [`LANES`] by rows without moves.
    rows: usize,
    /// The kinds. The same kind stands here as often as one row has it.
    kinds: Vec<u8>,
    /// By place in `kinds` and row: what the move leaves open. A row without such a move has
    /// [`NO_MOVE`].
    any: Vec<u8>,
    many: Vec<u8>,
}

/// Loops over the mover's rows of a tile go over so many at a time, so that they become vector
/// instructions without a rest.
pub(super) const LANES: usize = 16;

/// Set in [`Open::any`] where there is no move of the kind; no kind has this bit.
const NO_MOVE: u8 = 1 << 7;

/// `LIFTED[house][seeds]`: what the move adds to the mover's row, as a little-endian number of
/// bytes that is added with wrapping.
static LIFTED: [[u64; SEEDS]; ROW] = lifts();

const fn lifts() -> [[u64; SEEDS]; ROW] {
    let mut table = [[0; SEEDS]; ROW];
    let mut origin = 0;
    while origin < ROW {
        let mut seeds = 1;
        while seeds < SEEDS {
            let mut added = 0u64;
            let mut house = origin;
            let mut left = seeds;
            while left > 0 {
                house = (house + 1) % (2 * ROW);
                if house != origin {
                    left -= 1;
                    if house < ROW {
                        added += 1 << (8 * house);
                    }
                }
            }
            table[origin][seeds] = added.wrapping_sub((seeds as u64) << (8 * origin));
            seeds += 1;
        }
        origin += 1;
    }
    table
}

/// The mover's row after a move, before anything else.
#[inline]
fn lifted(row: &Row, house: usize) -> Row {
    let [a, b, c, d, e, f] = *row;
    let before = u64::from_le_bytes([a, b, c, d, e, f, 0, 0]);
    let added = LIFTED[house][usize::from(row[house]) % SEEDS];
    let [a, b, c, d, e, f, ..] = before.wrapping_add(added).to_le_bytes();
    [a, b, c, d, e, f]
}

/// Facts about rows, shared by all layers up to a number of seeds under the same table rules.
#[derive(Clone, Debug)]
pub struct Features {
    seeds: usize,
    rules: TableRules,
}

impl Features {
    /// The facts about the rows of up to `seeds` seeds.
    #[must_use]
    pub fn new(seeds: usize, rules: TableRules) -> Features {
        Features { seeds, rules }
    }

    /// The most seeds of a layer that can be coded with these.
    #[must_use]
    pub fn seeds(&self) -> usize {
        self.seeds
    }

    /// The table rules they hold for.
    #[must_use]
    pub fn rules(&self) -> TableRules {
        self.rules
    }

    /// Bytes of memory taken.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of::<Features>()
    }

    /// For each capturing kind the houses in its chain and the seeds captured from this row.
    #[inline]
    fn captures(&self, row: &Row) -> [(u8, u8); CAPTURING] {
        let mut captures = [(0, 0); CAPTURING];
        let last = row.iter().rposition(|&seeds| seeds > 0).unwrap_or(0);
        for lap in 0..CAPTURING / ROW {
            // From which house on a chain that reaches house 0 leaves nothing on the row.
            let all = if lap == 0 { last } else { ROW - 1 };
            let (mut length, mut seeds) = (0u8, 0u8);
            for house in 0..ROW {
                let held = row[house].wrapping_add(lap as u8 + 1);
                let goes_on = held == 2 || held == 3;
                length = if goes_on { length + 1 } else { 0 };
                seeds = if goes_on { seeds + held } else { 0 };
                let slam = usize::from(length) == house + 1 && house >= all;
                captures[lap * ROW + house] =
                    if slam { self.slam(length, seeds, row, lap) } else { (length, seeds) };
            }
        }
        captures
    }

    /// What a grand slam captures, of a chain of this length.
    #[cold]
    fn slam(&self, length: u8, seeds: u8, row: &Row, lap: usize) -> (u8, u8) {
        let held = |house: usize| row[house].wrapping_add(lap as u8 + 1);
        match self.rules.grand_slam {
            GrandSlam::NoCapture | GrandSlam::Illegal => (0, 0),
            GrandSlam::KeepFirst => (length - 1, seeds - held(0)),
            GrandSlam::KeepLast => (length - 1, seeds - held(usize::from(length) - 1)),
            GrandSlam::Captures | GrandSlam::OpponentTakesRest => (length, seeds),
        }
    }

    /// The moves of consecutive rows of the mover.
    pub(super) fn moves(&self, rows: &[Row]) -> Moves {
        let lanes = rows.len().next_multiple_of(LANES);
        let mut moves = Moves { rows: lanes, ..Moves::default() };
        // By kind and how many moves of that kind the row had before: the place.
        let mut places = [[usize::MAX; ROW]; KINDS];
        for (number, row) in rows.iter().enumerate() {
            let mut seen = [0; KINDS];
            for house in (0..ROW).filter(|&house| row[house] > 0) {
                let kind = kind(house, usize::from(row[house])).min(KINDS - 1);
                let place = &mut places[kind][seen[kind]];
                seen[kind] += 1;
                if *place == usize::MAX {
                    *place = moves.kinds.len();
                    moves.kinds.push(kind as u8);
                    moves.any.resize(moves.kinds.len() * lanes, NO_MOVE);
                    moves.many.resize(moves.kinds.len() * lanes, 0);
                }
                let open = self.open(&lifted(row, house));
                moves.any[*place * lanes + number] = open.any;
                moves.many[*place * lanes + number] = open.many;
            }
        }
        moves
    }

    /// What a row is open to. A move whose last seed makes 2 or 3 in a house captures it, and
    /// four seeds or more if the house before it falls, too.
    #[inline]
    fn open(&self, row: &Row) -> Open {
        let falls = |set: u8, house: usize| set | u8::from(matches!(row[house], 1 | 2)) << house;
        let any = (0..ROW).fold(0, falls);
        let open = Open { any, many: any & any << 1 };
        // Only a row with 1 or 2 in its first houses and nothing behind them knows a grand slam.
        if any & any.wrapping_add(1) == 0 { self.open_to_slam(row, open) } else { open }
    }

    #[cold]
    fn open_to_slam(&self, row: &Row, mut open: Open) -> Open {
        for (kind, &(_, seeds)) in self.captures(row)[..ROW].iter().enumerate() {
            open.any = open.any & !(1 << kind) | u8::from(seeds > 0) << kind;
            open.many = open.many & !(1 << kind) | u8::from(seeds > 3) << kind;
        }
        open
    }

    /// What the kinds of moves do to a row of the opponent.
    fn reached(&self, row: &Row) -> [Reached; KINDS] {
        let captures = self.captures(row);
        let mut reached = [Reached::default(); KINDS];
        for lap in 0..LAPS {
            let bit = |house: usize, more: usize| {
                KIND_BIT[house][(usize::from(row[house]) + more).min(SEEDS - 1)]
            };
            // What the first houses are after a seed more, and what the last ones are without.
            let (mut near, mut far) = ([0u8; ROW + 1], [0u8; ROW + 1]);
            for house in 0..ROW {
                near[house + 1] = near[house] | bit(house, lap + 1);
                far[ROW - 1 - house] = far[ROW - house] | bit(ROW - 1 - house, lap);
            }
            for rest in 0..7 {
                let (length, seeds) = if rest > 0 && lap < CAPTURING / ROW {
                    captures[lap * ROW + rest - 1]
                } else {
                    (0, 0)
                };
                let kinds = near[rest - usize::from(length)] | far[rest];
                reached[7 * lap + rest] = Reached { kinds, captured: seeds };
            }
        }
        reached
    }

    /// What the mover wins in the next two plies, plus [`FORECAST_ZERO`], for each of his rows
    /// against one of the opponent's (`out` is as long as the rows made up): the best move's
    /// captured seeds, less 2 for a capture that the opponent then has, or less 5 where that
    /// takes at least four.
    pub(super) fn forecasts(&self, moves: &Moves, opponent: &Row, out: &mut [u8]) {
        let reached = self.reached(opponent);
        out.fill(FORECAST_ZERO - 8);
        let places = moves.any.chunks(moves.rows).zip(moves.many.chunks(moves.rows));
        for (&kind, (any, many)) in moves.kinds.iter().zip(places) {
            let Reached { kinds, captured } = reached[usize::from(kind) % KINDS];
            let captured = captured + FORECAST_ZERO;
            let lanes = any.as_chunks::<LANES>().0.iter().zip(many.as_chunks::<LANES>().0);
            for (best, (any, many)) in out.as_chunks_mut::<LANES>().0.iter_mut().zip(lanes) {
                for lane in 0..LANES {
                    let lost = if any[lane] & kinds == 0 { 0 } else { 2 };
                    let lost = lost + if many[lane] & kinds == 0 { 0 } else { 3 };
                    let lost = lost + if any[lane] & NO_MOVE == 0 { 0 } else { 30 };
                    best[lane] = best[lane].max(captured - lost);
                }
            }
        }
    }
}

/// Stands for 0 in forecasts.
pub(super) const FORECAST_ZERO: u8 = 64;

#[cfg(test)]
mod tests {
    use oware_rules::{Board, HOUSES, PRESETS, SowingBoard};
    use oware_testkit::TestRng;

    use super::*;
    use crate::layer::{joined, rows};
    use crate::rows::rows_of;

    #[test]
    fn stepping_goes_through_the_rows() {
        for total in 0..12 {
            let mut row = [0, 0, 0, 0, 0, total];
            for expected in rows_of(usize::from(total)) {
                assert_eq!(row, expected);
                step(&mut row);
            }
            assert_eq!(row, [total, 0, 0, 0, 0, 0]);
        }
    }

    /// Random houses, mostly small.
    fn random_row(rng: &mut TestRng) -> Row {
        let most = *rng.pick(&[2, 3, 4, 8, 18, 30]);
        std::array::from_fn(|_| if rng.one_in(3) { 0 } else { rng.below(most) as u8 })
    }

    #[test]
    fn moves_of_up_to_two_laps_do_to_rows_what_they_do_to_boards() {
        let mut rng = TestRng::from_env("moves_of_up_to_two_laps");
        let mut looked = 0;
        while looked < 20_000 {
            let rules = rng.pick(&PRESETS).rules;
            let features = Features::new(48, rules.table_rules());
            let (mover, opponent) = (random_row(&mut rng), random_row(&mut rng));
            let Ok(board) = Board::from_houses(joined(&mover, &opponent)) else { continue };
            for mv in board.legal(&rules) {
                let house = mv.index();
                let kind = kind(house, usize::from(mover[house]));
                let sown = board.sow(mv, &rules);
                if kind >= 14 || sown.given > 0 {
                    continue;
                }
                looked += 1;
                let reached = features.reached(&opponent)[kind];
                assert_eq!(reached.captured, sown.captured, "{board:?} {mv:?}");
                let houses: [u8; HOUSES] = sown.board.houses();
                let (next, after) = rows(&houses);
                assert_eq!(lifted(&mover, house), after);
                // A slam that leaves a house is only looked at for what it captures.
                if !sown.grand_slam {
                    let bits = |house: usize| KIND_BIT[house][usize::from(next[house])];
                    assert_eq!(reached.kinds, (0..ROW).fold(0, |set, house| set | bits(house)));
                }
            }
        }
    }

    #[test]
    fn what_a_row_is_open_to_is_what_can_be_captured() {
        let mut rng = TestRng::from_env("what_a_row_is_open_to");
        for _ in 0..20_000 {
            let features = Features::new(48, rng.pick(&PRESETS).rules.table_rules());
            let row = random_row(&mut rng);
            let seeds = features.captures(&row).map(|(_, seeds)| seeds);
            let set = |least: u8| {
                (0..ROW).fold(0, |set, kind| set | u8::from(seeds[kind] >= least) << kind)
            };
            assert_eq!(features.open(&row), Open { any: set(1), many: set(4) }, "{row:?}");
        }
    }
}
