//! What happens in a game, as it is kept.

use serde::{Deserialize, Serialize};

use super::Damaged;
use crate::clock::Millis;
use crate::store::EventRow;
use crate::wire::{OfferKind, Side};

/// The version of the JSON in the store. A later one that cannot be read as this one gets
/// another number, and a reader for both.
const VERSION: u8 = 1;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// By the rules, which the moves tell.
    Rules,
    /// The loser resigned.
    Resigned,
    /// The loser's time was over.
    Time,
    /// The loser left.
    Abandoned,
    /// Both agreed on a draw.
    DrawAgreed,
    /// Both agreed that play goes round.
    LoopAgreed,
    /// It was ended before it really began; nobody lost.
    Aborted,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Event {
    /// A player took the open seat.
    Joined {
        /// Which.
        side: Side,
        /// Who, by id.
        player: String,
    },
    /// A move.
    Moved {
        /// From 1.
        ply: u32,
        /// The letter of the house.
        house: char,
        /// What the clock took, after compensation; none where no clock ran.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        spent_ms: Option<Millis>,
        /// What was given back for lag.
        #[serde(skip_serializing_if = "is_zero", default)]
        lag_ms: Millis,
        /// The clocks after it, South's first.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        left_ms: Option<[Millis; 2]>,
    },
    /// An offer was made.
    Offered {
        /// By whom.
        by: Side,
        /// What.
        offer: OfferKind,
    },
    /// The offer was declined, taken back or lapsed.
    Declined {
        /// By whom.
        by: Side,
        /// What.
        offer: OfferKind,
    },
    /// Moves were taken back.
    TakenBack {
        /// How many.
        plies: u32,
        /// The clocks then.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        left_ms: Option<[Millis; 2]>,
    },
    /// The game ended.
    Ended {
        /// How.
        end: End,
        /// Who did it, where somebody did.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        by: Option<Side>,
        /// Who lost by resignation, time or absence.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        loser: Option<Side>,
        /// The clocks then.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        left_ms: Option<[Millis; 2]>,
    },
    /// The server was away, and the clocks were moved.
    ClockShifted {
        /// How long.
        away_ms: Millis,
        /// What each got on top.
        gift_ms: Millis,
        /// The clocks then; none in games by days, whose term moves by the time away.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        left_ms: Option<[Millis; 2]>,
    },
    /// A phrase.
    Said {
        /// By whom.
        by: Side,
        /// Which.
        phrase: String,
    },
    /// Somebody wants a rematch.
    RematchWished {
        /// Who.
        by: Side,
    },
    /// The game that follows.
    Next {
        /// Its id.
        game: String,
        /// Whether it is a rematch; else the match goes on.
        rematch: bool,
    },
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_zero(value: &Millis) -> bool {
    *value == 0
}

/// An event with its number and time, and who did it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamped {
    /// From 1, without a gap.
    pub seq: u32,
    /// When.
    pub at: Millis,
    /// Whose action it is, and what the client called it. Of several events of one action only
    /// the first has it.
    pub action: Option<(String, String)>,
    /// What.
    pub event: Event,
}

#[derive(Serialize, Deserialize)]
struct Body {
    v: u8,
    #[serde(flatten)]
    event: Event,
}

impl Stamped {
    /// As the store keeps it.
    ///
    /// # Panics
    /// Never: an event has nothing that JSON could not say.
    #[must_use]
    pub fn row(&self) -> EventRow {
        let ply = match self.event {
            Event::Moved { ply, .. } => Some(ply),
            _ => None,
        };
        let body = Body { v: VERSION, event: self.event.clone() };
        EventRow {
            seq: self.seq,
            at: self.at,
            ply,
            retracted: false,
            action: self.action.clone(),
            body: serde_json::to_string(&body).expect("events are plain data"),
        }
    }

    /// From the store.
    ///
    /// # Errors
    /// When the text is no event of a version that is known.
    pub fn of_row(game: &str, row: &EventRow) -> Result<Stamped, Damaged> {
        let damaged = |why: String| Damaged {
            game: game.to_owned(),
            why: format!("event {}: {why}", row.seq),
        };
        let body: Body =
            serde_json::from_str(&row.body).map_err(|error| damaged(error.to_string()))?;
        if body.v != VERSION {
            return Err(damaged(format!("version {}, expected {VERSION}", body.v)));
        }
        Ok(Stamped { seq: row.seq, at: row.at, action: row.action.clone(), event: body.event })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stamped(event: Event) -> Stamped {
        let action = Some(("p".to_owned(), "a-1".to_owned()));
        Stamped { seq: 7, at: 1_700_000_000_000, action, event }
    }

    #[test]
    fn every_event_reads_back() {
        let (by, left_ms) = (Side::North, Some([61_000, -1]));
        let events = [
            Event::Joined { side: by, player: "abc".into() },
            Event::Moved { ply: 3, house: 'f', spent_ms: Some(5), lag_ms: 2, left_ms },
            Event::Moved { ply: 1, house: 'A', spent_ms: None, lag_ms: 0, left_ms: None },
            Event::Offered { by, offer: OfferKind::Loop },
            Event::Declined { by, offer: OfferKind::Takeback },
            Event::TakenBack { plies: 2, left_ms },
            Event::Ended { end: End::Time, by: None, loser: Some(Side::South), left_ms },
            Event::ClockShifted { away_ms: 5, gift_ms: 6, left_ms: None },
            Event::Said { by, phrase: "oops".into() },
            Event::RematchWished { by },
            Event::Next { game: "g".into(), rematch: true },
        ];
        for event in events {
            let stamped = stamped(event);
            let row = stamped.row();
            assert!(row.body.contains("\"v\":1"), "{}", row.body);
            assert_eq!(Stamped::of_row("g", &row), Ok(stamped), "{}", row.body);
        }
    }

    #[test]
    fn kept_text_stays_readable() {
        // As the first release wrote it.
        let body = r#"{"v":1,"kind":"moved","ply":3,"house":"C","spent_ms":1200,"left_ms":[9,8]}"#;
        let row = EventRow {
            seq: 4,
            at: 9,
            ply: Some(3),
            retracted: false,
            action: None,
            body: body.into(),
        };
        let event = Stamped::of_row("g", &row).unwrap().event;
        let left_ms = Some([9, 8]);
        let expected =
            Event::Moved { ply: 3, house: 'C', spent_ms: Some(1200), lag_ms: 0, left_ms };
        assert_eq!(event, expected);
    }

    #[test]
    fn a_later_version_is_refused_by_name() {
        let mut row = stamped(Event::RematchWished { by: Side::South }).row();
        row.body = row.body.replace("\"v\":1", "\"v\":2");
        let fault = Stamped::of_row("g", &row).unwrap_err();
        assert!(fault.to_string().contains("version 2, expected 1"), "{fault}");
    }
}
