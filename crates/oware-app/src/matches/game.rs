//! One game of a match.

use std::fmt;
use std::time::{Duration, Instant};

use oware_rules::{FinalScore, Game, HalfSeeds, MatchEnd, Reason, Side};

use super::Budget;
use super::adjudicate::{Adjudicator, Decision};
use super::player::{Answer, Ask, Player, PlayerFault, Stop};

/// How a game of a match ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Termination {
    /// By the rules.
    Rules,
    /// This side's time was over.
    Time(Side),
    /// This side gave a move that is not legal.
    Illegal(Side, String),
    /// This side did not answer.
    Silent(Side),
    /// This side's program ended.
    Died(Side, String),
    /// The runner decided.
    Decided(Decision),
}

impl Termination {
    /// The side whose fault it was, other than losing.
    #[must_use]
    pub const fn fault(&self) -> Option<Side> {
        match self {
            Termination::Time(side)
            | Termination::Illegal(side, _)
            | Termination::Silent(side)
            | Termination::Died(side, _) => Some(*side),
            Termination::Rules | Termination::Decided(_) => None,
        }
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Termination::Rules => f.write_str("rules"),
            Termination::Time(side) => write!(f, "time: {} was late", side_name(*side)),
            Termination::Illegal(side, text) => {
                write!(f, "illegal move: {} said {text:?}", side_name(*side))
            }
            Termination::Silent(side) => {
                write!(f, "silence: {} did not answer", side_name(*side))
            }
            Termination::Died(side, why) => write!(f, "fault: {}: {why}", side_name(*side)),
            Termination::Decided(decision) => write!(f, "adjudication: {decision}"),
        }
    }
}

pub(super) const fn side_name(side: Side) -> &'static str {
    match side {
        Side::South => "South",
        Side::North => "North",
    }
}

/// What a side did in a game, its opening left out.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Effort {
    /// Moves that came from a search.
    pub searched: u32,
    /// Plies looked ahead, summed over these moves.
    pub depth: u64,
    /// Positions seen.
    pub nodes: u64,
    /// Time taken for all moves.
    pub time: Duration,
}

impl Effort {
    fn add(&mut self, answer: &Answer, time: Duration) {
        if answer.depth > 0 {
            self.searched += 1;
            self.depth += u64::from(answer.depth);
        }
        self.nodes += answer.nodes;
        self.time += time;
    }

    /// Plies looked ahead in a search, on average; `None` without a search.
    #[must_use]
    pub fn mean_depth(&self) -> Option<f64> {
        (self.searched > 0).then(|| self.depth as f64 / f64::from(self.searched))
    }

    /// Both together.
    pub(super) fn join(&mut self, other: &Effort) {
        self.searched += other.searched;
        self.depth += other.depth;
        self.nodes += other.nodes;
        self.time += other.time;
    }
}

/// A game that was played to its end.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// The game; it is over.
    pub game: Game,
    /// How it ended.
    pub termination: Termination,
    /// What South and North did.
    pub effort: [Effort; 2],
}

/// A side of a game.
pub(super) struct Seat<'a> {
    pub(super) player: &'a mut dyn Player,
    pub(super) budget: &'a Budget,
    pub(super) margin: Duration,
}

