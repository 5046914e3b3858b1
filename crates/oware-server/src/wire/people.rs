//! People: who one is, accounts, sessions, ratings, profiles.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Pace;

/// Who the session belongs to (`GET /api/v1/me`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Me {
    /// The player, with or without an account.
    pub player: String,
    /// The account's name.
    pub name: Option<String>,
    /// Whether the account administers the site.
    pub admin: bool,
    /// The language chosen (`en`, `fr`, `ja`), if any.
    pub language: Option<String>,
    /// How many games wait for a move of theirs.
    pub turns: u32,
    /// What the administrator has to say.
    pub announcement: Option<String>,
}

/// `POST /api/v1/accounts`: makes the session's player an account, which keeps the games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewAccount {
    /// 3 to 20 letters, digits, `-` and `_`, beginning with a letter; unique without regard
    /// to case.
    pub name: String,
    /// 8 to 200 characters.
    pub password: String,
}

/// `POST /api/v1/sessions`: signs in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SignIn {
    /// The account's name.
    pub name: String,
    /// Its password.
    pub password: String,
}

/// One session of an account (`GET /api/v1/sessions`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SessionView {
    /// What to call it when it shall be ended.
    pub id: String,
    /// The browser, as it calls itself (cut at 200 characters).
    pub agent: String,
    /// When it began.
    pub created_at: i64,
    /// When it was last used.
    pub seen_at: i64,
    /// Whether it is the one that asks.
    pub current: bool,
}

/// A rating (Glicko-2).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RatingView {
    /// Which.
    pub pace: Pace,
    /// The rating, 1,500 at first.
    pub rating: f64,
    /// Its deviation, 500 at first.
    pub deviation: f64,
    /// Whether the deviation is 110 or more.
    pub provisional: bool,
    /// Rated games.
    pub games: u32,
}

/// An account as everybody sees it (`GET /api/v1/players/{name}`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Profile {
    /// The name.
    pub name: String,
    /// When it was made.
    pub created_at: i64,
    /// Its ratings.
    pub ratings: Vec<RatingView>,
    /// Games won, drawn and lost.
    pub results: [u32; 3],
    /// Whether the asking session blocks it.
    pub blocked: bool,
    /// Whether the asking session does not want to read what it says.
    pub muted: bool,
}
