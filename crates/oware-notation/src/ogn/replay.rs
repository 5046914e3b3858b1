//! Replaying a record: is every ply legal, and is the result that of the game?

use std::fmt;

use oware_rules::{
    Ending, FinalScore, Game, GameError, HalfSeeds, House, MatchEnd, PlyRecord, Position, Reason,
    Rules, RulesError, Side,
};

use super::record::{GameResult, Line, Ply, Record, winner_name};
use crate::position::{PositionError, read_position};
use crate::text::shown;

/// Names of rules that other programs write into the tag `Variant`, in lower case.
const ABAPA_NAMES: [&str; 3] = ["oware abapa", "abapa", "oware"];

/// Where a variation leaves its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The ply in whose place it stands, from 1.
    pub ply: usize,
    /// Which of the variations of this ply it is, from 1.
    pub number: usize,
}

/// Why a record is not that of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReplayError {
    /// The first wrong ply, from 1. 0 where the tags do not tell how to begin; the number of
    /// plies where all are right and the end is wrong.
    pub ply: usize,
    /// The move of this ply, if it is wrong.
    pub house: Option<House>,
    /// The way into the variation the ply stands in; empty in the game itself.
    pub branches: Vec<Branch>,
    /// What is wrong.
    pub why: ReplayProblem,
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.ply, self.house) {
            (ply, Some(house)) => write!(f, "ply {ply} ({house})")?,
            (0, None) => f.write_str("before the first ply")?,
            (ply, None) => write!(f, "after ply {ply}")?,
        }
        for Branch { ply, number } in self.branches.iter().rev() {
            write!(f, ", in variation {number} of ply {ply}")?;
        }
        write!(f, ": {}", self.why)
    }
}

impl std::error::Error for ReplayError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.why)
    }
}

/// What is wrong with a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayProblem {
    /// The tag `Rules` names no rules.
    #[error("tag Rules: {0}")]
    Rules(RulesError),
    /// A tag has a value that it cannot have.
    #[error("tag {tag}: {found} is not known, expected {expected}")]
    Tag {
        /// The tag.
        tag: &'static str,
        /// Its value, quoted.
        found: String,
        /// What was expected.
        expected: String,
    },
    /// The tag `FEN` holds no position.
    #[error("tag FEN: {0}")]
    Start(PositionError),
    /// The move cannot be played.
    #[error("{0}")]
    Move(GameError),
    /// The move captures another number of seeds than the record says.
    #[error("the record says that {stated} seeds are captured, it is {captured}")]
    Capture {
        /// In the record.
        stated: u8,
        /// In the game.
        captured: u8,
    },
    /// The game is over with other stores than the result says, or the result is `*`.
    #[error("the game is over ({reason}) with {score}, the result of the record is {stated}")]
    Result {
        /// In the record.
        stated: GameResult,
        /// In the game.
        score: FinalScore,
        /// Why the game is over.
        reason: Reason,
    },
    /// There is a result, the game is not over, and nothing says why it ended.
    #[error(
        "the moves do not end the game and there is no tag Reason, expected the result * \
         instead of {stated}{}",
        if *repeated {
            " (the last position is a repetition: under repetition=2, as in the rules \
             abapa-first-repetition, the game would be over)"
        } else {
            ""
        }
    )]
    NotOver {
        /// The result in the record.
        stated: FinalScore,
        /// Whether the last position has occurred before.
        repeated: bool,
    },
    /// The game is over for another reason than the tag `Reason` says.
    #[error("the game is over by {actual}, tag Reason says {stated}")]
    Reason {
        /// In the record.
        stated: Reason,
        /// In the game.
        actual: Reason,
    },
    /// The tag `Reason` says that the rules ended the game, and they did not.
    #[error("tag Reason says {stated}, and the moves do not end the game")]
    ReasonNotReached {
        /// In the record.
        stated: Reason,
    },
    /// Tags of a finished game with the result `*`.
    #[error("the result is * (not over), expected no tag {tag}")]
    TagOfTheEnd {
        /// `Reason` or `Winner`.
        tag: &'static str,
    },
    /// The winner is another.
    #[error(
        "tag Winner says {}, the game says {}", winner_name(*stated), winner_name(*actual)
    )]
    Winner {
        /// In the record; `None` is a draw.
        stated: Option<Side>,
        /// In the game.
        actual: Option<Side>,
    },
    /// The reason does not tell who won, and no tag does.
    #[error("a game that ended by {reason} needs a tag Winner: {expected}")]
    WinnerMissing {
        /// Why the game is over.
        reason: Reason,
        /// The values that the tag can have here.
        expected: &'static str,
    },
}

