//! One position: legal moves, what a move does, and whether the game is over.

use std::fmt;

use super::rules::{OracleFeeding, OracleGrandSlam, OracleLoopSplit, OracleRules, OracleStuck};

/// A position: the seeds in the houses and stores, and the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OraclePosition {
    /// Seeds in each house: 0 to 5 are South's A to F, 6 to 11 North's a to f.
    pub houses: [u8; 12],
    /// Seeds in the stores of South and North.
    pub stores: [u8; 2],
    /// The player to move: 0 is South, 1 is North.
    pub to_move: usize,
}

/// What a legal move does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OracleMove {
    /// The position after the move, before any sharing out at the end of the game. What a grand
    /// slam under `opponent_takes_rest` hands out has been handed out.
    pub position: OraclePosition,
    /// The number of seeds the mover captured.
    pub captured: u8,
    /// The captured houses by absolute index, in the order of capture.
    pub captured_houses: Vec<usize>,
    /// The number of seeds a grand slam under `opponent_takes_rest` handed to the opponent.
    pub given: u8,
    /// Whether the capture chain would take every seed on the opponent's row.
    pub grand_slam: bool,
    /// The house where the last seed fell, by absolute index.
    pub last_house: usize,
    /// Why the game is over after the move, as far as one position tells: `grand_slam_rest`,
    /// `majority`, `even` or `no_move`.
    pub terminal: Option<&'static str>,
    /// The final scores of South and North in half seeds, if `terminal` is set.
    pub final_scores_half: Option<[u16; 2]>,
}

/// What comes of a move from a house with seeds, whether it is legal or not.
struct Trial {
    houses: [u8; 12],
    stores: [u8; 2],
    last_house: usize,
    sown_on_other_side: u8,
    other_side_after_capture: u8,
    grand_slam: bool,
    captured_houses: Vec<usize>,
    captured: u8,
    given: u8,
}

impl OraclePosition {
    /// The opening position: four seeds in each house, South to move.
    pub fn start() -> Self {
        Self { houses: [4; 12], stores: [0, 0], to_move: 0 }
    }

    /// A position as the player to move sees it: `houses[0..6]` and `scores[0]` are his own.
    pub fn from_mover_view(houses: [u8; 12], scores: [u8; 2], to_move: usize) -> Self {
        let seen_by_south = Self { houses, stores: scores, to_move: 0 };
        if to_move == 0 { seen_by_south } else { seen_by_south.mirrored() }
    }

    /// Houses and stores as the given player sees them, his own first.
    pub fn seen_by(&self, player: usize) -> ([u8; 12], [u8; 2]) {
        let board = if player == 0 { *self } else { self.mirrored() };
        (board.houses, board.stores)
    }

    /// The board turned by 180 degrees and the sides exchanged.
    pub fn mirrored(&self) -> Self {
        let mut houses = [0; 12];
        for house in 0..12 {
            houses[(house + 6) % 12] = self.houses[house];
        }
        Self { houses, stores: [self.stores[1], self.stores[0]], to_move: 1 - self.to_move }
    }

    /// Reads `A-B-C-D-E-F-a-b-c-d-e-f-south-north-turn` with turn `S` or `N`.
    pub fn parse(text: &str) -> Option<Self> {
        let parts: Vec<&str> = text.split('-').collect();
        if parts.len() != 15 {
            return None;
        }
        let mut houses = [0; 12];
        for house in 0..12 {
            houses[house] = parts[house].parse().ok()?;
        }
        let stores = [parts[12].parse().ok()?, parts[13].parse().ok()?];
        let to_move = match parts[14] {
            "S" => 0,
            "N" => 1,
            _ => return None,
        };
        Some(Self { houses, stores, to_move })
    }

    /// The seeds on the row of a player.
    pub fn row(&self, player: usize) -> u8 {
        row_of(&self.houses, player)
    }

    /// All seeds, on the board and in the stores.
    pub fn total(&self) -> u16 {
        let mut total = 0;
        for seeds in self.houses.iter().chain(&self.stores) {
            total += u16::from(*seeds);
        }
        total
    }

