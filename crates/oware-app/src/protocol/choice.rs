//! Moves other than the best, for those who want them: near a draw, or not always the same.

use oware_rules::Game;
use oware_search::{Line, Report, Score};

use super::Settings;
use crate::draw::draw;

/// The line to play among those that a search has found.
///
/// `DrawSearch` wants the score nearest to 0. `NoiseLevel` n takes any move that is worse by n
/// hundredths of a seed at most (with `DrawSearch`: further from 0 by no more than that), drawn
/// from `Seed` and the game, so that the same game gets the same answer.
pub(super) fn choose<'r>(report: &'r Report, settings: &Settings, game: &Game) -> Option<&'r Line> {
    let worth = |line: &Line| match settings.draw_search {
        true => Score::of_hundredths(-line.score.hundredths().abs()),
        false => line.score,
    };
    // Of equal ones the first, which the search holds to be the best.
    let best = report.lines.iter().map(worth).max()?;
    let least = best - Score::of_hundredths(settings.noise_level as i32);
    let near: Vec<&Line> = report.lines.iter().filter(|line| worth(line) >= least).collect();
    if settings.noise_level == 0 {
        return near.first().copied();
    }
    near.get((drawn(settings.seed, game) % near.len() as u64) as usize).copied()
}

/// A number drawn from a seed and the game so far.
fn drawn(seed: u64, game: &Game) -> u64 {
    let start = game.start().to_string();
    let letters = game.houses_played().map(|house| house.letter() as u8);
    draw(seed, start.into_bytes().into_iter().chain(letters).map(u64::from))
}

#[cfg(test)]
mod tests {
    use super::*;
    use oware_rules::{Move, Rules};
    use oware_search::{Bound, Source};

    fn report(scores: &[i32]) -> Report {
        let line = |(mv, &score): (Move, &i32)| Line {
            mv,
            score: Score::of_hundredths(score),
            bound: Bound::Exact,
            source: Source::Search,
            depth: 1,
            moves: vec![mv],
        };
        let lines = Move::ALL.into_iter().zip(scores).map(line).collect();
        Report { lines, ..Report::default() }
    }

    fn chosen(scores: &[i32], settings: &Settings) -> i32 {
        let game = Game::new(Rules::ABAPA);
        choose(&report(scores), settings, &game).unwrap().score.hundredths()
    }

    #[test]
    fn a_draw_is_the_score_nearest_to_zero() {
        let settings = Settings { draw_search: true, ..Settings::default() };
        assert_eq!(chosen(&[300, 120, -90, -400], &settings), -90);
        assert_eq!(chosen(&[300, 120, -90, -400], &Settings::default()), 300);
        assert_eq!(choose(&report(&[]), &settings, &Game::new(Rules::ABAPA)), None);
    }

    #[test]
    fn noise_stays_within_its_level_and_can_be_repeated() {
        let mut seen = std::collections::BTreeSet::new();
        for seed in 0..50 {
            let settings = Settings { noise_level: 100, seed, ..Settings::default() };
            let score = chosen(&[300, 220, 200, 199], &settings);
            assert_eq!(score, chosen(&[300, 220, 200, 199], &settings));
            seen.insert(score);
        }
        assert_eq!(seen.into_iter().collect::<Vec<_>>(), [200, 220, 300]);
    }
}
