//! A position as people mean it: South and North, stores, who is to move, the rules.

use std::fmt;

use crate::report::MoveReport;
use crate::{
    Board, BoardError, Ending, Feeding, FinalScore, GrandSlam, HOUSES, HalfSeeds, House, LoopSplit,
    MAJORITY, Move, MoveSet, ROW, Reason, Rules, Seeds, Side, SowingBoard, Sown, Step, Stuck,
    TOTAL_SEEDS,
};

/// What a position is made from. Any numbers may stand here; [`Position::new`] checks them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Setup {
    /// Seeds in A..F, then a..f.
    pub houses: [u8; HOUSES],
    /// Seeds in South's and North's store.
    pub stores: [u8; 2],
    /// Who moves next.
    pub to_move: Side,
}

impl Setup {
    /// Four seeds in each house, South to move.
    pub const START: Setup = Setup { houses: [4; HOUSES], stores: [0, 0], to_move: Side::South };

    /// A position given as its mover sees it: his own houses and store first.
    #[must_use]
    pub fn from_mover(houses: [u8; HOUSES], scores: [u8; 2], mover: Side) -> Setup {
        let mut setup = Setup { houses, stores: scores, to_move: mover };
        if mover == Side::North {
            setup.houses.rotate_left(ROW);
            setup.stores.swap(0, 1);
        }
        setup
    }
}

/// Why numbers are not a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SetupError {
    /// Houses and stores do not add up to 48.
    Total {
        /// Seeds in the houses.
        houses: u32,
        /// Seeds in the stores.
        stores: u32,
    },
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SetupError::Total { houses, stores } = self;
        write!(
            f,
            "houses ({houses}) and stores ({stores}) hold {} seeds, expected {TOTAL_SEEDS}",
            houses + stores
        )
    }
}

impl std::error::Error for SetupError {}

/// Why a move is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlayError {
    /// The game is over.
    GameOver(Reason),
    /// The house belongs to the other player.
    NotYours(House),
    /// The house is empty.
    EmptyHouse(House),
    /// The opponent has no seeds, and another move would feed him.
    MustFeed(House),
    /// The move would be a grand slam, which these rules forbid.
    GrandSlam(House),
    /// The move leaves the opponent no seed, and another move would.
    LeavesNoSeed(House),
}

impl PlayError {
    /// A short name for programs.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            PlayError::GameOver(_) => "game_over",
            PlayError::NotYours(_) => "not_yours",
            PlayError::EmptyHouse(_) => "empty_house",
            PlayError::MustFeed(_) => "must_feed",
            PlayError::GrandSlam(_) => "grand_slam",
            PlayError::LeavesNoSeed(_) => "leaves_no_seed",
        }
    }
}

impl fmt::Display for PlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayError::GameOver(reason) => write!(f, "the game is over ({reason})"),
            PlayError::NotYours(house) => {
                write!(f, "{house} is {}'s house, and it is the other player's turn", house.side())
            }
            PlayError::EmptyHouse(house) => write!(f, "house {house} is empty"),
            PlayError::MustFeed(house) => {
                write!(f, "{house} does not feed the opponent, who has no seeds")
            }
            PlayError::GrandSlam(house) => {
                write!(f, "{house} would be a grand slam, which is not legal under these rules")
            }
            PlayError::LeavesNoSeed(house) => {
                write!(f, "{house} leaves the opponent no seed, and another move would")
            }
        }
    }
}

impl std::error::Error for PlayError {}

/// What a legal move makes of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The position after it, before any sharing out.
    pub after: Position,
    /// Seeds captured.
    pub captured: u8,
    /// Seeds handed to the opponent by a grand slam.
    pub given: u8,
    /// Whether it is a grand slam, whatever comes of it.
    pub grand_slam: bool,
    /// The end of the game, if the move brings it: with the grand slam that hands out the rest,
    /// and without repetition.
    pub ending: Option<Ending>,
}

/// A position of a game: always 48 seeds, always well formed.
///
/// It knows nothing of how it was reached; repetition is a matter of [`Game`](crate::Game).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    board: Board,
    stores: [u8; 2],
    to_move: Side,
    rules: Rules,
}

impl Position {
    /// The start of a game.
    #[must_use]
    pub const fn start(rules: Rules) -> Position {
        Position { board: Board::START, stores: [0, 0], to_move: Side::South, rules }
    }

