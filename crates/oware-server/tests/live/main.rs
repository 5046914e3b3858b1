//! Games through the hub, with a store in memory and a clock that is moved by hand.

mod computer;
mod support;
mod table;
