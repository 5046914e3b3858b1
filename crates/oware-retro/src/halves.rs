//! A move as two functions, one of the mover's row and one of the opponent's.
//!
//! What a move does to the mover's own row is a function of that row alone. What it does to the
//! opponent's row is a function of that row and of one small number, the *crossing*: 7 for each
//! full round of six seeds that the opponent gets, plus the number of his houses that get one
//! more. Sowing goes 6 opponent's houses, then 5 own ones (the origin is skipped), so a full lap
//! is 11 seeds. When no house gets one more, the last seed fell on the mover's own side.

use oware_rules::{Feeding, GrandSlam, ROW, TableRules};
use oware_tables::Row;

/// How a move comes over to the opponent's row: see the module.
pub type Crossing = u8;

/// Number of seeds that reach the opponent's row.
#[inline]
#[must_use]
pub const fn crossing_seeds(crossing: Crossing) -> usize {
    6 * (crossing as usize / 7) + crossing as usize % 7
}

/// Crossings are below this: a move of 48 seeds from the last house has crossing 32.
pub const MOST_CROSSINGS: usize = 33;

/// The highest crossing of a move that lifts at most `seeds` seeds.
#[must_use]
pub fn highest_crossing(seeds: usize) -> Crossing {
    let mut row = [0; ROW];
    row[ROW - 1] = seeds as u8;
    lift(&row, ROW - 1).map_or(0, |(_, crossing)| crossing)
}

/// The mover's row after he lifts and sows `house`, and the crossing; `None` for an empty house.
#[must_use]
pub fn lift(row: &Row, house: usize) -> Option<(Row, Crossing)> {
    let seeds = usize::from(row[house]);
    if seeds == 0 {
        return None;
    }
    let mut after = *row;
    after[house] = 0;
    let own = seeds.min(ROW - 1 - house);
    after[house + 1..=house + own].iter_mut().for_each(|seeds| *seeds += 1);
    let over = seeds - own;
    if over == 0 {
        return Some((after, 0));
    }
    let laps = (over - 1) / 11;
    let last = (over - 1) % 11 + 1;
    // Own houses other than the origin, in the order in which a lap reaches them.
    for (place, other) in (0..ROW).filter(|&other| other != house).enumerate() {
        after[other] += laps as u8 + u8::from(last > ROW + place);
    }
    let crossing = if last <= ROW { 7 * laps + last } else { 7 * (laps + 1) };
    Some((after, crossing as Crossing))
}

/// What a move makes of the opponent's row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Received {
    /// Nothing is captured and the game goes on; the row afterwards.
    Quiet(Row),
    /// A capture; the row afterwards and the seeds taken. The row may be left empty.
    Capture(Row, u8),
    /// A grand slam that ends the game: all seeds of the row are captured, and the opponent
    /// gets what is left on the mover's side.
    SlamEnd(u8),
    /// A grand slam under rules where that is not a move.
    Illegal,
}

/// What the crossing makes of the opponent's row under these rules.
#[must_use]
pub fn receive(row: &Row, crossing: Crossing, rules: &TableRules) -> Received {
    let rounds = crossing / 7;
    let more = usize::from(crossing % 7);
    let mut sown = row.map(|seeds| seeds + rounds);
    sown[..more].iter_mut().for_each(|seeds| *seeds += 1);
    let chain = sown[..more].iter().rev().take_while(|seeds| matches!(seeds, 2 | 3)).count();
    if chain == 0 {
        return Received::Quiet(sown);
    }
    let (mut first, mut end) = (more - chain, more);
    let total = |row: &[u8]| row.iter().sum::<u8>();
    if total(&sown[first..end]) == total(&sown) {
        match rules.grand_slam {
            GrandSlam::NoCapture => return Received::Quiet(sown),
            GrandSlam::Illegal => return Received::Illegal,
            GrandSlam::OpponentTakesRest => return Received::SlamEnd(total(&sown)),
            GrandSlam::KeepLast => end -= 1,
            GrandSlam::KeepFirst => first += 1,
            GrandSlam::Captures => {}
        }
    }
    let captured = total(&sown[first..end]);
    if captured == 0 {
        return Received::Quiet(sown);
    }
    sown[first..end].fill(0);
    Received::Capture(sown, captured)
}

