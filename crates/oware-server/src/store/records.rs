//! The rows: plain data, as the store keeps and gives it.

use oware_rules::Side;

use crate::clock::Millis;
use crate::wire::{CountsWish, Ending, Pace, Status, TimeControl};

/// Who may take the open seat of a game that waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Door {
    /// Anybody: it is listed in the lobby.
    Lobby,
    /// Whoever has the link.
    Link,
    /// This player.
    Player(String),
    /// Nobody: there is no open seat.
    Closed,
}

/// Who sits at a side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SeatRow {
    /// Nobody yet.
    Open,
    /// A player, by id.
    Player(String),
    /// The computer.
    Computer {
        /// 1 to 12.
        level: u8,
        /// What its choices are drawn from.
        seed: u64,
    },
}

/// Which game of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchRow {
    /// The match.
    pub id: String,
    /// From 1.
    pub number: u8,
    /// How many games it has.
    pub games: u8,
}

/// A game: what was agreed, and a summary of where it stands. What happened in it is in its
/// events, from which the rest follows.
#[derive(Clone, Debug, PartialEq)]
pub struct GameRow {
    /// Eight letters and digits.
    pub id: String,
    /// The number of its last event.
    pub seq: u32,
    /// Where it stands.
    pub status: Status,
    /// The rules' identifier.
    pub rules: String,
    /// The first position, if it is not the start.
    pub start: Option<String>,
    /// How time is counted.
    pub time: TimeControl,
    /// Whether ratings change by it.
    pub rated: bool,
    /// When counts may be shown.
    pub counts: CountsWish,
    /// South and North.
    pub seats: [SeatRow; 2],
    /// Who made it.
    pub creator: String,
    /// Who may take the open seat.
    pub door: Door,
    /// The match.
    pub match_: Option<MatchRow>,
    /// Plies that stand.
    pub plies: u32,
    /// The position now.
    pub position: String,
    /// Whose turn it is.
    pub to_move: Side,
    /// When the mover's time is over, where it runs.
    pub due_at: Option<Millis>,
    /// The end, if it is over.
    pub ending: Option<Ending>,
    /// When it was made.
    pub created_at: Millis,
    /// When its last event was.
    pub updated_at: Millis,
}

/// Something that happened in a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventRow {
    /// From 1, without a gap.
    pub seq: u32,
    /// When.
    pub at: Millis,
    /// The ply, if it is a move. Among the moves of a game that are not retracted no ply
    /// occurs twice.
    pub ply: Option<u32>,
    /// Whether it is a move that was taken back.
    pub retracted: bool,
    /// Who did it and what the client called it; in a game no pair occurs twice.
    pub action: Option<(String, String)>,
    /// What, in the store's own JSON.
    pub body: String,
}

/// A game to be rated with the write that ends it.
#[derive(Clone, Debug, PartialEq)]
pub struct Rate {
    /// Which ratings.
    pub pace: Pace,
    /// South's and North's players.
    pub players: [String; 2],
    /// South's result: 1, 0.5 or 0.
    pub south: f64,
}

/// How a rating changed by a game.
#[derive(Clone, Debug, PartialEq)]
pub struct RatingChange {
    /// The game.
    pub game: String,
    /// The rating before it.
    pub before: f64,
    /// And after it.
    pub after: f64,
    /// When it ended.
    pub at: Millis,
}

/// A write to the games.
#[derive(Clone, Debug, PartialEq)]
pub enum Write {
    /// A new game, with its first events.
    Create(Box<GameRow>, Vec<EventRow>),
    /// More events of a game.
    Append {
        /// The game as it is after them; `row.seq` is the number of the last of them.
        row: Box<GameRow>,
        /// The events; the first one's number follows that of the last one kept.
        events: Vec<EventRow>,
        /// Retracts the moves from this ply on before the events are added.
        retract_from: Option<u32>,
        /// Rates the game.
        rate: Option<Rate>,
    },
}

/// A write that was accepted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Written {
    /// How the ratings changed, South's first: before and after, where the game was rated.
    pub ratings: Option<[(f64, f64); 2]>,
}

/// Why a write was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WriteRefused {
    /// The game has another last event than expected (or a ply, or an id, is in use).
    Conflict,
    /// The same player did an action with this id already: this is the event's number.
    Repeated(u32),
}

/// Which games are looked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameFilter {
    /// With this player.
    pub player: Option<String>,
    /// And this one.
    pub opponent: Option<String>,
    /// Offered to this player by name, whether or not anybody sat down.
    pub invited: Option<String>,
    /// In this state.
    pub status: Option<Status>,
    /// Under these rules.
    pub rules: Option<String>,
    /// Rated or not.
    pub rated: Option<bool>,
    /// In the lobby.
    pub in_lobby: bool,
    /// Last changed before this: (`updated_at`, `id`) of the last one already seen.
    pub before: Option<(Millis, String)>,
    /// At most this many, 100 at most.
    pub limit: u32,
}

/// What an account may and may not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Administers the site.
    pub admin: bool,
    /// May not play, sign in or speak.
    pub banned: bool,
}

/// A player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerRow {
    /// The id.
    pub id: String,
    /// The account's name.
    pub name: Option<String>,
    /// The password's hash (argon2id, in its own text form).
    pub password: Option<String>,
    /// What it may.
    pub standing: Standing,
    /// The language chosen.
    pub language: Option<String>,
    /// When it was made.
    pub created_at: Millis,
}

/// A session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionRow {
    /// Its name, which is no secret.
    pub id: String,
    /// The hash of its secret (BLAKE3, hexadecimal).
    pub secret_hash: String,
    /// Whose.
    pub player: String,
    /// The browser, as it calls itself.
    pub agent: String,
    /// When it began.
    pub created_at: Millis,
    /// When it was last used.
    pub seen_at: Millis,
}

/// How a player stands to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// Wants no games with them.
    Blocks,
    /// Does not want to read what they say.
    Mutes,
}

/// A report of a player about another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportRow {
    /// The report.
    pub id: String,
    /// Who reports.
    pub by: String,
    /// Whom.
    pub about: String,
    /// The game it is about.
    pub game: Option<String>,
    /// `unfair`, `rude`, `other`.
    pub reason: String,
    /// When.
    pub at: Millis,
}
