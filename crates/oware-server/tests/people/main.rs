//! People over HTTP: accounts, sessions, profiles, reports, administration.

mod accounts;
mod administration;
mod browser;
mod profiles;
