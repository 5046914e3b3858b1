//! A hub for tests, players, and what they do.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use oware_server::clock::Clock;
use oware_server::game::Refusal;
use oware_server::live::{Hub, Line, Sent, Settings, Who};
use oware_server::store::Store;
use oware_server::store::memory::MemoryStore;
use oware_server::wire::{
    Action, CountsWish, GameEvent, GameView, Happening, NewGame, OfferKind, Opponent, SeatWish,
    ServerFrame, TimeControl,
};
use tokio::sync::mpsc;

/// How long a test waits for something that must happen.
const LOCAL: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
const PATIENCE: Duration = Duration::from_secs(60);

/// A hub with what it stands on.
pub(crate) struct Club {
    pub(crate) hub: Hub,
    pub(crate) store: Arc<MemoryStore>,
    pub(crate) clock: Clock,
}

/// A hub whose computers do not dawdle.
pub(crate) fn settings() -> Settings {
    Settings { think_ms: (0, 1), ..Settings::new(2) }
}

impl Club {
    pub(crate) fn new() -> Club {
        Club::with(Arc::new(MemoryStore::new()), Clock::system())
    }

    pub(crate) fn with(store: Arc<MemoryStore>, clock: Clock) -> Club {
        Club::of(store, clock, settings())
    }

    pub(crate) fn of(store: Arc<MemoryStore>, clock: Clock, settings: Settings) -> Club {
        let hub = Hub::start(Arc::clone(&store) as Arc<dyn Store>, clock.clone(), settings);
        Club { hub, store, clock }
    }

    /// A player without an account.
    pub(crate) async fn person(&self, id: &str) -> Who {
        self.store.create_player(id, self.clock.now()).await.expect("a new player");
        Who { player: id.to_owned(), account: false }
    }

    /// A player with an account of the same name.
    pub(crate) async fn account(&self, id: &str) -> Who {
        self.person(id).await;
        self.store.create_account(id, id, "hash", self.clock.now()).await.expect("a new name");
        Who { player: id.to_owned(), account: true }
    }

    /// A game between two who are both there now.
    pub(crate) async fn game(&self, south: &Who, north: &Who, asked: NewGame) -> GameView {
        let asked = NewGame { seat: SeatWish::South, opponent: Opponent::Link, ..asked };
        let game = self.hub.create(south, &asked).await.expect("a game");
        self.act(north, &game.id, Action::Join).await.expect("the seat is open");
        self.view(&game.id).await
    }

    pub(crate) async fn act(&self, who: &Who, game: &str, act: Action) -> Result<u32, Refusal> {
        self.hub.act(who, game, None, act, None).await
    }

    /// Plays the next ply, as whoever's turn it is.
    pub(crate) async fn play(&self, who: &Who, game: &str, house: &str) -> Result<u32, Refusal> {
        let ply = self.view(game).await.plies.len() + 1;
        self.act(who, game, play(u32::try_from(ply).expect("small"), house)).await
    }

    /// Plays several plies of two in turn, South first.
    pub(crate) async fn play_all(&self, game: &str, players: [&Who; 2], houses: &str) {
        for house in houses.chars() {
            let mover = usize::from(house.is_lowercase());
            self.play(players[mover], game, &house.to_string()).await.expect("a legal move");
        }
    }

    pub(crate) async fn view(&self, game: &str) -> GameView {
        self.hub.view(game, None).await.expect("the game is there")
    }

    /// Moves the time on, and lets happen what is due.
    pub(crate) fn pass(&self, millis: i64) {
        self.clock.advance(millis);
        self.hub.nudge();
    }

    /// Waits until a game is as wished.
    pub(crate) async fn until(&self, game: &str, wish: impl Fn(&GameView) -> bool) -> GameView {
        let begun = Instant::now();
        loop {
            let view = self.view(game).await;
            if wish(&view) {
                return view;
            }
            assert!(begun.elapsed() < PATIENCE, "waited in vain: {view:?}");
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }

    pub(crate) fn tab(&self, who: &Who) -> Tab {
        let opened = self.hub.open_line(&format!("session of {}", who.player), &who.player, LOCAL);
        let (line, frames) = opened.expect("not too many tabs");
        Tab { line, frames }
    }
}

/// A tab that watches.
pub(crate) struct Tab {
    pub(crate) line: Arc<Line>,
    pub(crate) frames: mpsc::Receiver<Arc<Sent>>,
}

impl Tab {
    /// The next frame.
    pub(crate) async fn next(&mut self) -> ServerFrame {
        let next = tokio::time::timeout(PATIENCE, self.frames.recv()).await;
        next.expect("a frame comes").expect("the line is open").frame.clone()
    }

    /// The next event, other frames passed over.
    pub(crate) async fn event(&mut self) -> GameEvent {
        loop {
            if let ServerFrame::Event { event, .. } = self.next().await {
                return *event;
            }
        }
    }

    /// Waits for an event of a kind.
    pub(crate) async fn until(&mut self, wish: impl Fn(&Happening) -> bool) -> GameEvent {
        loop {
            let event = self.event().await;
            if wish(&event.what) {
                return event;
            }
        }
    }
}

pub(crate) fn play(ply: u32, house: &str) -> Action {
    Action::Move { ply, house: house.to_owned(), lag_ms: None }
}

pub(crate) fn offer(offer: OfferKind) -> Action {
    Action::Offer { offer, side: None }
}

/// A plain game without a clock; callers change what they need.
pub(crate) fn plain() -> NewGame {
    NewGame {
        opponent: Opponent::Link,
        seat: SeatWish::South,
        rules: None,
        start: None,
        time: None,
        rated: false,
        counts: CountsWish::Free,
        games: None,
    }
}

pub(crate) fn clock(initial_s: u32, increment_s: u32) -> NewGame {
    NewGame { time: Some(TimeControl::Clock { initial_s, increment_s }), ..plain() }
}

/// A position in which South's `F` takes two and has 25, and `A` does not.
pub(crate) const NEARLY_WON: &str = "1-0-0-0-0-1-1-2-0-0-0-0-24-19-S";
