//! The engine protocol: every transcript of docs/PROTOCOL.md, the ends of a session, and many
//! random rounds. `OWARE_LONG=1` runs 1,000 of them and prints the worst delays.

mod support;

#[path = "protocol/ends.rs"]
mod ends;
#[path = "protocol/rounds.rs"]
mod rounds;
#[path = "protocol/transcripts.rs"]
mod transcripts;
