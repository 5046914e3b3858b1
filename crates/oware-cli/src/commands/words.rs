//! Games and rules in words.

use oware_rules::{
    Ending, Feeding, GrandSlam, GrandSlamOutcome, LoopSplit, MoveReport, Reason, Rules, Seeds,
    Stuck,
};

/// The end of a game: who won, with which stores, and why it is over.
pub(crate) fn ending(ending: &Ending, rules: &Rules) -> String {
    let result = match ending.winner {
        Some(side) => format!("{side} wins"),
        None => "a draw".into(),
    };
    format!("{result} {} ({}: {})", ending.score, ending.reason, reason(ending.reason, rules))
}

/// Why a game is over.
pub(crate) fn reason(reason: Reason, rules: &Rules) -> &'static str {
    match reason {
        Reason::GrandSlamRest => "after the grand slam the opponent took every seed left",
        Reason::Majority => "a store holds 25 or more, more than half of the seeds",
        Reason::Even => "both stores hold 24",
        Reason::NoMove => match rules.stuck {
            Stuck::OwnRows => "the player to move has no legal move, each takes his own row",
            Stuck::OpponentTakesAll => {
                "the player to move has no legal move, the other takes all that is left"
            }
        },
        Reason::Repetition => match rules.loop_split {
            LoopSplit::OwnRows => "the position came back, each takes his own row",
            LoopSplit::Even => "the position came back, what is left is split evenly",
        },
        Reason::CaptureFreeLimit => match rules.loop_split {
            LoopSplit::OwnRows => "too many plies without a capture, each takes his own row",
            LoopSplit::Even => "too many plies without a capture, what is left is split evenly",
        },
        Reason::LoopAgreed => match rules.loop_split {
            LoopSplit::OwnRows => "both agreed on a loop, each takes his own row",
            LoopSplit::Even => "both agreed on a loop, what is left is split evenly",
        },
        Reason::DrawAgreed => "both agreed on a draw",
        Reason::Resignation => "the other player resigned",
        Reason::Time => "the other player ran out of time",
        Reason::Abandonment => "the other player left",
        Reason::Adjudication => "somebody else decided",
    }
}

/// What is remarkable about a move: its capture, its grand slam, its rounds.
pub(crate) fn report(report: &MoveReport) -> Option<String> {
    let mut parts = Vec::new();
    if report.laps > 0 {
        parts.push("goes round and leaves out its own house".to_owned());
    }
    if let Some(slam) = report.grand_slam {
        parts.push(match slam {
            GrandSlamOutcome::NothingCaptured => "is a grand slam and captures nothing".into(),
            GrandSlamOutcome::OpponentTookRest { given: Seeds(0) } => {
                format!("is a grand slam, captures {}, and nothing is left", report.captured)
            }
            GrandSlamOutcome::OpponentTookRest { given } => format!(
                "is a grand slam, captures {} and hands the {given} left to the opponent",
                report.captured
            ),
            GrandSlamOutcome::Kept(house) => {
                format!("is a grand slam, captures {} and leaves {house}", report.captured)
            }
            GrandSlamOutcome::CapturedAll => {
                format!("is a grand slam and captures all {}", report.captured)
            }
        });
    } else if report.captured.get() > 0 {
        parts.push(format!("captures {}", report.captured));
    }
    (!parts.is_empty()).then(|| format!("{} {}", report.from, parts.join(", ")))
}

/// What each field of the rules means, in the order of [`Rules::fields`].
pub(crate) fn fields(rules: &Rules) -> [String; 7] {
    let slam = match rules.grand_slam {
        GrandSlam::NoCapture => {
            "a move that would capture every seed of the opponent (a grand slam) is legal and \
             captures nothing"
        }
        GrandSlam::Illegal => {
            "a move that would capture every seed of the opponent (a grand slam) is not legal"
        }
        GrandSlam::OpponentTakesRest => {
            "a grand slam captures; every seed left on the board goes to the opponent and the \
             game ends"
        }
        GrandSlam::KeepLast => {
            "a grand slam captures all of its chain but the house where the last seed fell"
        }
        GrandSlam::KeepFirst => {
            "a grand slam captures all of its chain but its far end, the first house in sowing \
             order"
        }
        GrandSlam::Captures => {
            "a grand slam captures everything; if the opponent then has no move the game ends"
        }
    };
    let feeding = match rules.feeding {
        Feeding::WhenEmpty => {
            "if the opponent has no seeds, a move that sows at least one there must be played"
        }
        Feeding::LeaveASeed => {
            "a move must leave the opponent a seed after its capture; if none does, every move \
             is legal"
        }
    };
    let stuck = match rules.stuck {
        Stuck::OwnRows => {
            "when the player to move has no legal move, each takes the seeds in his own row"
        }
        Stuck::OpponentTakesAll => {
            "when the player to move has no legal move, the other takes all seeds left"
        }
    };
    let split = match rules.loop_split {
        LoopSplit::OwnRows => "when play goes round in a loop, each takes the seeds in his own row",
        LoopSplit::Even => {
            "when play goes round in a loop, the seeds left are split evenly, in halves if need be"
        }
    };
    let repetition = match rules.repetition {
        None => "a position may come back as often as it likes; players can agree on a loop".into(),
        Some(times) => format!(
            "the game ends as a loop when a position (with the same player to move) occurs for \
             the {} time since the last capture",
            ordinal(times.get())
        ),
    };
    let limit = match rules.capture_free_limit {
        None => "no number of plies without a capture ends the game".into(),
        Some(limit) => format!("the game ends as a loop after {limit} plies without a capture"),
    };
    let play_on = if rules.play_on {
        "play goes on past 25 and 24-24, to the last seed"
    } else {
        "25 seeds win, 24-24 is a draw, and the game is over; seeds left on the board are nobody's"
    };
    [slam.into(), feeding.into(), stuck.into(), split.into(), repetition, limit, play_on.into()]
}

fn ordinal(n: u16) -> String {
    let ending = match (n % 10, n % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{n}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinals() {
        for (n, text) in [
            (2, "2nd"),
            (3, "3rd"),
            (4, "4th"),
            (11, "11th"),
            (12, "12th"),
            (21, "21st"),
            (113, "113th"),
            (1002, "1002nd"),
        ] {
            assert_eq!(ordinal(n), text);
        }
    }
}
