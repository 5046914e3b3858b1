//! Why something about people is refused.

use crate::store::StoreError;

/// Why something about people is refused. Nothing has changed then.
#[derive(Debug, thiserror::Error)]
pub enum PeopleFault {
    /// A field holds something else than expected.
    #[error("{field}: {why}")]
    Field {
        /// Which.
        field: &'static str,
        /// What is wrong and what was expected.
        why: String,
    },
    /// Name or password are wrong; which of them is not told.
    #[error("name or password are wrong")]
    WrongPassword,
    /// It needs an account.
    #[error("this needs an account: sign in first")]
    NotSignedIn,
    /// Not allowed.
    #[error("{0}")]
    Forbidden(&'static str),
    /// There is nothing of this kind.
    #[error("there is no such {0}")]
    NotFound(&'static str),
    /// There is one already.
    #[error("{0}")]
    Taken(String),
    /// Too often.
    #[error("{0}")]
    TooMany(&'static str),
    /// The server has too much to do.
    #[error("the server is busy; try again")]
    Busy,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl PeopleFault {
    /// A wrong field.
    pub fn field(field: &'static str, why: impl Into<String>) -> PeopleFault {
        PeopleFault::Field { field, why: why.into() }
    }
}
