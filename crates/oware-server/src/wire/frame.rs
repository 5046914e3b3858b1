//! The frames of the socket at `/api/v1/socket`: one JSON object in one text frame.
//!
//! A socket serves one tab: it watches any number of games and the lobby. Everything that
//! happens in a watched game arrives as an event with its number, in order and without a gap;
//! a client that lost the line watches again from the last number it has. What a client asks
//! for has an `id` of its own choosing, and is answered by `ack` or `refused` with that id. The
//! id of an action is kept with the game: the same action again is acknowledged again and done
//! once.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Action, Fault, GameEvent, GameSummary, GameView, Side};

/// What a client sends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "t", rename_all = "snake_case")]
pub enum ClientFrame {
    /// Wants to see a game: answered by a snapshot, or by the events after `seq`.
    Watch {
        /// The game.
        game: String,
        /// The number of the last event the client has; a snapshot is sent if left out.
        #[serde(default)]
        seq: Option<u32>,
    },
    /// Does not want to see it any longer.
    Unwatch {
        /// The game.
        game: String,
    },
    /// Does something in a game.
    Act {
        /// What the client calls it: 1 to 40 letters, digits, `-` and `_`, never used for
        /// another action of this game.
        id: String,
        /// The game.
        game: String,
        /// What.
        #[serde(flatten)]
        action: Action,
    },
    /// Wants to see the lobby, or no longer.
    Lobby {
        /// Which.
        on: bool,
    },
    /// Is there, and wants to know the server's time.
    Ping {
        /// Comes back in the answer.
        n: u32,
    },
}

/// What the server sends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "t", rename_all = "snake_case")]
pub enum ServerFrame {
    /// The first frame.
    Hello {
        /// The server's time.
        now: i64,
        /// Changes when the server was started again.
        boot: String,
        /// The version of the program.
        version: String,
    },
    /// A game as it is.
    Snapshot {
        /// The game.
        game: Box<GameView>,
    },
    /// Something happened in a watched game.
    Event {
        /// The game.
        game: String,
        /// What (boxed: it is large).
        event: Box<GameEvent>,
    },
    /// Somebody came to a watched game or left it. Has no number and is not kept.
    Presence {
        /// The game.
        game: String,
        /// Which sides are there, South's first.
        online: [bool; 2],
        /// When the other player may claim the game, for each side that stays away.
        claim_at: [Option<i64>; 2],
        /// How many tabs watch that are no player's.
        watchers: u32,
    },
    /// What the client asked for is done, and committed.
    Ack {
        /// What the client called it.
        id: String,
        /// The game.
        game: String,
        /// The number of the (first) event it caused.
        seq: u32,
    },
    /// What the client asked for is not done, and nothing changed.
    Refused {
        /// What the client called it; none for a frame that could not be read.
        id: Option<String>,
        /// The game, where there is one.
        game: Option<String>,
        /// Why.
        fault: Fault,
    },
    /// The open games of the lobby, all of them.
    Lobby {
        /// Newest first.
        seeks: Vec<GameSummary>,
        /// How many sockets are open.
        people: u32,
    },
    /// It is the receiver's turn in one of their games, or one ended or began.
    Turn {
        /// The game.
        game: String,
        /// The side to move; none when it is over.
        to_move: Option<Side>,
    },
    /// A word of the administrator to everybody.
    Announcement {
        /// The text; none takes it back.
        text: Option<String>,
        /// When the server will be started again, if it will.
        restart_at: Option<i64>,
    },
    /// The server stops; the socket is closed with code 1012 after this.
    Restarting {},
    /// The session was ended elsewhere; the socket is closed with code 4001 after this.
    Revoked {},
    /// The answer to a ping.
    Pong {
        /// From the ping.
        n: u32,
        /// The server's time.
        now: i64,
        /// The line's lag there and back as the server measured it, if it has.
        lag_ms: Option<u32>,
    },
}
