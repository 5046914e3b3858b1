//! Somebody who plays a game by a script: moves by a seed, now and then an offer or a word.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use oware_server::wire::{
    Action, Fault, GameView, NewGame, OfferKind, PHRASES, Side, Status, TimeControl,
};
use serde_json::json;
use tokio::time::{Instant, sleep_until};

use crate::http::Visitor;
use crate::journal::Journal;
use crate::line::{Line, News, Patience, Tally};
use crate::random::Random;

/// Codes that say: nothing has changed, try again.
const LATER: [&str; 3] = ["busy", "internal", "restarting"];

/// How somebody plays.
#[derive(Clone, Copy, Debug)]
pub struct Habits {
    /// Milliseconds that a move takes at most.
    pub think_ms: u64,
    /// How often an offer or a word comes before a move, of a thousand moves.
    pub talk: u64,
    /// How often the line is let go before a move, of a thousand moves.
    pub cut: u64,
    /// After how many plies it is enough, and the game is resigned.
    pub plies: u32,
}

impl Habits {
    /// Quick and talkative.
    pub const QUICK: Habits = Habits { think_ms: 20, talk: 60, cut: 0, plies: 90 };
}

/// Something that was acknowledged.
#[derive(Clone, Debug)]
pub struct Done {
    /// What the client called it.
    pub id: String,
    /// The number of its event.
    pub seq: u32,
    /// What.
    pub action: Action,
    /// How long it took.
    pub after: Duration,
}

/// What somebody saw of a game.
#[derive(Debug)]
pub struct Played {
    /// The game as they know it.
    pub journal: Journal,
    /// What they did.
    pub done: Vec<Done>,
    /// What was refused, and not just for a while.
    pub refused: Vec<(Action, Fault)>,
    /// How often they were told to try again.
    pub later: u32,
    /// What their line went through.
    pub tally: Tally,
    /// What they could not read.
    pub unreadable: Vec<String>,
}

/// Those who play a game, so that nobody leaves before all have done what they began: a word may
/// come after the last move.
#[derive(Debug)]
pub struct Company {
    /// Who has not finished.
    busy: AtomicU32,
    /// The last event that one of them knows.
    seq: AtomicU32,
}

impl Company {
    /// So many tabs.
    #[must_use]
    pub fn of(tabs: u32) -> Arc<Company> {
        Arc::new(Company { busy: AtomicU32::new(tabs), seq: AtomicU32::new(0) })
    }

    fn finish(&self, seq: u32) {
        self.seq.fetch_max(seq, Ordering::Relaxed);
        self.busy.fetch_sub(1, Ordering::Release);
    }

    fn has_parted(&self, seq: u32) -> bool {
        self.busy.load(Ordering::Acquire) == 0 && seq >= self.seq.load(Ordering::Relaxed)
    }
}

/// How often who has finished looks whether the others have.
const GLANCE: Duration = Duration::from_millis(20);

/// Somebody at a game.
#[derive(Debug)]
pub struct Player {
    name: String,
    game: String,
    line: Line,
    random: Random,
    habits: Habits,
    sides: Vec<Side>,
    company: Arc<Company>,
    /// What waits for an answer.
    asked: Option<(String, Action)>,
    /// The last event that was caused and must be seen before anything else is done.
    caused: u32,
    act_at: Option<Instant>,
    again_at: Option<Instant>,
    count: u32,
    done: Vec<Done>,
    refused: Vec<(Action, Fault)>,
    later: u32,
}

impl Player {
    /// Somebody who plays some sides of a game over a line of their own.
    #[must_use]
    pub fn new(
        name: &str,
        visitor: Visitor,
        view: &GameView,
        patience: Patience,
        habits: Habits,
        company: &Arc<Company>,
        mut random: Random,
    ) -> Player {
        Player {
            name: name.to_owned(),
            game: view.id.clone(),
            line: Line::new(visitor, patience, random.branch()),
            random,
            habits,
            sides: view.you.clone(),
            company: Arc::clone(company),
            asked: None,
            caused: 0,
            act_at: None,
            again_at: None,
            count: 0,
            done: Vec::new(),
            refused: Vec::new(),
            later: 0,
        }
    }

    /// Plays until the game is over and everything is answered.
    ///
    /// # Errors
    /// When that takes longer than `within`.
    pub async fn play(mut self, within: Duration) -> Result<Played> {
        let end = Instant::now() + within;
        let game = self.game.clone();
        self.line.watch(&game).await;
        while !self.is_finished() {
            self.plan();
            let acts = [self.act_at, self.again_at, Some(end)];
            let next = acts.into_iter().flatten().min().unwrap_or(end);
            tokio::select! {
                news = self.line.next() => self.hear(news),
                () = sleep_until(next) => {
                    ensure!(Instant::now() < end, "{} waits too long: {}", self.name, self.state());
                    self.move_on().await;
                }
            }
        }
        let seq = self.view().map_or(0, |view| view.seq);
        self.company.finish(seq.max(self.caused));
        while !self.company.has_parted(self.view().map_or(0, |view| view.seq)) {
            ensure!(Instant::now() < end, "{} waits for the others: {}", self.name, self.state());
            let _ = tokio::time::timeout(GLANCE, self.line.next()).await;
        }
        let journal = self.line.journal(&game).context("no game")?.clone();
        Ok(Played {
            journal,
            done: self.done,
            refused: self.refused,
            later: self.later,
            tally: self.line.tally,
            unreadable: std::mem::take(&mut self.line.unreadable),
        })
    }

