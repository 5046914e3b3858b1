//! Texts of Oware: position strings, move text, game records (OGN), converters.
