//! The store: one suite of tests, passed by each back end, and what only one of them can do.

mod contract;
mod people;
mod rows;

use std::sync::Arc;

use oware_server::store::{Store, open};

/// Runs tests of the contract on a back end, each on a database of its own.
macro_rules! each {
    ($back_end:ident, $($suite:ident::{$($test:ident),* $(,)?}),* $(,)?) => {$($(
        #[tokio::test]
        async fn $test() {
            let database = super::$back_end().await;
            crate::$suite::$test(&*database.store).await;
        }
    )*)*};
}

macro_rules! contract {
    ($back_end:ident) => {
        each! {
            $back_end,
            contract::{
                keeps_every_field, refuses_what_does_not_follow, one_refusal_spares_the_rest,
                tells_a_repeated_action, takes_back_and_plays_again, finds_games, counts_games,
                rates_inside_the_write, keeps_what_two_writers_did,
            },
            people::{
                players_and_accounts, sessions, relations, reports, values, deletes_a_player,
                leaders_are_sure_and_present,
            },
        }
    };
}

/// A database that goes when it is dropped.
struct Database {
    store: Arc<dyn Store>,
    _folder: tempfile::TempDir,
}

async fn sqlite() -> Database {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("site.db");
    let store = open(path.to_str().expect("UTF-8")).await.expect("opens");
    Database { store, _folder: folder }
}

mod in_sqlite {
    contract!(sqlite);
}