    /// Checks a setup and makes a position of it. Whether it can come up in play is not asked.
    ///
    /// # Errors
    /// [`SetupError`] when houses and stores do not add up to 48.
    pub fn new(setup: Setup, rules: Rules) -> Result<Position, SetupError> {
        let sum = |numbers: &[u8]| numbers.iter().map(|&n| u32::from(n)).sum::<u32>();
        let (houses, stores) = (sum(&setup.houses), sum(&setup.stores));
        let error = SetupError::Total { houses, stores };
        if houses + stores != u32::from(TOTAL_SEEDS) {
            return Err(error);
        }
        let mut board = Board::from_houses(setup.houses).map_err(|BoardError { .. }| error)?;
        if setup.to_move == Side::North {
            board = board.turned();
        }
        Ok(Position { board, stores: setup.stores, to_move: setup.to_move, rules })
    }

    /// The numbers of the position.
    #[must_use]
    pub fn setup(&self) -> Setup {
        Setup { houses: self.houses(), stores: self.stores, to_move: self.to_move }
    }

    /// Seeds in A..F, then a..f.
    #[must_use]
    pub fn houses(&self) -> [u8; HOUSES] {
        match self.to_move {
            Side::South => self.board.houses(),
            Side::North => self.board.turned().houses(),
        }
    }

    /// The houses as the player to move sees them.
    #[must_use]
    pub const fn board(&self) -> Board {
        self.board
    }

    /// Seeds in one house.
    #[must_use]
    pub fn seeds(&self, house: House) -> Seeds {
        Seeds(self.houses()[house.index()])
    }

    /// Seeds in a player's store.
    #[must_use]
    pub const fn store(&self, side: Side) -> Seeds {
        Seeds(self.stores[side.index()])
    }

    /// Both stores, South's first.
    #[must_use]
    pub const fn stores(&self) -> [u8; 2] {
        self.stores
    }

    /// The store of the player to move less the other's, -48..=48.
    #[must_use]
    pub const fn lead(&self) -> i8 {
        let mover = self.to_move.index();
        self.stores[mover] as i8 - self.stores[1 - mover] as i8
    }

    /// Seeds in a player's row.
    #[must_use]
    pub fn row_total(&self, side: Side) -> Seeds {
        Seeds(if side == self.to_move {
            self.board.mover_total()
        } else {
            self.board.opponent_total()
        })
    }

    /// Who moves next (or would, if the game were not over).
    #[must_use]
    pub const fn to_move(&self) -> Side {
        self.to_move
    }

    /// The rules of the game.
    #[must_use]
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The same position under other rules.
    #[must_use]
    pub const fn with_rules(self, rules: Rules) -> Position {
        Position { rules, ..self }
    }

    /// The board turned by 180 degrees and the sides exchanged.
    #[must_use]
    pub fn mirrored(&self) -> Position {
        Position {
            stores: [self.stores[1], self.stores[0]],
            to_move: self.to_move.other(),
            ..*self
        }
    }

    /// The end of the game, if the position by itself is one. The order is the rules' own.
    #[must_use]
    pub fn ending(&self) -> Option<Ending> {
        if let Some(ending) = self.ending_by_stores() {
            return Some(ending);
        }
        self.board.legal(&self.rules).is_empty().then(|| self.settle(Reason::NoMove))
    }

    fn ending_by_stores(&self) -> Option<Ending> {
        if self.rules.play_on {
            return None;
        }
        let reason = match self.stores {
            [south, north] if south >= MAJORITY || north >= MAJORITY => Reason::Majority,
            [24, 24] => Reason::Even,
            _ => return None,
        };
        Some(Ending::by_score(reason, FinalScore::whole(self.stores)))
    }

    /// Ends the game here for the given reason and shares out what the reason shares out.
    ///
    /// `no_move` goes by [`Rules::stuck`], the three loops by [`Rules::loop_split`]; for every
    /// other reason the stores stay as they are.
    #[must_use]
    pub fn settle(&self, reason: Reason) -> Ending {
        let mut score = FinalScore::whole(self.stores);
        match self.shared_out(reason) {
            Some([south, north]) => {
                score.south.0 += south.0;
                score.north.0 += north.0;
                Ending::by_score(reason, score)
            }
            None => Ending::by_score(reason, score),
        }
    }

    /// What each player gets of the seeds on the board when the game ends for this reason;
    /// `None` where nothing is shared out.
    fn shared_out(&self, reason: Reason) -> Option<[HalfSeeds; 2]> {
        let rows = Side::BOTH.map(|side| HalfSeeds::whole(self.row_total(side).get()));
        let all = rows[0].0 + rows[1].0;
        match reason {
            Reason::NoMove if self.rules.stuck == Stuck::OpponentTakesAll => {
                let mut shares = [HalfSeeds(0); 2];
                shares[self.to_move.other().index()] = HalfSeeds(all);
                Some(shares)
            }
            Reason::NoMove => Some(rows),
            Reason::Repetition | Reason::CaptureFreeLimit | Reason::LoopAgreed => {
                match self.rules.loop_split {
                    LoopSplit::OwnRows => Some(rows),
                    LoopSplit::Even => Some([HalfSeeds(all / 2); 2]),
                }
            }
            _ => None,
        }
    }

