//! Accounts and their sessions.

use super::names::{check_name, check_password, is_name};
use super::password::{hash, is_right};
use super::{PeopleFault, admin};
use crate::app::App;
use crate::live::Who;
use crate::store::{GameFilter, PlayerRow, SeatRow, StoreError};
use crate::view;
use crate::wire::{Action, Me, NewAccount, SessionView, SignIn, Status};
use oware_rules::Side;

/// The languages that the pages speak.
const LANGUAGES: [&str; 3] = ["en", "fr", "ja"];
/// Games that are ended when an account is deleted, in one go.
const PAGE: u32 = 100;

/// Who somebody is, and what waits for them.
///
/// # Errors
/// When the store fails.
pub async fn me(app: &App, player: Option<&PlayerRow>) -> Result<Me, PeopleFault> {
    let turns = match player {
        Some(row) => app.store.turns(&row.id).await?,
        None => 0,
    };
    let (announcement, restart_at) = admin::announced(app).await?;
    Ok(Me {
        player: player.map(|row| row.id.clone()).unwrap_or_default(),
        name: player.and_then(|row| row.name.clone()),
        admin: player.is_some_and(|row| row.standing.admin),
        language: player.and_then(|row| row.language.clone()),
        turns,
        announcement,
        restart_at,
    })
}

/// Gives a player an account; the player, and so the games, stay the same.
///
/// # Errors
/// When a field is wrong, the name is in use, or there is an account already.
pub async fn sign_up(
    app: &App,
    player: &PlayerRow,
    asked: &NewAccount,
) -> Result<PlayerRow, PeopleFault> {
    if let Some(name) = &player.name {
        return Err(PeopleFault::Taken(format!("you have the account {name} already")));
    }
    check_name(&asked.name)?;
    check_password("password", &asked.password, &asked.name)?;
    // Asked before the hash is made, which takes long; the store asks again.
    if app.store.player_by_name(&asked.name).await?.is_some() {
        return Err(PeopleFault::Taken(format!("the name {} is taken", asked.name)));
    }
    let hash = hash(&app.work, &asked.password).await?;
    let made = app.store.create_account(&player.id, &asked.name, &hash, app.clock.now()).await;
    match made {
        Err(StoreError::Taken(name)) => {
            return Err(PeopleFault::Taken(format!("the name {name} is taken")));
        }
        made => made?,
    }
    app.hub.player_changed(&player.id).await?;
    let row = app.store.player(&player.id).await?;
    row.ok_or(PeopleFault::NotFound("player"))
}

/// The account of a name and a password.
///
/// # Errors
/// When they do not belong together, or the account is banned.
pub async fn sign_in(app: &App, asked: &SignIn) -> Result<PlayerRow, PeopleFault> {
    let row =
        if is_name(&asked.name) { app.store.player_by_name(&asked.name).await? } else { None };
    let kept = row.as_ref().and_then(|row| row.password.as_deref());
    let right = is_right(&app.work, &asked.password, kept).await?;
    let Some(row) = row.filter(|_| right) else { return Err(PeopleFault::WrongPassword) };
    if row.standing.banned {
        return Err(PeopleFault::Forbidden("this account is banned"));
    }
    Ok(row)
}

/// Refuses who does not know the password of the account they use.
async fn check_own(app: &App, player: &PlayerRow, password: &str) -> Result<(), PeopleFault> {
    let Some(kept) = &player.password else { return Err(PeopleFault::NotSignedIn) };
    if is_right(&app.work, password, Some(kept)).await? {
        return Ok(());
    }
    Err(PeopleFault::WrongPassword)
}

