//! The administration: who may, words to everybody, the hour of a restart, bans, reports.

use super::PeopleFault;
use super::account::end_other_sessions;
use super::profile::named;
use crate::app::App;
use crate::clock::Millis;
use crate::ids;
use crate::store::{PlayerRow, Standing, Stored};
use crate::wire::ReportView;

/// Where the hash of the first administrator's token is kept; [`USED`] after it was used.
const TOKEN: &str = "first_administrator";
const USED: &str = "used";
/// What everybody is told.
const ANNOUNCEMENT: &str = "announcement";
/// When the server will be started again.
const RESTART_AT: &str = "restart_at";
/// Letters and digits of a token (about 143 bits).
const TOKEN_LENGTH: usize = 24;
/// Characters of an announcement and of the reason of a ban, at most.
const LONGEST: usize = 500;
/// A restart is announced for within a day.
const DAY: Millis = 24 * 3600 * 1_000;

/// Players without an account who were not here for so long, and play no game, are forgotten.
const IDLE: Millis = 90 * DAY;
/// Sessions that were not used for so long end: browsers forget them, too.
const OLD: Millis = 366 * DAY;

/// Forgets sessions and players that nobody uses any longer; to be called once a day.
///
/// # Errors
/// When the store fails.
pub async fn forget(app: &App) -> Stored<()> {
    let now = app.clock.now();
    let players = app.store.forget(now - IDLE, now - OLD).await?;
    if players > 0 {
        tracing::info!(players, "forgot players who did not come back");
    }
    Ok(())
}

fn token_hash(token: &str) -> String {
    blake3::hash(token.as_bytes()).to_hex().to_string()
}

/// To be called when the server starts: the restart that was announced has happened, and until
/// there is an administrator a token is made with which somebody becomes one. It is given back
/// to be printed; only its hash is kept, so that every start makes another.
///
/// # Errors
/// When the store fails.
pub async fn begin(app: &App) -> Stored<Option<String>> {
    app.store.set_value(RESTART_AT, None).await?;
    if app.store.value(TOKEN).await?.as_deref() == Some(USED) {
        return Ok(None);
    }
    let token = ids::random(TOKEN_LENGTH);
    app.store.set_value(TOKEN, Some(&token_hash(&token))).await?;
    Ok(Some(token))
}

/// Makes an account the first administrator, by the printed token, which is used up.
///
/// # Errors
/// When there is no account, or the token is another or was used.
pub async fn claim(app: &App, player: &PlayerRow, token: &str) -> Result<(), PeopleFault> {
    if player.name.is_none() {
        return Err(PeopleFault::NotSignedIn);
    }
    let kept = app.store.value(TOKEN).await?;
    // Hashes are compared, whose first difference tells nothing about the token.
    if kept.as_deref() != Some(&token_hash(token)) {
        return Err(PeopleFault::Forbidden("this is not the token, or it was used"));
    }
    app.store.set_value(TOKEN, Some(USED)).await?;
    let standing = Standing { admin: true, ..player.standing };
    app.store.set_standing(&player.id, standing).await?;
    tracing::info!(player = player.id, "the first administrator");
    Ok(())
}

/// Refuses who does not administer the site.
fn check(by: &PlayerRow) -> Result<(), PeopleFault> {
    if by.standing.admin && !by.standing.banned {
        return Ok(());
    }
    Err(PeopleFault::Forbidden("only administrators may do this"))
}

/// What everybody is told, and when the server will be started again.
pub(super) async fn announced(app: &App) -> Stored<(Option<String>, Option<Millis>)> {
    let text = app.store.value(ANNOUNCEMENT).await?;
    let restart_at = app.store.value(RESTART_AT).await?.and_then(|at| at.parse().ok());
    Ok((text, restart_at))
}

/// Tells all open pages what is announced.
async fn tell(app: &App) -> Result<(), PeopleFault> {
    let (text, restart_at) = announced(app).await?;
    app.hub.announce(text, restart_at);
    Ok(())
}

