//! Games through the hub, with a store in memory and a clock that is moved by hand.

mod clocks;
mod computer;
mod pressure;
mod series;
mod support;
mod table;
