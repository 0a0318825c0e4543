//! The road of the side that has rolled, and the single steps on it.
//!
//! While one side plays its turn, the other's pieces can only leave cells, and only blots do. So the blocked
//! cells are the same from the first step to the last: they are computed once, and after that legality
//! depends only on the mover's own pieces and dice.

use std::hash::{Hash, Hasher};

use super::{
    Position,
    dice::Hand,
    pieces::{PIECES, Pieces, Place, cells},
    rules::{Entering, Landing, Rules, Waiting},
};
use crate::{Die, Shift};

/// What stays the same during a turn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Road {
    pub(super) rules: &'static Rules,
    length: u8,
    /// Cells on which the mover may not land.
    blocked: u64,
    /// Cells with an enemy blot that a landing sends away.
    blots: u64,
    /// A mask that must be empty before pieces are borne off.
    outside: [u64; 3],
    /// In the first phase: whether the throw, when thrown, had a value that could enter.
    throw_enters: bool,
}

/// What changes during a turn: the mover's side of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Progress {
    /// The mover's pieces.
    pub(super) own: Pieces,
    /// The cells on which enemy blots have been hit in this turn.
    pub(super) hits: u64,
    /// The dice not yet played.
    pub(super) hand: Hand,
    /// Whether the turn must still bring in a piece.
    pub(super) owes_entry: bool,
}

impl Hash for Progress {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // 36 cells, 24 bits of dice and one more bit fit one word.
        state.write_u64(self.hits | self.hand.bits() << 36 | u64::from(self.owes_entry) << 60);
        for word in self.own.0 {
            state.write_u64(word);
        }
    }
}

/// One die played with one piece, by places instead of names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pace {
    pub(super) die: Die,
    pub(super) from: Place,
    pub(super) to: Place,
}

impl Road {
    /// The road of the side to move, and its state at the start with that roll.
    pub(super) fn of(position: &Position, hand: Hand) -> (Self, Progress) {
        let rules = position.rules();
        let own = *position.pieces(position.to_move());
        let enemy = position.pieces(position.to_move().other());
        let (mut blocked, mut blots) = (0, 0);
        for cell in rules.path() {
            match (enemy.count(rules.across(cell)), rules.landing) {
                (0, _) => {}
                (1, Landing::Hit) => blots |= cell.bit(),
                (1, Landing::HitOnceExposed { zone }) if cell.index() >= zone || enemy.exposed() => {
                    blots |= cell.bit();
                }
                // A lone enemy piece on top of one's own piece makes two, with the enemy on top.
                (1, Landing::Pin) if own.pinned() & cell.bit() == 0 => {}
                _ => blocked |= cell.bit(),
            }
        }
        let throw_enters = hand.values().any(|die| blocked & entry(die).bit() == 0);
        let (length, outside) = (rules.length(), Pieces::outside(rules.home(), rules.length()));
        let owes_entry = match rules.entering {
            Entering::EachTurn { .. } => own.count(Place::SUPPLY) + own.count(Place::BAR) > 0,
            Entering::Placed | Entering::Free | Entering::First { .. } => false,
        };
        (
            Self { rules, length, blocked, blots, outside, throw_enters },
            Progress { own, hits: 0, hand, owes_entry },
        )
    }

    /// Whether the mover may not land on the cell.
    pub(super) const fn is_blocked(&self, cell: Place) -> bool {
        self.blocked & cell.bit() != 0
    }

    /// Whether all of the mover's pieces in play are in the last six cells and free.
    pub(super) const fn may_bear_off(&self, own: &Pieces) -> bool {
        own.clear_of(&self.outside)
    }

    /// Whether that die can shift entered pieces while the supply lasts.
    pub(super) const fn shifts(&self, die: Die, shift: Shift) -> bool {
        match shift {
            Shift::Throw => !self.throw_enters,
            Shift::Die => self.is_blocked(entry(die)),
        }
    }

