//! What was decided, in the order in which it was.
//!
//! While a layer is solved nobody asks for the value of a decided board. So values are not kept
//! in an array but written down one after the other, by regions of the index, and put in place at
//! the end, region by region.

use std::io;
use std::sync::Mutex;

use oware_tables::NO_DISTANCE;

use crate::own::Own;
use crate::rounds::lock;
use crate::solve::Target;
use crate::spill::{Extent, Numbers, Spill, put_number, strange};
use crate::state::{Shape, Side};
use oware_tables::{Convention, Layer};

/// Boards of a region, at least, if there are as many.
const REGION: usize = 8 << 20;
/// Bytes of a region that wait in memory.
const WAIT: usize = 32 << 10;

/// The decided boards of the opponent's rows that a part keeps.
pub(crate) struct ValueLog {
    regions: Vec<Region>,
    /// By group: the region, and the number of the group within.
    places: Vec<(u32, u32)>,
    spill: Spill,
}

/// Groups whose boards follow each other in the index.
struct Region {
    /// The groups, in the order of the index, and where their boards begin within the region.
    groups: Vec<(usize, usize)>,
    first_index: u64,
    boards: usize,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    waiting: Vec<u8>,
    extents: Vec<Extent>,
    /// The threshold and the level that were written last.
    last: Option<(i8, u16)>,
}

/// A stretch of the index that a part keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// Index of the first board.
    pub first_index: u64,
    /// Number of boards.
    pub boards: usize,
}

impl ValueLog {
    /// An empty log for the groups of opponent's rows that are owned.
    pub(crate) fn new(shape: &Shape, own: &Own, spill: Spill) -> ValueLog {
        let layer = Layer::new(shape.seeds);
        let index = |group: usize| {
            let rows = shape.groups[group];
            layer.run(shape.seeds - rows.total, rows.first_rank)
        };
        let mut order = own.groups.clone();
        order.sort_unstable_by_key(|&group| index(group));
        let mut log =
            ValueLog { regions: Vec::new(), places: vec![(0, 0); shape.groups.len()], spill };
        for group in order {
            let rows = shape.groups[group];
            let boards = rows.rows * shape.width(rows.total);
            let first_index = index(group);
            let fits = |region: &Region| {
                region.boards < REGION && region.first_index + region.boards as u64 == first_index
            };
            if !log.regions.last().is_some_and(fits) {
                let state = Mutex::default();
                log.regions.push(Region { groups: Vec::new(), first_index, boards: 0, state });
            }
            let number = log.regions.len() as u32 - 1;
            let region = &mut log.regions[number as usize];
            log.places[group] = (number, region.groups.len() as u32);
            region.groups.push((group, region.boards));
            region.boards += boards;
        }
        log
    }

