//! What a new game shall be, checked.

use oware_notation::read_position;
use oware_rules::{Game, Position, Rules};

use super::Refusal;
use crate::wire::{CountsWish, NewGame, Opponent, Pace, SeatWish, TimeControl};

/// Longest text for rules or a position.
const LONGEST: usize = 200;
/// Seconds of a clock at the start.
const INITIAL_S: std::ops::RangeInclusive<u32> = 15..=10_800;
/// Seconds added after a move.
const INCREMENT_S: std::ops::RangeInclusive<u32> = 0..=180;
/// Days for a move.
const DAYS: std::ops::RangeInclusive<u8> = 1..=14;
/// Levels of the computer.
const LEVELS: std::ops::RangeInclusive<u8> = 1..=12;
/// How many games a match may have.
const GAMES: [u8; 4] = [1, 2, 4, 6];

/// A new game that makes sense.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    /// Who shall sit opposite.
    pub opponent: Opponent,
    /// Which seat the creator takes.
    pub seat: SeatWish,
    /// The rules.
    pub rules: Rules,
    /// Where it begins, if that is not the usual start.
    pub start: Option<Position>,
    /// How time is counted.
    pub time: TimeControl,
    /// Whether ratings change by it.
    pub rated: bool,
    /// When counts may be shown.
    pub counts: CountsWish,
    /// Games of the match.
    pub games: u8,
}

impl Spec {
    /// Checks what was asked for.
    ///
    /// # Errors
    /// [`Refusal::Field`] with the first field that is wrong.
    pub fn of(asked: &NewGame) -> Result<Spec, Refusal> {
        if let Opponent::Computer { level } = &asked.opponent
            && !LEVELS.contains(level)
        {
            return Err(Refusal::field("opponent.level", format!("{level}: expected 1 to 12")));
        }
        let rules = rules(asked.rules.as_deref())?;
        let start = asked.start.as_deref().map(|text| start(text, rules)).transpose()?;
        let time = asked.time.unwrap_or(TimeControl::Unlimited);
        check_time(time)?;
        let games = asked.games.unwrap_or(1);
        if !GAMES.contains(&games) {
            return Err(Refusal::field("games", format!("{games}: expected 1, 2, 4 or 6")));
        }
        let spec = Spec {
            opponent: asked.opponent.clone(),
            seat: asked.seat,
            rules,
            start: start.filter(|start| *start != Position::start(rules)),
            time,
            rated: asked.rated,
            counts: asked.counts,
            games,
        };
        spec.check_rated()?;
        Ok(spec)
    }

    fn check_rated(&self) -> Result<(), Refusal> {
        let why = match (&self.opponent, self.time) {
            _ if !self.rated => return Ok(()),
            (Opponent::Computer { .. } | Opponent::SameDevice, _) => {
                "rated games are between two accounts"
            }
            (_, TimeControl::Unlimited) => "rated games count time: expected a clock or days",
            _ if self.start.is_some() => "rated games begin from the usual start",
            _ => return Ok(()),
        };
        Err(Refusal::field("rated", why))
    }
}

fn rules(text: Option<&str>) -> Result<Rules, Refusal> {
    match text {
        None => Ok(Rules::ABAPA),
        Some(text) if text.len() > LONGEST => {
            Err(Refusal::field("rules", format!("expected at most {LONGEST} characters")))
        }
        Some(text) => text
            .parse()
            .map_err(|error: oware_rules::RulesError| Refusal::field("rules", error.to_string())),
    }
}

fn start(text: &str, rules: Rules) -> Result<Position, Refusal> {
    if text.len() > LONGEST {
        return Err(Refusal::field("start", format!("expected at most {LONGEST} characters")));
    }
    let position = read_position(text)
        .and_then(|read| read.resolve(None, rules))
        .map_err(|error| Refusal::field("start", error.to_string()))?;
    match Game::from_position(position).ending() {
        Some(ending) => {
            let why = format!("the game would be over at once ({})", ending.reason);
            Err(Refusal::field("start", why))
        }
        None => Ok(position),
    }
}