    /// The legal moves as indices 0 to 5 of the mover's houses, ascending.
    ///
    /// Only the board is looked at: see [`Self::over`] for a game that is over by its scores.
    pub fn legal(&self, rules: &OracleRules) -> Vec<usize> {
        let mut moves = Vec::new();
        for index in 0..6 {
            if self.houses[self.own_house(index)] == 0 {
                continue;
            }
            let trial = self.try_move(rules, index);
            if trial.grand_slam && rules.grand_slam == OracleGrandSlam::Illegal {
                continue;
            }
            moves.push((index, trial));
        }
        match rules.feeding {
            OracleFeeding::WhenEmpty => {
                if self.row(1 - self.to_move) == 0 {
                    moves.retain(|(_, trial)| trial.sown_on_other_side > 0);
                }
            }
            OracleFeeding::LeaveASeed => {
                if moves.iter().any(|(_, trial)| trial.other_side_after_capture > 0) {
                    moves.retain(|(_, trial)| trial.other_side_after_capture > 0);
                }
            }
        }
        moves.into_iter().map(|(index, _)| index).collect()
    }

    /// Makes the move from the mover's house `index` (0 to 5).
    ///
    /// # Panics
    ///
    /// If the move is not among [`Self::legal`].
    pub fn apply(&self, rules: &OracleRules, index: usize) -> OracleMove {
        assert!(self.legal(rules).contains(&index), "{self}: move {index} is not legal, {rules}");
        let trial = self.try_move(rules, index);
        let position =
            Self { houses: trial.houses, stores: trial.stores, to_move: 1 - self.to_move };
        let end = if trial.grand_slam && rules.grand_slam == OracleGrandSlam::OpponentTakesRest {
            Some(("grand_slam_rest", position.stores_half()))
        } else {
            position.over(rules)
        };
        OracleMove {
            position,
            captured: trial.captured,
            captured_houses: trial.captured_houses,
            given: trial.given,
            grand_slam: trial.grand_slam,
            last_house: trial.last_house,
            terminal: end.map(|(reason, _)| reason),
            final_scores_half: end.map(|(_, scores)| scores),
        }
    }

    /// Whether the game is over in this position looked at by itself: the reason (`majority`,
    /// `even` or `no_move`) and the final scores of South and North in half seeds.
    pub fn over(&self, rules: &OracleRules) -> Option<(&'static str, [u16; 2])> {
        if !rules.play_on {
            if self.stores[0] >= 25 || self.stores[1] >= 25 {
                return Some(("majority", self.stores_half()));
            }
            if self.stores == [24, 24] {
                return Some(("even", self.stores_half()));
            }
        }
        if !self.legal(rules).is_empty() {
            return None;
        }
        let scores = match rules.stuck {
            OracleStuck::OwnRows => self.own_rows_half(),
            OracleStuck::OpponentTakesAll => {
                let mut scores = self.stores_half();
                scores[1 - self.to_move] += self.board_half();
                scores
            }
        };
        Some(("no_move", scores))
    }

    /// The final scores of South and North in half seeds if the game is settled here as a loop.
    pub fn loop_scores_half(&self, rules: &OracleRules) -> [u16; 2] {
        match rules.loop_split {
            OracleLoopSplit::OwnRows => self.own_rows_half(),
            OracleLoopSplit::Even => {
                let stores = self.stores_half();
                let share = self.board_half() / 2;
                [stores[0] + share, stores[1] + share]
            }
        }
    }

    /// The absolute index of the mover's house `index`.
    fn own_house(&self, index: usize) -> usize {
        self.to_move * 6 + index
    }

    /// The stores in half seeds.
    fn stores_half(&self) -> [u16; 2] {
        [2 * u16::from(self.stores[0]), 2 * u16::from(self.stores[1])]
    }

    /// All seeds on the board in half seeds.
    fn board_half(&self) -> u16 {
        2 * (u16::from(self.row(0)) + u16::from(self.row(1)))
    }

