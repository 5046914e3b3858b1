//! What a board tells about its value without any table.

use oware_rules::TableRules;

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
}
