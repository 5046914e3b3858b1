//! `go`: what a search is asked for.

use std::fmt;
use std::ops::RangeInclusive;

use oware_rules::Side;

use super::shown;

/// The longest time that can be given, in milliseconds: about 49 days.
pub const MOST_MILLISECONDS: u64 = u32::MAX as u64;

/// The parameters of `go`. Times are in milliseconds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// Plies, 1 or more.
    pub depth: Option<u32>,
    /// Positions, 1 or more.
    pub nodes: Option<u64>,
    /// Time for the move.
    pub movetime: Option<u64>,
    /// Whether the move may be told only after `stop`.
    pub infinite: bool,
    /// Whether the move may be told only after `stop` or `ponderhit`.
    pub ponder: bool,
    /// Moves until time is added to the clocks, 1 or more.
    pub movestogo: Option<u32>,
    /// What is left on South's (`wtime`) and North's (`btime`) clock; a time below 0 counts as 0.
    pub clocks: [Option<u64>; 2],
    /// What is added for South (`winc`) and North (`binc`) after each move.
    pub increments: [Option<u64>; 2],
    /// The letters of the moves to be looked at. Whether they are legal is not looked at yet.
    pub searchmoves: Option<String>,
}

const WORDS: &str = "depth, nodes, movetime, infinite, ponder, movestogo, wtime, btime, winc, \
                     binc or searchmoves";

/// Whether a word begins a parameter, and hence ends a list of moves.
fn is_parameter(word: &str) -> bool {
    WORDS.split([',', ' ']).any(|known| !known.is_empty() && known != "or" && known == word)
}

impl Go {
    /// Reads what stands behind `go`.
    pub(super) fn parse(text: &str) -> Result<Go, String> {
        let mut go = Go::default();
        let mut words = text.split_ascii_whitespace().peekable();
        while let Some(word) = words.next() {
            let twice = match word {
                "infinite" => std::mem::replace(&mut go.infinite, true),
                "ponder" => std::mem::replace(&mut go.ponder, true),
                "searchmoves" => {
                    let mut letters = String::new();
                    while let Some(moves) = words.next_if(|next| !is_parameter(next)) {
                        letters += moves;
                    }
                    if letters.is_empty() {
                        return Err("searchmoves has no moves, expected letters".to_owned());
                    }
                    go.searchmoves.replace(letters).is_some()
                }
                _ if is_parameter(word) => go.number(word, words.next())?,
                _ => return Err(format!("found {}, expected {WORDS}", shown(word))),
            };
            if twice {
                return Err(format!("{word} stands there twice"));
            }
        }
        Ok(go)
    }

    /// Takes a parameter with a number. Gives whether there was one already.
    fn number(&mut self, word: &str, text: Option<&str>) -> Result<bool, String> {
        let time = 0..=MOST_MILLISECONDS;
        let small = 1..=u64::from(u32::MAX);
        let slot = match word {
            "depth" => return Ok(self.depth.replace(read(word, text, small)? as u32).is_some()),
            "movestogo" => {
                return Ok(self.movestogo.replace(read(word, text, small)? as u32).is_some());
            }
            "nodes" => {
                return Ok(self.nodes.replace(read(word, text, 1..=u64::MAX)?).is_some());
            }
            "wtime" | "btime" => {
                let text = if text.is_some_and(is_negative) { Some("0") } else { text };
                let clock = &mut self.clocks[usize::from(word == "btime")];
                return Ok(clock.replace(read(word, text, time)?).is_some());
            }
            "winc" => &mut self.increments[0],
            "binc" => &mut self.increments[1],
            _ => &mut self.movetime,
        };
        Ok(slot.replace(read(word, text, time)?).is_some())
    }

    /// Whether anything but `stop` can end the search (once pondering is over).
    #[must_use]
    pub fn has_limit(&self, mover: Side) -> bool {
        self.depth.is_some()
            || self.nodes.is_some()
            || self.movetime.is_some()
            || self.clocks[mover.index()].is_some()
    }
}

/// Whether a text is a number below 0: programs tell so of a clock that has run out.
fn is_negative(text: &str) -> bool {
    text.strip_prefix('-')
        .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
}

/// Reads a number, which must lie in a range.
pub(super) fn read(
    name: &str,
    text: Option<&str>,
    range: RangeInclusive<u64>,
) -> Result<u64, String> {
    let found = text.map_or_else(|| "missing".to_owned(), shown);
    // A sign is no digit; `parse` alone would take `+5`.
    text.filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()))
        .and_then(|text| text.parse().ok())
        .filter(|number| range.contains(number))
        .ok_or_else(|| {
            let (least, most) = (range.start(), range.end());
            format!("{name} is {found}, expected a whole number from {least} to {most}")
        })
}

impl fmt::Display for Go {
    /// The parameters, each with a space before it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut number = |name: &str, number: Option<u64>| {
            number.map_or(Ok(()), |number| write!(f, " {name} {number}"))
        };
        number("depth", self.depth.map(u64::from))?;
        number("nodes", self.nodes)?;
        number("movetime", self.movetime)?;
        if self.infinite {
            f.write_str(" infinite")?;
        }
        if self.ponder {
            f.write_str(" ponder")?;
        }
        let mut number = |name: &str, number: Option<u64>| {
            number.map_or(Ok(()), |number| write!(f, " {name} {number}"))
        };
        number("movestogo", self.movestogo.map(u64::from))?;
        number("wtime", self.clocks[0])?;
        number("btime", self.clocks[1])?;
        number("winc", self.increments[0])?;
        number("binc", self.increments[1])?;
        self.searchmoves.as_ref().map_or(Ok(()), |moves| write!(f, " searchmoves {moves}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_end_where_a_parameter_begins() {
        let go = Go::parse("searchmoves F A depth 3").unwrap();
        assert_eq!((go.searchmoves.as_deref(), go.depth), (Some("FA"), Some(3)));
        let go = Go::parse("wtime -12 btime 60000").unwrap();
        assert_eq!(go.clocks, [Some(0), Some(60_000)]);
        assert!(
            go.has_limit(Side::South) && !Go::parse("infinite").unwrap().has_limit(Side::South)
        );
    }

    #[test]
    fn numbers_have_ranges() {
        for (text, part) in [
            ("depth", "depth is missing, expected a whole number from 1 to 4294967295"),
            ("depth 0", "depth is \"0\""),
            ("depth -1", "depth is \"-1\""),
            ("depth +1", "depth is \"+1\""),
            ("depth 4294967296", "from 1 to 4294967295"),
            ("nodes 0", "nodes is \"0\""),
            ("nodes 99999999999999999999", "from 1 to 18446744073709551615"),
            ("movetime 4294967296", "movetime"),
            ("wtime - btime 5", "wtime is \"-\""),
            ("winc -1", "winc"),
            ("movestogo 0", "movestogo"),
            ("depth 3 depth 4", "depth stands there twice"),
            ("infinite infinite", "infinite stands there twice"),
            ("searchmoves depth 3", "searchmoves has no moves"),
            ("mate 3", "found \"mate\", expected depth, nodes"),
            ("or", "found \"or\""),
        ] {
            let error = Go::parse(text).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