    /// The steps that the die allows, ignoring compulsion, entries first; each origin once.
    pub(super) fn paces(&self, own: &Pieces, die: Die) -> Paces {
        let mut paces = Paces { die, at: 0, len: 0, steps: [(Place::OFF, Place::OFF); PIECES as usize] };
        match self.rules.waiting {
            Waiting::Bar if own.count(Place::BAR) > 0 => {
                self.land(&mut paces, Place::BAR, entry(die));
                return paces;
            }
            Waiting::MiddleRow { .. } if own.occupied() >> self.length != 0 => {
                for middle in cells(own.occupied() >> self.length << self.length) {
                    // The count begins on the outer cell beside it.
                    let to = Place::cell(middle.index() - self.length + die.value() - 1);
                    self.land(&mut paces, middle, to);
                }
                return paces;
            }
            Waiting::Nowhere | Waiting::Bar | Waiting::MiddleRow { .. } => {}
        }
        let mut end = self.length;
        if own.count(Place::SUPPLY) > 0 {
            match self.rules.entering {
                Entering::First { zone, shift } if self.shifts(die, shift) => end = zone,
                Entering::First { .. } => {
                    self.land(&mut paces, Place::SUPPLY, entry(die));
                    return paces;
                }
                Entering::EachTurn { gate } => {
                    self.land(&mut paces, Place::SUPPLY, entry(die));
                    end = gate.unwrap_or(end);
                }
                Entering::Free | Entering::Placed => self.land(&mut paces, Place::SUPPLY, entry(die)),
            }
        }
        for from in cells(own.occupied() & !own.pinned()) {
            let to = from.index() + die.value();
            if to < end {
                self.land(&mut paces, from, Place::cell(to));
            } else if to >= self.length && self.may_bear_off(own) && self.leaves(own, from, to) {
                paces.push(from, Place::OFF);
            }
        }
        paces
    }

    /// Whether a piece in the last six cells leaves the board with a die that leads to `to`: exactly, or as
    /// the farthest piece with a larger die.
    pub(super) fn leaves(&self, own: &Pieces, from: Place, to: u8) -> bool {
        to == self.length || own.occupied().trailing_zeros() == u32::from(from.index())
    }

    fn land(&self, paces: &mut Paces, from: Place, to: Place) {
        if !self.is_blocked(to) {
            paces.push(from, to);
        }
    }
}

/// The cell on which the die enters a piece from the supply or the bar.
pub(super) const fn entry(die: Die) -> Place {
    Place::cell(die.value() - 1)
}

impl Progress {
    /// The state after a step that [`Road::paces`] lists.
    #[must_use]
    pub(super) fn after(mut self, road: &Road, pace: Pace) -> Self {
        self.hand = self.hand.without(pace.die);
        self.own.carry(pace.from, pace.to);
        if pace.to.is_cell() {
            self.hits |= road.blots & pace.to.bit();
        }
        if road.rules.shelter().is_some_and(|zone| pace.to.index() >= zone) {
            self.own.expose();
        }
        if matches!(pace.from, Place::SUPPLY | Place::BAR) {
            self.owes_entry = false;
        }
        self
    }

    /// Whether the mover has borne off everything.
    pub(super) const fn has_won(&self) -> bool {
        self.own.count(Place::OFF) == PIECES
    }
}

/// The steps of one die: at most one for each piece.
#[derive(Debug)]
pub(super) struct Paces {
    die: Die,
    at: u8,
    len: u8,
    steps: [(Place, Place); PIECES as usize],
}

impl Paces {
    fn push(&mut self, from: Place, to: Place) {
        self.steps[usize::from(self.len)] = (from, to);
        self.len += 1;
    }
}

impl Iterator for Paces {
    type Item = Pace;

    fn next(&mut self) -> Option<Pace> {
        (self.at < self.len).then(|| {
            let (from, to) = self.steps[usize::from(self.at)];
            self.at += 1;
            Pace { die: self.die, from, to }
        })
    }
}
