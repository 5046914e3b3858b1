//! People: accounts and sessions, profiles and ratings, what is between players, and the
//! administration of the site. Handlers call in here; nothing here knows of HTTP.

mod account;
mod admin;
mod export;
mod fault;
mod names;
mod password;
mod profile;

pub use account::{change_password, delete, end_other_sessions, end_session, me, sessions};
pub use account::{set_language, sign_in, sign_up};
pub use admin::{
    announce, announce_restart, ban, begin, claim, close_report, forget, reports, unban,
};
pub use export::export;
pub use fault::PeopleFault;
pub use profile::{history, leaders, profile, relations, report, set_relation};
