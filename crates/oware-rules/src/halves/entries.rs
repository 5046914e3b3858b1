//! What is kept for each half, and how it is made. See the parent module for the idea.

use crate::board::{chain, kept_by_slam, sowing};
use crate::row::{FLAGS, NOT_EMPTY, ONES, total as row_total};
use crate::{GrandSlam, ROW};

/// Kinds that have a place of their own: all that give no house of the opponent a third seed.
pub(super) const KINDS: usize = 15;
/// Kinds that have a field in a word. They suffice for houses of up to 12 seeds.
const FIELDS: usize = 9;
/// Bits of a field. Three products are added before a look at the top field, which then holds at
/// most 3 * 6 * 6.
const FIELD: usize = 7;
const TOP: usize = 64 - FIELD;
const _: () = assert!(FIELD * FIELDS <= 64 && 3 * 6 * 6 < 1 << FIELD);

/// More than a house holds after it received from a board's other houses; a mask, too.
const MOST_IN_HOUSE: usize = 63;

/// In a set of kinds: take care. An opponent's entry always holds it, a mover's if need be.
const CARE: u16 = 1 << 15;

/// What a half tells about the last three plies when it is the mover's.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Mover {
    /// By move: fields by falling kind, how many houses hold seeds after receiving that kind.
    replies: [u64; ROW],
    /// By move: its kind. 0 for empty houses, whose word in `replies` is 0.
    kinds: [u8; ROW],
    /// The set of `kinds`, with [`CARE`] if the entry is missing or says too little.
    set: u16,
    /// The most that can be captured from this half after one of its moves.
    most_captured: u8,
    /// Whether the entry was made.
    known: bool,
}

/// What a half tells about the last three plies when it is the opponent's: by kind, fields by
/// rising kind, how many houses have a move of that kind after receiving. The last word holds
/// the set of kinds with which care is needed; from bit 16 on the most that is captured; from bit
/// 24 on how many kinds were looked at.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Opponent([u64; KINDS + 1]);

/// A row after one house of it was lifted and sown.
pub(super) struct Lifted {
    pub(super) row: u64,
    pub(super) kind: usize,
}

/// A row after receiving seeds from the other row.
pub(super) struct Received {
    pub(super) row: u64,
    pub(super) captured: u8,
}

/// The kind of a move.
const fn kind_of(house: usize, seeds: usize) -> usize {
    let Some(beyond) = (seeds + house).checked_sub(ROW) else { return 0 };
    // A full round is 11 seeds; those beyond the opponent's six fall in the own row.
    let in_round = beyond % 11 + 1;
    7 * (beyond / 11) + if in_round < 7 { in_round } else { 7 }
}

/// Lifts a house that holds seeds. `None` for kinds that have no place: more than two rounds.
pub(super) fn lift(row: u64, house: usize) -> Option<Lifted> {
    let seeds = (row >> (8 * house)) as u8;
    let kind = kind_of(house, usize::from(seeds));
    // An entry asks for every kind, also where the board has not that many seeds.
    (kind < KINDS).then(|| Lifted { row: row.wrapping_add(sowing(house, seeds).mover), kind })
}

/// Sows a kind below [`KINDS`] and takes the captures. A grand slam that ends the game leaves
/// the row empty, so that nothing is counted after it.
pub(super) fn receive(row: u64, kind: usize, slam: GrandSlam) -> Received {
    let more = kind % 7;
    let row = row + ONES * (kind / 7) as u64 + (ONES & ((1 << (8 * more)) - 1));
    let last = 8 * more.saturating_sub(1) as u32;
    if more == 0 || (row >> last) as u8 & !1 != 2 {
        return Received { row, captured: 0 };
    }
    let taken = chain(row, last);
    let kept = if row & !taken == 0 { kept_by_slam(taken, slam) } else { !taken };
    Received { row: row & kept, captured: row_total(row & !kept) }
}

/// The houses of a row that hold seeds.
fn houses(row: u64) -> impl Iterator<Item = usize> {
    (0..ROW).filter(move |house| row >> (8 * house) & 0xff != 0)
}

/// What two entries say about the last three plies: the number of their sequences, or `None` if
/// they do not say it. A store of `limit` seeds ends the game.
#[inline]
pub(super) fn last_three(
    mover: &Mover,
    Opponent(words): &Opponent,
    [mine, theirs]: [u8; 2],
    limit: u8,
) -> Option<u64> {
    let says = words[KINDS];
    let near = mine + (says >> 16) as u8 >= limit || theirs + mover.most_captured >= limit;
    if mover.set & says as u16 != 0 || near {
        return None;
    }
    let product = |house: usize| {
        words[usize::from(mover.kinds[house]) & KINDS].wrapping_mul(mover.replies[house])
    };
    let left = product(0).wrapping_add(product(1)).wrapping_add(product(2));
    let right = product(3).wrapping_add(product(4)).wrapping_add(product(5));
    Some((left >> TOP) + (right >> TOP))
}

