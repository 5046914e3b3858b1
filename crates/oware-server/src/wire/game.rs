//! Games of the site: how one is asked for, what a client sees of it, and what happens in it.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{PlyView, PositionView, Side};

/// How time is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum TimeControl {
    /// Not at all.
    Unlimited,
    /// A clock each, and an increment after each move.
    Clock {
        /// Seconds at the start, 15 to 10,800.
        initial_s: u32,
        /// Seconds added after each move, 0 to 180.
        increment_s: u32,
    },
    /// Days for each move, 1 to 14.
    Days {
        /// Days a move.
        days: u8,
    },
}

/// What kinds of game have ratings of their own: by `initial_s + 40 * increment_s`, blitz is
/// below 300, rapid below 1,500, slow from there on; then games by days.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Pace {
    /// Below 5 minutes.
    Blitz,
    /// Below 25 minutes.
    Rapid,
    /// The longer ones.
    Slow,
    /// Days for each move.
    Correspondence,
}

/// Who shall sit opposite.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Opponent {
    /// The computer.
    Computer {
        /// 1 to 12.
        level: u8,
    },
    /// Two people at one device: both sides are the creator's.
    SameDevice,
    /// Whoever opens the link first.
    Link,
    /// Anybody, from the lobby.
    Anybody,
    /// An account, by name, who may accept or decline.
    Player {
        /// Its name.
        name: String,
    },
}

/// Which seat the creator takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SeatWish {
    /// South, who begins.
    South,
    /// North.
    North,
    /// Drawn by lot.
    #[default]
    Random,
}

/// When seed counts may be shown in a game: both players agree to it by playing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CountsWish {
    /// As each player likes.
    #[default]
    Free,
    /// Never, as on a wooden board.
    Never,
}

/// `POST /api/v1/games`: a new game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewGame {
    /// Who shall sit opposite.
    pub opponent: Opponent,
    /// Which seat the creator takes.
    #[serde(default)]
    pub seat: SeatWish,
    /// As in [`super::PositionRequest`].
    #[serde(default)]
    pub rules: Option<String>,
    /// Where to begin; only in games that are not rated.
    #[serde(default)]
    pub start: Option<String>,
    /// How time is counted. Unlimited if left out.
    #[serde(default)]
    pub time: Option<TimeControl>,
    /// Whether ratings change by it; both must have accounts, and time must be counted.
    #[serde(default)]
    pub rated: bool,
    /// When counts may be shown.
    #[serde(default)]
    pub counts: CountsWish,
    /// Games of the match, 1, 2, 4 or 6; starts alternate. 1 if left out.
    #[serde(default)]
    pub games: Option<u8>,
}

/// Who sits at a side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Seat {
    /// `person`, `computer`, or `open` while nobody sits there.
    pub kind: String,
    /// The account's name; none for somebody without one.
    pub name: Option<String>,
    /// The computer's level.
    pub level: Option<u8>,
    /// The rating at the start of a game between accounts, rounded.
    pub rating: Option<i32>,
    /// Whether it is provisional.
    pub provisional: bool,
    /// How the rating changed by the game.
    pub rating_change: Option<i32>,
    /// Whether a socket of theirs watches the game; true for a computer.
    pub online: bool,
    /// When the other player may claim the game, if they stay away.
    pub claim_at: Option<i64>,
}

/// Where a game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// A seat is open.
    Waiting,
    /// It is played.
    Playing,
    /// It is over (or aborted: see the reason of the ending).
    Over,
}

/// The clocks, by the server. What runs is counted down from `at`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ClockView {
    /// What each side has left, South's first.
    pub left_ms: [i64; 2],
    /// Whose clock runs; none before the second move and after the end.
    pub running: Option<Side>,
    /// The server's time at which `left_ms` was right.
    pub at: i64,
}

/// What a player offers the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum OfferKind {
    /// A draw.
    Draw,
    /// To end the game as a loop, shared by the rules' loop split.
    Loop,
    /// To take back the offerer's last move (and what followed).
    Takeback,
}

