//! Everything that is kept of a player, for the player: one JSON document, made piece by piece,
//! since games can be many.

use std::collections::VecDeque;

use serde_json::{Value, json};

use super::PeopleFault;
use super::profile::relations;
use crate::app::App;
use crate::store::{GameFilter, GameRow, PlayerRow, SeatRow};
use crate::wire::Pace;

/// Games that are read at a time.
const PAGE: u32 = 50;
const PACES: [Pace; 4] = [Pace::Blitz, Pace::Rapid, Pace::Slow, Pace::Correspondence];

/// Where the making of the document stands.
pub struct Export {
    app: App,
    player: String,
    /// What is ready to be sent.
    ready: VecDeque<String>,
    /// Where the next page of games begins; none after the last one.
    next: Option<GameFilter>,
    first: bool,
}

/// Begins the document with all but the games.
///
/// # Errors
/// When the store fails.
pub async fn export(app: &App, player: &PlayerRow, session: &str) -> Result<Export, PeopleFault> {
    let id = player.id.as_str();
    let mut histories = serde_json::Map::new();
    for pace in PACES {
        let history = app.store.rating_history(id, pace).await?;
        let points: Vec<Value> = history
            .iter()
            .map(|one| {
                json!({"game": one.game, "at": one.at, "before": one.before, "after": one.after})
            })
            .collect();
        let name = json!(pace).as_str().unwrap_or_default().to_owned();
        histories.insert(name, points.into());
    }
    let reports = app.store.reports_by(id).await?;
    let reports: Vec<Value> = reports
        .iter()
        .map(
            |one| json!({"about": one.about, "game": one.game, "reason": one.reason, "at": one.at}),
        )
        .collect();
    let head = json!({
        "player": id,
        "name": player.name,
        "language": player.language,
        "created_at": player.created_at,
        "exported_at": app.clock.now(),
        "sessions": super::sessions(app, id, session).await?,
        "ratings": app.store.ratings(id, app.clock.now()).await?,
        "rating_history": histories,
        "relations": relations(app, id).await?,
        "reports": reports,
    });
    let mut text = head.to_string();
    // The games follow within the same object.
    text.truncate(text.len() - 1);
    text.push_str(",\"games\":[");
    let filter = GameFilter { player: Some(id.to_owned()), limit: PAGE, ..GameFilter::default() };
    Ok(Export {
        app: app.clone(),
        player: id.to_owned(),
        ready: VecDeque::from([text]),
        next: Some(filter),
        first: true,
    })
}

impl Export {
    /// The next piece of the document; none when it is complete.
    ///
    /// # Errors
    /// When the store fails; the document is not complete then, and no JSON.
    pub async fn piece(&mut self) -> Result<Option<String>, PeopleFault> {
        if let Some(piece) = self.ready.pop_front() {
            return Ok(Some(piece));
        }
        let Some(filter) = self.next.take() else { return Ok(None) };
        let rows = self.app.store.games(&filter).await?;
        for row in &rows {
            let comma = if std::mem::take(&mut self.first) { "" } else { "," };
            let game = self.game(row).await?;
            self.ready.push_back(format!("{comma}{game}"));
        }
        match rows.last() {
            Some(last) if rows.len() == PAGE as usize => {
                let before = Some((last.updated_at, last.id.clone()));
                self.next = Some(GameFilter { before, ..filter });
            }
            _ => self.ready.push_back("]}\n".to_owned()),
        }
        Ok(self.ready.pop_front())
    }

    /// A game with all that happened in it. Of the other player there is what the board shows.
    async fn game(&self, row: &GameRow) -> Result<Value, PeopleFault> {
        let events = self.app.store.events(&row.id, 0).await?;
        let events: Vec<Value> = events
            .iter()
            .map(|event| {
                let body: Value = serde_json::from_str(&event.body).unwrap_or_default();
                let retracted = event.retracted;
                json!({"seq": event.seq, "at": event.at, "retracted": retracted, "event": body})
            })
            .collect();
        let [south, north] = row.seats.each_ref().map(|seat| match seat {
            SeatRow::Open => json!("open"),
            SeatRow::Player(id) if *id == self.player => json!("you"),
            SeatRow::Player(_) => json!("somebody else"),
            SeatRow::Computer { level, .. } => json!({"computer": level}),
        });
        Ok(json!({
            "id": row.id,
            "status": row.status,
            "rules": row.rules,
            "start": row.start,
            "time": row.time,
            "rated": row.rated,
            "south": south,
            "north": north,
            "position": row.position,
            "ending": row.ending,
            "created_at": row.created_at,
            "updated_at": row.updated_at,
            "events": events,
        }))
    }
}