impl ReplayError {
    fn begin(why: ReplayProblem) -> ReplayError {
        ReplayError { ply: 0, house: None, branches: Vec::new(), why }
    }

    fn end(game: &Game, why: ReplayProblem) -> ReplayError {
        ReplayError { ply: game.plies().len(), house: None, branches: Vec::new(), why }
    }
}

/// The rules a record is played by: its tag `Rules`, else what its tag `Variant` means, else
/// `abapa`.
///
/// # Errors
/// When the tag that counts names no rules.
pub fn rules_of(record: &Record) -> Result<Rules, ReplayError> {
    if let Some(id) = record.tag("Rules") {
        return id.parse().map_err(|error| ReplayError::begin(ReplayProblem::Rules(error)));
    }
    let Some(variant) = record.tag("Variant") else {
        return Ok(Rules::ABAPA);
    };
    let name = variant.trim().to_lowercase();
    if ABAPA_NAMES.contains(&name.as_str()) {
        return Ok(Rules::ABAPA);
    }
    name.parse().map_err(|_| {
        ReplayError::begin(ReplayProblem::Tag {
            tag: "Variant",
            found: shown(variant),
            expected: "Oware Abapa or the id of rules, or a tag Rules beside it".into(),
        })
    })
}

/// The position a record begins with: its tag `FEN`, else the usual start.
///
/// # Errors
/// When the tag is not a position with stores.
pub fn start_of(record: &Record, rules: Rules) -> Result<Position, ReplayError> {
    let Some(text) = record.tag("FEN") else {
        return Ok(Position::start(rules));
    };
    read_position(text)
        .and_then(|position| position.resolve(None, rules))
        .map_err(|error| ReplayError::begin(ReplayProblem::Start(error)))
}

/// Plays a record's moves and holds them and its end against the rules.
///
/// Looked at are: that the rules and the start position can be read; that every move is one of
/// the player to move and legal, with the captures the record states; that none stands behind
/// the end; and that result, `Reason` and `Winner` agree with the game. Ends that people decide
/// are applied. Variations are not looked at: see [`verify_variations`].
///
/// # Errors
/// [`ReplayError`] with the first wrong ply and why.
pub fn replay(record: &Record) -> Result<Game, ReplayError> {
    replay_under(record, rules_of(record)?)
}

/// Like [`replay`], under these rules whatever the record says.
///
/// # Errors
/// As [`replay`].
pub fn replay_under(record: &Record, rules: Rules) -> Result<Game, ReplayError> {
    let mut game = Game::from_position(start_of(record, rules)?);
    for ply in &record.line.plies {
        play(&mut game, ply, &[])?;
    }
    finish(&mut game, record).map_err(|why| ReplayError::end(&game, why))?;
    Ok(game)
}

/// Plays a record's moves with all its variations, and asks of each what [`replay`] asks of the
/// moves of the game. The end of the game is not looked at.
///
/// # Errors
/// [`ReplayError`] with the first wrong ply in the order of the text, and the way to it.
pub fn verify_variations(record: &Record) -> Result<(), ReplayError> {
    let mut game = Game::from_position(start_of(record, rules_of(record)?)?);
    walk(&mut game, &record.line, &mut Vec::new())
}

/// Plays a line on the game, and each variation from where it leaves.
fn walk(game: &mut Game, line: &Line, branches: &mut Vec<Branch>) -> Result<(), ReplayError> {
    for ply in &line.plies {
        play(game, ply, branches)?;
        let here = game.plies().len();
        for (index, variation) in ply.variations().enumerate() {
            game.undo();
            branches.push(Branch { ply: here, number: index + 1 });
            walk(game, variation, branches)?;
            branches.pop();
            while game.plies().len() >= here {
                game.undo();
            }
            play(game, ply, branches)?;
        }
    }
    Ok(())
}

fn play(game: &mut Game, ply: &Ply, branches: &[Branch]) -> Result<(), ReplayError> {
    let number = game.plies().len() + 1;
    let error =
        |why| ReplayError { ply: number, house: Some(ply.house), branches: branches.to_vec(), why };
    if let Some(ending) = game.ending() {
        return Err(error(ReplayProblem::Move(GameError::Over(ending.reason))));
    }
    if ply.house.side() != game.position().to_move() {
        let not_yours = oware_rules::PlayError::NotYours(ply.house);
        return Err(error(ReplayProblem::Move(not_yours.into())));
    }
    game.play_quick(ply.house.as_move()).map_err(|why| error(ReplayProblem::Move(why)))?;
    let (Some(stated), Some(played)) = (ply.captured, game.plies().last()) else {
        return Ok(());
    };
    if stated == played.captured || stated_with_share(stated, played) {
        return Ok(());
    }
    Err(error(ReplayProblem::Capture { stated, captured: played.captured }))
}

