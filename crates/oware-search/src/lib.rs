//! The engine's search.
