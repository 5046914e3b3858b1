//! JSON lines: a reader that keeps memory flat, fields that say what is wrong with them, and a
//! writer without detours.

mod fields;
mod lines;
mod rules_cache;
mod stream;
mod value;
mod write;

pub(crate) use fields::{Refusal, read_fields};
pub(crate) use lines::{Line, Lines, MAX_LINE};
pub(crate) use rules_cache::RulesCache;
pub(crate) use stream::{Origin, run as run_stream};
pub(crate) use value::{Element, Loose};
pub(crate) use write::{
    push_bool, push_halves, push_houses, push_number, push_text, push_text_or_null,
};
