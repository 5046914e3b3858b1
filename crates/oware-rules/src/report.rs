//! What a move did, told for people: the way of the seeds, the captures, the grand slam.

use crate::{GrandSlam, HOUSES, House, Move, Position, Rules, Seeds, Side};

/// A house that was emptied by a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CapturedHouse {
    /// The house.
    pub house: House,
    /// 2 or 3.
    pub seeds: Seeds,
}

/// What came of a grand slam.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GrandSlamOutcome {
    /// Nothing is captured; the whole chain stays.
    NothingCaptured,
    /// Everything is captured and the opponent gets the rest of the board.
    OpponentTookRest {
        /// What the opponent got.
        given: Seeds,
    },
    /// The chain is captured but for one house.
    Kept(House),
    /// Everything is captured.
    CapturedAll,
}

/// One step of a move, in the order in which hands would do it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A house is lifted.
    Lift {
        /// The house.
        house: House,
        /// The seeds in hand.
        seeds: Seeds,
    },
    /// The sowing comes round to the house of origin and leaves it out.
    Skip {
        /// The house of origin.
        house: House,
    },
    /// One seed falls.
    Sow {
        /// Where.
        house: House,
        /// What the house then holds.
        now: Seeds,
    },
    /// A house is captured, the last one first.
    Capture {
        /// The house.
        house: House,
        /// Its seeds.
        seeds: Seeds,
        /// Whose store they go to.
        to: Side,
    },
    /// A house of the chain stays, because of the grand-slam clause.
    Spare {
        /// The house.
        house: House,
        /// Its seeds.
        seeds: Seeds,
    },
    /// Seeds left on the board go to a store: the rest after a grand slam, or the sharing out
    /// at the end.
    Collect {
        /// The house.
        house: House,
        /// Its seeds.
        seeds: Seeds,
        /// Whose store they go to.
        to: Side,
    },
}

/// What a move did. Houses are absolute: A..F are South's whoever moved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveReport {
    /// Who moved.
    pub side: Side,
    /// The house that was lifted.
    pub from: House,
    /// How many seeds it held.
    pub lifted: Seeds,
    /// Where the last seed fell.
    pub last: House,
    /// How often the sowing came round and left out the house of origin: 1 from 12 seeds on,
    /// 2 from 23.
    pub laps: u8,
    /// The houses captured, in the order of capture (the last seed's first).
    pub captured_houses: Vec<CapturedHouse>,
    /// Seeds captured.
    pub captured: Seeds,
    /// Seeds handed to the opponent by a grand slam.
    pub given: Seeds,
    /// What came of the grand slam, if it was one.
    pub grand_slam: Option<GrandSlamOutcome>,
    /// The way there, step by step.
    pub steps: Vec<Step>,
}

/// The houses of the chain (the last seed's first), and whether they hold all the opponent has.
fn chain(houses: &[u8; HOUSES], last: House, mover: Side) -> (Vec<CapturedHouse>, bool) {
    let mut chain = Vec::new();
    let mut at = last.index();
    loop {
        let house = House::new(at).expect("below 12");
        if house.side() == mover || !matches!(houses[at], 2 | 3) {
            break;
        }
        chain.push(CapturedHouse { house, seeds: Seeds(houses[at]) });
        if at == 0 {
            break;
        }
        at -= 1;
    }
    let row: Seeds =
        House::all().filter(|h| h.side() != mover).map(|h| Seeds(houses[h.index()])).sum();
    let all = !chain.is_empty() && chain.iter().map(|c| c.seeds).sum::<Seeds>() == row;
    (chain, all)
}

impl MoveReport {
    /// Sows by hand from absolute houses. This is the third telling of a move in the crate, for
    /// displays; the contract tests hold it against the boards.
    pub(crate) fn of(position: &Position, mv: Move) -> MoveReport {
        let side = position.to_move();
        let from = House::of(side, mv);
        let mut houses = position.houses();
        let lifted = Seeds(std::mem::take(&mut houses[from.index()]));
        let mut steps = vec![Step::Lift { house: from, seeds: lifted }];
        let mut last = from;
        let mut laps = 0;
        for _ in 0..lifted.get() {
            last = last.next();
            if last == from {
                laps += 1;
                steps.push(Step::Skip { house: from });
                last = last.next();
            }
            houses[last.index()] += 1;
            steps.push(Step::Sow { house: last, now: Seeds(houses[last.index()]) });
        }
        let mut report = MoveReport {
            side,
            from,
            lifted,
            last,
            laps,
            captured_houses: Vec::new(),
            captured: Seeds(0),
            given: Seeds(0),
            grand_slam: None,
            steps,
        };
        report.take_chain(&mut houses, position.rules());
        report
    }

    fn take_chain(&mut self, houses: &mut [u8; HOUSES], rules: &Rules) {
        let (chain, slam) = chain(houses, self.last, self.side);
        let kept = |house: Option<&CapturedHouse>| house.map(|captured| captured.house);
        let spared = match rules.grand_slam {
            _ if !slam => None,
            GrandSlam::KeepLast => kept(chain.first()),
            GrandSlam::KeepFirst => kept(chain.last()),
            _ => None,
        };
        let nothing = slam && matches!(rules.grand_slam, GrandSlam::NoCapture | GrandSlam::Illegal);
        for captured in chain {
            let CapturedHouse { house, seeds } = captured;
            if nothing || spared == Some(house) {
                self.steps.push(Step::Spare { house, seeds });
                continue;
            }
            houses[house.index()] = 0;
            self.captured += seeds;
            self.captured_houses.push(captured);
            self.steps.push(Step::Capture { house, seeds, to: self.side });
        }
        if slam && rules.grand_slam == GrandSlam::OpponentTakesRest {
            for house in House::all() {
                let seeds = Seeds(houses[house.index()]);
                if seeds.get() > 0 {
                    self.given += seeds;
                    self.steps.push(Step::Collect { house, seeds, to: self.side.other() });
                }
            }
        }
        self.grand_slam = slam.then_some(match (rules.grand_slam, spared) {
            (_, Some(house)) => GrandSlamOutcome::Kept(house),
            (GrandSlam::OpponentTakesRest, None) => {
                GrandSlamOutcome::OpponentTookRest { given: self.given }
            }
            (GrandSlam::Captures, None) => GrandSlamOutcome::CapturedAll,
            _ => GrandSlamOutcome::NothingCaptured,
        });
    }

    /// Whether the move put a seed into an opponent's row that was empty before.
    #[must_use]
    pub fn fed(&self, before: &Position) -> bool {
        before.row_total(self.side.other()).get() == 0
            && self
                .steps
                .iter()
                .any(|step| matches!(step, Step::Sow { house, .. } if house.side() != self.side))
    }
}
