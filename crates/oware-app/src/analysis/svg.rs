//! A game's evaluation as a picture in SVG that needs nothing beside it: it is drawn for light
//! and for dark, and says what it shows to those who do not see it.

use std::fmt::Write as _;

use oware_rules::Side;

use super::accuracy::Label;
use super::game::{GameAnalysis, PlyAnalysis};
use super::graph::scale;
use super::words;

/// What is written over a picture. Any text will do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Caption {
    /// South's name.
    pub south: String,
    /// North's name.
    pub north: String,
    /// How the game ended, or where it stands.
    pub result: String,
}

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 940.0;
const TOP: f64 = 56.0;
const BOTTOM: f64 = 316.0;

/// Characters of a name in the heading.
const LONGEST_NAME: usize = 32;

const STYLE: &str = "\
.ground{fill:#fff}.ink{fill:#222}.soft{fill:#666}.grid{stroke:#ddd}.zero{stroke:#666}\
.curve{fill:none;stroke:#1a5fb4;stroke-width:2}.area{fill:#1a5fb4;opacity:.18}\
.inaccuracy{fill:#e5a50a}.mistake{fill:#e66100}.blunder{fill:#c01c28}.capture{fill:#26725a}\
.edge{stroke:#fff;stroke-width:1.5}text{font:13px sans-serif}.head{font-size:16px}\
@media(prefers-color-scheme:dark){.ground{fill:#1e1e1e}.ink{fill:#eee}.soft{fill:#aaa}\
.grid{stroke:#444}.zero{stroke:#aaa}.curve{stroke:#78aeed}.area{fill:#78aeed}\
.inaccuracy{fill:#f5c211}.mistake{fill:#ff8f3f}.blunder{fill:#ff6b6b}.capture{fill:#57c9a2}\
.edge{stroke:#1e1e1e}}";

/// Text as it may stand in XML: what has a meaning there is escaped, what may not be there at all
/// is left out.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            '\n' | '\r' | '\t' => out.push(' '),
            '\u{fffe}' | '\u{ffff}' => {}
            control if control.is_control() => {}
            other => out.push(other),
        }
    }
    out
}

/// A name that leaves room for the rest of the heading.
fn short(name: &str) -> String {
    match name.chars().count() {
        0..=LONGEST_NAME => escaped(name),
        _ => escaped(&name.chars().take(LONGEST_NAME - 3).collect::<String>()) + "...",
    }
}

/// Where things are drawn.
struct Plot {
    /// The end of the axis of seeds.
    end: f64,
    /// Plies from the left to the right.
    plies: f64,
}

impl Plot {
    fn x(&self, ply: usize) -> f64 {
        LEFT + (RIGHT - LEFT) * ply as f64 / self.plies
    }

    fn y(&self, seeds: f64) -> f64 {
        (TOP + BOTTOM) / 2.0 - seeds / self.end * (BOTTOM - TOP) / 2.0
    }
}

/// Draws what South is expected to end ahead, in seeds, over the moves of the game, with the
/// faults of both players and the captures.
#[must_use]
pub fn svg(analysis: &GameAnalysis, caption: &Caption) -> String {
    let end = scale(analysis.points().map(|point| point.south.hundredths()));
    let plot = Plot { end: f64::from(end), plies: analysis.length.max(1) as f64 };
    let (south, north) = (escaped(&caption.south), escaped(&caption.north));
    let result = escaped(&caption.result);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         role=\"img\" aria-labelledby=\"oware-title oware-description\">\n\
         <title id=\"oware-title\">{south} (South) - {north} (North): {result}</title>\n\
         <desc id=\"oware-description\">{}</desc>\n<style>{STYLE}</style>\n\
         <rect class=\"ground\" width=\"{WIDTH}\" height=\"{HEIGHT}\"/>\n\
         <text class=\"ink head\" x=\"{LEFT}\" y=\"24\">{} (South) - {} (North): \
         {result}</text>\n\
         <text class=\"soft\" x=\"{LEFT}\" y=\"44\">Seeds that South is expected to end \
         ahead</text>\n",
        escaped(&description(analysis)),
        short(&caption.south),
        short(&caption.north)
    );
    axes(&mut out, &plot, analysis);
    curve(&mut out, &plot, analysis);
    for ply in &analysis.plies {
        capture(&mut out, &plot, ply);
        fault(&mut out, &plot, ply);
    }
    legend(&mut out);
    out += "</svg>\n";
    out
}

/// The picture in words.
fn description(analysis: &GameAnalysis) -> String {
    let mut text = format!(
        "The expected final difference of seeds for South, after each of {} plies.",
        analysis.plies.len()
    );
    let values: Vec<_> = analysis.points().map(|point| point.south).collect();
    if let (Some(first), Some(last)) = (values.first(), values.last()) {
        let _ = write!(text, " It begins at {first} and ends at {last}.");
    }
    for side in Side::BOTH {
        let player = &analysis.players[side.index()];
        let _ = write!(
            text,
            " {side}: {} inaccuracies, {} mistakes, {} blunders.",
            player.count(Label::Inaccuracy),
            player.count(Label::Mistake),
            player.count(Label::Blunder)
        );
    }
    text
}