/// Plays a game from its opening on. `None` if the match was told to end before it did.
pub(super) fn play(
    opening: Game,
    pair: usize,
    seats: &mut [Seat<'_>; 2],
    adjudicator: &Adjudicator,
    stop: &Stop,
) -> Option<Played> {
    let mut played =
        Played { game: opening, termination: Termination::Rules, effort: Default::default() };
    let mut clocks = [0, 1].map(|index| seats[index].budget.clock.map(|(base, _)| base));
    let increments = [0, 1]
        .map(|index| seats[index].budget.clock.map_or(Duration::ZERO, |(_, increment)| increment));
    for side in Side::BOTH {
        match seats[side.index()].player.new_game(pair, stop) {
            Ok(()) => {}
            Err(PlayerFault::Stopped) => return None,
            Err(fault) => {
                played.lose(side, fault);
                return Some(played);
            }
        }
    }
    let mut judge = adjudicator.judge();
    while !played.game.is_over() {
        if let Some(decision) = judge.decide(&played.game) {
            played.decide(decision);
            break;
        }
        if stop.is_stopped() {
            return None;
        }
        let side = played.game.position().to_move();
        let seat = &mut seats[side.index()];
        let ask = Ask { budget: seat.budget, clocks, increments, margin: seat.margin, stop };
        let begun = Instant::now();
        let answer = seat.player.choose(&played.game, &ask);
        let taken = begun.elapsed();
        let answer = match answer {
            Ok(answer) => answer,
            Err(PlayerFault::Stopped) => return None,
            Err(fault) => {
                played.lose(side, fault);
                break;
            }
        };
        played.effort[side.index()].add(&answer, taken);
        if is_late(seat, &mut clocks[side.index()], taken) {
            played.lose(side, PlayerFault::Late);
            break;
        }
        if played.game.play_quick(answer.mv).is_err() {
            let house = oware_rules::House::of(side, answer.mv);
            played.lose(side, PlayerFault::Illegal(house.to_string()));
            break;
        }
        judge.heard(side, answer.score);
    }
    Some(played)
}

/// Looks whether a move came too late, and takes its time off the clock. What is late within the
/// margin costs no more than there was.
fn is_late(seat: &Seat<'_>, clock: &mut Option<Duration>, taken: Duration) -> bool {
    let over = |allowed: Duration| taken > allowed + seat.margin;
    if seat.budget.movetime.is_some_and(over) || clock.is_some_and(over) {
        return true;
    }
    if let (Some(left), Some((_, increment))) = (clock, seat.budget.clock) {
        *left = left.saturating_sub(taken) + increment;
    }
    false
}

impl Played {
    fn end(&mut self, end: MatchEnd) {
        // It was not over, or play would not have come here.
        let ended = self.game.end(end);
        debug_assert!(ended.is_ok(), "a game ends once");
    }

    fn lose(&mut self, side: Side, fault: PlayerFault) {
        let stores = FinalScore::whole(self.game.position().stores());
        let forfeit = MatchEnd::Adjudication { winner: Some(side.other()), score: stores };
        let (termination, end) = match fault {
            PlayerFault::Late | PlayerFault::Stopped => {
                (Termination::Time(side), MatchEnd::Time(side))
            }
            PlayerFault::Illegal(text) => (Termination::Illegal(side, text), forfeit),
            PlayerFault::Silent => (Termination::Silent(side), MatchEnd::Abandonment(side)),
            PlayerFault::Died(why) => (Termination::Died(side, why), MatchEnd::Abandonment(side)),
        };
        self.termination = termination;
        self.end(end);
    }

    fn decide(&mut self, decision: Decision) {
        let position = self.game.position();
        let stores = FinalScore::whole(position.stores());
        let (winner, score) = match decision {
            Decision::Tables { mover_ahead, .. } => {
                let ahead = i16::from(mover_ahead);
                let halves = |n: i16| HalfSeeds((48 + n).clamp(0, 96) as u16);
                let (mover, other) = (halves(ahead), halves(-ahead));
                let score = match position.to_move() {
                    Side::South => FinalScore { south: mover, north: other },
                    Side::North => FinalScore { south: other, north: mover },
                };
                (score.winner(), score)
            }
            Decision::Scores { winner, .. } => (Some(winner), stores),
            // As the rules share out a loop.
            Decision::TooLong { .. } => {
                let settled = position.settle(Reason::LoopAgreed);
                (settled.winner, settled.score)
            }
        };
        self.termination = Termination::Decided(decision);
        self.end(MatchEnd::Adjudication { winner, score });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oware_rules::{Position, Rules, Setup};

    struct Nobody;

    impl Player for Nobody {
        fn new_game(&mut self, _: usize, _: &Stop) -> Result<(), PlayerFault> {
            Ok(())
        }

        fn choose(&mut self, _: &Game, _: &Ask<'_>) -> Result<Answer, PlayerFault> {
            Err(PlayerFault::Silent)
        }
    }

    #[test]
    fn clocks_run_down_gain_and_fall() {
        let mut budget = Budget::default();
        budget.set("clock", "1+0.2").unwrap();
        let millis = Duration::from_millis;
        let seat = Seat { player: &mut Nobody, budget: &budget, margin: millis(50) };
        let mut clock = Some(millis(1000));
        assert!(!is_late(&seat, &mut clock, millis(900)));
        assert_eq!(clock, Some(millis(300)));
        // Late, but within the margin: nothing is left but what the move adds.
        assert!(!is_late(&seat, &mut clock, millis(340)));
        assert_eq!(clock, Some(millis(200)));
        assert!(is_late(&seat, &mut clock, millis(251)));
        let mut budget = Budget::default();
        budget.set("movetime", "100").unwrap();
        let seat = Seat { player: &mut Nobody, budget: &budget, margin: millis(50) };
        assert!(!is_late(&seat, &mut None, millis(150)));
        assert!(is_late(&seat, &mut None, millis(151)));
    }

    #[test]
    fn decisions_and_faults_become_results() {
        let setup = Setup {
            houses: [1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1],
            stores: [20, 24],
            to_move: Side::North,
        };
        let position = Position::new(setup, Rules::ABAPA).unwrap();
        let played = || Played {
            game: Game::from_position(position),
            termination: Termination::Rules,
            effort: Default::default(),
        };
        let ended = |played: &Played| {
            let ending = played.game.ending().unwrap();
            (ending.reason, ending.winner, ending.score.to_string())
        };
        let decided = |decision| {
            let mut played = played();
            played.decide(decision);
            ended(&played)
        };
        let tables = |mover_ahead| Decision::Tables { mover_ahead, if_even: false };
        let by = Reason::Adjudication;
        assert_eq!(decided(tables(5)), (by, Some(Side::North), "21.5-26.5".into()));
        assert_eq!(decided(tables(-4)), (by, Some(Side::South), "26-22".into()));
        assert_eq!(decided(tables(0)), (by, None, "24-24".into()));
        let long = decided(Decision::TooLong { plies: 9 });
        assert_eq!(long, (by, Some(Side::North), "22-26".into()));
        let scores = Decision::Scores { winner: Side::South, plies: 8 };
        assert_eq!(decided(scores), (by, Some(Side::South), "20-24".into()));
        for (fault, reason) in [
            (PlayerFault::Late, Reason::Time),
            (PlayerFault::Illegal("x".into()), by),
            (PlayerFault::Silent, Reason::Abandonment),
            (PlayerFault::Died("x".into()), Reason::Abandonment),
        ] {
            let mut played = played();
            played.lose(Side::North, fault);
            assert_eq!(ended(&played), (reason, Some(Side::South), "20-24".into()));
            assert_eq!(played.termination.fault(), Some(Side::North));
        }
    }
}