impl Received {
    /// Whether the opponent's row holds a seed afterwards.
    #[must_use]
    pub fn leaves_a_seed(&self) -> bool {
        match self {
            Received::Quiet(row) | Received::Capture(row, _) => row.iter().any(|&seeds| seeds > 0),
            Received::SlamEnd(_) | Received::Illegal => false,
        }
    }
}

/// Whether the mover may play a move that does not reach the opponent's empty row: never under
/// `when_empty`; under `leave_a_seed` when no move of the row leaves the opponent a seed.
#[must_use]
pub fn may_pass_an_empty_row(mover: &Row, rules: &TableRules) -> bool {
    rules.feeding == Feeding::LeaveASeed
        && !(0..ROW)
            .filter_map(|house| lift(mover, house))
            .any(|(_, crossing)| receive(&[0; ROW], crossing, rules).leaves_a_seed())
}

#[cfg(test)]
mod tests {
    use oware_rules::{Board, Move, PRESETS, Rules, SowingBoard};
    use oware_tables::Layer;
    use oware_tables::layer::{joined, rows};
    use oware_testkit::TestRng;

    use super::*;

    /// The halves and the rules make the same of every move of a board.
    fn compare(houses: &[u8; 12], rules: &Rules) {
        let board = Board::from_houses(*houses).unwrap();
        let table_rules = rules.table_rules();
        let (mover, opponent) = rows(houses);
        for mv in Move::ALL {
            let Some((after, crossing)) = lift(&mover, mv.index()) else { continue };
            let sown = board.sow(mv, rules);
            let context = format!("{houses:?} {mv} {}", rules.id());
            match receive(&opponent, crossing, &table_rules) {
                Received::Quiet(row) => {
                    assert_eq!(sown.board.houses(), joined(&row, &after), "{context}");
                    assert_eq!(sown.captured, 0, "{context}");
                }
                Received::Capture(row, captured) => {
                    assert_eq!(sown.board.houses(), joined(&row, &after), "{context}");
                    assert_eq!(sown.captured, captured, "{context}");
                }
                Received::SlamEnd(captured) => {
                    assert!(sown.ends_by_slam(rules), "{context}");
                    assert_eq!(sown.captured, captured, "{context}");
                }
                Received::Illegal => assert!(!board.legal(rules).contains(mv), "{context}"),
            }
        }
    }

    #[test]
    fn no_crossing_is_beyond_the_highest() {
        assert_eq!(usize::from(highest_crossing(48)) + 1, MOST_CROSSINGS);
        let crossing = |seeds, house| {
            let mut row = [0; ROW];
            row[house] = seeds;
            lift(&row, house).unwrap().1
        };
        for seeds in 1..=48 {
            let all = (0..ROW).map(|house| crossing(seeds, house));
            assert_eq!(all.max().unwrap(), highest_crossing(usize::from(seeds)));
        }
    }

    #[test]
    fn halves_agree_with_the_rules_on_small_layers() {
        for preset in &PRESETS {
            for seeds in 0..=5 {
                Layer::new(seeds).boards().for_each(|houses| compare(&houses, &preset.rules));
            }
        }
    }

    #[test]
    fn halves_agree_with_the_rules_on_random_boards() {
        let mut rng = TestRng::from_env("halves_agree_with_the_rules_on_random_boards");
        for _ in 0..20_000 {
            let seeds = rng.below(49);
            let layer = Layer::new(seeds);
            // Few houses with many seeds, so that laps come up.
            let mut houses = [0; 12];
            let filled = 1 + rng.below(12);
            for _ in 0..seeds {
                houses[rng.below(filled) * 5 % 12] += 1;
            }
            assert!(layer.index(&houses).is_some());
            for preset in &PRESETS {
                compare(&houses, &preset.rules);
            }
        }
    }
}
