//! The board as text, with marks for what the last move (or a chosen one) did.

use oware_app::Turn;
use oware_rules::{House, Position, Side};

/// What a picture of the board shows.
pub(crate) struct Picture<'a> {
    /// The position.
    pub(crate) position: &'a Position,
    /// The move whose marks are shown.
    pub(crate) marks: Option<&'a Turn>,
    /// The house that is chosen, in brackets.
    pub(crate) chosen: Option<House>,
    /// Whether numbers are shown.
    pub(crate) counts: bool,
    /// Whose row is below.
    pub(crate) seat: Side,
    /// Whether only ASCII may be used.
    pub(crate) ascii: bool,
}

/// What the marks mean.
pub(crate) const LEGEND: &str = "- emptied   + gained   * last seed   x captured";

impl Picture<'_> {
    fn mark(&self, house: House) -> char {
        let Some(turn) = self.marks else { return ' ' };
        let report = &turn.report;
        if report.from == house {
            '-'
        } else if report.captured_houses.iter().any(|captured| captured.house == house) {
            'x'
        } else if report.last == house {
            '*'
        } else if self.position.seeds(house) > turn.before.seeds(house) {
            '+'
        } else {
            ' '
        }
    }

    fn cell(&self, house: House) -> String {
        let seeds = self.position.seeds(house).get();
        let inside = match (self.counts, seeds, self.ascii) {
            (true, _, _) => format!("{seeds:>2}"),
            (false, 0, _) => "  ".into(),
            (false, _, true) => " o".into(),
            (false, _, false) => " ●".into(),
        };
        let (open, close) = if self.chosen == Some(house) { ('[', ']') } else { (' ', ' ') };
        format!("{open}{inside}{}{close}", self.mark(house))
    }

    fn row(&self, side: Side, cell: impl Fn(House) -> String) -> Vec<String> {
        let mut cells: Vec<String> =
            House::all().filter(|house| house.side() == side).map(cell).collect();
        if side != self.seat {
            cells.reverse();
        }
        cells
    }

    /// The lines, all ASCII but for the frame and hidden seeds.
    pub(crate) fn lines(&self) -> Vec<String> {
        let bar = if self.ascii { "|" } else { "│" };
        let rule = if self.ascii { "-" } else { "─" };
        let turn = |side| if self.position.to_move() == side { '>' } else { ' ' };
        let letters = |side| {
            let cells = self.row(side, |house| format!("  {house}  "));
            format!("          {}", cells.join(" "))
        };
        let houses = |side: Side| {
            let cells = self.row(side, |house| self.cell(house)).join(bar);
            let store = self.position.store(side);
            format!("{} {:<6} {bar}{cells}{bar}  store {store}", turn(side), side.to_string())
        };
        let line = format!("         {}", rule.repeat(37));
        let (above, below) = (self.seat.other(), self.seat);
        vec![
            letters(above),
            line.clone(),
            houses(above),
            line.clone(),
            houses(below),
            line,
            letters(below),
        ]
    }
}