    fn view(&self) -> Option<&GameView> {
        self.line.journal(&self.game).map(|journal| &journal.view)
    }

    fn state(&self) -> String {
        let view = self
            .view()
            .map(|view| (view.seq, view.plies.len(), view.status, view.state.to_move, view.offer));
        let (asked, caused) = (&self.asked, self.caused);
        let waits = (self.act_at.is_some(), self.again_at.is_some(), self.line.waits());
        let line = self.line.tally;
        format!("game {} {view:?}, {asked:?}, caused {caused}, {waits:?}, {line:?}", self.game)
    }

    fn is_finished(&self) -> bool {
        let over = self.view().is_some_and(|view| view.status == Status::Over);
        over && self.asked.is_none()
    }

    /// Decides when to do the next thing.
    fn plan(&mut self) {
        if self.asked.is_some() || self.act_at.is_some() {
            return;
        }
        let Some(view) = self.view() else { return };
        let answers = view.offer.is_some_and(|offer| !self.sides.contains(&offer.by));
        let moves = self.sides.contains(&view.state.to_move);
        if view.status == Status::Playing && view.seq >= self.caused && (answers || moves) {
            self.act_at = Some(Instant::now() + self.random.up_to_ms(self.habits.think_ms));
        }
    }

    fn hear(&mut self, news: News) {
        match news {
            News::Acked { id, seq, after } => {
                if let Some((_, action)) = self.asked.take_if(|(asked, _)| *asked == id) {
                    self.caused = seq;
                    self.done.push(Done { id, seq, action, after });
                }
            }
            News::Refused { id, fault } => {
                let moves = matches!(self.asked, Some((_, Action::Move { .. })));
                // Enough may have been said or offered; a move may only have come too fast.
                let later = LATER.contains(&fault.code.as_str());
                if later || (fault.code == "too_many" && moves) {
                    // Nothing has changed; the same again, under the same name.
                    self.later += 1;
                    self.again_at = Some(Instant::now() + Duration::from_millis(150));
                } else if let Some((_, action)) = self.asked.take_if(|(asked, _)| *asked == id) {
                    self.refused.push((action, fault));
                }
            }
            News::Changed(_) | News::Frame(_) | News::Lost(_) => {}
        }
    }

    async fn move_on(&mut self) {
        let now = Instant::now();
        if self.again_at.is_some_and(|at| at <= now) {
            self.again_at = None;
            if let Some((id, action)) = self.asked.clone() {
                self.line.act(&self.game.clone(), &id, action).await;
            }
        }
        if self.act_at.is_none_or(|at| at > now) {
            return;
        }
        self.act_at = None;
        if self.random.chance(self.habits.cut) {
            self.line.cut();
        }
        let Some(action) = self.choose() else { return };
        self.count += 1;
        let id = format!("{}-{}", self.name, self.count);
        self.asked = Some((id.clone(), action.clone()));
        self.line.act(&self.game.clone(), &id, action).await;
    }

    /// What to do now, by what is known of the game.
    fn choose(&mut self) -> Option<Action> {
        let view = self.line.journal(&self.game).map(|journal| journal.view.clone())?;
        if view.status != Status::Playing {
            return None;
        }
        if let Some(offer) = view.offer.filter(|offer| !self.sides.contains(&offer.by)) {
            let agrees = offer.offer == OfferKind::Takeback && self.random.chance(500);
            return Some(if agrees { Action::Accept } else { Action::Decline });
        }
        if !self.sides.contains(&view.state.to_move) {
            return None;
        }
        let plies = u32::try_from(view.plies.len()).ok()?;
        if plies >= self.habits.plies {
            return Some(Action::Resign { side: None });
        }
        if plies >= 2 && self.random.chance(self.habits.talk) {
            return self.say_something();
        }
        let moves = &view.state.legal;
        let house = self.random.one_of(moves).map(|trace| trace.house.clone())?;
        Some(Action::Move { ply: plies + 1, house, lag_ms: None })
    }

    fn say_something(&mut self) -> Option<Action> {
        Some(match self.random.below(4) {
            0 => Action::Offer { offer: OfferKind::Draw, side: None },
            1 | 2 => Action::Offer { offer: OfferKind::Takeback, side: None },
            _ => Action::Say { phrase: (*self.random.one_of(&PHRASES)?).to_owned() },
        })
    }
}

/// Two visitors sit down at a new game: one makes it, the other takes the open seat. Returns the
/// game as each of them sees it.
///
/// # Errors
/// When the site refuses.
pub async fn sit_down(
    first: &mut Visitor,
    second: &mut Visitor,
    time: Option<TimeControl>,
) -> Result<[GameView; 2]> {
    let asked = json!({ "opponent": { "kind": "link" }, "seat": "south", "time": time });
    // What is sent is what the wire says.
    let asked: NewGame = serde_json::from_value(asked)?;
    let view: GameView = first.post("/api/v1/games", &asked).await?.json()?;
    let joined = second
        .post(
            &format!("/api/v1/games/{}/actions", view.id),
            &json!({"id": "join", "action": "join"}),
        )
        .await?;
    if joined.status >= 300 {
        bail!("joining {}: {} {}", view.id, joined.status, joined.text());
    }
    let path = format!("/api/v1/games/{}", view.id);
    let south: GameView = first.get(&path).await?.json()?;
    let north: GameView = second.get(&path).await?.json()?;
    ensure!(
        south.you == [Side::South] && north.you == [Side::North],
        "{:?} {:?}",
        south.you,
        north.you
    );
    Ok([south, north])
}