/// An offer that waits for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OfferView {
    /// Who made it.
    pub by: Side,
    /// What.
    pub offer: OfferKind,
}

/// Where a match stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct MatchView {
    /// The match.
    pub id: String,
    /// This game's number, from 1.
    pub game: u8,
    /// How many games it has.
    pub games: u8,
    /// Points before this game (a win 1, a draw 0.5), of this game's South and North.
    pub points: [f64; 2],
    /// Seeds taken before this game, of this game's South and North: the tie-break.
    pub seeds: [f64; 2],
    /// The next game, once there is one.
    pub next: Option<String>,
}

/// Everything a client needs to show a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct GameView {
    /// Eight letters and digits.
    pub id: String,
    /// The number of the last event contained in this view.
    pub seq: u32,
    /// Where it stands.
    pub status: Status,
    /// The rules, by their identifier.
    pub rules: String,
    /// The preset's name, where the rules are one.
    pub preset: Option<String>,
    /// How time is counted.
    pub time: TimeControl,
    /// Which ratings it belongs to; none without a clock.
    pub pace: Option<Pace>,
    /// Whether ratings change by it.
    pub rated: bool,
    /// When counts may be shown.
    pub counts: CountsWish,
    /// South.
    pub south: Seat,
    /// North.
    pub north: Seat,
    /// The sides that the asking session plays: none for a spectator, both at one device.
    pub you: Vec<Side>,
    /// The position before the first move.
    pub start: PositionView,
    /// The moves that stand (none of those taken back).
    pub plies: Vec<PlyView>,
    /// The position now.
    pub state: PositionView,
    /// The clocks, where there are any.
    pub clock: Option<ClockView>,
    /// The offer that waits.
    pub offer: Option<OfferView>,
    /// The match it belongs to.
    #[serde(rename = "match")]
    pub match_: Option<MatchView>,
    /// The rematch, once both want one.
    pub rematch: Option<String>,
    /// Which sides want a rematch.
    pub rematch_wishes: Vec<Side>,
    /// When it was created.
    pub created_at: i64,
    /// How many tabs watch that are no player's.
    pub watchers: u32,
    /// What was said and happened beside the moves, oldest first.
    pub log: Vec<GameEvent>,
}

/// Something that happened in a game. `seq` counts from 1 without a gap.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct GameEvent {
    /// Its number.
    pub seq: u32,
    /// When the server took it.
    pub at: i64,
    /// What.
    #[serde(flatten)]
    pub what: Happening,
}

/// What can happen in a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Happening {
    /// Somebody took the open seat; the game begins.
    Joined {
        /// Which.
        side: Side,
        /// Who.
        seat: Seat,
    },
    /// A move.
    Moved {
        /// The move (boxed: it is large).
        ply: Box<PlyView>,
        /// The position after it.
        state: Box<PositionView>,
        /// The clocks after it.
        clock: Option<ClockView>,
        /// What the client called it.
        id: String,
        /// What was given back for the line's lag.
        lag_ms: i64,
    },
    /// An offer was made.
    Offered {
        /// By whom.
        by: Side,
        /// What.
        offer: OfferKind,
    },
    /// An offer was declined, taken back, or lapsed by a move.
    Declined {
        /// By whom.
        by: Side,
        /// What.
        offer: OfferKind,
    },
    /// Moves were taken back.
    TakenBack {
        /// How many plies.
        plies: u32,
        /// The position then.
        state: Box<PositionView>,
        /// The clocks then.
        clock: Option<ClockView>,
    },
    /// The game ended.
    Ended {
        /// How.
        ending: super::Ending,
        /// Who did it (resigned, claimed, aborted), where somebody did.
        by: Option<Side>,
        /// The position with the rest shared out.
        state: Box<PositionView>,
        /// The clocks at the end.
        clock: Option<ClockView>,
        /// How the ratings changed, South's first.
        rating_change: Option<[i32; 2]>,
    },
    /// The clocks were moved because the server was away.
    ClockShifted {
        /// How long it was away.
        away_ms: i64,
        /// What each player got on top.
        gift_ms: i64,
        /// The clocks then.
        clock: Option<ClockView>,
    },
    /// Somebody said one of the fixed phrases.
    Said {
        /// Who.
        by: Side,
        /// Which: see [`PHRASES`].
        phrase: String,
    },
    /// Somebody wants a rematch.
    RematchWished {
        /// Who.
        by: Side,
    },
    /// The next game of the match, or the rematch, is there.
    Next {
        /// Its id.
        game: String,
        /// Whether it is a rematch.
        rematch: bool,
    },
}

