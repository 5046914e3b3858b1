//! What must hold for every text whatever: the fuzz targets and the tests call these.
//!
//! Each function takes any text, reads it, and if it can be read checks that writing and
//! reading again give the same.

use oware_rules::Rules;

use crate::moves::{MoveStyle, read_stated_moves, write_moves};
use crate::position::{PositionFormat, read_position, write_position};
use crate::{ogn, read_moves};

/// A position that can be read is the same after writing it in any form and reading it again.
/// Gives whether the text was a position.
///
/// # Panics
/// If the law does not hold.
pub fn position(text: &str) -> bool {
    let read = match read_position(text) {
        Ok(read) => read,
        Err(error) => {
            assert!(!error.to_string().is_empty() && !error.field().is_empty());
            return false;
        }
    };
    // A text without stores gets those that make 48, if there are such.
    let on_board: u32 = read.houses.iter().map(|&seeds| u32::from(seeds)).sum();
    let rest = u8::try_from(48_u32.saturating_sub(on_board)).unwrap_or(0);
    let scores = if read.stores.is_none() { Some([rest / 2, rest - rest / 2]) } else { None };
    let Ok(position) = read.resolve(scores, Rules::ABAPA) else {
        return false;
    };
    for format in PositionFormat::ALL {
        let written = write_position(&position, format);
        let again = read_position(&written).expect("a written position can be read");
        assert_eq!(again.format, format, "{written}");
        let [south, north] = position.stores();
        if format == PositionFormat::TwelveNumbers {
            let own = [[south, north], [north, south]][position.to_move().index()];
            let seen = again.resolve(Some(own), Rules::ABAPA).expect("the same seeds");
            assert_eq!(seen.board(), position.board(), "{written}");
        } else {
            assert_eq!(again.resolve(None, Rules::ABAPA), Ok(position), "{written}");
        }
    }
    true
}

/// Moves that can be read are the same after writing them in any style and reading them again.
/// Gives whether the text was a list of moves.
///
/// # Panics
/// If the law does not hold.
pub fn moves(text: &str) -> bool {
    let Ok(moves) = read_stated_moves(text) else {
        assert!(read_moves(text).is_err());
        return false;
    };
    let houses: Vec<_> = moves.iter().map(|stated| stated.house).collect();
    for style in [MoveStyle::Joined, MoveStyle::Spaced, MoveStyle::Numbered] {
        let written = write_moves(&moves, style);
        assert_eq!(read_moves(&written).as_ref(), Ok(&houses), "{written}");
        if style != MoveStyle::Joined {
            assert_eq!(read_stated_moves(&written).as_ref(), Ok(&moves), "{written}");
        }
    }
    true
}

/// Game records that can be read are the same after writing and reading, their canonical text
/// is a fixpoint, and replaying them does not fail but by an error. Gives whether the text held
/// games.
///
/// # Panics
/// If the law does not hold.
pub fn ogn(text: &str) -> bool {
    let records = match ogn::parse_all(text) {
        Ok(records) => records,
        Err(error) => {
            assert!(error.line > 0 && error.column > 0 && !error.to_string().is_empty());
            return false;
        }
    };
    let written = ogn::write_all(&records);
    let again = ogn::parse_all(&written).expect("written records can be read");
    assert_eq!(again, records, "{written}");
    assert_eq!(ogn::write_all(&again), written);
    for record in &records {
        assert_eq!(&record.clone().normalized(), record);
        if let Ok(game) = ogn::replay(record) {
            let tags = record.tags.clone();
            let told = ogn::Record::from_game(&game, tags);
            let replayed = ogn::replay(&told).expect("the record of a game can be replayed");
            assert_eq!(replayed, game);
        }
        if let Err(error) = ogn::verify_variations(record) {
            assert!(!error.to_string().is_empty());
        }
    }
    true
}

/// Rules that can be read have an id that reads as the same rules. Gives whether the text named
/// rules.
///
/// # Panics
/// If the law does not hold.
pub fn rules(text: &str) -> bool {
    match text.parse::<Rules>() {
        Ok(rules) => {
            assert_eq!(rules.id().parse(), Ok(rules), "{}", rules.id());
            true
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            false
        }
    }
}