    /// Stores and own rows in half seeds.
    fn own_rows_half(&self) -> [u16; 2] {
        let stores = self.stores_half();
        [stores[0] + 2 * u16::from(self.row(0)), stores[1] + 2 * u16::from(self.row(1))]
    }

    /// Sows, captures and hands out, without asking whether the move is legal.
    fn try_move(&self, rules: &OracleRules, index: usize) -> Trial {
        let other = 1 - self.to_move;
        let origin = self.own_house(index);
        let mut houses = self.houses;
        let mut stores = self.stores;

        let mut hand = houses[origin];
        houses[origin] = 0;
        let mut last_house = origin;
        let mut sown_on_other_side = 0;
        while hand > 0 {
            last_house = next(last_house);
            if last_house == origin {
                continue;
            }
            houses[last_house] += 1;
            hand -= 1;
            if owner(last_house) == other {
                sown_on_other_side += 1;
            }
        }

        let chain = capture_chain(&houses, last_house, other);
        let grand_slam = takes_every_seed(&houses, &chain, other);
        let mut captured = 0;
        let mut captured_houses = Vec::new();
        for house in &chain {
            if grand_slam && is_spared(rules.grand_slam, &chain, *house) {
                continue;
            }
            while houses[*house] > 0 {
                houses[*house] -= 1;
                stores[self.to_move] += 1;
                captured += 1;
            }
            captured_houses.push(*house);
        }
        let other_side_after_capture = row_of(&houses, other);

        let mut given = 0;
        if grand_slam && rules.grand_slam == OracleGrandSlam::OpponentTakesRest {
            for house in &mut houses {
                while *house > 0 {
                    *house -= 1;
                    stores[other] += 1;
                    given += 1;
                }
            }
        }
        Trial {
            houses,
            stores,
            last_house,
            sown_on_other_side,
            other_side_after_capture,
            grand_slam,
            captured_houses,
            captured,
            given,
        }
    }
}

impl fmt::Display for OraclePosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for seeds in self.houses.iter().chain(&self.stores) {
            write!(f, "{seeds}-")?;
        }
        f.write_str(if self.to_move == 0 { "S" } else { "N" })
    }
}

/// The house after this one in the direction of sowing.
fn next(house: usize) -> usize {
    if house == 11 { 0 } else { house + 1 }
}

/// The player on whose row the house lies.
fn owner(house: usize) -> usize {
    if house < 6 { 0 } else { 1 }
}

/// The seeds on the row of a player.
fn row_of(houses: &[u8; 12], player: usize) -> u8 {
    let mut seeds = 0;
    for (house, count) in houses.iter().enumerate() {
        if owner(house) == player {
            seeds += count;
        }
    }
    seeds
}

/// The houses of the capture chain after sowing, from the last seed backwards.
fn capture_chain(houses: &[u8; 12], last_house: usize, other: usize) -> Vec<usize> {
    let mut chain = Vec::new();
    let mut house = last_house;
    while owner(house) == other && (houses[house] == 2 || houses[house] == 3) {
        chain.push(house);
        house = if house == 0 { 11 } else { house - 1 };
    }
    chain
}

/// Whether the chain is there and holds every seed on the opponent's row.
fn takes_every_seed(houses: &[u8; 12], chain: &[usize], other: usize) -> bool {
    if chain.is_empty() {
        return false;
    }
    for (house, count) in houses.iter().enumerate() {
        if owner(house) == other && *count > 0 && !chain.contains(&house) {
            return false;
        }
    }
    true
}

/// Whether a house of the chain of a grand slam is not captured.
fn is_spared(grand_slam: OracleGrandSlam, chain: &[usize], house: usize) -> bool {
    match grand_slam {
        OracleGrandSlam::NoCapture | OracleGrandSlam::Illegal => true,
        OracleGrandSlam::KeepLast => chain.first() == Some(&house),
        OracleGrandSlam::KeepFirst => chain.last() == Some(&house),
        OracleGrandSlam::OpponentTakesRest | OracleGrandSlam::Captures => false,
    }
}
