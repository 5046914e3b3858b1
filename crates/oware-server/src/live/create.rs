//! New games.

use oware_rules::{Position, Side};

use super::hub::{Hub, Who, internal};
use super::table::Live;
use crate::game::{Faces, GameState, Refusal, Spec};
use crate::ids;
use crate::store::{Door, GameFilter, GameRow, MatchRow, SeatRow, Write};
use crate::wire::{GameView, NewGame, Opponent, SeatWish, Status};

/// Games that wait for somebody, of one player.
const WAITING: usize = 20;

/// What a computer's choices are drawn from.
pub(super) fn seed() -> u64 {
    ids::random(11).bytes().fold(0, |seed, byte| seed.wrapping_mul(62).wrapping_add(byte.into()))
}

impl Hub {
    /// Makes a game.
    ///
    /// # Errors
    /// The field that is wrong, or why this player cannot have such a game.
    pub async fn create(&self, who: &Who, asked: &NewGame) -> Result<GameView, Refusal> {
        if self.stop.is_cancelled() {
            return Err(Refusal::Restarting);
        }
        let spec = Spec::of(asked)?;
        if spec.rated && !who.account {
            return Err(Refusal::NotSignedIn);
        }
        let door = self.door(who, &spec).await?;
        let row = self.row(who, &spec, door).await?;
        if row.status == Status::Waiting {
            self.check_waiting(&who.player).await?;
        }
        let state = GameState::new(row).map_err(|damaged| {
            tracing::error!("{damaged}");
            Refusal::Internal
        })?;
        let faces = self.faces(state.row()).await.map_err(internal)?;
        let write = Write::Create(Box::new(state.row().clone()), Vec::new());
        // As with actions: what has begun is finished, whether anybody waits or not.
        let (hub, player) = (self.clone(), who.player.clone());
        let task = self.tasks.spawn(async move { hub.keep(state, faces, write, &player).await });
        task.await.unwrap_or(Err(Refusal::Internal))
    }

    async fn keep(
        &self,
        state: GameState,
        faces: Faces,
        write: Write,
        player: &str,
    ) -> Result<GameView, Refusal> {
        let written = self.writer.write(vec![write]).await?;
        if !matches!(written.first(), Some(Ok(_))) {
            return Err(Refusal::Internal);
        }
        let table = self.table(&state.row().id);
        let mut live = table.live.lock().await;
        let live = live.insert(Live::new(state, faces));
        self.settings.metrics.games.inc();
        self.timers.set(&table.id, live.state.wakes_at());
        self.secrets.note(&live.state);
        self.think(&table, live);
        let row = live.state.row();
        match &row.door {
            Door::Lobby => self.lobby.changed(),
            Door::Player(_) => self.tell_turn(row),
            Door::Link | Door::Closed => {}
        }
        Ok(live.state.view(&live.faces, Some(player), self.clock.now()))
    }

    async fn check_waiting(&self, player: &str) -> Result<(), Refusal> {
        let filter = GameFilter {
            player: Some(player.to_owned()),
            status: Some(Status::Waiting),
            limit: 100,
            ..GameFilter::default()
        };
        let rows = self.store.games(&filter).await.map_err(internal)?;
        if rows.iter().filter(|row| row.creator == player).count() >= WAITING {
            return Err(Refusal::TooMany("too many games of yours wait for somebody already"));
        }
        Ok(())
    }

    async fn door(&self, who: &Who, spec: &Spec) -> Result<Door, Refusal> {
        let name = match &spec.opponent {
            Opponent::Computer { .. } | Opponent::SameDevice => return Ok(Door::Closed),
            Opponent::Link => return Ok(Door::Link),
            Opponent::Anybody => return Ok(Door::Lobby),
            Opponent::Player { name } => name,
        };
        let wrong = |why: String| Refusal::field("opponent.name", why);
        let found = self.store.player_by_name(name).await.map_err(internal)?;
        let Some(asked) = found.filter(|row| !row.standing.banned) else {
            return Err(wrong(format!("there is no account {name:?}")));
        };
        if asked.id == who.player {
            return Err(wrong("you cannot play against yourself here".into()));
        }
        Ok(Door::Player(asked.id))
    }

    async fn row(&self, who: &Who, spec: &Spec, door: Door) -> Result<GameRow, Refusal> {
        let own = SeatRow::Player(who.player.clone());
        let other = match &spec.opponent {
            Opponent::Computer { level } => SeatRow::Computer { level: *level, seed: seed() },
            Opponent::SameDevice => own.clone(),
            _ => SeatRow::Open,
        };
        let side = match spec.seat {
            SeatWish::South => Side::South,
            SeatWish::North => Side::North,
            SeatWish::Random => Side::BOTH[usize::from(seed() % 2 == 1)],
        };
        let seats = if side == Side::South { [own, other] } else { [other, own] };
        let open = seats.contains(&SeatRow::Open);
        let start = spec.start.unwrap_or_else(|| Position::start(spec.rules));
        let now = self.clock.now();
        let row = GameRow {
            id: ids::game(),
            seq: 0,
            status: if open { Status::Waiting } else { Status::Playing },
            rules: spec.rules.id(),
            start: spec.start.map(|start| start.to_string()),
            time: spec.time,
            rated: spec.rated,
            counts: spec.counts,
            seats,
            creator: who.player.clone(),
            door,
            match_: (spec.games > 1).then(|| MatchRow {
                id: ids::game(),
                number: 1,
                games: spec.games,
            }),
            plies: 0,
            position: start.to_string(),
            to_move: start.to_move(),
            due_at: None,
            ending: None,
            created_at: now,
            updated_at: now,
        };
        if let Door::Player(asked) = &row.door {
            self.check_not_blocked(&row, asked).await?;
        }
        Ok(row)
    }
}
