//! Perft by halves: tables for rows instead of moves on boards.
//!
//! A move acts on the mover's row by a function of that row alone. On the opponent's row it acts
//! by a function of that row and a small number, the *kind* of the move: 7 for each full round
//! of six seeds that the opponent gets, plus the number of his houses that get one seed more.
//! So rows ("halves" of a board) are numbered as they come up, and what a move makes of them is
//! looked up.
//!
//! The last three plies are one look at two tables. For the mover's half a and the opponent's
//! half b, move i makes halves a' and b', and the replies to the replies are the sum over the
//! kinds k of (number of houses of b' whose move is of kind k) times (number of houses of a' that
//! hold seeds after receiving k). Both factors are kept as fields of 7 bits in one word, the one
//! in rising and the other in falling order of k, so that the wanted sum is the topmost field of
//! their product. The word for a' stands in the entry of a by move, the word for b' in the entry
//! of b by kind: no other entry is touched, and a ply is one multiplication a move.
//!
//! What the words cannot say is counted by the plain way: an empty row (feeding), very large
//! houses, and positions so near to a majority that the stop might matter.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::board::{FLAGS, NOT_EMPTY, ONES, chain, kept_by_slam, row_total, sowing};
use crate::{Board, Feeding, GrandSlam, MAJORITY, Position, ROW, Rules, TableRules, perft};

/// Kinds that have a place of their own: all that give no house of the opponent a third seed.
const KINDS: usize = 15;
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

/// Halves kept at most; each takes about 330 bytes.
const MOST_HALVES: usize = 1 << 18;
/// Links hold the number of a half in their low bits, above it a kind or captured seeds.
const ID_BITS: u32 = 24;
const _: () = assert!(MOST_HALVES < 1 << ID_BITS);
/// A link that was not yet followed.
const UNKNOWN: u32 = u32::MAX;
/// The link of an empty house.
const EMPTY: u32 = u32::MAX - 1;

/// What a half tells about the last three plies when it is the mover's.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Mover {
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
struct Opponent([u64; KINDS + 1]);

const UNKNOWN_MOVER: Mover =
    Mover { replies: [0; ROW], kinds: [0; ROW], set: CARE, most_captured: 0, known: false };
const UNKNOWN_OPPONENT: Opponent = {
    let mut words = [0; KINDS + 1];
    words[KINDS] = 0xffff;
    Opponent(words)
};

/// The halves that come after a half.
#[derive(Clone, Copy)]
#[repr(align(32))]
struct Links {
    /// By move.
    lifted: [u32; ROW],
    /// By kind.
    received: [u32; KINDS],
}

/// Hashes rows, which are six small bytes.
#[derive(Clone, Default)]
struct RowHasher(u64);

impl Hasher for RowHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u64(&mut self, row: u64) {
        let mixed = (self.0 ^ row).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed >> 32;
    }
}

/// A row after one house of it was lifted and sown.
struct Lifted {
    row: u64,
    kind: usize,
}

/// A row after receiving seeds from the other row.
struct Received {
    row: u64,
    captured: u8,
}

/// The kind of a move.
const fn kind_of(house: usize, seeds: usize) -> usize {
    let Some(beyond) = (seeds + house).checked_sub(ROW) else { return 0 };
    // A full round is 11 seeds; those beyond the opponent's six fall in the own row.
    let in_round = beyond % 11 + 1;
    7 * (beyond / 11) + if in_round < 7 { in_round } else { 7 }
}

/// Lifts a house that holds seeds. `None` for kinds that have no place: more than two rounds.
fn lift(row: u64, house: usize) -> Option<Lifted> {
    let seeds = (row >> (8 * house)) as u8;
    let kind = kind_of(house, usize::from(seeds));
    // An entry asks for every kind, also where the board has not that many seeds.
    (kind < KINDS).then(|| Lifted { row: row.wrapping_add(sowing(house, seeds).mover), kind })
}

