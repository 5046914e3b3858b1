//! A game at one table: who plays each side, and what a front end does with it.

use oware_rules::{
    Ending, Game, GameError, House, MatchEnd, Move, MoveReport, OfferKind, Position, Side,
};
use oware_search::Control;
use oware_tables::TableError;

use crate::knowledge::Verdict;
use crate::{Choice, Computer, Knowledge, Level};

/// Who plays a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Player {
    /// Somebody at the table.
    Person,
    /// The computer, at a level.
    Computer(Level),
}

impl Player {
    /// The name in records and on the command line: `person`, or the level's number.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Player::Person => "person",
            Player::Computer(level) => level.name(),
        }
    }
}

impl std::str::FromStr for Player {
    /// What was expected.
    type Err = String;

    fn from_str(text: &str) -> Result<Player, String> {
        match text {
            "person" => Ok(Player::Person),
            _ => text
                .parse()
                .map(Player::Computer)
                .map_err(|_| format!("expected person or {}", Level::expected())),
        }
    }
}

/// A move that was played, with what a display needs to show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The position before it.
    pub before: Position,
    /// What it did.
    pub report: MoveReport,
    /// The end, if it ended the game.
    pub ending: Option<Ending>,
}

/// What came of an offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OfferAnswer {
    /// The computer accepted; the game is over.
    Accepted(Ending),
    /// The computer declined.
    Declined,
    /// A person has to answer.
    Waits,
}

/// A game with its players.
#[derive(Clone, Debug)]
pub struct Table {
    game: Game,
    players: [Player; 2],
    seed: u64,
    knowledge: Option<Knowledge>,
}

impl Table {
    /// Sits players (South first) down at a game. The seed fixes the computer's moves.
    #[must_use]
    pub const fn new(game: Game, players: [Player; 2], seed: u64) -> Table {
        Table { game, players, seed, knowledge: None }
    }

    /// Puts endgame tables on the table, or takes them away. They must be those of the game's
    /// rules.
    pub fn set_knowledge(&mut self, knowledge: Option<Knowledge>) {
        self.knowledge = knowledge;
    }

    /// The endgame tables at hand.
    #[must_use]
    pub const fn knowledge(&self) -> Option<&Knowledge> {
        self.knowledge.as_ref()
    }

    /// What the endgame tables say of the position; `None` where they say nothing.
    ///
    /// # Errors
    /// When a table cannot be read or is damaged.
    pub fn verdict(&self) -> Result<Option<Verdict>, TableError> {
        match &self.knowledge {
            Some(knowledge) => knowledge.verdict(&self.game),
            None => Ok(None),
        }
    }

    /// The game.
    #[must_use]
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// Who plays a side.
    #[must_use]
    pub const fn player(&self, side: Side) -> Player {
        self.players[side.index()]
    }

    /// The seed of the computer's moves.
    #[must_use]
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// The computer that is to move, if the game runs and it is one's turn.
    #[must_use]
    pub fn computer_to_move(&self) -> Option<Computer> {
        match self.player(self.game.position().to_move()) {
            Player::Computer(level) if !self.game.is_over() => {
                Some(Computer::new(level, self.seed))
            }
            _ => None,
        }
    }

    /// The person whom a command of the table means: who is to move, or the only one there is.
    #[must_use]
    pub fn person(&self) -> Option<Side> {
        let to_move = self.game.position().to_move();
        [to_move, to_move.other()].into_iter().find(|&side| self.player(side) == Player::Person)
    }

    /// Plays the move of a house for the side to move.
    ///
    /// # Errors
    /// As [`Game::play_house`]; the game is then untouched.
    pub fn play(&mut self, house: House) -> Result<Turn, GameError> {
        let before = *self.game.position();
        let report = self.game.play_house(house)?;
        Ok(Turn { before, report, ending: self.game.ending() })
    }

    /// What a legal move would do, without playing it. Repetition is not looked at.
    #[must_use]
    pub fn preview(&self, mv: Move) -> Turn {
        let before = *self.game.position();
        Turn { before, report: before.report(mv), ending: before.ending_after(mv) }
    }

    /// The last move once more, for displays that come to it later.
    #[must_use]
    pub fn last_turn(&self) -> Option<Turn> {
        let plies = self.game.plies();
        let ply = plies.last()?;
        let before = *self.game.position_at(plies.len() - 1)?;
        Some(Turn { before, report: before.report(ply.mv), ending: self.game.ending() })
    }

    /// Takes back to the last time a person was to move: one ply at a table of two, the
    /// computer's answer and one's own move against it. An agreed end is taken back alone.
    /// Gives `false` if there is nothing to take back: the computer's opening alone is not.
    pub fn undo(&mut self) -> bool {
        let agreed = self.game.ending().is_some_and(|end| !end.reason.follows_from_moves());
        let by_person = |house: House| self.player(house.side()) == Player::Person;
        if !agreed && !self.game.houses_played().any(by_person) {
            return false;
        }
        let first = self.game.undo();
        if first && !agreed {
            while self.computer_to_move().is_some() && self.game.undo() {}
        }
        first
    }

