//! What the engine says of a search, as lines of the protocol.

use std::fmt::Write as _;

use oware_rules::{Game, House, LoopSplit, Move, Side, SowingBoard};
use oware_search::{Bound, Chances, Line, Report, Score, Source, chances};
use oware_tables::Convention;

use crate::knowledge::TableMove;

/// What a position says for all lines about it.
#[derive(Clone, Copy)]
pub(super) struct View {
    mover: Side,
    /// Seeds in the houses.
    seeds: u8,
    /// The mover's store less the opponent's, in seeds.
    lead: i32,
    /// Whether the rules split loops as the tables' even values do.
    even_loops: bool,
    /// Whether tables can be in the values of the search.
    has_leaves: bool,
}

/// The letter of a move.
fn letter(side: Side, mv: Move) -> char {
    House::of(side, mv).letter()
}

/// The letters of a line of moves, whose sides alternate.
fn letters(mover: Side, moves: &[Move]) -> String {
    let sides = [mover, mover.other()].into_iter().cycle();
    sides.zip(moves).map(|(side, &mv)| letter(side, mv)).collect()
}

impl View {
    /// Of the game's present position, where tables are held for the leaves or not.
    pub(super) fn of(game: &Game, has_leaves: bool) -> View {
        let position = game.position();
        let (board, mover) = (position.board(), position.to_move());
        View {
            mover,
            seeds: board.total(),
            lead: position.lead().into(),
            even_loops: position.rules().loop_split == LoopSplit::Even
                && position.rules().capture_free_limit.is_none(),
            has_leaves,
        }
    }

    /// The letter of one of the mover's moves.
    pub(super) fn letter(&self, mv: Move) -> char {
        letter(self.mover, mv)
    }

    /// `bestmove`, with the reply expected if one is named.
    pub(super) fn best_move(&self, best: Move, reply: Option<Move>) -> String {
        let reply = reply.map(|reply| letter(self.mover.other(), reply));
        let reply = reply.map_or_else(String::new, |reply| format!(" ponder {reply}"));
        format!("bestmove {}{reply}", self.letter(best))
    }

    /// The lines about what a search has found: for each of the best moves, `most` of them, one
    /// with numbers and one that says where they come from.
    pub(super) fn report(&self, report: &Report, most: usize) -> Vec<String> {
        let lines = report.lines.iter().take(most).enumerate();
        lines.flat_map(|(index, line)| [self.info(report, index, line), source(line)]).collect()
    }

    fn info(&self, report: &Report, index: usize, line: &Line) -> String {
        let alone = [line.mv];
        let moves = if line.moves.is_empty() { &alone[..] } else { &line.moves };
        let mut text = format!(
            "info depth {} seldepth {} multipv {} {}",
            line.depth,
            report.selective_depth.max(line.depth),
            index + 1,
            self.score(line.score, line.bound, self.is_known(line)),
        );
        // Writing to a string does not fail.
        let _ = write!(
            text,
            " nodes {} nps {} hashfull {} tbhits {} time {} pv {}",
            report.nodes,
            report.nodes_per_second(),
            report.hash_full,
            report.table_hits,
            report.elapsed.as_millis(),
            letters(self.mover, moves),
        );
        text
    }

    /// Whether no guess is in a score under the rules of the game.
    fn is_known(&self, line: &Line) -> bool {
        match line.source {
            Source::Table => self.even_loops,
            // The even values of tables may be in it.
            Source::Bound => self.even_loops || !self.has_leaves,
            Source::Search => false,
        }
    }

    fn score(&self, score: Score, bound: Bound, known: bool) -> String {
        let Chances { win, draw, loss } = match known {
            true => certain(score, bound).unwrap_or_else(|| chances(score, self.seeds)),
            false => chances(score, self.seeds),
        };
        let bound = match bound {
            Bound::Exact => "",
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
        };
        format!("score cp {}{bound} wdl {win} {draw} {loss}", score.hundredths())
    }

