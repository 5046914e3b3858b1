//! Why an action is refused.

use oware_rules::{GameError, House, PlayError};

use crate::wire::Fault;

/// What is in the store does not make a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("game {game}: {why}")]
pub struct Damaged {
    /// Which.
    pub game: String,
    /// What is wrong.
    pub why: String,
}

/// Why an action is refused. Nothing has changed then.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// There is no such game.
    #[error("there is no such game")]
    NotFound,
    /// The action is a player's, and whoever asks plays no side of it.
    #[error("you are not a player of this game")]
    NotYours,
    /// The other side is to move.
    #[error("it is the other player's turn")]
    NotYourTurn,
    /// The rules forbid the move.
    #[error("{0}")]
    Illegal(PlayError),
    /// The ply was played already, or is not due yet.
    #[error("ply {asked} is not the next one, which is {next}")]
    Stale {
        /// The ply asked for.
        asked: u32,
        /// The ply that is next.
        next: u32,
    },
    /// The game changed at the same time; look at it again.
    #[error("the game has changed; look at it again")]
    Changed,
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// Nobody sits opposite yet.
    #[error("the game has not begun: a seat is open")]
    Waiting,
    /// There is no offer that could be answered.
    #[error("there is no offer to answer")]
    NoOffer,
    /// The seat is not open, or not for whoever asks.
    #[error("{0}")]
    Forbidden(&'static str),
    /// Somebody else was faster.
    #[error("the seat is taken")]
    Taken,
    /// It needs an account.
    #[error("rated games need an account: sign in first")]
    NotSignedIn,
    /// Too often.
    #[error("{0}")]
    TooMany(&'static str),
    /// A field is wrong.
    #[error("{field}: {why}")]
    Field {
        /// Which.
        field: &'static str,
        /// What is wrong and what was expected.
        why: String,
    },
    /// The server has too much to do.
    #[error("the server is busy; try again")]
    Busy,
    /// The server stops.
    #[error("the server is being started again; try again in a moment")]
    Restarting,
    /// The server could not keep it.
    #[error("the server could not keep this; try again")]
    Internal,
}

impl Refusal {
    /// A wrong field.
    pub fn field(field: &'static str, why: impl Into<String>) -> Refusal {
        Refusal::Field { field, why: why.into() }
    }

    /// What was refused by the rules, for the house that was asked for.
    #[must_use]
    pub fn of_rules(error: GameError, house: House) -> Refusal {
        match error {
            GameError::Play(PlayError::NotYours(_)) => Refusal::NotYourTurn,
            GameError::Play(PlayError::GameOver(_)) | GameError::Over(_) => Refusal::Over,
            GameError::Play(error) => Refusal::Illegal(error),
            _ => Refusal::Illegal(PlayError::EmptyHouse(house)),
        }
    }

    /// The code of [`Fault`].
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Refusal::NotFound => "not_found",
            Refusal::NotYours => "not_yours",
            Refusal::NotYourTurn => "not_your_turn",
            Refusal::Illegal(_) => "illegal_move",
            Refusal::Stale { .. } | Refusal::Changed => "stale",
            Refusal::Over => "game_over",
            Refusal::NoOffer => "no_offer",
            Refusal::Waiting | Refusal::Forbidden(_) => "forbidden",
            Refusal::Taken => "taken",
            Refusal::NotSignedIn => "not_signed_in",
            Refusal::TooMany(_) => "too_many",
            Refusal::Field { .. } => "bad_field",
            Refusal::Busy => "busy",
            Refusal::Restarting => "restarting",
            Refusal::Internal => "internal",
        }
    }

    /// As it goes over the wire.
    #[must_use]
    pub fn fault(&self) -> Fault {
        let field = match self {
            Refusal::Field { field, .. } => Some((*field).to_owned()),
            Refusal::Illegal(_) => Some("house".to_owned()),
            Refusal::Stale { .. } => Some("ply".to_owned()),
            _ => None,
        };
        Fault { code: self.code().to_owned(), field, message: self.to_string() }
    }
}