fn check_time(time: TimeControl) -> Result<(), Refusal> {
    match time {
        TimeControl::Clock { initial_s, .. } if !INITIAL_S.contains(&initial_s) => {
            let why = format!("{initial_s}: expected 15 to 10800 seconds");
            Err(Refusal::field("time.initial_s", why))
        }
        TimeControl::Clock { increment_s, .. } if !INCREMENT_S.contains(&increment_s) => {
            let why = format!("{increment_s}: expected 0 to 180 seconds");
            Err(Refusal::field("time.increment_s", why))
        }
        TimeControl::Days { days } if !DAYS.contains(&days) => {
            Err(Refusal::field("time.days", format!("{days}: expected 1 to 14 days")))
        }
        _ => Ok(()),
    }
}

/// Which ratings a game belongs to, by the length of a game of forty moves a side; none without
/// a clock.
#[must_use]
pub const fn pace(time: TimeControl) -> Option<Pace> {
    match time {
        TimeControl::Unlimited => None,
        TimeControl::Days { .. } => Some(Pace::Correspondence),
        TimeControl::Clock { initial_s, increment_s } => Some(match initial_s + 40 * increment_s {
            0..300 => Pace::Blitz,
            300..1500 => Pace::Rapid,
            _ => Pace::Slow,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(opponent: Opponent) -> NewGame {
        NewGame {
            opponent,
            seat: SeatWish::South,
            rules: None,
            start: None,
            time: None,
            rated: false,
            counts: CountsWish::Free,
            games: None,
        }
    }

    fn field(asked: &NewGame) -> &'static str {
        match Spec::of(asked) {
            Err(Refusal::Field { field, .. }) => field,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn each_wrong_field_is_named() {
        let link = || asked(Opponent::Link);
        let clock = |initial_s, increment_s| Some(TimeControl::Clock { initial_s, increment_s });
        assert_eq!(field(&asked(Opponent::Computer { level: 13 })), "opponent.level");
        assert_eq!(field(&asked(Opponent::Computer { level: 0 })), "opponent.level");
        assert_eq!(field(&NewGame { rules: Some("kalah".into()), ..link() }), "rules");
        assert_eq!(field(&NewGame { rules: Some("x".repeat(201)), ..link() }), "rules");
        assert_eq!(field(&NewGame { start: Some("4-4".into()), ..link() }), "start");
        let over = "0-0-0-0-0-0-0-0-0-0-0-0-24-24-S";
        assert_eq!(field(&NewGame { start: Some(over.into()), ..link() }), "start");
        assert_eq!(field(&NewGame { time: clock(14, 0), ..link() }), "time.initial_s");
        assert_eq!(field(&NewGame { time: clock(10_801, 0), ..link() }), "time.initial_s");
        assert_eq!(field(&NewGame { time: clock(60, 181), ..link() }), "time.increment_s");
        let days = |days| Some(TimeControl::Days { days });
        assert_eq!(field(&NewGame { time: days(0), ..link() }), "time.days");
        assert_eq!(field(&NewGame { time: days(15), ..link() }), "time.days");
        assert_eq!(field(&NewGame { games: Some(3), ..link() }), "games");
        assert_eq!(field(&NewGame { rated: true, ..link() }), "rated");
        let alone = asked(Opponent::SameDevice);
        assert_eq!(field(&NewGame { rated: true, time: clock(60, 0), ..alone }), "rated");
        let start = Some("4-4-4-4-4-4-4-4-4-4-4-4-0-0-N".into());
        assert_eq!(field(&NewGame { rated: true, time: days(1), start, ..link() }), "rated");
    }

    #[test]
    fn the_usual_start_is_no_start_of_its_own() {
        let start = Some("4-4-4-4-4-4-4-4-4-4-4-4-0-0-S".into());
        let spec = Spec::of(&NewGame { start, games: Some(4), ..asked(Opponent::Link) }).unwrap();
        assert_eq!((spec.start, spec.games, spec.rules), (None, 4, Rules::ABAPA));
    }

    #[test]
    fn paces_by_forty_moves() {
        let clock = |initial_s, increment_s| TimeControl::Clock { initial_s, increment_s };
        assert_eq!(pace(clock(180, 2)), Some(Pace::Blitz));
        assert_eq!(pace(clock(300, 0)), Some(Pace::Rapid));
        assert_eq!(pace(clock(900, 15)), Some(Pace::Slow));
        assert_eq!(pace(TimeControl::Unlimited), None);
    }
}