    /// Starts the entry of some boards of a group, to be given to [`add`](Self::add).
    pub(crate) fn entry(buffer: &mut Vec<u8>) -> Entry<'_> {
        buffer.clear();
        Entry { buffer, last: 0 }
    }

    /// Adds an entry: boards of a group that were decided at a threshold and a level.
    pub(crate) fn add(
        &self,
        group: usize,
        threshold: i8,
        level: u16,
        entry: &[u8],
    ) -> io::Result<()> {
        let (region, number) = self.places[group];
        let mut state = lock(&self.regions[region as usize].state);
        if state.last != Some((threshold, level)) {
            state.last = Some((threshold, level));
            state.waiting.extend([0, threshold as u8]);
            put_number(&mut state.waiting, u64::from(level));
        }
        put_number(&mut state.waiting, u64::from(number) + 1);
        put_number(&mut state.waiting, entry.len() as u64);
        state.waiting.extend_from_slice(entry);
        if state.waiting.len() >= WAIT {
            let extent = self.spill.append(&state.waiting)?;
            state.extents.push(extent);
            state.waiting.clear();
        }
        Ok(())
    }

    /// Number of regions.
    pub(crate) fn len(&self) -> usize {
        self.regions.len()
    }

    /// Bytes stored out of memory.
    pub(crate) fn bytes(&self) -> u64 {
        self.spill.length()
    }

    /// Where a region lies.
    pub(crate) fn stretch(&self, region: usize) -> Stretch {
        let Region { first_index, boards, .. } = self.regions[region];
        Stretch { first_index, boards }
    }

    /// Puts what was decided of a region in place: values by a convention, or distances. `bytes`
    /// is one for each board of the region.
    pub(crate) fn replay(
        &self,
        shape: &Shape,
        region: usize,
        wanted: Wanted,
        bytes: &mut [u8],
    ) -> io::Result<()> {
        let region = &self.regions[region];
        let sides = wanted.target.sides(wanted.convention);
        let nothing = if wanted.distances {
            NO_DISTANCE
        } else {
            wanted.convention.endless(shape.seeds) as u8
        };
        bytes.fill(nothing);
        let state = lock(&region.state);
        let mut all = Vec::new();
        let mut found = [0, 0];
        // Entries do not end where stretches do: what waited is cut at entries.
        let mut decode = |all: &[u8]| -> io::Result<()> {
            let mut numbers = Numbers::new(all);
            while !numbers.is_empty() {
                let number = numbers.next()?;
                if number == 0 {
                    let threshold = numbers.take(1)?[0] as i8;
                    let level = numbers.next()?;
                    found = if wanted.distances {
                        [level as u8; 2]
                    } else {
                        [threshold as u8, threshold.wrapping_neg() as u8]
                    };
                    continue;
                }
                let group = region.groups.get(number as usize - 1);
                let &(_, start) = group.ok_or_else(strange)?;
                let length = numbers.next()? as usize;
                let mut entry = Numbers::new(numbers.take(length)?);
                let mut place = start;
                while !entry.is_empty() {
                    let number = entry.next()?;
                    place += (number >> 1) as usize;
                    let side = number as usize & 1;
                    if sides[side] {
                        *bytes.get_mut(place).ok_or_else(strange)? = found[side];
                    }
                }
            }
            Ok(())
        };
        for &extent in &state.extents {
            all.clear();
            self.spill.read(extent, &mut all)?;
            decode(&all)?;
        }
        decode(&state.waiting)
    }

    /// Writes down where everything is, for [`restore`](Self::restore).
    pub(crate) fn save(&self, into: &mut Vec<u8>) -> io::Result<()> {
        self.spill.sync()?;
        put_number(into, self.spill.length());
        for region in &self.regions {
            let state = lock(&region.state);
            put_number(into, state.extents.len() as u64);
            for extent in &state.extents {
                extent.put(into);
            }
            put_number(into, state.waiting.len() as u64);
            into.extend_from_slice(&state.waiting);
        }
        Ok(())
    }

    /// What was saved; `open` gives the store of that length.
    pub(crate) fn restore(
        shape: &Shape,
        own: &Own,
        numbers: &mut Numbers<'_>,
        open: impl FnOnce(u64) -> io::Result<Spill>,
    ) -> io::Result<ValueLog> {
        let spill = open(numbers.next()?)?;
        let log = ValueLog::new(shape, own, spill);
        for region in &log.regions {
            let mut state = lock(&region.state);
            for _ in 0..numbers.next()? {
                state.extents.push(Extent::take(numbers)?);
            }
            let waiting = numbers.next()? as usize;
            state.waiting.extend_from_slice(numbers.take(waiting)?);
        }
        Ok(log)
    }
}

/// What is put in place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    pub(crate) target: Target,
    pub(crate) convention: Convention,
    pub(crate) distances: bool,
}

/// Boards of one group that are decided together, in rising order of their places in it.
pub(crate) struct Entry<'a> {
    buffer: &'a mut Vec<u8>,
    last: usize,
}

impl Entry<'_> {
    /// Adds a board by its place: opponent's row within the group times the width, plus the rank
    /// of the mover's row.
    #[inline]
    pub(crate) fn add(&mut self, place: usize, side: Side) {
        put_number(self.buffer, ((place - self.last) as u64) << 1 | side as u64);
        self.last = place;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::partition::Partition;
    use crate::space::RowSpace;

    #[test]
    fn what_was_decided_is_put_in_place() {
        let shape = Shape::new(7, &RowSpace::new(7));
        for parts in [1, 2] {
            let partition = Partition::new(7, parts);
            let mut seen = 0;
            for part in 0..parts {
                let own = Own::new(&shape, &partition, part);
                let log = ValueLog::new(&shape, &own, Spill::in_memory());
                let mut buffer = Vec::new();
                for &group in &own.groups {
                    let mut entry = ValueLog::entry(&mut buffer);
                    entry.add(0, Side::Won);
                    entry.add(2, Side::Lost);
                    log.add(group, 5, 300, &buffer).unwrap();
                }
                let log = {
                    let mut saved = Vec::new();
                    log.save(&mut saved).unwrap();
                    let open = |_| Ok(log.spill);
                    ValueLog::restore(&shape, &own, &mut Numbers::new(&saved), open).unwrap()
                };
                for region in 0..log.len() {
                    let mut bytes = vec![9; log.stretch(region).boards];
                    let (target, convention) = (Target::Even, Convention::Even);
                    let wanted = Wanted { target, convention, distances: false };
                    log.replay(&shape, region, wanted, &mut bytes).unwrap();
                    let groups = &log.regions[region].groups;
                    let starts: Vec<usize> = groups.iter().map(|&(_, start)| start).collect();
                    let value = |place: usize| match place {
                        _ if starts.contains(&place) => 5,
                        place if place >= 2 && starts.contains(&(place - 2)) => -5i8 as u8,
                        _ => 0,
                    };
                    (0..bytes.len()).for_each(|place| assert_eq!(bytes[place], value(place)));
                    seen += bytes.len();
                }
            }
            assert_eq!(seen as u64, Layer::new(7).size());
        }
    }
}
