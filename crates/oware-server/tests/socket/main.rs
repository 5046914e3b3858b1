//! The socket and the requests for games, over real connections to the whole router.

mod abuse;
mod people;
mod play;
mod support;