/// Some programs count into the last capture what the mover gets by the sharing out at the end.
fn stated_with_share(stated: u8, played: &PlyRecord) -> bool {
    let mover = played.after.to_move().other();
    played.ending.is_some_and(|ending| {
        let store = HalfSeeds::whole(played.after.store(mover).get());
        let share = ending.score.of(mover).halves() - store.halves();
        HalfSeeds::whole(stated).halves() == HalfSeeds::whole(played.captured).halves() + share
    })
}

/// What the tags say about the end.
struct StatedEnd {
    reason: Option<Reason>,
    /// The inner `None` is a draw.
    winner: Option<Option<Side>>,
}

fn stated_end(record: &Record) -> Result<StatedEnd, ReplayProblem> {
    let reason = match record.tag("Reason") {
        None => None,
        Some(text) => Some(text.parse::<Reason>().map_err(|_| ReplayProblem::Tag {
            tag: "Reason",
            found: shown(text),
            expected: format!("one of {}", Reason::ALL.map(Reason::name).join(", ")),
        })?),
    };
    let winner = match record.tag("Winner") {
        None => None,
        Some(text) => Some(
            [Some(Side::South), Some(Side::North), None]
                .into_iter()
                .find(|&side| winner_name(side) == text)
                .ok_or_else(|| ReplayProblem::Tag {
                    tag: "Winner",
                    found: shown(text),
                    expected: "South, North or draw".into(),
                })?,
        ),
    };
    Ok(StatedEnd { reason, winner })
}

/// Holds the end of a played game against the record; applies an end that people decided.
fn finish(game: &mut Game, record: &Record) -> Result<(), ReplayProblem> {
    let stated = stated_end(record)?;
    let ending = match (game.ending(), record.result) {
        (Some(ending), _) => ending,
        (None, GameResult::Unfinished) => {
            let tag = match stated {
                StatedEnd { reason: Some(_), .. } => "Reason",
                StatedEnd { winner: Some(_), .. } => "Winner",
                _ => return Ok(()),
            };
            return Err(ReplayProblem::TagOfTheEnd { tag });
        }
        (None, GameResult::Stores(score)) => decided(game, &stated, score)?,
    };
    if let Some(reason) = stated.reason.filter(|&reason| reason != ending.reason) {
        return Err(ReplayProblem::Reason { stated: reason, actual: ending.reason });
    }
    if record.result != GameResult::Stores(ending.score) {
        let Ending { reason, score, .. } = ending;
        return Err(ReplayProblem::Result { stated: record.result, score, reason });
    }
    match stated.winner {
        Some(winner) if winner != ending.winner => {
            Err(ReplayProblem::Winner { stated: winner, actual: ending.winner })
        }
        _ => Ok(()),
    }
}

/// Ends a game that is not over by its moves, as the tags say that people ended it.
fn decided(
    game: &mut Game,
    stated: &StatedEnd,
    score: FinalScore,
) -> Result<Ending, ReplayProblem> {
    let Some(reason) = stated.reason else {
        return Err(ReplayProblem::NotOver { stated: score, repeated: game.occurrences() > 1 });
    };
    let missing = |expected| ReplayProblem::WinnerMissing { reason, expected };
    let loser = || match stated.winner {
        Some(Some(winner)) => Ok(winner.other()),
        _ => Err(missing("South or North")),
    };
    let end = match reason {
        Reason::Resignation => MatchEnd::Resignation(loser()?),
        Reason::Time => MatchEnd::Time(loser()?),
        Reason::Abandonment => MatchEnd::Abandonment(loser()?),
        Reason::Adjudication => MatchEnd::Adjudication {
            winner: stated.winner.ok_or_else(|| missing("South, North or draw"))?,
            score,
        },
        Reason::DrawAgreed => MatchEnd::DrawAgreed,
        Reason::LoopAgreed => MatchEnd::LoopAgreed,
        _ => return Err(ReplayProblem::ReasonNotReached { stated: reason }),
    };
    game.end(end).map_err(ReplayProblem::Move)
}
