//! What a part owns of a layer, and where it keeps it.
//!
//! A part owns groups of mover's rows with all their boards. It keeps these one after the other,
//! so that its arrays are as large as its share of the layer.

use crate::partition::Partition;
use crate::space::GROUP;
use crate::state::Shape;

/// The groups of one part.
#[derive(Clone, Debug)]
pub(crate) struct Own {
    /// The groups that are owned, rising.
    pub(crate) groups: Vec<usize>,
    /// By group: its place among the owned ones of its total, or `NOT_OWNED`.
    columns: Vec<u32>,
    /// By group: the first of its words in mover order.
    words: Vec<usize>,
    /// By total: how many groups of this total are owned.
    pub(crate) widths: Vec<usize>,
    /// By total: the groups that are owned, by their place.
    by_total: Vec<Vec<u32>>,
    all_words: usize,
}

/// The place of a group that another part owns.
const NOT_OWNED: u32 = u32::MAX;

impl Own {
    /// What one of the parts owns.
    pub(crate) fn new(shape: &Shape, partition: &Partition, part: usize) -> Own {
        let count = shape.groups.len();
        let mut own = Own {
            groups: Vec::new(),
            columns: vec![NOT_OWNED; count],
            words: vec![0; count],
            widths: vec![0; shape.seeds + 1],
            by_total: vec![Vec::new(); shape.seeds + 1],
            all_words: 0,
        };
        for (number, group) in shape.groups.iter().enumerate() {
            if partition.owner(number) != part {
                continue;
            }
            own.groups.push(number);
            own.columns[number] = own.widths[group.total] as u32;
            own.by_total[group.total].push(number as u32);
            own.widths[group.total] += 1;
            own.words[number] = own.all_words;
            own.all_words += group.rows * shape.words(group.total);
        }
        own
    }

    #[inline]
    pub(crate) fn owns(&self, group: usize) -> bool {
        self.columns[group] != NOT_OWNED
    }

    /// The place of an owned group among those of its total.
    #[inline]
    pub(crate) fn column(&self, group: usize) -> usize {
        self.columns[group] as usize
    }

    /// The owned group of a total at a place.
    #[inline]
    pub(crate) fn group_at(&self, total: usize, column: usize) -> usize {
        self.by_total[total][column] as usize
    }

    /// The first word in mover order of an owned group.
    #[inline]
    pub(crate) fn word(&self, group: usize) -> usize {
        self.words[group]
    }

    /// The first word in mover order of a row of an owned group.
    #[inline]
    pub(crate) fn row_word(&self, shape: &Shape, row: usize) -> usize {
        let group = row / GROUP;
        self.words[group] + row % GROUP * shape.words(shape.groups[group].total)
    }

    /// By place in the list of owned groups: boards of each row.
    pub(crate) fn widths_of_groups(&self, shape: &Shape) -> Vec<usize> {
        self.groups.iter().map(|&group| shape.width(shape.groups[group].total)).collect()
    }

    /// Words in mover order.
    pub(crate) fn all_words(&self) -> usize {
        self.all_words
    }
}