/// Sows a kind below [`KINDS`] and takes the captures. A grand slam that ends the game leaves
/// the row empty, so that nothing is counted after it.
fn receive(row: u64, kind: usize, slam: GrandSlam) -> Received {
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

/// Perft with tables that grow while it counts: the more is counted, the faster.
///
/// Exact for every position, also where the tables do not help. What is kept is bounded (about
/// 90 MB); when it is full, the rest is counted without.
#[derive(Clone)]
pub struct HalvesPerft {
    table_rules: TableRules,
    ids: HashMap<u64, u32, BuildHasherDefault<RowHasher>>,
    rows: Vec<u64>,
    movers: Vec<Mover>,
    opponents: Vec<Opponent>,
    links: Vec<Links>,
}

/// What stays the same during one count.
#[derive(Clone, Copy)]
struct Count<'a> {
    rules: &'a Rules,
    /// A store of this many seeds ends the game.
    limit: u8,
}

impl HalvesPerft {
    /// Empty tables for these rules. `None` under `feeding=leave_a_seed` and
    /// `grand_slam=illegal`: there a move of one half depends on the other.
    #[must_use]
    pub fn new(table_rules: TableRules) -> Option<HalvesPerft> {
        let separable = table_rules.feeding == Feeding::WhenEmpty
            && table_rules.grand_slam != GrandSlam::Illegal;
        separable.then(|| HalvesPerft {
            table_rules,
            ids: HashMap::default(),
            rows: Vec::new(),
            movers: Vec::new(),
            opponents: Vec::new(),
            links: Vec::new(),
        })
    }

    /// How many halves have a number so far.
    #[must_use]
    pub fn halves(&self) -> usize {
        self.rows.len()
    }

    /// Counts as [`perft`](crate::perft) does. A position under other table rules is counted
    /// without the tables.
    #[must_use]
    pub fn count(&mut self, position: &Position, depth: u32) -> u64 {
        let rules = position.rules();
        if depth < 3 || rules.table_rules() != self.table_rules || position.ending().is_some() {
            return perft(position, depth);
        }
        let [mover, opponent] = position.board().rows();
        let (Some(mover), Some(opponent)) = (self.id(mover), self.id(opponent)) else {
            return perft(position, depth);
        };
        let side = position.to_move();
        let stores = [position.store(side).get(), position.store(side.other()).get()];
        let limit = if rules.play_on { u8::MAX } else { MAJORITY };
        self.below([mover, opponent], stores, Count { rules, limit }, depth)
    }

    /// The number of a row, given now if it has none; `None` when the tables are full.
    fn id(&mut self, row: u64) -> Option<u32> {
        if let Some(&id) = self.ids.get(&row) {
            return Some(id);
        }
        if self.rows.len() == MOST_HALVES {
            return None;
        }
        let id = self.rows.len() as u32;
        self.ids.insert(row, id);
        self.rows.push(row);
        self.movers.push(UNKNOWN_MOVER);
        self.opponents.push(UNKNOWN_OPPONENT);
        self.links.push(Links { lifted: [UNKNOWN; ROW], received: [UNKNOWN; KINDS] });
        Some(id)
    }

    fn below(&mut self, halves: [u32; 2], stores: [u8; 2], count: Count<'_>, depth: u32) -> u64 {
        if depth == 3 {
            self.last_three(halves, stores, count)
        } else {
            self.by_links(halves, stores, count, depth)
        }
    }

    /// Counts without tables.
    #[cold]
    fn plainly(&self, halves: [u32; 2], stores: [u8; 2], count: Count<'_>, depth: u32) -> u64 {
        let board = Board::of_rows(halves.map(|id| self.rows[id as usize]));
        crate::perft::fast(board, stores, count.rules, depth)
    }

    /// One ply, then what is below it.
    fn by_links(
        &mut self,
        halves @ [mover, opponent]: [u32; 2],
        stores @ [mine, theirs]: [u8; 2],
        count: Count<'_>,
        depth: u32,
    ) -> u64 {
        if self.rows[opponent as usize] == 0 {
            return self.plainly(halves, stores, count, depth);
        }
        let mut nodes = 0;
        for house in 0..ROW {
            let mut lifted = self.links[mover as usize].lifted[house];
            if lifted == EMPTY {
                continue;
            }
            if lifted == UNKNOWN {
                lifted = match self.link_lifted(mover, house) {
                    Some(EMPTY) => continue,
                    Some(link) => link,
                    None => return self.plainly(halves, stores, count, depth),
                };
            }
            let kind = (lifted >> ID_BITS) as usize;
            let mut received = self.links[opponent as usize].received[kind];
            if received == UNKNOWN {
                received = match self.link_received(opponent, kind) {
                    Some(link) => link,
                    None => return self.plainly(halves, stores, count, depth),
                };
            }
            let mine = mine + (received >> ID_BITS) as u8;
            if mine < count.limit {
                let ids = [received, lifted].map(|link| link & ((1 << ID_BITS) - 1));
                nodes += self.below(ids, [theirs, mine], count, depth - 1);
            }
        }
        nodes
    }