/// Changes the password and ends all other sessions.
///
/// # Errors
/// When there is no account, the old password is wrong, or the new one may not be one.
pub async fn change_password(
    app: &App,
    player: &PlayerRow,
    session: &str,
    old: &str,
    new: &str,
) -> Result<(), PeopleFault> {
    let Some(name) = &player.name else { return Err(PeopleFault::NotSignedIn) };
    check_password("new", new, name)?;
    check_own(app, player, old).await?;
    let hash = hash(&app.work, new).await?;
    app.store.set_password(&player.id, &hash).await?;
    end_other_sessions(app, &player.id, Some(session)).await
}

/// Sets the language.
///
/// # Errors
/// When the pages do not speak it.
pub async fn set_language(
    app: &App,
    player: &PlayerRow,
    language: &str,
) -> Result<(), PeopleFault> {
    if !LANGUAGES.contains(&language) {
        let why = format!("{language:?}, expected one of {}", LANGUAGES.join(", "));
        return Err(PeopleFault::field("language", why));
    }
    Ok(app.store.set_language(&player.id, language).await?)
}

/// The sessions of a player, newest first.
///
/// # Errors
/// When the store fails.
pub async fn sessions(
    app: &App,
    player: &str,
    current: &str,
) -> Result<Vec<SessionView>, PeopleFault> {
    let rows = app.store.sessions(player).await?;
    let views = rows.into_iter().map(|row| SessionView {
        current: row.id == current,
        id: row.id,
        agent: row.agent,
        created_at: row.created_at,
        seen_at: row.seen_at,
    });
    Ok(views.collect())
}

/// Ends one session of a player, and its sockets at once.
///
/// # Errors
/// When the player has no such session.
pub async fn end_session(app: &App, player: &str, id: &str) -> Result<(), PeopleFault> {
    if !app.store.end_session(player, id).await? {
        return Err(PeopleFault::NotFound("session"));
    }
    app.hub.revoke(id);
    Ok(())
}

/// Ends all sessions of a player but one.
///
/// # Errors
/// When the store fails.
pub async fn end_other_sessions(
    app: &App,
    player: &str,
    kept: Option<&str>,
) -> Result<(), PeopleFault> {
    for session in app.store.sessions(player).await? {
        if Some(session.id.as_str()) != kept {
            app.store.end_session(player, &session.id).await?;
            app.hub.revoke(&session.id);
        }
    }
    Ok(())
}

/// Deletes an account and what is kept of its player. Games that are still played are ended
/// first, so that nobody waits for a move that never comes; those that are over stay, and the
/// player in them has no name.
///
/// # Errors
/// When there is no account or the password is wrong.
pub async fn delete(app: &App, player: &PlayerRow, password: &str) -> Result<(), PeopleFault> {
    check_own(app, player, password).await?;
    end_games(app, &player.id).await?;
    let sessions = app.store.sessions(&player.id).await?;
    app.store.delete_player(&player.id).await?;
    app.hub.player_changed(&player.id).await?;
    sessions.iter().for_each(|session| app.hub.revoke(&session.id));
    Ok(())
}

/// Takes back offers of games, and resigns or aborts what is played.
async fn end_games(app: &App, player: &str) -> Result<(), PeopleFault> {
    let who = Who { player: player.to_owned(), account: true };
    for status in [Status::Waiting, Status::Playing] {
        let filter = GameFilter {
            player: Some(player.to_owned()),
            status: Some(status),
            limit: PAGE,
            ..GameFilter::default()
        };
        loop {
            let rows = app.store.games(&filter).await?;
            let mut ended = false;
            for row in &rows {
                let seat = SeatRow::Player(player.to_owned());
                let north = row.seats[0] != seat;
                let side = view::side(if north { Side::North } else { Side::South });
                for action in [Action::Abort, Action::Resign { side: Some(side) }] {
                    if app.hub.act(&who, &row.id, None, action, None).await.is_ok() {
                        ended = true;
                        break;
                    }
                }
            }
            // What refuses to end ends by its clock, or by the opponent's claim.
            if rows.len() < PAGE as usize || !ended {
                break;
            }
        }
    }
    Ok(())
}
