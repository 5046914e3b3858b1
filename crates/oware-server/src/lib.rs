//! The site: games, clocks, accounts and live play over HTTP and sockets.

pub mod clock;
pub mod ids;
pub mod store;
pub mod wire;