/// What can be said. The pages have the words.
pub const PHRASES: [&str; 10] = [
    "hello",
    "good_luck",
    "have_fun",
    "well_played",
    "nice_move",
    "thanks",
    "sorry",
    "oops",
    "one_moment",
    "goodbye",
];

/// What a player does in a game, over the socket and by `POST /api/v1/games/{id}/actions`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "action", rename_all = "snake_case", deny_unknown_fields)]
pub enum Action {
    /// Takes the open seat.
    Join,
    /// Plays a house.
    Move {
        /// The number of the ply, from 1: a move for a ply that was played already is refused
        /// as `stale` (unless it is the same move again, which is acknowledged again).
        ply: u32,
        /// The house, `A`..`F` or `a`..`f`.
        house: String,
        /// The lag that the client measured, for compensation; not more than the server
        /// measured itself counts.
        #[serde(default)]
        lag_ms: Option<u32>,
    },
    /// Offers something.
    Offer {
        /// What.
        offer: OfferKind,
        /// Which side, at one device; the only one otherwise.
        #[serde(default)]
        side: Option<Side>,
    },
    /// Accepts the offer that waits.
    Accept,
    /// Declines it, or takes back one's own.
    Decline,
    /// Resigns.
    Resign {
        /// Which side, at one device; the only one otherwise.
        #[serde(default)]
        side: Option<Side>,
    },
    /// Ends a game in which fewer than two moves were played, or that nobody joined.
    Abort,
    /// Claims the game: the other's time is over, or they stayed away.
    Claim,
    /// Says one of [`PHRASES`].
    Say {
        /// Which.
        phrase: String,
    },
    /// Wants a rematch (in a match that is over: another match).
    Rematch,
}

/// `POST /api/v1/games/{id}/actions`: the action, and what to call it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ActionRequest {
    /// As the `id` of a frame: with it the request can be sent again without doing it twice.
    #[serde(default)]
    pub id: Option<String>,
    /// What.
    #[serde(flatten)]
    pub action: Action,
}

/// The answer: what was asked for is done, and committed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ActionAnswer {
    /// The number of the (first) event it caused.
    pub seq: u32,
    /// The game after it.
    pub game: Box<GameView>,
}

/// A line of a list of games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct GameSummary {
    /// The game.
    pub id: String,
    /// Where it stands.
    pub status: Status,
    /// The preset's name, or the identifier of the rules.
    pub rules: String,
    /// How time is counted.
    pub time: TimeControl,
    /// Whether it is rated.
    pub rated: bool,
    /// South.
    pub south: Seat,
    /// North.
    pub north: Seat,
    /// The sides that the asking session plays.
    pub you: Vec<Side>,
    /// Plies played.
    pub plies: u32,
    /// The position now, in our notation.
    pub position: String,
    /// Whose turn it is.
    pub to_move: Side,
    /// Until when the player to move has time, in games by days and with clocks.
    pub due_at: Option<i64>,
    /// The end, if it is over.
    pub ending: Option<super::Ending>,
    /// Games of the match; 1 for a single game.
    pub games: u8,
    /// When it was created.
    pub created_at: i64,
    /// When the last thing happened.
    pub updated_at: i64,
}