    /// Does again what [`undo`](Self::undo) took back. Gives `false` if there is nothing.
    pub fn redo(&mut self) -> bool {
        let first = self.game.redo();
        if first {
            while self.computer_to_move().is_some() && self.game.redo() {}
        }
        first
    }

    /// A hint for the side to move; `None` when the game is over.
    #[must_use]
    pub fn hint(&self, control: &Control) -> Option<Choice> {
        crate::hint(&self.game, self.knowledge(), control)
    }

    /// Makes an offer for a person. A computer opposite answers at once, a person later.
    ///
    /// # Errors
    /// As [`Game::make_offer`].
    pub fn offer(
        &mut self,
        by: Side,
        kind: OfferKind,
        control: &Control,
    ) -> Result<OfferAnswer, GameError> {
        self.game.make_offer(by, kind)?;
        let other = by.other();
        let Player::Computer(level) = self.player(other) else {
            return Ok(OfferAnswer::Waits);
        };
        if Computer::new(level, self.seed).accepts(&self.game, other, kind, control) {
            return self.game.accept_offer(other).map(OfferAnswer::Accepted);
        }
        self.game.decline_offer(other)?;
        Ok(OfferAnswer::Declined)
    }

    /// Answers the offer that waits, for the player it was made to.
    ///
    /// # Errors
    /// When no offer waits.
    pub fn answer(&mut self, accept: bool) -> Result<Option<Ending>, GameError> {
        let (by, _) = self.game.offer().ok_or(GameError::NoOffer)?;
        if accept {
            return self.game.accept_offer(by.other()).map(Some);
        }
        self.game.decline_offer(by.other()).map(|_| None)
    }

    /// Resigns for a side.
    ///
    /// # Errors
    /// When the game is over.
    pub fn resign(&mut self, side: Side) -> Result<Ending, GameError> {
        self.game.end(MatchEnd::Resignation(side))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oware_rules::Rules;

    fn against_computer() -> Table {
        let players = [Player::Person, Player::Computer(Level::EASY)];
        Table::new(Game::new(Rules::ABAPA), players, 7)
    }

    #[test]
    fn undo_goes_back_to_the_person() {
        let control = Control::new();
        let mut table = against_computer();
        table.play("F".parse().unwrap()).unwrap();
        let choice =
            table.computer_to_move().unwrap().choose(table.game(), None, &control).unwrap();
        table.play(choice.house).unwrap();
        assert!(table.undo());
        assert!(table.game().plies().is_empty() && !table.undo());
        assert!(table.redo());
        assert_eq!(table.game().plies().len(), 2);
        table.resign(Side::South).unwrap();
        assert!(table.undo());
        assert_eq!((table.game().plies().len(), table.game().is_over()), (2, false));
    }

    #[test]
    fn the_computers_opening_is_not_taken_back() {
        let control = Control::new();
        let players = [Player::Computer(Level::EASY), Player::Person];
        let mut table = Table::new(Game::new(Rules::ABAPA), players, 7);
        let choice =
            table.computer_to_move().unwrap().choose(table.game(), None, &control).unwrap();
        table.play(choice.house).unwrap();
        assert!(!table.undo());
        assert_eq!(table.game().plies().len(), 1);
        let mv = table.game().legal_moves().iter().next().unwrap();
        table.play(House::of(Side::North, mv)).unwrap();
        assert!(table.undo());
        assert_eq!(table.game().plies().len(), 1);
    }

    #[test]
    fn a_computer_answers_and_a_person_is_asked() {
        let control = Control::new();
        let mut two = Table::new(Game::new(Rules::ABAPA), [Player::Person; 2], 0);
        let waits = two.offer(Side::South, OfferKind::Draw, &control).unwrap();
        assert_eq!(waits, OfferAnswer::Waits);
        assert_eq!(two.answer(false).unwrap(), None);
        assert_eq!(two.answer(true), Err(GameError::NoOffer));
        two.offer(Side::North, OfferKind::Draw, &control).unwrap();
        assert!(two.answer(true).unwrap().is_some());
        let mut table = against_computer();
        let answer = table.offer(Side::South, OfferKind::Draw, &control).unwrap();
        assert_ne!(answer, OfferAnswer::Waits);
        assert_eq!(table.game().is_over(), matches!(answer, OfferAnswer::Accepted(_)));
    }

    #[test]
    fn players_read_back() {
        for text in ["person", "1", "7", "12"] {
            assert_eq!(text.parse::<Player>().unwrap().name(), text);
        }
        for (old, name) in [("easy", "2"), ("medium", "5"), ("hard", "12")] {
            assert_eq!(old.parse::<Player>().unwrap().name(), name);
        }
        let refused = "strong".parse::<Player>().unwrap_err();
        assert!(refused.contains("person or a level from 1 to 12"), "{refused}");
    }
}