    /// The lines about a move that endgame tables force.
    pub(super) fn table_move(&self, found: TableMove) -> Vec<String> {
        let TableMove { mv, convention, value, distance } = found;
        let score = Score::whole(self.lead + i32::from(value));
        let (bound, known) = match convention {
            Convention::Even => (Bound::Exact, self.even_loops),
            Convention::Low => (Bound::Lower, true),
            Convention::High => (Bound::Upper, true),
        };
        let score = self.score(score, bound, known);
        vec![
            format!("info depth 1 seldepth 1 multipv 1 {score} tbhits 1 pv {}", self.letter(mv)),
            format!("info string source table ({convention} value {value}, distance {distance})"),
        ]
    }

    /// The lines about a move of the opening book.
    pub(super) fn book_move(&self, mv: Move) -> Vec<String> {
        vec![
            format!("info depth 1 seldepth 1 multipv 1 pv {}", self.letter(mv)),
            "info string source book".to_owned(),
        ]
    }
}

/// The result that a known score is; `None` if the bound leaves it open.
fn certain(score: Score, bound: Bound) -> Option<Chances> {
    let [win, draw, loss] = match (score.hundredths().signum(), bound) {
        (1, Bound::Exact | Bound::Lower) => [1000, 0, 0],
        (-1, Bound::Exact | Bound::Upper) => [0, 0, 1000],
        (0, Bound::Exact) => [0, 1000, 0],
        _ => return None,
    };
    Some(Chances { win, draw, loss })
}

fn source(line: &Line) -> String {
    let source = match line.source {
        Source::Table => "table",
        Source::Bound => "bound",
        Source::Search => "search",
    };
    format!("info string source {source}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use oware_rules::Rules;
    use std::time::Duration;

    fn line(score: i32, bound: Bound, source: Source) -> Line {
        let moves = [5, 0, 1].map(|index| Move::new(index).unwrap()).to_vec();
        Line { mv: moves[0], score: Score::of_hundredths(score), bound, source, depth: 7, moves }
    }

    #[test]
    fn a_report_is_told_in_full() {
        let mut game = Game::new(Rules::ABAPA);
        game.play_house("F".parse().unwrap()).unwrap();
        let second = line(-200, Bound::Upper, Source::Bound);
        let report = Report {
            lines: vec![line(125, Bound::Exact, Source::Search), second],
            depth: 7,
            selective_depth: 9,
            nodes: 1000,
            table_hits: 4,
            hash_full: 12,
            elapsed: Duration::from_millis(500),
        };
        let told = View::of(&game, false).report(&report, 6);
        let Chances { win, draw, loss } = chances(Score::of_hundredths(125), 48);
        let first = format!(
            "info depth 7 seldepth 9 multipv 1 score cp 125 wdl {win} {draw} {loss} nodes 1000 \
             nps 2000 hashfull 12 tbhits 4 time 500 pv fAb"
        );
        assert_eq!(told[..2], [first, "info string source search".to_owned()]);
        assert!(told[2].contains("multipv 2 score cp -200 upperbound wdl 0 0 1000"), "{}", told[2]);
        assert_eq!(told[3], "info string source bound");
        assert_eq!(View::of(&game, false).report(&report, 1).len(), 2);
        // With tables at the leaves the same proves nothing, since the rules share loops by rows.
        let held = View::of(&game, true).report(&report, 6);
        assert!(!held[2].contains("wdl 0 0 1000"), "{}", held[2]);
    }

    #[test]
    fn tables_prove_what_their_convention_proves() {
        let found = |convention, value| TableMove {
            mv: Move::new(0).unwrap(),
            convention,
            value,
            distance: 3,
        };
        let told = |rules: Rules, convention, value| {
            View::of(&Game::new(rules), true).table_move(found(convention, value))
        };
        let low = told(Rules::ABAPA, Convention::Low, 2);
        assert!(low[0].contains("score cp 200 lowerbound wdl 1000 0 0 tbhits 1 pv A"), "{low:?}");
        assert_eq!(low[1], "info string source table (low value 2, distance 3)");
        // Under own-row loops the even value holds only if loops are split evenly.
        let even = told(Rules::ABAPA, Convention::Even, 2);
        assert!(even[0].contains("score cp 200 wdl "), "{even:?}");
        assert!(!even[0].contains("wdl 1000"), "{even:?}");
        let split = Rules { loop_split: LoopSplit::Even, ..Rules::ABAPA };
        assert!(told(split, Convention::Even, -2)[0].contains("wdl 0 0 1000"));
    }
}
