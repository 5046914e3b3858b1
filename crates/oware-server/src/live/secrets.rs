//! Positions in which somebody has to find a move by themselves, so that the site does not tell
//! them one. What matters are games between two people that are rated or have a clock.

use std::collections::HashMap;
use std::sync::Mutex;

use async_trait::async_trait;
use oware_rules::Position;

use super::faces::player;
use super::hub::Hub;
use super::line::locked;
use crate::game::GameState;
use crate::store::GameRow;
use crate::study::LivePositions;
use crate::wire::{Status, TimeControl};

/// By player, then by game: the position now.
#[derive(Debug, Default)]
pub(super) struct Secrets {
    by_player: Mutex<HashMap<String, HashMap<String, String>>>,
}

impl Secrets {
    /// A game has moved on, has begun or is over.
    pub(super) fn note(&self, state: &GameState) {
        self.note_row(state.row());
    }

    /// The same, from the row.
    pub(super) fn note_row(&self, row: &GameRow) {
        let counts = row.rated || matches!(row.time, TimeControl::Clock { .. });
        let [Some(south), Some(north)] = row.seats.each_ref().map(player) else { return };
        if !counts || south == north {
            return;
        }
        let mut by_player = locked(&self.by_player);
        for id in [south, north] {
            if row.status == Status::Playing {
                let games = by_player.entry(id.clone()).or_default();
                games.insert(row.id.clone(), row.position.clone());
            } else if let Some(games) = by_player.get_mut(id) {
                games.remove(&row.id);
                if games.is_empty() {
                    by_player.remove(id);
                }
            }
        }
    }
}

#[async_trait]
impl LivePositions for Hub {
    async fn is_live_position(&self, player: &str, position: &Position) -> bool {
        let by_player = locked(&self.secrets.by_player);
        let Some(games) = by_player.get(player) else { return false };
        let position = position.to_string();
        games.values().any(|live| *live == position)
    }
}
