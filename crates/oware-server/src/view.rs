//! Positions and games as the wire tells them.

use oware_rules::{
    Ending, Game, GrandSlamOutcome, House, Move, MoveReport, PlayError, Position, Reason, Side,
    Step,
};

use crate::wire;

/// A side.
#[must_use]
pub fn side(side: Side) -> wire::Side {
    match side {
        Side::South => wire::Side::South,
        Side::North => wire::Side::North,
    }
}

/// A side of the wire.
#[must_use]
pub fn side_of(side: wire::Side) -> Side {
    match side {
        wire::Side::South => Side::South,
        wire::Side::North => Side::North,
    }
}

fn step(step: Step) -> wire::Step {
    match step {
        Step::Lift { house, seeds } => {
            wire::Step::Lift { house: house.to_string(), seeds: seeds.get() }
        }
        Step::Skip { house } => wire::Step::Skip { house: house.to_string() },
        Step::Sow { house, now } => wire::Step::Sow { house: house.to_string(), now: now.get() },
        Step::Capture { house, seeds, to } => {
            wire::Step::Capture { house: house.to_string(), seeds: seeds.get(), to: side(to) }
        }
        Step::Spare { house, seeds } => {
            wire::Step::Spare { house: house.to_string(), seeds: seeds.get() }
        }
        Step::Collect { house, seeds, to } => {
            wire::Step::Collect { house: house.to_string(), seeds: seeds.get(), to: side(to) }
        }
    }
}

fn grand_slam(outcome: GrandSlamOutcome) -> String {
    let name = match outcome {
        GrandSlamOutcome::NothingCaptured => "nothing_captured",
        GrandSlamOutcome::OpponentTookRest { .. } => "opponent_took_rest",
        GrandSlamOutcome::Kept(_) => "kept",
        GrandSlamOutcome::CapturedAll => "captured_all",
    };
    name.to_owned()
}

/// What a legal move does. `ending` is the end that it brings, where the history knows of one.
#[must_use]
pub fn trace(before: &Position, mv: Move, ending: Option<&Ending>) -> wire::Trace {
    let report: MoveReport = before.report(mv);
    let after = before.outcome(mv).after;
    let captured = report.captured_houses.iter();
    let reason = ending.map(|ending| ending.reason);
    let sharing = reason.map(|reason| after.sharing_steps(reason)).unwrap_or_default();
    wire::Trace {
        house: report.from.to_string(),
        side: side(report.side),
        lifted: report.lifted.get(),
        last: report.last.to_string(),
        laps: report.laps,
        captured: report.captured.get(),
        given: report.given.get(),
        grand_slam: report.grand_slam.map(grand_slam),
        captures: captured
            .map(|one| wire::Captured { house: one.house.to_string(), seeds: one.seeds.get() })
            .collect(),
        steps: report.steps.into_iter().map(step).collect(),
        sharing: sharing.into_iter().map(step).collect(),
        houses: after.houses().to_vec(),
        stores: after.stores(),
        ends: reason.map(|reason| reason.name().to_owned()),
    }
}

/// An end.
#[must_use]
pub fn ending(ending: &Ending) -> wire::Ending {
    wire::Ending {
        reason: ending.reason.name().to_owned(),
        score: Side::BOTH.map(|side| ending.score.of(side).seeds()),
        winner: ending.winner.map(side),
    }
}

/// The ply of a number from 1 on, if it was played.
///
/// `played_at` and `spent_ms` are the site's to fill in.
#[must_use]
pub fn ply(game: &Game, number: usize) -> Option<wire::PlyView> {
    let index = number.checked_sub(1)?;
    let record = game.plies().get(index)?;
    let before = game.position_at(index)?;
    let last = number == game.plies().len();
    let ending = if last { game.ending() } else { None };
    // An end that people decided is no part of the move before it.
    let ending = ending.filter(|ending| ending.reason.follows_from_moves());
    Some(wire::PlyView {
        ply: u32::try_from(number).ok()?,
        trace: trace(before, record.mv, ending.as_ref()),
        played_at: 0,
        spent_ms: None,
    })
}