/// The number of the move that a ply is part of, as records count.
fn move_number(analysis: &GameAnalysis, ply: usize) -> usize {
    let north_began = analysis.plies.first().is_some_and(|ply| ply.side == Side::North);
    (ply - 1 + usize::from(north_began)) / 2 + 1
}

fn axes(out: &mut String, plot: &Plot, analysis: &GameAnalysis) {
    for quarter in -2..=2 {
        let seeds = plot.end * f64::from(quarter) / 2.0;
        let (y, class) = (plot.y(seeds), if quarter == 0 { "zero" } else { "grid" });
        let _ = writeln!(
            out,
            "<line class=\"{class}\" x1=\"{LEFT}\" x2=\"{RIGHT}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
             <text class=\"soft\" text-anchor=\"end\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            LEFT - 8.0,
            y + 4.0,
            if quarter == 0 { "0".to_owned() } else { format!("{seeds:+}") }
        );
    }
    // About a dozen numbers, at plies of the player who began.
    let step = 2 * analysis.length.div_ceil(24).max(1);
    for ply in (1..=analysis.length).step_by(step) {
        let _ = writeln!(
            out,
            "<text class=\"soft\" text-anchor=\"middle\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            plot.x(ply),
            BOTTOM + 36.0,
            move_number(analysis, ply)
        );
    }
    let _ = writeln!(
        out,
        "<text class=\"soft\" text-anchor=\"end\" x=\"{RIGHT}\" y=\"{:.1}\">move</text>",
        BOTTOM + 54.0
    );
}

fn curve(out: &mut String, plot: &Plot, analysis: &GameAnalysis) {
    let points: Vec<(f64, f64)> = analysis
        .points()
        .enumerate()
        .map(|(ply, point)| (plot.x(ply), plot.y(point.south.seeds())))
        .collect();
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return };
    let path: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let (path, zero) = (path.join(" "), plot.y(0.0));
    let _ = writeln!(
        out,
        "<polygon class=\"area\" points=\"{:.1},{zero:.1} {path} {:.1},{zero:.1}\"/>\n\
         <polyline class=\"curve\" points=\"{path}\"/>",
        first.0, last.0
    );
}

/// A triangle below the curve, pointing up for South and down for North.
fn capture(out: &mut String, plot: &Plot, ply: &PlyAnalysis) {
    if ply.played.captured == 0 {
        return;
    }
    let (x, y) = (plot.x(ply.number), BOTTOM + 14.0);
    let (tip, foot) = if ply.side == Side::South { (y - 5.0, y + 4.0) } else { (y + 5.0, y - 4.0) };
    let _ = writeln!(
        out,
        "<path class=\"capture\" d=\"M{x:.1} {tip:.1}L{:.1} {foot:.1}H{:.1}Z\"><title>{} captures \
         {}</title></path>",
        x + 5.0,
        x - 5.0,
        name(ply),
        ply.played.captured
    );
}

/// A disc for South's faults, a square for North's.
fn fault(out: &mut String, plot: &Plot, ply: &PlyAnalysis) {
    let Some(words) = words::fault(ply) else { return };
    let (x, y) = (plot.x(ply.number), plot.y(ply.played.score_for(Side::South).seeds()));
    let shape = shape(ply.side, x, y);
    let class = ply.label.name();
    let title = escaped(&format!("{}: {words}", name(ply)));
    let _ = writeln!(out, "<g class=\"{class} edge\"><title>{title}</title>{shape}</g>");
}

fn shape(side: Side, x: f64, y: f64) -> String {
    match side {
        Side::South => format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"6\"/>"),
        Side::North => {
            let (x, y) = (x - 5.5, y - 5.5);
            format!("<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"11\" height=\"11\"/>")
        }
    }
}

fn name(ply: &PlyAnalysis) -> String {
    format!("ply {}, {} {}", ply.number, ply.side, ply.played.house)
}

fn legend(out: &mut String) {
    let y = HEIGHT - 14.0;
    let mut x = LEFT;
    for label in [Label::Inaccuracy, Label::Mistake, Label::Blunder] {
        let shape = shape(Side::South, x + 6.0, y - 4.0);
        let _ = writeln!(
            out,
            "<g class=\"{label} edge\">{shape}</g>\
             <text class=\"soft\" x=\"{:.1}\" y=\"{y}\">{label}</text>",
            x + 18.0
        );
        x += 110.0;
    }
    let _ = writeln!(
        out,
        "<text class=\"soft\" x=\"{x:.1}\" y=\"{y}\">discs and upward triangles (captures): South; \
         squares and downward ones: North</text>"
    );
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn text_is_escaped() {
        assert_eq!(escaped("a<b>&\"'\u{0}\n\u{ffff}é"), "a&lt;b&gt;&amp;&quot;&#39; é");
    }
}
