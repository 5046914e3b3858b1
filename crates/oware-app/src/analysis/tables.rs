//! What endgame tables and the rules say of a move, before anything is searched.

use std::cmp::Ordering;
use std::path::Path;
use std::sync::Arc;

use oware_rules::{Game, House, Move, Position, Reason, Rules, SowingBoard};
use oware_search::{Bound, Chances, Endgame, Score};
use oware_tables::{Convention, TableError};

use super::value::{Known, MoveValue, ahead, result_for};
use crate::knowledge::{Claim, Past, Verdict};
use crate::{InMemory, Knowledge};

/// Plies that a line by tables goes on for, at most.
const LONGEST_LINE: usize = 16;

/// The endgame tables of some rules: those that are probed, and the layers of them that a search
/// has in memory.
#[derive(Clone)]
pub struct Tables {
    pub(super) knowledge: Knowledge,
    pub(super) leaves: Option<Arc<InMemory>>,
}

impl Tables {
    /// Opens what a directory has for some rules, and reads the layers of 0 to `most_seeds`
    /// seeds into memory, as far as they are there (about 3 MB to 12, 150 MB to 18). `None` if
    /// the directory has nothing for these rules, or does not exist.
    ///
    /// # Errors
    /// When there are tables, and they are damaged or cannot be read.
    pub fn open(
        root: &Path,
        rules: &Rules,
        most_seeds: u8,
        threads: usize,
    ) -> Result<Option<Tables>, TableError> {
        Tables::of(Knowledge::open(root, rules)?, most_seeds, threads)
    }

    /// The same with tables that were opened already.
    ///
    /// # Errors
    /// When tables are damaged or cannot be read.
    pub fn of(
        knowledge: Knowledge,
        most_seeds: u8,
        threads: usize,
    ) -> Result<Option<Tables>, TableError> {
        if knowledge.is_empty() {
            return Ok(None);
        }
        let leaves = knowledge.in_memory(most_seeds, threads)?;
        Ok(Some(Tables { knowledge, leaves }))
    }

    /// The most seeds of a layer in memory; `None` if there is none.
    #[must_use]
    pub fn seeds_in_memory(&self) -> Option<u8> {
        self.leaves.as_ref().map(|leaves| leaves.most_seeds())
    }
}

/// Whether an end leaves nothing to play on for, so that its score is the final difference. An
/// end by 25 or by 24 each leaves seeds that a value counts on.
fn is_final(reason: Reason) -> bool {
    !matches!(reason, Reason::Majority | Reason::Even)
}

/// A legal move of a game with all that is known of it without a search. Its score counts only
/// if the flag says that it is known.
pub(super) fn look(
    game: &mut Game,
    mv: Move,
    knowledge: Option<&Knowledge>,
) -> Result<(MoveValue, bool), TableError> {
    let before = *game.position();
    let (mover, seeds) = (before.to_move(), before.board().total());
    game.play_quick(mv).expect("only legal moves are looked at");
    let ending = game.ending();
    let captured = game.plies().last().map_or(0, |ply| ply.captured);
    let house = House::of(mover, mv);
    let mut value = MoveValue {
        mv,
        house,
        captured,
        ending,
        score: Score::default(),
        bound: Bound::Exact,
        known: Known::Ending,
        least: None,
        most: None,
        proven: ending.map(|ending| result_for(&ending, mover)),
        past: false,
        chances: Chances { win: 0, draw: 1000, loss: 0 },
        line: vec![house],
    };
    let mut is_known = false;
    match ending.filter(|ending| is_final(ending.reason)) {
        Some(ending) => {
            value.score = Score::whole(ahead(&ending, mover));
            is_known = true;
        }
        None => {
            if let Some(verdict) = knowledge.map(|k| k.verdict(game)).transpose()?.flatten() {
                is_known = take_verdict(&mut value, &verdict, game.position());
            }
        }
    }
    if let Some(knowledge) = knowledge.filter(|_| is_known && ending.is_none()) {
        follow(game, knowledge, &mut value.line)?;
    }
    value.chances = value.estimate(seeds);
    game.undo();
    Ok((value, is_known))
}

/// Takes over what tables say of the position after a move, where the other player is to move.
/// Gives whether that is a value.
fn take_verdict(value: &mut MoveValue, verdict: &Verdict, after: &Position) -> bool {
    let clear = verdict.past == Past::Clear;
    let of = |convention| {
        verdict.facts.value(convention).map(|v| i32::from(after.lead()) + i32::from(v))
    };
    value.past = !clear;
    if clear && value.proven.is_none() {
        value.proven = verdict.claim.proven().map(Ordering::reverse);
    }
    if clear && after.rules().capture_free_limit.is_none() {
        value.least = of(Convention::High).map(|high| -high as i8);
        value.most = of(Convention::Low).map(|low| -low as i8);
    }
    if let Claim::Exact { ahead, basis } = verdict.claim {
        value.score = Score::whole(-i32::from(ahead));
        value.known = Known::Exact(basis);
        if clear {
            (value.least, value.most) = (Some(-ahead), Some(-ahead));
        }
        return true;
    }
    let Some(even) = of(Convention::Even) else { return false };
    value.score = Score::whole(-even);
    value.known = Known::IfEven;
    true
}

/// Goes on by the moves with which the tables make progress, and takes them back.
fn follow(game: &mut Game, knowledge: &Knowledge, line: &mut Vec<House>) -> Result<(), TableError> {
    let begun = line.len();
    while line.len() < LONGEST_LINE && !game.is_over() {
        let Some(best) = knowledge.choose(game.position())? else { break };
        line.push(House::of(game.position().to_move(), best.mv));
        game.play_quick(best.mv).expect("tables give legal moves");
    }
    for _ in begun..line.len() {
        game.undo();
    }
    Ok(())
}
