//! The record of a game, as OGN.

use oware_notation::ogn::{self, Record, Tag};
use oware_rules::Side;

use super::{Faces, GameState};
use crate::clock::Millis;
use crate::store::SeatRow;

/// Milliseconds of a day.
const DAY: Millis = 24 * 3600 * 1000;

/// The year, month and day of a time, by the calendar of today and in UTC.
fn date(at: Millis) -> String {
    // Days are counted from 1 March of year 0, so that leap days come last in a year, and years
    // in groups of 400, after which the calendar repeats itself.
    let days = at.div_euclid(DAY) + 719_468;
    let (group, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    format!("{:04}.{month:02}.{day:02}", group * 400 + year + next)
}

/// The record of a game. `site` is the address of the site, if it has a public one.
#[must_use]
pub fn record(state: &GameState, faces: &Faces, site: Option<&str>) -> String {
    let row = state.row();
    let name = |side: Side| match state.seat(side) {
        SeatRow::Computer { level, .. } => format!("Computer (level {level})"),
        _ => faces.faces[side.index()].name.clone().unwrap_or_else(|| "?".into()),
    };
    let round = row.match_.as_ref().map_or_else(|| "-".into(), |of| of.number.to_string());
    let event = match (row.rated, &row.match_) {
        (true, Some(_)) => "Rated match",
        (true, None) => "Rated game",
        (false, Some(_)) => "Match",
        (false, None) => "Game",
    };
    let place = site.map_or_else(
        || "?".into(),
        |site| format!("{}/game/{}", site.trim_end_matches('/'), row.id),
    );
    let tags = [
        ("Event", event.to_owned()),
        ("Site", place),
        ("Date", date(row.created_at)),
        ("Round", round),
        ("South", name(Side::South)),
        ("North", name(Side::North)),
    ];
    // The names are those of the format, so that none is refused.
    let tags = tags.into_iter().filter_map(|(name, value)| Tag::new(name, value).ok());
    ogn::write(&Record::from_game(state.game(), tags.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_right_around_leap_days() {
        let days = |days: Millis| date(days * DAY);
        assert_eq!(days(0), "1970.01.01");
        assert_eq!(days(11_016), "2000.02.29");
        assert_eq!(days(11_017), "2000.03.01");
        assert_eq!(days(19_782), "2024.02.29");
        assert_eq!(days(20_453), "2025.12.31");
        assert_eq!(days(-1), "1969.12.31");
        assert_eq!(date(20_454 * DAY - 1), "2025.12.31");
    }
}
