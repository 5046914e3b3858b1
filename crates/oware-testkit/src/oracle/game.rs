//! A game with its history: repetition, plies without a capture, agreed loops.

use super::position::{OracleMove, OraclePosition};
use super::rules::OracleRules;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OracleEnd {
    /// The reason: `grand_slam_rest`, `majority`, `even`, `no_move`, `repetition`,
    /// `capture_free_limit` or `loop_agreed`.
    pub reason: &'static str,
    /// The final scores of South and North in half seeds.
    pub final_scores_half: [u16; 2],
}

/// A game from any position, with everything that happened in it.
#[derive(Clone, Debug)]
pub struct OracleGame {
    rules: OracleRules,
    positions: Vec<OraclePosition>,
    moves: Vec<OracleMove>,
    end: Option<OracleEnd>,
}

impl OracleGame {
    /// A game that starts in this position; it may be over already.
    pub fn new(rules: OracleRules, start: OraclePosition) -> Self {
        let end = start
            .over(&rules)
            .map(|(reason, scores)| OracleEnd { reason, final_scores_half: scores });
        Self { rules, positions: vec![start], moves: Vec::new(), end }
    }

    /// The rules of the game.
    pub fn rules(&self) -> &OracleRules {
        &self.rules
    }

    /// The position now, before any sharing out.
    pub fn position(&self) -> &OraclePosition {
        &self.positions[self.positions.len() - 1]
    }

    /// Every position of the game, the first one included.
    pub fn positions(&self) -> &[OraclePosition] {
        &self.positions
    }

    /// Every move made.
    pub fn moves(&self) -> &[OracleMove] {
        &self.moves
    }

    /// How the game ended, `None` while it goes on.
    pub fn end(&self) -> Option<OracleEnd> {
        self.end
    }

    /// The moves that can be played: none when the game is over.
    pub fn legal(&self) -> Vec<usize> {
        if self.end.is_some() { Vec::new() } else { self.position().legal(&self.rules) }
    }

    /// Makes the move from the mover's house `index` (0 to 5) and looks whether the game is over.
    ///
    /// # Errors
    ///
    /// If the game is over or the move is not legal; the game is then unchanged.
    pub fn play(&mut self, index: usize) -> Result<&OracleMove, String> {
        if let Some(end) = self.end {
            return Err(format!("the game is over: {}", end.reason));
        }
        let before = *self.position();
        if !before.legal(&self.rules).contains(&index) {
            return Err(format!("{before}: move {index} is not legal under {}", self.rules));
        }
        let done = before.apply(&self.rules, index);
        self.positions.push(done.position);
        self.moves.push(done.clone());
        self.end = match (done.terminal, done.final_scores_half) {
            (Some(reason), Some(final_scores_half)) => {
                Some(OracleEnd { reason, final_scores_half })
            }
            _ => self.automatic_loop(),
        };
        Ok(&self.moves[self.moves.len() - 1])
    }

    /// Plays moves by house letter, `A` to `F` for South and `a` to `f` for North.
    ///
    /// # Errors
    ///
    /// At the first letter that is no house of the player to move or no legal move; the moves
    /// before it stay played.
    pub fn play_letters(&mut self, letters: &str) -> Result<(), String> {
        for letter in letters.chars() {
            let row = if self.position().to_move == 0 { "ABCDEF" } else { "abcdef" };
            let Some(index) = row.find(letter) else {
                return Err(format!("{}: no house {letter} of the mover", self.position()));
            };
            self.play(index)?;
        }
        Ok(())
    }

    /// Ends the game as a loop because both players agree.
    ///
    /// # Errors
    ///
    /// If the game is over already.
    pub fn agree_loop(&mut self) -> Result<OracleEnd, String> {
        if let Some(end) = self.end {
            return Err(format!("the game is over: {}", end.reason));
        }
        let end = self.settled("loop_agreed");
        self.end = Some(end);
        Ok(end)
    }

    /// The number of plies since the last capture or the start.
    pub fn plies_without_capture(&self) -> usize {
        let mut plies = 0;
        for done in self.moves.iter().rev() {
            if done.captured > 0 {
                break;
            }
            plies += 1;
        }
        plies
    }

    /// How often the position now has occurred since the last capture or the start, itself
    /// included: 12 houses and the player to move are compared.
    pub fn occurrences(&self) -> usize {
        let now = self.position();
        let first = self.positions.len() - 1 - self.plies_without_capture();
        let mut times = 0;
        for earlier in &self.positions[first..] {
            if earlier.houses == now.houses && earlier.to_move == now.to_move {
                times += 1;
            }
        }
        times
    }

    /// The end by repetition or by too many plies without a capture, in this order.
    fn automatic_loop(&self) -> Option<OracleEnd> {
        if let Some(limit) = self.rules.repetition
            && self.occurrences() >= limit as usize
        {
            return Some(self.settled("repetition"));
        }
        if let Some(limit) = self.rules.capture_free_limit
            && self.plies_without_capture() >= limit as usize
        {
            return Some(self.settled("capture_free_limit"));
        }
        None
    }

    /// The end of a loop in the position now.
    fn settled(&self, reason: &'static str) -> OracleEnd {
        OracleEnd { reason, final_scores_half: self.position().loop_scores_half(&self.rules) }
    }
}
