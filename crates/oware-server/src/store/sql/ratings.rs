//! Ratings and how they changed.

use super::driver::{Base, Row, Tried, Tx, values};
use super::rows::{PACE, by_name, name_of};
use crate::clock::Millis;
use crate::store::{PROVISIONAL, Rate, Rating, RatingChange, rate as rate_pair};
use crate::wire::{Pace, RatingView};

/// How many changes of a rating are given at most.
const HISTORY: u32 = 1_000;

/// Rates a game inside its transaction; ratings before and after, South's first.
pub(super) async fn rate(
    tx: &mut Tx,
    game: &str,
    rate: &Rate,
    now: Millis,
) -> Tried<[(f64, f64); 2]> {
    let pace = name_of(PACE, rate.pace);
    let fresh = Rating::new(now);
    // In the order of their ids, so that two games of the same pair that end together do not
    // wait for each other for ever.
    let mut order = [0, 1];
    order.sort_by_key(|side| &rate.players[*side]);
    let mut before = [fresh; 2];
    for side in order {
        let player = &rate.players[side];
        let sql = "INSERT INTO ratings \
             (player, pace, rating, deviation, volatility, games, rated_at) \
             VALUES ($1, $2, $3, $4, $5, 0, $6) ON CONFLICT DO NOTHING";
        let Rating { rating, deviation, volatility, .. } = fresh;
        tx.execute(sql, values![player, pace, rating, deviation, volatility, now]).await?;
        let sql = format!(
            "SELECT rating, deviation, volatility, games, rated_at FROM ratings \
             WHERE player = $1 AND pace = $2{}",
            tx.lock()
        );
        if let Some(mut row) = tx.fetch_one(&sql, values![player, pace]).await? {
            before[side] = read_rating(&mut row)?;
        }
    }
    let after = rate_pair(before, rate.south, now);
    for side in 0..2 {
        let (player, one) = (&rate.players[side], after[side]);
        let sql = "UPDATE ratings SET rating = $3, deviation = $4, volatility = $5, games = $6, \
             rated_at = $7 WHERE player = $1 AND pace = $2";
        let Rating { rating, deviation, volatility, games, at } = one;
        let set = values![player, pace, rating, deviation, volatility, games, at];
        tx.execute(sql, set).await?;
        let sql = "INSERT INTO rating_changes (game, side, player, pace, before, after, at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7)";
        let side_number = i64::from(side == 1);
        let (was, is) = (before[side].rating, rating);
        tx.execute(sql, values![game, side_number, player, pace, was, is, now]).await?;
    }
    Ok([0, 1].map(|side| (before[side].rating, after[side].rating)))
}

/// How ratings changed by a game, South's first.
pub(super) async fn changes(base: &Base, game: &str) -> Tried<Vec<(String, f64, f64)>> {
    let sql = "SELECT player, before, after FROM rating_changes WHERE game = $1 ORDER BY side";
    let rows = base.fetch(sql, values![game]).await?;
    rows.into_iter().map(|mut row| Ok((row.text()?, row.real()?, row.real()?))).collect()
}

/// A player's ratings.
pub(super) async fn of(base: &Base, player: &str, now: Millis) -> Tried<Vec<RatingView>> {
    let sql = "SELECT pace, rating, deviation, volatility, games, rated_at FROM ratings \
         WHERE player = $1";
    let mut ratings = Vec::new();
    for mut row in base.fetch(sql, values![player]).await? {
        let pace: Pace = by_name(PACE, &row.text()?)?;
        ratings.push(read_rating(&mut row)?.view(pace, now));
    }
    ratings.sort_by_key(|view| PACE.iter().position(|(_, pace)| *pace == view.pace));
    Ok(ratings)
}

/// The highest ratings of a pace.
pub(super) async fn leaders(
    base: &Base,
    pace: Pace,
    limit: u32,
    now: Millis,
) -> Tried<Vec<(String, RatingView)>> {
    // Deviations only grow between games, so this leaves nobody out; who has been away for too
    // long is found below.
    let sql = "SELECT name, rating, deviation, volatility, games, rated_at \
         FROM ratings JOIN players ON players.id = ratings.player \
         WHERE pace = $1 AND deviation < $2 AND banned = 0 AND name IS NOT NULL \
         ORDER BY rating DESC, name_key";
    let mut leaders = Vec::new();
    for mut row in base.fetch(sql, values![name_of(PACE, pace), PROVISIONAL]).await? {
        let name = row.text()?;
        let view = read_rating(&mut row)?.view(pace, now);
        if leaders.len() < limit as usize && !view.provisional {
            leaders.push((name, view));
        }
    }
    Ok(leaders)
}

/// How a rating changed.
pub(super) async fn history(base: &Base, player: &str, pace: Pace) -> Tried<Vec<RatingChange>> {
    let sql = "SELECT game, before, after, at FROM rating_changes \
         WHERE player = $1 AND pace = $2 ORDER BY at DESC, game DESC LIMIT $3";
    let rows = base.fetch(sql, values![player, name_of(PACE, pace), HISTORY]).await?;
    let read = |mut row: Row| {
        let (game, before, after) = (row.text()?, row.real()?, row.real()?);
        Ok(RatingChange { game, before, after, at: row.int()? })
    };
    rows.into_iter().rev().map(read).collect()
}

fn read_rating(row: &mut Row) -> Tried<Rating> {
    Ok(Rating {
        rating: row.real()?,
        deviation: row.real()?,
        volatility: row.real()?,
        games: row.count()?,
        at: row.int()?,
    })
}
