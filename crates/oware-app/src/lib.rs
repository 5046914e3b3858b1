//! Use cases for every front end, on plain data: nothing here prints, reads arguments, or knows
//! a wire format.

mod computer;

pub use computer::{Choice, Computer, Level, hint};
