//! Why a text is not a game record.

use super::parse::{MAX_MOVES, MAX_NESTING};

/// An error with its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {kind}")]
pub struct OgnError {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What is wrong there.
    pub kind: OgnErrorKind,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OgnErrorKind {
    /// Something else should stand here.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// What was expected.
        expected: &'static str,
        /// What stands there, quoted.
        found: String,
    },
    /// A comment is not closed.
    #[error("the comment that begins here is not closed, expected a closing brace")]
    OpenComment,
    /// A variation is not closed.
    #[error("the variation that begins here is not closed, expected a closing parenthesis")]
    OpenVariation,
    /// A tag value is not closed in its line.
    #[error("the tag value that begins here is not closed, expected \" before the end of the line")]
    OpenValue,
    /// A tag is given a second time.
    #[error("tag {name} is given a second time in this game")]
    RepeatedTag {
        /// The name of the tag.
        name: String,
    },
    /// The result behind the moves is not the one in the tag.
    #[error("the result behind the moves is {moves}, the tag Result says {tag}")]
    ResultsDiffer {
        /// The result behind the moves.
        moves: String,
        /// The one in the tag.
        tag: String,
    },
    /// The tag gives a score and the moves are not followed by it.
    #[error("expected the result {tag} of the tag Result behind the moves; is the file cut off?")]
    ResultMissing {
        /// The result in the tag.
        tag: String,
    },
    /// Stores of more than 48 seeds.
    #[error("the result {found} holds more than 48 seeds")]
    ResultTooLarge {
        /// The result.
        found: String,
    },
    /// Variations in variations without end.
    #[error("variations are nested more than {MAX_NESTING} deep")]
    TooDeep,
    /// A game of too many moves.
    #[error("the game has more than {MAX_MOVES} moves, variations included")]
    TooLong,
    /// A second game where one was expected.
    #[error("expected the end of the text, found a second game")]
    SecondGame,
    /// The bytes are not UTF-8.
    #[error("the text is not UTF-8")]
    NotUtf8,
}
