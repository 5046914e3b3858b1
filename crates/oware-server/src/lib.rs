//! The site: games, clocks, accounts and live play over HTTP and sockets.

pub mod app;
pub mod clock;
pub mod config;
pub mod game;
pub mod http;
pub mod ids;
pub mod limits;
pub mod live;
pub mod metrics;
pub mod people;
pub mod run;
pub mod store;
pub mod study;
pub mod view;
pub mod wire;