    /// The steps of sharing out the seeds left on the board, house by house, for displays.
    /// Empty where nothing is shared out by houses (an even split is not).
    #[must_use]
    pub fn sharing_steps(&self, reason: Reason) -> Vec<Step> {
        let to = |house: House| match (reason, self.rules.stuck, self.rules.loop_split) {
            (Reason::NoMove, Stuck::OpponentTakesAll, _) => Some(self.to_move.other()),
            (Reason::NoMove, Stuck::OwnRows, _) => Some(house.side()),
            (
                Reason::Repetition | Reason::CaptureFreeLimit | Reason::LoopAgreed,
                _,
                LoopSplit::OwnRows,
            ) => Some(house.side()),
            _ => None,
        };
        House::all()
            .filter_map(|house| {
                let seeds = self.seeds(house);
                let to = to(house)?;
                (seeds.get() > 0).then_some(Step::Collect { house, seeds, to })
            })
            .collect()
    }

    /// The legal moves; none when the game is over.
    #[must_use]
    pub fn legal_moves(&self) -> MoveSet {
        if self.ending_by_stores().is_some() {
            return MoveSet::EMPTY;
        }
        self.board.legal(&self.rules)
    }

    /// Whether a move is legal, and why not.
    ///
    /// # Errors
    /// The reason for which it is refused.
    pub fn check(&self, mv: Move) -> Result<(), PlayError> {
        if let Some(ending) = self.ending() {
            return Err(PlayError::GameOver(ending.reason));
        }
        let legal = self.board.legal(&self.rules);
        if legal.contains(mv) {
            return Ok(());
        }
        let house = House::of(self.to_move, mv);
        Err(if self.board.lifted(mv) == 0 {
            PlayError::EmptyHouse(house)
        } else if self.rules.grand_slam == GrandSlam::Illegal && self.board.is_grand_slam(mv) {
            PlayError::GrandSlam(house)
        } else if self.rules.feeding == Feeding::WhenEmpty {
            PlayError::MustFeed(house)
        } else {
            PlayError::LeavesNoSeed(house)
        })
    }

    /// Plays a move.
    ///
    /// # Errors
    /// When it is not legal; the position is untouched in any case.
    pub fn play(&self, mv: Move) -> Result<Position, PlayError> {
        self.check(mv)?;
        Ok(self.play_unchecked(mv))
    }

    /// Plays a move that is known to be legal.
    ///
    /// Seeds are conserved whatever the move; but after a move that is not in
    /// [`legal_moves`](Self::legal_moves) the position is not one that the rules allow.
    #[must_use]
    pub fn play_unchecked(&self, mv: Move) -> Position {
        self.after(&self.board.sow(mv, &self.rules))
    }

    /// The position that a sowing leads to.
    fn after(&self, sown: &Sown<Board>) -> Position {
        let mut stores = self.stores;
        stores[self.to_move.index()] += sown.captured;
        stores[self.to_move.other().index()] += sown.given;
        Position { board: sown.board, stores, to_move: self.to_move.other(), rules: self.rules }
    }

    /// All that a legal move from here makes, by one sowing.
    #[must_use]
    pub fn outcome(&self, mv: Move) -> Outcome {
        let sown = self.board.sow(mv, &self.rules);
        let after = self.after(&sown);
        let ending = if sown.ends_by_slam(&self.rules) {
            Some(after.settle(Reason::GrandSlamRest))
        } else {
            after.ending()
        };
        Outcome {
            after,
            captured: sown.captured,
            given: sown.given,
            grand_slam: sown.grand_slam,
            ending,
        }
    }

    /// The end of the game after a legal move from here, as far as one move can tell: with the
    /// grand slam that hands out the rest, and without repetition.
    #[must_use]
    pub fn ending_after(&self, mv: Move) -> Option<Ending> {
        self.outcome(mv).ending
    }

    /// What a move does, step by step. The move must come from a house with seeds.
    #[must_use]
    pub fn report(&self, mv: Move) -> MoveReport {
        MoveReport::of(self, mv)
    }
}

impl fmt::Display for Position {
    /// The canonical position string: `A-B-C-D-E-F-a-b-c-d-e-f-south-north-turn`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for seeds in self.houses().iter().chain(&self.stores) {
            write!(f, "{seeds}-")?;
        }
        write!(f, "{}", self.to_move.letter())
    }
}
