//! A game, ply by ply: what was played, what was best, and what the difference was.

use oware_rules::{Ending, Game, MoveSet, Side};
use oware_search::{Chances, Control, Score};
use oware_tables::TableError;

use super::accuracy::{Label, PlayerReport, given_away, lost};
use super::position::{Analyst, Effort, Work};
use super::value::{MoveValue, ahead, certain, result_for};

/// A ply with what it cost.
#[derive(Clone, Debug, PartialEq)]
pub struct PlyAnalysis {
    /// Its number, from 1.
    pub number: usize,
    /// Who moved.
    pub side: Side,
    /// How many legal moves there were.
    pub legal: usize,
    /// The move played.
    pub played: MoveValue,
    /// The best moves, best first, as many as were asked for; if none is better than the move
    /// played, that one stands first.
    pub best: Vec<MoveValue>,
    /// Seeds lost beside the best move, 0 or more.
    pub lost: Score,
    /// Expected score given away beside the best move, 0 to 1.
    pub given_away: f64,
    /// What that is called.
    pub label: Label,
}

impl PlyAnalysis {
    /// Whether there was nothing to choose.
    #[must_use]
    pub fn is_forced(&self) -> bool {
        self.legal <= 1
    }

    /// The best move.
    #[must_use]
    pub fn best(&self) -> &MoveValue {
        self.best.first().unwrap_or(&self.played)
    }
}

/// How the game stood at one time, seen by South.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// What South is expected to end ahead, in hundredths of a seed.
    pub south: Score,
    /// South's chances.
    pub chances: Chances,
}

/// A game that has been analysed, or its beginning if it was stopped.
#[derive(Clone, Debug, PartialEq)]
pub struct GameAnalysis {
    /// How it stood at the start; `None` if that was not found out.
    pub start: Option<Point>,
    /// The plies, in order.
    pub plies: Vec<PlyAnalysis>,
    /// How many plies the game has.
    pub length: usize,
    /// How the game ended, if it did.
    pub ending: Option<Ending>,
    /// The players, South first.
    pub players: [PlayerReport; 2],
    /// What it took.
    pub work: Work,
    /// Whether it was stopped before the last ply.
    pub stopped: bool,
}

impl GameAnalysis {
    /// How the game stood at the start and after each ply analysed.
    pub fn points(&self) -> impl Iterator<Item = Point> + '_ {
        let after = self.plies.iter().map(|ply| Point {
            south: ply.played.score_for(Side::South),
            chances: ply.played.chances_for(Side::South),
        });
        self.start.into_iter().chain(after)
    }
}

impl Analyst {
    /// Analyses a game from its beginning, with `lines` best moves for each ply (at least one),
    /// and tells `on_ply` how many plies are done, of how many. Stopped, it gives what it has.
    ///
    /// # Errors
    /// When an endgame table cannot be read or is damaged.
    pub fn game(
        &mut self,
        game: &Game,
        effort: &Effort,
        lines: usize,
        control: &Control,
        on_ply: &mut dyn FnMut(usize, usize),
    ) -> Result<GameAnalysis, TableError> {
        self.clear();
        let length = game.plies().len();
        let mut analysis = GameAnalysis {
            start: None,
            plies: Vec::new(),
            length,
            ending: game.ending(),
            players: Default::default(),
            work: Work::default(),
            stopped: false,
        };
        let mut now = Game::from_position(*game.start());
        for played in game.plies() {
            on_ply(analysis.plies.len(), length);
            let (ply, work) = self.ply(&mut now, played.mv, effort, lines, control)?;
            analysis.work.add(work);
            // What a stopped search says would look like the rest and be worth less.
            let Some(ply) = ply.filter(|_| !control.is_stopped()) else { break };
            if analysis.start.is_none() {
                analysis.start = Some(point(ply.best()));
            }
            analysis.players[ply.side.index()].add(&ply);
            analysis.plies.push(ply);
            now.play_quick(played.mv).expect("the game was played before");
        }
        if length == 0 {
            analysis.start = self.standing(game, effort, control, &mut analysis.work)?;
        }
        analysis.stopped = analysis.plies.len() < length || (length == 0 && control.is_stopped());
        Ok(analysis)
    }

    /// How a game without moves stands.
    fn standing(
        &mut self,
        game: &Game,
        effort: &Effort,
        control: &Control,
        work: &mut Work,
    ) -> Result<Option<Point>, TableError> {
        if let Some(ending) = game.ending() {
            let south = Score::whole(ahead(&ending, Side::South));
            return Ok(Some(Point { south, chances: certain(result_for(&ending, Side::South)) }));
        }
        let found = self.position(game, effort, 1, control)?;
        work.add(found.work);
        Ok(found.moves.first().map(point))
    }

    fn ply(
        &mut self,
        now: &mut Game,
        mv: oware_rules::Move,
        effort: &Effort,
        lines: usize,
        control: &Control,
    ) -> Result<(Option<PlyAnalysis>, Work), TableError> {
        let (number, side) = (now.plies().len() + 1, now.position().to_move());
        let legal = now.legal_moves();
        let (mut best, mut work) = self.values(now, legal, lines, effort, control)?;
        let played = match best.iter().find(|value| value.mv == mv) {
            Some(value) => value.clone(),
            None => {
                let only: MoveSet = [mv].into_iter().collect();
                let (mut own, more) = self.values(now, only, 1, effort, control)?;
                work.add(more);
                let Some(value) = own.pop() else { return Ok((None, work)) };
                value
            }
        };
        // Looked at alone a move can turn out better than what was thought best.
        if best.first().is_none_or(|first| played.score > first.score) {
            best.retain(|value| value.mv != mv);
            best.insert(0, played.clone());
            best.truncate(lines.max(1));
        }
        let (lost, given_away) = (lost(&best[0], &played), given_away(&best[0], &played));
        let label = Label::of(&best[0], &played);
        let legal = legal.len();
        let ply = PlyAnalysis { number, side, legal, played, best, lost, given_away, label };
        Ok((Some(ply), work))
    }
}

/// How a game stands where this is the best move.
fn point(best: &MoveValue) -> Point {
    Point { south: best.score_for(Side::South), chances: best.chances_for(Side::South) }
}
