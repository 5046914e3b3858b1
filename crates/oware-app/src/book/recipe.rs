//! How a book is built: what decides its bytes, together with the search and the number of
//! entries.

use oware_rules::Rules;

/// How a book is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// The rules it is for.
    pub rules: Rules,
    /// Positions that the search looks at to value the moves of one board.
    pub nodes: u64,
    /// What a seed lost by the player who uses the book weighs against a ply, in deciding what
    /// to look at next. He plays near his best, so that much else is of no use.
    pub own_weight: u16,
    /// The same for his opponent, who may play anything.
    pub other_weight: u16,
    /// Positions that the search looks at to check a move; 0 where nothing was checked.
    pub check_nodes: u64,
    /// Moves that cost no more than this against the best are checked, and may be played for
    /// variety; hundredths of a seed.
    pub margin: u16,
    /// Moves that a check finds to cost more than this are refused; hundredths of a seed.
    pub most_loss: u16,
}

impl Default for Recipe {
    /// That of the book that comes with the program.
    fn default() -> Recipe {
        Recipe {
            rules: Rules::ABAPA,
            nodes: 250_000,
            own_weight: 40,
            other_weight: 4,
            check_nodes: 1_000_000,
            margin: 10,
            most_loss: 20,
        }
    }
}

impl Recipe {
    /// Whether a search gives the same values for both.
    pub(super) fn same_search(&self, other: &Recipe) -> bool {
        (self.rules, self.nodes) == (other.rules, other.nodes)
    }
}
