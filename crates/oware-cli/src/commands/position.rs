//! A position named on the command line.

use oware_notation::PositionText;
use oware_rules::{Position, Rules};

use crate::output::Usage;

/// The position a command begins with.
#[derive(Debug, clap::Args)]
pub(crate) struct PositionArgs {
    /// Rules: a preset, or fields, or both (see `oware rules`)
    #[arg(long, value_name = "RULES", default_value_t)]
    pub(crate) rules: Rules,
    /// A position string in any known form, in place of the start of a game
    #[arg(long, value_name = "POSITION", value_parser = read)]
    position: Option<PositionText>,
    /// Stores of the player to move and his opponent, where the position string has none
    #[arg(long, value_name = "MOVER,OPPONENT", value_parser = read_scores)]
    scores: Option<[u8; 2]>,
}

impl PositionArgs {
    /// Whether a position was given.
    pub(crate) fn has_position(&self) -> bool {
        self.position.is_some()
    }

    /// The stores given beside a position.
    pub(crate) fn scores(&self) -> Option<[u8; 2]> {
        self.scores
    }

    /// The position; that of a game's start if none was given.
    pub(crate) fn resolve(&self) -> Result<Position, Usage> {
        match (self.position, self.scores) {
            (Some(text), scores) => text
                .resolve(scores, self.rules)
                .map_err(|error| Usage(format!("invalid value for --position: {error}"))),
            (None, Some(_)) => Err(Usage("--scores needs a --position that has none".into())),
            (None, None) => Ok(Position::start(self.rules)),
        }
    }
}

fn read(text: &str) -> Result<PositionText, oware_notation::PositionError> {
    oware_notation::read_position(text)
}

/// Two stores, as in `12,9`.
pub(crate) fn read_scores(text: &str) -> Result<[u8; 2], String> {
    let number = |text: &str| text.trim().parse::<u8>().ok().filter(|&n| n <= 48);
    text.split_once(',')
        .and_then(|(mover, opponent)| Some([number(mover)?, number(opponent)?]))
        .ok_or_else(|| "expected two numbers from 0 to 48 with a comma, such as 12,9".into())
}