    /// Follows a link for the first time; `None` if there is no place for what it leads to.
    #[cold]
    fn link_lifted(&mut self, mover: u32, house: usize) -> Option<u32> {
        let row = self.rows[mover as usize];
        let link = if row >> (8 * house) & 0xff == 0 {
            EMPTY
        } else {
            let lifted = lift(row, house)?;
            self.id(lifted.row)? | (lifted.kind as u32) << ID_BITS
        };
        self.links[mover as usize].lifted[house] = link;
        Some(link)
    }

    /// As [`link_lifted`](Self::link_lifted), on the other side of the board.
    #[cold]
    fn link_received(&mut self, opponent: u32, kind: usize) -> Option<u32> {
        let row = self.rows[opponent as usize];
        let received = receive(row, kind, self.table_rules.grand_slam);
        let link = self.id(received.row)? | u32::from(received.captured) << ID_BITS;
        self.links[opponent as usize].received[kind] = link;
        Some(link)
    }

    /// The last three plies in one look.
    #[inline]
    fn last_three(&mut self, halves: [u32; 2], stores: [u8; 2], count: Count<'_>) -> u64 {
        match self.look(halves, stores, count.limit) {
            Some(nodes) => nodes,
            None => self.with_care(halves, stores, count),
        }
    }

    /// What the entries say about the last three plies, if they say it.
    #[inline]
    fn look(&self, [a, b]: [u32; 2], [mine, theirs]: [u8; 2], limit: u8) -> Option<u64> {
        let (mover, Opponent(words)) = (&self.movers[a as usize], &self.opponents[b as usize]);
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

    /// Makes the entries that are missing and looks again.
    #[cold]
    fn with_care(&mut self, halves: [u32; 2], stores: [u8; 2], count: Count<'_>) -> u64 {
        let [a, b] = halves.map(|id| id as usize);
        let slam = self.table_rules.grand_slam;
        if !self.movers[a].known {
            self.movers[a] = Mover::of(self.rows[a], slam);
        }
        // Few positions have moves of the kinds without a field, so most entries do without.
        let kinds = if self.movers[a].set >> FIELDS == 0 { FIELDS } else { KINDS };
        if self.opponents[b].kinds() < kinds {
            self.opponents[b] = Opponent::of(self.rows[b], slam, kinds);
        }
        self.look(halves, stores, count.limit)
            .unwrap_or_else(|| self.plainly(halves, stores, count, 3))
    }
}

impl Mover {
    fn of(row: u64, slam: GrandSlam) -> Mover {
        let mut entry = Mover { set: 0, known: true, ..UNKNOWN_MOVER };
        for house in houses(row) {
            // After a move that empties the row, the opponent must feed.
            let Some(lifted) = lift(row, house).filter(|lifted| lifted.row != 0) else {
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
    // With one house only, its move may empty the row, and the other player must feed.
    let one_house = full & full.wrapping_sub(1) == 0;
    let says = fields >> BEYOND == 0
        && !(one_house && houses(row).any(|house| lift(row, house).is_none_or(|l| l.row == 0)));
    says.then_some(fields)
}

impl Opponent {
    fn of(row: u64, slam: GrandSlam, kinds: usize) -> Opponent {
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
        if row == 0 {
            // The mover must feed, which his entry does not know.
            care = u16::MAX;
        }
        words[KINDS] = u64::from(care) | u64::from(most_captured) << 16 | (kinds as u64) << 24;
        Opponent(words)
    }

    /// How many kinds the entry was made for.
    fn kinds(&self) -> usize {
        (self.0[KINDS] >> 24) as usize
    }
}