impl Mover {
    /// The entry of a half that was not yet asked for.
    pub(super) const UNKNOWN: Mover =
        Mover { replies: [0; ROW], kinds: [0; ROW], set: CARE, most_captured: 0, known: false };

    pub(super) fn is_known(&self) -> bool {
        self.known
    }

    /// For how many kinds the opponent's entry is to be made. Few halves have moves of the kinds
    /// without a field, so most entries do without.
    pub(super) fn kinds_wanted(&self) -> usize {
        if self.set >> FIELDS == 0 { FIELDS } else { KINDS }
    }

    pub(super) fn of(row: u64, slam: GrandSlam) -> Mover {
        let mut entry = Mover { set: 0, known: true, ..Mover::UNKNOWN };
        for house in houses(row) {
            let Some(lifted) = lift(row, house) else {
                entry.set |= CARE;
                continue;
            };
            entry.kinds[house] = lifted.kind as u8;
            entry.set |= 1 << lifted.kind;
            for kind in 0..FIELDS {
                let received = receive(lifted.row, kind, slam);
                let full = row_total(((received.row + NOT_EMPTY) & FLAGS) >> 7);
                entry.replies[house] |= u64::from(full) << (FIELD * (FIELDS - 1 - kind));
                entry.most_captured = entry.most_captured.max(received.captured);
            }
        }
        entry
    }
}

/// By house and number of seeds: 1 in the field of the move's kind, or in the bits from
/// [`BEYOND`] on if the kind has no field.
static FIELD_OF_MOVE: [[u64; MOST_IN_HOUSE + 1]; ROW] = {
    let mut table = [[0; MOST_IN_HOUSE + 1]; ROW];
    let mut house = 0;
    while house < ROW {
        let mut seeds = 1;
        while seeds <= MOST_IN_HOUSE {
            let kind = kind_of(house, seeds);
            // The topmost field of the product ends at bit 63.
            let bit =
                if kind < FIELDS { FIELD * kind + TOP - FIELD * (FIELDS - 1) } else { BEYOND };
            table[house][seeds] = 1 << bit;
            seeds += 1;
        }
        house += 1;
    }
    table
};

/// Above what the top field of an opponent's word needs.
const BEYOND: usize = 61;

/// The fields of the moves of a row; `None` if the words cannot say what comes of one of them.
fn fields_of_moves(row: u64) -> Option<u64> {
    let seeds = |house: usize| (row >> (8 * house)) as usize & MOST_IN_HOUSE;
    let fields: u64 = (0..ROW).map(|house| FIELD_OF_MOVE[house][seeds(house)]).sum();
    let full = (row + NOT_EMPTY) & FLAGS;
    // With one house only, its move may empty the row, and the last ply must feed.
    let one_house = full & full.wrapping_sub(1) == 0;
    let says = fields >> BEYOND == 0
        && !(one_house && houses(row).any(|house| lift(row, house).is_none_or(|l| l.row == 0)));
    says.then_some(fields)
}

impl Opponent {
    /// The entry of a half that was not yet asked for.
    pub(super) const UNKNOWN: Opponent = {
        let mut words = [0; KINDS + 1];
        words[KINDS] = 0xffff;
        Opponent(words)
    };

    pub(super) fn of(row: u64, slam: GrandSlam, kinds: usize) -> Opponent {
        let mut words = [0; KINDS + 1];
        let mut care = u16::MAX << kinds;
        let mut most_captured = 0;
        for (kind, word) in words.iter_mut().enumerate().take(kinds) {
            let received = receive(row, kind, slam);
            most_captured = most_captured.max(received.captured);
            match fields_of_moves(received.row) {
                Some(fields) => *word = fields,
                None => care |= 1 << kind,
            }
        }
        words[KINDS] = u64::from(care) | u64::from(most_captured) << 16 | (kinds as u64) << 24;
        Opponent(words)
    }

    /// How many kinds the entry was made for.
    pub(super) fn kinds(&self) -> usize {
        (self.0[KINDS] >> 24) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The kinds and what they give, against the board's own sowing.
    #[test]
    fn kinds_are_sowings() {
        for house in 0..ROW {
            for seeds in 1..=48 {
                let row = u64::from(seeds) << (8 * house);
                let Some(lifted) = lift(row, house) else { continue };
                let entry = sowing(house, seeds);
                let full = 10 * ONES;
                let received = receive(full, lifted.kind, GrandSlam::NoCapture);
                assert_eq!(received.row, full + entry.opponent, "{seeds} seeds from {house}");
                assert_eq!(lifted.row, row.wrapping_add(entry.mover));
                let last = lifted.kind % 7;
                assert_eq!(last > 0, entry.last < 48, "{seeds} seeds from {house}");
                assert!(last == 0 || entry.last == 8 * (last as u64 - 1));
            }
        }
    }
}
