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
//! of b by kind: no other entry is touched, and three plies cost one multiplication for each move
//! of the first.
//!
//! Feeding matters to the last ply alone: before it, a move that should feed and does not leaves
//! the next player without a move, so that nothing is counted after it anyhow.
//!
//! What the words cannot say is counted by the plain way: a last ply that must feed, very large
//! houses, and positions so near to a majority that the stop might matter.

mod entries;

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use self::entries::{KINDS, Mover, Opponent, last_three, lift, receive};
use crate::{Board, Feeding, GrandSlam, MAJORITY, Position, ROW, Rules, TableRules, perft};

/// Halves kept at most; each takes about 330 bytes.
const MOST_HALVES: usize = 1 << 18;
/// Links hold the number of a half in their low bits, above it a kind or captured seeds.
const ID_BITS: u32 = 24;
const _: () = assert!(MOST_HALVES < 1 << ID_BITS);
/// A link that was not yet followed.
const UNKNOWN: u32 = u32::MAX;
/// The link of an empty house.
const EMPTY: u32 = u32::MAX - 1;

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
    /// How many halves are kept at most.
    most: usize,
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
        HalvesPerft::keeping(table_rules, MOST_HALVES)
    }

    fn keeping(table_rules: TableRules, most: usize) -> Option<HalvesPerft> {
        let separable = table_rules.feeding == Feeding::WhenEmpty
            && table_rules.grand_slam != GrandSlam::Illegal;
        separable.then(|| HalvesPerft {
            table_rules,
            ids: HashMap::default(),
            rows: Vec::new(),
            movers: Vec::new(),
            opponents: Vec::new(),
            links: Vec::new(),
            most,
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
        if self.rows.len() == self.most {
            return None;
        }
        let id = self.rows.len() as u32;
        self.ids.insert(row, id);
        self.rows.push(row);
        self.movers.push(Mover::UNKNOWN);
        self.opponents.push(Opponent::UNKNOWN);
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
    fn look(&self, [a, b]: [u32; 2], stores: [u8; 2], limit: u8) -> Option<u64> {
        last_three(&self.movers[a as usize], &self.opponents[b as usize], stores, limit)
    }

    /// Makes the entries that are missing and looks again.
    #[cold]
    fn with_care(&mut self, halves: [u32; 2], stores: [u8; 2], count: Count<'_>) -> u64 {
        let [a, b] = halves.map(|id| id as usize);
        let slam = self.table_rules.grand_slam;
        if !self.movers[a].is_known() {
            self.movers[a] = Mover::of(self.rows[a], slam);
        }
        let kinds = self.movers[a].kinds_wanted();
        if self.opponents[b].kinds() < kinds {
            self.opponents[b] = Opponent::of(self.rows[b], slam, kinds);
        }
        self.look(halves, stores, count.limit)
            .unwrap_or_else(|| self.plainly(halves, stores, count, 3))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_tables_count_on() {
        let start = Position::start(Rules::ABAPA);
        let expected = perft(&start, 8);
        for most in [0, 1, 2, 3, 10, 200, 3_000] {
            let mut tables = HalvesPerft::keeping(Rules::ABAPA.table_rules(), most).unwrap();
            assert_eq!([tables.count(&start, 8), tables.count(&start, 8)], [expected; 2]);
            assert_eq!(tables.halves(), most);
        }
    }
}