/// Why a house that is not legal may not be played.
fn forbidden(position: &Position, mv: Move) -> Option<wire::Forbidden> {
    let reason = match position.check(mv) {
        Err(PlayError::EmptyHouse(_)) => "empty",
        Err(PlayError::MustFeed(_)) => "must_feed",
        Err(PlayError::GrandSlam(_)) => "grand_slam",
        Err(PlayError::LeavesNoSeed(_)) => "leaves_no_seed",
        _ => return None,
    };
    let house = House::of(position.to_move(), mv);
    Some(wire::Forbidden { house: house.to_string(), reason: reason.to_owned() })
}

/// The end that a move would bring in this game, repetition and the limit included.
fn ending_after(game: &Game, mv: Move) -> Option<Ending> {
    let mut ahead = game.clone();
    ahead.play_quick(mv).ok()?;
    ahead.ending()
}

/// The position of a game now.
#[must_use]
pub fn position(game: &Game) -> wire::PositionView {
    let now = game.position();
    let legal = game.legal_moves();
    let over = game.ending();
    let shared = over.filter(|ending| is_shared_out(now, ending.reason));
    let (houses, stores) = match shared {
        Some(ending) => (vec![0; oware_rules::HOUSES], whole_seeds(&ending)),
        None => (now.houses().to_vec(), now.stores()),
    };
    wire::PositionView {
        position: now.to_string(),
        houses,
        stores,
        to_move: side(now.to_move()),
        legal: legal.iter().map(|mv| trace(now, mv, ending_after(game, mv).as_ref())).collect(),
        forbidden: match over {
            Some(_) => Vec::new(),
            None => Move::ALL.into_iter().filter_map(|mv| forbidden(now, mv)).collect(),
        },
        occurrences: game.occurrences(),
        capture_free: game.capture_free(),
        ending: over.as_ref().map(ending),
    }
}

/// Whether an end for this reason hands out what is left in the houses.
fn is_shared_out(position: &Position, reason: Reason) -> bool {
    position.settle(reason).score != oware_rules::FinalScore::whole(position.stores())
}

fn whole_seeds(ending: &Ending) -> [u8; 2] {
    // Never above 96 halves: 48 seeds.
    Side::BOTH.map(|side| u8::try_from(ending.score.of(side).halves() / 2).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use oware_rules::PRESETS;
    use oware_testkit::TestRng;

    fn seeds(houses: &[u8], stores: [u8; 2]) -> u32 {
        houses.iter().chain(&stores).map(|seeds| u32::from(*seeds)).sum()
    }

    /// What the traces of random games tell is what the rules do, 48 seeds at every place.
    #[test]
    fn traces_tell_what_the_rules_do() {
        let mut rng = TestRng::from_env("traces_tell_what_the_rules_do");
        for _ in 0..200 {
            let rules = rng.pick(&PRESETS).rules;
            let mut game = Game::new(rules);
            while !game.is_over() && game.plies().len() < 200 {
                let view = position(&game);
                assert_eq!(seeds(&view.houses, view.stores), 48);
                assert_eq!(view.legal.len(), game.legal_moves().len());
                assert_eq!(view.legal.len() + view.forbidden.len(), 6);
                let moves: Vec<_> = game.legal_moves().iter().collect();
                let index = rng.below(moves.len());
                let told = view.legal[index].clone();
                game.play_quick(moves[index]).unwrap();
                assert_eq!(ply(&game, game.plies().len()).unwrap().trace, told);
                assert_eq!(told.houses, game.position().houses());
                assert_eq!(told.stores, game.position().stores());
            }
            let last = position(&game);
            assert!(last.legal.is_empty() == game.is_over());
            let total = seeds(&last.houses, last.stores);
            // Two halves may be rounded away.
            assert!(total == 48 || total == 47, "{total}");
        }
    }
}
