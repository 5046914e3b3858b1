//! Lays siege to the site, to show that no move is lost and none is played twice: lines that
//! drop, delay, double and reorder what they carry, a server that is killed, databases that are
//! locked or full, many games at once, and people who do not keep to the rules of the wire.

pub mod check;
pub mod http;
pub mod journal;
pub mod line;
pub mod load;
pub mod player;
pub mod proxy;
pub mod random;
pub mod site;
