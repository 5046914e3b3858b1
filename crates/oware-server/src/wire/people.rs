//! People: who one is, accounts, sessions, ratings, profiles.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Pace;

/// Who the session belongs to (`GET /api/v1/me`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Me {
    /// The player, with or without an account; empty while there is no session.
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
    /// When the server will be started again, if that was announced.
    pub restart_at: Option<i64>,
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

/// `PUT /api/v1/me/password`: changes the password and ends all other sessions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewPassword {
    /// The one in use.
    pub old: String,
    /// 8 to 200 characters.
    pub new: String,
}

/// `DELETE /api/v1/me`: deletes the account and what is kept of its player; games that are over
/// stay without the name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Farewell {
    /// The account's password.
    pub password: String,
}

/// `PUT /api/v1/me/language`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LanguageWish {
    /// `en`, `fr` or `ja`.
    pub language: String,
}

/// A rating after a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RatingPoint {
    /// The game.
    pub game: String,
    /// The rating after it.
    pub rating: f64,
    /// When it ended.
    pub at: i64,
}

/// A line of the table of the highest ratings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Leader {
    /// The account.
    pub name: String,
    /// Its rating.
    pub rating: RatingView,
}

/// How one stands to an account (`GET /api/v1/me/relations`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RelationView {
    /// The account.
    pub name: String,
    /// One wants no games with it.
    pub blocked: bool,
    /// One does not want to read what it says.
    pub muted: bool,
}

/// `POST /api/v1/players/{name}/reports`: tells the administrators about an account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewReport {
    /// `unfair`, `rude`, `other`.
    pub reason: String,
    /// A game in which the account plays.
    #[serde(default)]
    pub game: Option<String>,
}

/// A report, for administrators.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReportView {
    /// What to call it when it shall be closed.
    pub id: String,
    /// The name of who reports; none for somebody without an account.
    pub by: Option<String>,
    /// The name of who is reported.
    pub about: Option<String>,
    /// The game it is about.
    pub game: Option<String>,
    /// `unfair`, `rude`, `other`.
    pub reason: String,
    /// When it was sent.
    pub at: i64,
}

/// `POST /api/v1/admin/claim`: makes the session's account the first administrator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// What the server printed when it started.
    pub token: String,
}

/// `POST /api/v1/admin/announcement`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AnnouncementWish {
    /// What everybody is told, 1 to 500 characters; null takes it back.
    pub text: Option<String>,
}

/// `POST /api/v1/admin/restart`: announces a restart; whoever runs the server does it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RestartWish {
    /// In how many milliseconds, 0 to 86,400,000; null takes it back.
    pub in_ms: Option<i64>,
}

/// `POST /api/v1/admin/bans`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Ban {
    /// The account.
    pub name: String,
    /// Why, for the log; at most 500 characters.
    #[serde(default)]
    pub reason: String,
}
