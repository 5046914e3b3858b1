//! The parts of the search that can be switched off, so that what each is worth can be measured.

use std::fmt;

/// Which parts of the search are at work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    bits: u16,
}

/// One part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The transposition table.
    Table,
    /// Moves are tried in the order of a guess at the boards they lead to, not by captures alone.
    Order,
    /// Killer moves and the history of cuts.
    Killers,
    /// All moves but the first are tried with an empty window.
    Pvs,
    /// The first window of a depth lies about the value of the depth before.
    Aspiration,
    /// Late moves are looked at less deep.
    Reductions,
    /// Near the horizon, boards far outside the window are given up.
    Futility,
    /// Without a move to begin with, a node is looked at less deep.
    Shallower,
    /// The fitted evaluation; without it the one by hand.
    Fitted,
}

impl Part {
    /// All of them.
    pub const ALL: [Part; 9] = [
        Part::Table,
        Part::Order,
        Part::Killers,
        Part::Pvs,
        Part::Aspiration,
        Part::Reductions,
        Part::Futility,
        Part::Shallower,
        Part::Fitted,
    ];

    /// The name by which it is switched off.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Part::Table => "table",
            Part::Order => "order",
            Part::Killers => "killers",
            Part::Pvs => "pvs",
            Part::Aspiration => "aspiration",
            Part::Reductions => "reductions",
            Part::Futility => "futility",
            Part::Shallower => "shallower",
            Part::Fitted => "fitted",
        }
    }
}

impl Parts {
    /// All parts.
    pub const ALL: Parts = Parts { bits: (1 << Part::ALL.len()) - 1 };

    /// Whether a part is at work.
    #[inline]
    #[must_use]
    pub const fn has(self, part: Part) -> bool {
        self.bits >> part as u16 & 1 != 0
    }

    /// The same without a part.
    #[must_use]
    pub const fn without(self, part: Part) -> Parts {
        Parts { bits: self.bits & !(1 << part as u16) }
    }

    /// All but the parts named, separated by `+`; all for an empty text.
    ///
    /// # Errors
    /// What was expected, when a name is not known.
    pub fn all_but(names: &str) -> Result<Parts, String> {
        names.split('+').filter(|name| !name.is_empty()).try_fold(Parts::ALL, |parts, name| {
            let part = Part::ALL.into_iter().find(|part| part.name() == name);
            part.map(|part| parts.without(part)).ok_or_else(|| {
                let names = Part::ALL.map(Part::name).join(", ");
                format!("{name:?} is no part of the search, expected some of {names}")
            })
        })
    }
}

impl Default for Parts {
    fn default() -> Parts {
        Parts::ALL
    }
}

impl fmt::Display for Parts {
    /// What is missing, as [`Parts::all_but`] reads it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let missing: Vec<_> =
            Part::ALL.into_iter().filter(|&part| !self.has(part)).map(Part::name).collect();
        f.write_str(&missing.join("+"))
    }
}
