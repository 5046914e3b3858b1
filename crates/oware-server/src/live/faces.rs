//! The names and ratings of those who play, as games show them.

use std::collections::HashMap;
use std::sync::Mutex;

use super::hub::Hub;
use super::line::locked;
use crate::game::{Faces, Score, pace};
use crate::store::{GameRow, SeatRow, Stored};

/// Names that are remembered.
const KEPT: usize = 10_000;

/// Names of players, as far as they are known; none for those without an account.
#[derive(Debug, Default)]
pub(super) struct Names {
    known: Mutex<HashMap<String, Option<String>>>,
}

impl Hub {
    /// The names of players, in order.
    pub(super) async fn names(&self, ids: &[String]) -> Stored<Vec<Option<String>>> {
        let missing: Vec<String> = {
            let known = locked(&self.names.known);
            ids.iter().filter(|id| !known.contains_key(*id)).cloned().collect()
        };
        if !missing.is_empty() {
            let rows = self.store.players(&missing).await?;
            let mut known = locked(&self.names.known);
            if known.len() > KEPT {
                known.clear();
            }
            known.extend(missing.into_iter().map(|id| (id, None)));
            known.extend(rows.into_iter().map(|row| (row.id, row.name)));
        }
        let known = locked(&self.names.known);
        Ok(ids.iter().map(|id| known.get(id).cloned().flatten()).collect())
    }

    /// Learns anew what games show of a player whose account was made or deleted. Those who
    /// watch see it when they look again.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn player_changed(&self, id: &str) -> Stored<()> {
        locked(&self.names.known).remove(id);
        for table in self.tables() {
            let mut guard = table.live.lock().await;
            let Some(live) = guard.as_mut() else { continue };
            let row = live.state.row();
            if row.seats.iter().any(|seat| player(seat).is_some_and(|one| one == id)) {
                live.faces.faces = self.faces(row).await?.faces;
            }
        }
        Ok(())
    }

    /// The names in some games, without ratings: for lists.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn faces_of_list(&self, rows: &[GameRow]) -> Stored<Vec<Faces>> {
        let players = rows.iter().flat_map(|row| &row.seats).filter_map(player).cloned();
        let mut ids: Vec<String> = players.collect();
        ids.sort_unstable();
        ids.dedup();
        let names = self.names(&ids).await?;
        let named: HashMap<String, Option<String>> = ids.into_iter().zip(names).collect();
        let faces = rows.iter().map(|row| {
            let mut faces = Faces::default();
            for (face, seat) in faces.faces.iter_mut().zip(&row.seats) {
                face.name = player(seat).and_then(|id| named.get(id).cloned().flatten());
            }
            faces
        });
        Ok(faces.collect())
    }

    /// What a game shows of those who play, and the score of its match.
    pub(super) async fn faces(&self, row: &GameRow) -> Stored<Faces> {
        let mut faces = Faces::default();
        for (face, seat) in faces.faces.iter_mut().zip(&row.seats) {
            let Some(id) = player(seat) else { continue };
            face.name = self.names(std::slice::from_ref(id)).await?.pop().flatten();
            let (Some(pace), true) = (pace(row.time), face.name.is_some()) else { continue };
            let ratings = self.store.ratings(id, self.clock.now()).await?;
            let rating = ratings.into_iter().find(|rating| rating.pace == pace);
            face.rating = Some(rating.map_or((1500.0, true), |it| (it.rating, it.provisional)));
        }
        if row.rated && row.ending.is_some() {
            let changes = self.store.rating_changes(&row.id).await?;
            let of = |seat: &SeatRow| {
                changes.iter().find(|(id, ..)| player(seat) == Some(id)).map(|(_, a, b)| (*a, *b))
            };
            if let (Some(south), Some(north)) = (of(&row.seats[0]), of(&row.seats[1])) {
                faces.set_rating_change([south, north]);
            }
        }
        if let Some(of) = row.match_.as_ref().filter(|of| of.number > 1) {
            let games = self.store.match_games(&of.id).await?;
            faces.score = Score::before(of.number, &games);
        }
        Ok(faces)
    }
}

pub(super) fn player(seat: &SeatRow) -> Option<&String> {
    match seat {
        SeatRow::Player(id) => Some(id),
        _ => None,
    }
}