/// Tells everybody something, now and when they come, or takes it back.
///
/// # Errors
/// When `by` is no administrator, or the text is too long or empty.
pub async fn announce(app: &App, by: &PlayerRow, text: Option<&str>) -> Result<(), PeopleFault> {
    check(by)?;
    let text = text.map(str::trim);
    if let Some(text) = text
        && !(1..=LONGEST).contains(&text.chars().count())
    {
        let why = format!("expected 1 to {LONGEST} characters, or null");
        return Err(PeopleFault::field("text", why));
    }
    app.store.set_value(ANNOUNCEMENT, text).await?;
    tell(app).await
}

/// Tells everybody that the server will be started again, or that it will not. It is not
/// started again by this.
///
/// # Errors
/// When `by` is no administrator, or the time is negative or over a day.
pub async fn announce_restart(
    app: &App,
    by: &PlayerRow,
    in_ms: Option<Millis>,
) -> Result<(), PeopleFault> {
    check(by)?;
    if let Some(in_ms) = in_ms
        && !(0..=DAY).contains(&in_ms)
    {
        let why = format!("{in_ms}, expected 0 to {DAY}, or null");
        return Err(PeopleFault::field("in_ms", why));
    }
    let at = in_ms.map(|in_ms| (app.clock.now() + in_ms).to_string());
    app.store.set_value(RESTART_AT, at.as_deref()).await?;
    tell(app).await
}

/// Bans an account: its sessions end, and nobody can sign in to it.
///
/// # Errors
/// When `by` is no administrator, there is no such account, or it is an administrator's.
pub async fn ban(app: &App, by: &PlayerRow, name: &str, reason: &str) -> Result<(), PeopleFault> {
    check(by)?;
    if reason.chars().count() > LONGEST {
        return Err(PeopleFault::field("reason", format!("expected at most {LONGEST} characters")));
    }
    let row = named(app, name).await?;
    if row.standing.admin {
        return Err(PeopleFault::Forbidden("administrators are not banned"));
    }
    app.store.set_standing(&row.id, Standing { banned: true, ..row.standing }).await?;
    end_other_sessions(app, &row.id, None).await?;
    tracing::info!(player = row.id, by = by.id, reason, "banned");
    Ok(())
}

/// Lets a banned account in again.
///
/// # Errors
/// When `by` is no administrator, or there is no such account.
pub async fn unban(app: &App, by: &PlayerRow, name: &str) -> Result<(), PeopleFault> {
    check(by)?;
    let row = named(app, name).await?;
    app.store.set_standing(&row.id, Standing { banned: false, ..row.standing }).await?;
    tracing::info!(player = row.id, by = by.id, "let in again");
    Ok(())
}

/// The reports that are open, oldest first.
///
/// # Errors
/// When `by` is no administrator.
pub async fn reports(app: &App, by: &PlayerRow) -> Result<Vec<ReportView>, PeopleFault> {
    check(by)?;
    let rows = app.store.reports().await?;
    let ids: Vec<String> =
        rows.iter().flat_map(|row| [row.by.clone(), row.about.clone()]).collect();
    let players = app.store.players(&ids).await?;
    let name = |id: &str| {
        let row = players.iter().find(|row| row.id == id);
        row.and_then(|row| row.name.clone())
    };
    let views = rows.into_iter().map(|row| ReportView {
        by: name(&row.by),
        about: name(&row.about),
        id: row.id,
        game: row.game,
        reason: row.reason,
        at: row.at,
    });
    Ok(views.collect())
}

/// Closes a report.
///
/// # Errors
/// When `by` is no administrator, or no such report is open.
pub async fn close_report(app: &App, by: &PlayerRow, id: &str) -> Result<(), PeopleFault> {
    check(by)?;
    if app.store.close_report(id).await? {
        return Ok(());
    }
    Err(PeopleFault::NotFound("open report"))
}
