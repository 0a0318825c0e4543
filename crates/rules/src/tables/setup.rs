//! Converts written positions to valid ones, and back.

use std::borrow::Cow;

use super::{
    Position,
    pieces::{PIECES, Pieces, Place, cells},
    rules::{Entering, Rules},
};
use crate::{BySide, DiceSide, Reason, Setup, SetupError, Side};

impl Position {
    /// The written position, if it is possible and the game is not over.
    ///
    /// # Errors
    ///
    /// The first impossibility found. What is refused is impossible in any play; not everything that is
    /// accepted can be reached.
    pub fn from_setup(
        rules: &'static Rules,
        sides: &BySide<DiceSide>,
        to_move: Side,
    ) -> Result<Self, SetupError> {
        for side in Side::BOTH {
            let found = total(sides.get(side));
            if found != u32::from(PIECES) {
                return Err(piece_count(rules, side, found));
            }
        }
        let position = Self::recorded(rules, sides, to_move)?;
        position.check_cells()?;
        for side in Side::BOTH {
            position.check_course(side)?;
        }
        match position.outcome().map(|outcome| outcome.reason) {
            None => Ok(position),
            Some(Reason::DeadDraw) => {
                Err(SetupError::Over { why: "each side has a piece pinned on its own 24" })
            }
            Some(Reason::Mother) => Err(SetupError::Over { why: "a side's mother is pinned" }),
            Some(_) => Err(SetupError::Over { why: "a side has borne off all its pieces" }),
        }
    }

    /// The recorded position: everything that can be represented is accepted, whether the rules allow it or
    /// not.
    ///
    /// # Errors
    ///
    /// A cell or a place that the game does not have, or more pieces than a
    /// side has.
    pub fn recorded(
        rules: &'static Rules,
        sides: &BySide<DiceSide>,
        to_move: Side,
    ) -> Result<Self, SetupError> {
        let white = pack(rules, Side::White, &sides.white)?;
        let black = pack(rules, Side::Black, &sides.black)?;
        Ok(Self::new(rules, BySide { white, black }, to_move))
    }

    /// The position in written form.
    pub fn setup(&self) -> Setup {
        let sides = BySide { white: self.written(Side::White), black: self.written(Side::Black) };
        Setup::Tables { sides, to_move: self.to_move() }
    }

    fn written(&self, side: Side) -> DiceSide {
        let (rules, pieces) = (self.rules(), self.pieces(side));
        DiceSide {
            points: cells(pieces.occupied())
                .map(|cell| (Cow::Borrowed(rules.name(cell)), pieces.count(cell)))
                .collect(),
            supply: pieces.count(Place::SUPPLY),
            bar: pieces.count(Place::BAR),
            off: pieces.count(Place::OFF),
            pinned: cells(pieces.pinned()).map(|cell| rules.name(cell).to_owned()).collect(),
            exposed: pieces.exposed(),
        }
    }

    /// Only a pinned piece shares its cell with the other side, and it is alone of its side there.
    fn check_cells(&self) -> Result<(), SetupError> {
        let rules = self.rules();
        for side in Side::BOTH {
            let (own, enemy) = (self.pieces(side), self.pieces(side.other()));
            for cell in cells(own.pinned()) {
                let above = rules.across(cell);
                if own.count(cell) != 1 || enemy.count(above) == 0 || enemy.pinned() & above.bit() != 0 {
                    let cell = rules.name(cell).to_owned();
                    return Err(SetupError::NotPinned { side: rules.side_name(side), cell });
                }
            }
        }
        let (white, black) = (self.pieces(Side::White), self.pieces(Side::Black));
        let shared = rules.path().find(|&cell| {
            let across = rules.across(cell);
            white.count(cell) > 0
                && black.count(across) > 0
                && white.pinned() & cell.bit() == 0
                && black.pinned() & across.bit() == 0
        });
        match shared {
            Some(cell) => Err(SetupError::Shared { cell: rules.name(cell).to_owned() }),
            None => Ok(()),
        }
    }

    /// Checks for pieces that no play can bring to these places together.
    fn check_course(&self, side: Side) -> Result<(), SetupError> {
        let (rules, pieces) = (self.rules(), self.pieces(side));
        let unreachable = |why| Err(SetupError::Unreachable { side: rules.side_name(side), why });
        let waits = pieces.count(Place::SUPPLY) > 0;
        let off = pieces.count(Place::OFF) > 0;
        if waits && off {
            return unreachable("pieces are borne off while others wait in the supply");
        }
        match rules.entering {
            Entering::Placed if off && pieces.occupied() & ((1 << rules.home()) - 1) != 0 => {
                unreachable("pieces are borne off while others stand outside the last six cells")
            }
            Entering::EachTurn { gate: Some(gate) } if waits && pieces.occupied() >> gate != 0 => {
                unreachable("pieces have left row A while others wait in the supply")
            }
            Entering::First { zone, .. } => {
                let advanced = off || pieces.occupied() >> zone != 0;
                if waits && advanced {
                    return unreachable("pieces have left cells 1 to 6 while others wait in the supply");
                }
                let exposed = pieces.exposed();
                if (waits && exposed) || (advanced && !exposed) {
                    return Err(SetupError::Exposure { side: rules.side_name(side), exposed });
                }
                Ok(())
            }
            Entering::Placed | Entering::Free | Entering::EachTurn { .. } => Ok(()),
        }
    }
}

fn total(side: &DiceSide) -> u32 {
    let places = [side.supply, side.bar, side.off];
    side.points.values().copied().chain(places).map(u32::from).sum()
}

fn piece_count(rules: &Rules, side: Side, found: u32) -> SetupError {
    SetupError::PieceCount { side: rules.side_name(side), found, expected: u32::from(PIECES) }
}

fn pack(rules: &Rules, side: Side, written: &DiceSide) -> Result<Pieces, SetupError> {
    let absent = [
        (rules.has_supply() || written.supply == 0, "supply"),
        (rules.has_bar() || written.bar == 0, "bar"),
        (rules.pins() || written.pinned.is_empty(), "pinned"),
        (rules.shelter().is_some() || !written.exposed, "exposed"),
    ];
    if let Some(&(_, place)) = absent.iter().find(|(fits, _)| !fits) {
        return Err(SetupError::NoSuchPlace { game: rules.game(), place });
    }
    let cell = |name: &str| {
        let unknown = || SetupError::UnknownCell { game: rules.game(), cell: name.to_owned() };
        rules.cell_named(name).ok_or_else(unknown)
    };
    let found = total(written);
    if found > u32::from(PIECES) {
        return Err(piece_count(rules, side, found));
    }
    let mut pieces = Pieces::default();
    for (name, &count) in &written.points {
        pieces.set(cell(name)?, count);
    }
    pieces.set(Place::SUPPLY, written.supply);
    pieces.set(Place::BAR, written.bar);
    pieces.set(Place::OFF, written.off);
    let mut pinned = 0;
    for name in &written.pinned {
        let bit = cell(name)?.bit();
        if pinned & bit != 0 {
            return Err(SetupError::NotPinned { side: rules.side_name(side), cell: name.clone() });
        }
        pinned |= bit;
    }
    pieces.set_pinned(pinned);
    if written.exposed {
        pieces.expose();
    }
    Ok(pieces)
}
