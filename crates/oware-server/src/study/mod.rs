//! Analysis, reports, endgame tables, conversions and puzzles: all that helps to understand the
//! game, for anybody, without any game of the site being touched.

mod convert;
mod look;
mod puzzles;
mod tables;
mod values;

use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};

use async_trait::async_trait;
use oware_rules::{Game, Position};

pub use convert::{MAX_NODES, MAX_TEXT, read, write};
pub use look::{Looker, MAX_WAITING, Ticket, analyse, report};
pub use puzzles::{PuzzleFault, Puzzles, StoredMove, StoredPuzzle, StoredWrong};
pub use tables::{Shelf, probe};

/// Knows the games that are being played, so that nobody is told about a position in which they
/// have to find a move by themselves.
#[async_trait]
pub trait LivePositions: Send + Sync {
    /// Whether a player has to move, or will have to, from just this position in a game that is
    /// rated or has a clock and is not over.
    async fn is_live_position(&self, player: &str, position: &Position) -> bool;
}

/// What the site knows beside its games.
pub struct Study {
    /// Endgame tables.
    pub tables: Arc<Shelf>,
    /// Those who search.
    pub looker: Looker,
    /// The puzzles.
    pub puzzles: Puzzles,
    live: RwLock<Option<Arc<dyn LivePositions>>>,
}

impl std::fmt::Debug for Study {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Study")
    }
}

impl Study {
    /// With tables in a folder, so many of which are built when [`Shelf::begin_building`] is
    /// called, of which decoded tiles take at most `table_cache` bytes, and so many searches at a
    /// time.
    #[must_use]
    pub fn new(tables: PathBuf, table_seeds: u8, table_cache: u64, searches: usize) -> Study {
        Study {
            tables: Arc::new(Shelf::new(tables, table_seeds, table_cache)),
            looker: Looker::new(searches),
            puzzles: Puzzles::built_in(),
            live: RwLock::default(),
        }
    }

    /// Tells who knows the games that are being played. The last one to be told counts.
    pub fn watch(&self, live: Arc<dyn LivePositions>) {
        *self.live.write().unwrap_or_else(PoisonError::into_inner) = Some(live);
    }

    /// Whether a game passes through a position that is live for a player.
    pub async fn is_live(&self, player: &str, game: &Game) -> bool {
        let live = self.live.read().unwrap_or_else(PoisonError::into_inner).clone();
        let Some(live) = live else { return false };
        for index in 0..=game.plies().len() {
            if let Some(position) = game.position_at(index)
                && live.is_live_position(player, position).await
            {
                return true;
            }
        }
        false
    }
}
