//! A game's evaluation as a graph of characters.

use oware_rules::Side;

use super::accuracy::Label;
use super::game::GameAnalysis;

/// How a graph is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GraphStyle {
    /// Characters in a line, at least 20.
    pub width: usize,
    /// Lines above zero, and as many below, at least 1.
    pub height: usize,
    /// Whether only ASCII may be used.
    pub ascii: bool,
}

/// Characters in front of the columns: a number of seeds and the axis.
const MARGIN: usize = 6;
/// Ends of the axis of seeds.
const SCALES: [i32; 7] = [2, 4, 6, 12, 24, 36, 48];

/// The least end of an axis that all values fit on, in seeds.
pub(super) fn scale(values: impl Iterator<Item = i32>) -> i32 {
    let most = values.map(i32::abs).max().unwrap_or(0);
    SCALES.into_iter().find(|scale| scale * 100 >= most).unwrap_or(48)
}

/// The letter of a fault: a capital for South, as his houses have.
pub(super) const fn letter(label: Label, side: Side) -> Option<char> {
    Some(match (label, side) {
        (Label::Inaccuracy, Side::South) => 'I',
        (Label::Mistake, Side::South) => 'M',
        (Label::Blunder, Side::South) => 'B',
        (Label::Inaccuracy, Side::North) => 'i',
        (Label::Mistake, Side::North) => 'm',
        (Label::Blunder, Side::North) => 'b',
        (Label::Best | Label::Good, _) => return None,
    })
}

/// One column, or several alike where there is room.
struct Column {
    /// The mean of its points, in hundredths of a seed, for South.
    value: i32,
    /// The ply of its last point; 0 is the start.
    ply: usize,
    /// The worst fault in it.
    fault: Option<(Label, Side)>,
}

fn columns(analysis: &GameAnalysis, room: usize) -> Vec<Column> {
    let points: Vec<i32> = analysis.points().map(|point| point.south.hundredths()).collect();
    let count = points.len().min(room);
    (0..count)
        .map(|column| {
            let (from, to) = (column * points.len() / count, (column + 1) * points.len() / count);
            let sum: i64 = points[from..to].iter().map(|&value| i64::from(value)).sum();
            let plies = analysis.plies.iter().take(to.saturating_sub(1)).skip(from.max(1) - 1);
            let faults = plies.filter(|ply| ply.label.is_fault());
            Column {
                value: (sum / (to - from) as i64) as i32,
                ply: to - 1,
                fault: faults.max_by_key(|ply| ply.label).map(|ply| (ply.label, ply.side)),
            }
        })
        .collect()
}

/// Draws what South is expected to end ahead, from the start of the game and after each ply, with
/// letters below for faults and the numbers of plies. No line if nothing is known.
#[must_use]
pub fn graph(analysis: &GameAnalysis, style: &GraphStyle) -> Vec<String> {
    let room = style.width.max(20) - MARGIN;
    let columns = columns(analysis, room);
    if columns.is_empty() {
        return Vec::new();
    }
    let wide = (room / columns.len()).clamp(1, 3);
    let end = scale(columns.iter().map(|column| column.value));
    let height = style.height.max(1) as i32;
    let mut lines = Vec::new();
    for row in (1..=height).rev() {
        lines.push(bar_row(&columns, wide, row, end, height, style.ascii));
    }
    let dash = if style.ascii { "-" } else { "─" };
    let cross = if style.ascii { "+" } else { "┼" };
    lines.push(format!("{:>4} {cross}{}", 0, dash.repeat(columns.len() * wide)));
    for row in 1..=height {
        lines.push(bar_row(&columns, wide, -row, end, height, style.ascii));
    }
    lines.push(marks(&columns, wide));
    lines.push(numbers(&columns, wide));
    lines.retain(|line| !line.is_empty());
    lines
}

/// A line of bars; `row` counts from the zero line, below it down from -1.
fn bar_row(
    columns: &[Column],
    wide: usize,
    row: i32,
    end: i32,
    height: i32,
    ascii: bool,
) -> String {
    let axis = if ascii { '|' } else { '│' };
    let label =
        if row.abs() == height { format!("{:+}", row.signum() * end) } else { String::new() };
    let mut line = format!("{label:>4} {axis}");
    let (full, half) = match (ascii, row > 0) {
        (true, true) => ('#', '.'),
        (true, false) => ('#', '\''),
        (false, true) => ('█', '▄'),
        (false, false) => ('█', '▀'),
    };
    for column in columns {
        // Two steps in each row; what is not nothing shows at least one.
        let towards = column.value * row.signum();
        let steps = (i64::from(towards) * i64::from(height) * 2 + i64::from(end) * 50)
            .div_euclid(i64::from(end) * 100);
        let steps = if towards >= 10 { steps.max(1) } else { steps };
        let letter = match steps - 2 * i64::from(row.abs() - 1) {
            2.. => full,
            1 => half,
            _ => ' ',
        };
        line.extend(std::iter::repeat_n(letter, wide));
    }
    line.trim_end().to_owned()
}

fn marks(columns: &[Column], wide: usize) -> String {
    let mut line = " ".repeat(MARGIN);
    for column in columns {
        let letter = column.fault.and_then(|(label, side)| letter(label, side)).unwrap_or(' ');
        line.push(letter);
        line.push_str(&" ".repeat(wide - 1));
    }
    line.trim_end().to_owned()
}

/// The numbers of plies, each below its column, as many as there is room for.
fn numbers(columns: &[Column], wide: usize) -> String {
    let mut line = " ".repeat(MARGIN);
    let mut free = MARGIN;
    for (index, column) in columns.iter().enumerate() {
        let at = MARGIN + index * wide;
        if at >= free && (column.ply == 0 || index % 5 == 0) {
            line.push_str(&" ".repeat(at - line.len()));
            line.push_str(&column.ply.to_string());
            free = line.len() + 2;
        }
    }
    line
}
