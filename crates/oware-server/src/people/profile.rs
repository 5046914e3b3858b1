//! What everybody may know of an account, and how players stand to each other.

use std::collections::BTreeMap;

use super::PeopleFault;
use super::names::is_name;
use crate::app::App;
use crate::clock::Millis;
use crate::ids;
use crate::store::{PlayerRow, Relation, ReportRow, SeatRow};
use crate::wire::{Leader, NewReport, Pace, Profile, RatingPoint, RelationView};

/// Lines of a table of the best, at most.
const LEADERS: u32 = 100;
/// Players somebody may block and mute.
const RELATIONS: usize = 1_000;
/// Reports somebody may send in a day.
const REPORTS: usize = 10;
/// A day.
const DAY: Millis = 24 * 3600 * 1_000;
/// What may be reported.
const REASONS: [&str; 3] = ["unfair", "rude", "other"];

/// An account, by name.
pub(super) async fn named(app: &App, name: &str) -> Result<PlayerRow, PeopleFault> {
    if !is_name(name) {
        return Err(PeopleFault::NotFound("player"));
    }
    app.store.player_by_name(name).await?.ok_or(PeopleFault::NotFound("player"))
}

/// An account as `viewer` sees it.
///
/// # Errors
/// When there is no such account.
pub async fn profile(app: &App, name: &str, viewer: Option<&str>) -> Result<Profile, PeopleFault> {
    let row = named(app, name).await?;
    let mut stands = [false; 2];
    if let Some(viewer) = viewer {
        for (on, relation) in stands.iter_mut().zip([Relation::Blocks, Relation::Mutes]) {
            *on = app.store.relation(viewer, &row.id, relation).await?;
        }
    }
    Ok(Profile {
        ratings: app.store.ratings(&row.id, app.clock.now()).await?,
        results: app.store.results(&row.id).await?,
        name: row.name.unwrap_or_default(),
        created_at: row.created_at,
        blocked: stands[0],
        muted: stands[1],
    })
}

/// How a rating went, oldest first.
///
/// # Errors
/// When there is no such account.
pub async fn history(app: &App, name: &str, pace: Pace) -> Result<Vec<RatingPoint>, PeopleFault> {
    let row = named(app, name).await?;
    let changes = app.store.rating_history(&row.id, pace).await?;
    let points = changes.into_iter().map(|change| RatingPoint {
        game: change.game,
        rating: change.after,
        at: change.at,
    });
    Ok(points.collect())
}

/// The highest ratings of a pace.
///
/// # Errors
/// When more are asked for than are given.
pub async fn leaders(app: &App, pace: Pace, limit: u32) -> Result<Vec<Leader>, PeopleFault> {
    if !(1..=LEADERS).contains(&limit) {
        let why = format!("{limit}, expected 1 to {LEADERS}");
        return Err(PeopleFault::field("limit", why));
    }
    let leaders = app.store.leaders(pace, limit, app.clock.now()).await?;
    Ok(leaders.into_iter().map(|(name, rating)| Leader { name, rating }).collect())
}

/// Sets or clears how a player stands to an account.
///
/// # Errors
/// When there is no such account, it is the player's own, or there are too many.
pub async fn set_relation(
    app: &App,
    of: &str,
    name: &str,
    relation: Relation,
    on: bool,
) -> Result<(), PeopleFault> {
    let to = named(app, name).await?;
    if to.id == of {
        return Err(PeopleFault::Forbidden("this is you"));
    }
    if on && app.store.relations(of).await?.len() >= RELATIONS {
        return Err(PeopleFault::TooMany("you block and mute too many players already"));
    }
    Ok(app.store.set_relation(of, &to.id, relation, on).await?)
}

/// Whom a player blocks or mutes, by name.
///
/// # Errors
/// When the store fails.
pub async fn relations(app: &App, of: &str) -> Result<Vec<RelationView>, PeopleFault> {
    let all = app.store.relations(of).await?;
    let mut ids: Vec<String> = all.iter().map(|(id, _)| id.clone()).collect();
    ids.dedup();
    let rows = app.store.players(&ids).await?;
    let names: BTreeMap<&str, &str> =
        rows.iter().filter_map(|row| Some((row.id.as_str(), row.name.as_deref()?))).collect();
    let mut views: BTreeMap<&str, RelationView> = BTreeMap::new();
    for (id, relation) in &all {
        let Some(name) = names.get(id.as_str()) else { continue };
        let view = views.entry(name).or_insert_with(|| RelationView {
            name: (*name).to_owned(),
            blocked: false,
            muted: false,
        });
        match relation {
            Relation::Blocks => view.blocked = true,
            Relation::Mutes => view.muted = true,
        }
    }
    Ok(views.into_values().collect())
}

/// Keeps a report about an account for the administrators.
///
/// # Errors
/// When there is no such account, it is the player's own, a field is wrong, the two did not
/// play the game, or there were too many reports today.
pub async fn report(app: &App, by: &str, name: &str, asked: &NewReport) -> Result<(), PeopleFault> {
    let about = named(app, name).await?;
    if about.id == by {
        return Err(PeopleFault::Forbidden("this is you"));
    }
    if !REASONS.contains(&asked.reason.as_str()) {
        let why = format!("{:?}, expected one of {}", asked.reason, REASONS.join(", "));
        return Err(PeopleFault::field("reason", why));
    }
    if let Some(id) = &asked.game {
        let seats = app.store.game(id).await?.map(|row| row.seats);
        let sits = |id: &str| {
            let seat = SeatRow::Player(id.to_owned());
            seats.as_ref().is_some_and(|seats| seats.contains(&seat))
        };
        if !sits(&about.id) {
            let why = format!("{name} does not play in it");
            return Err(PeopleFault::field("game", why));
        }
    }
    let now = app.clock.now();
    let sent = app.store.reports_by(by).await?;
    if sent.iter().filter(|report| report.at > now - DAY).count() >= REPORTS {
        return Err(PeopleFault::TooMany("you sent too many reports today"));
    }
    let report = ReportRow {
        id: ids::random(12),
        by: by.to_owned(),
        about: about.id,
        game: asked.game.clone(),
        reason: asked.reason.clone(),
        at: now,
    };
    Ok(app.store.report(&report).await?)
}
