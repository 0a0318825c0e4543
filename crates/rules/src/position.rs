//! A position of any game.

use crate::{
    BySide, DiceError, DiceSide, Die, Family, Outcome, Setup, SetupError, Side, Turn, Variant, tables, tafl,
};

/// A position of any game: valid, or recorded from play. The game may have ended in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Position {
    /// Of a dice game.
    Tables(tables::Position),
    /// Of a tafl game.
    Tafl(tafl::Position),
}

impl Position {
    /// The start of a game, with [`crate::Game::first_to_move`] to move.
    pub fn start(variant: Variant) -> Self {
        match variant.family() {
            Family::Tables(rules) => Self::Tables(tables::Position::start(rules)),
            Family::Tafl(kind) => Self::Tafl(tafl::Position::start(kind)),
        }
    }

    /// The position as written, if it can occur in a game in progress.
    ///
    /// # Errors
    ///
    /// The reason why it cannot.
    pub fn from_setup(variant: Variant, setup: &Setup) -> Result<Self, SetupError> {
        Self::read(variant, setup, tables::Position::from_setup, tafl::Position::from_setup)
    }

    /// The position as written, with only the checks needed to represent it: for journals, which may follow
    /// older rules.
    ///
    /// # Errors
    ///
    /// The reason why it cannot be represented.
    pub fn recorded(variant: Variant, setup: &Setup) -> Result<Self, SetupError> {
        Self::read(variant, setup, tables::Position::recorded, tafl::Position::recorded)
    }

    fn read(
        variant: Variant,
        setup: &Setup,
        tables: impl FnOnce(
            &'static tables::Rules,
            &BySide<DiceSide>,
            Side,
        ) -> Result<tables::Position, SetupError>,
        tafl: impl FnOnce(tafl::Kind, &str, Side) -> Result<tafl::Position, SetupError>,
    ) -> Result<Self, SetupError> {
        match (variant.family(), setup) {
            (Family::Tables(rules), Setup::Tables { sides, to_move }) => {
                tables(rules, sides, *to_move).map(Self::Tables)
            }
            (Family::Tafl(kind), Setup::Tafl { board, to_move }) => {
                tafl(kind, board, *to_move).map(Self::Tafl)
            }
            (Family::Tables(_), Setup::Tafl { .. }) | (Family::Tafl(_), Setup::Tables { .. }) => {
                Err(SetupError::WrongFamily { game: variant.game() })
            }
        }
    }

    /// The position in written form.
    pub fn setup(&self) -> Setup {
        match self {
            Self::Tables(position) => position.setup(),
            Self::Tafl(position) => position.setup(),
        }
    }

    /// The game and its options.
    pub fn variant(&self) -> Variant {
        match self {
            Self::Tables(position) => position.variant(),
            Self::Tafl(position) => position.kind().variant(),
        }
    }

    /// The side to move.
    pub fn to_move(&self) -> Side {
        match self {
            Self::Tables(position) => position.to_move(),
            Self::Tafl(position) => position.to_move(),
        }
    }

    /// The same pieces with that side to move, after an opening throw has decided who begins.
    #[must_use]
    pub fn with_to_move(self, side: Side) -> Self {
        match self {
            Self::Tables(position) => Self::Tables(position.with_to_move(side)),
            Self::Tafl(position) => Self::Tafl(position.with_to_move(side)),
        }
    }

    /// The turn of the side to move, with the dice as thrown; none in a tafl game.
    ///
    /// # Errors
    ///
    /// The number of dice is wrong for the game.
    pub fn turn(&self, dice: &[Die]) -> Result<Turn, DiceError> {
        match self {
            Self::Tables(position) => tables::Turn::new(*position, dice).map(Turn::Tables),
            Self::Tafl(position) if dice.is_empty() => Ok(Turn::Tafl(tafl::Turn::new(*position))),
            Self::Tafl(_) => Err(DiceError::NoDice { game: self.variant().game() }),
        }
    }

    /// The position as a text drawing of the game's board.
    pub fn drawing(&self) -> String {
        match self {
            Self::Tables(position) => position.drawing(),
            Self::Tafl(position) => position.drawing(),
        }
    }

    /// The pieces that side has borne off; none in a tafl game.
    pub fn off(&self, side: Side) -> u8 {
        match self {
            Self::Tables(position) => position.off(side),
            Self::Tafl(_) => 0,
        }
    }

    /// The side's pip count; none in a tafl game.
    pub fn pips(&self, side: Side) -> Option<u32> {
        match self {
            Self::Tables(position) => Some(position.pips(side)),
            Self::Tafl(_) => None,
        }
    }

    /// The other side's points if this side resigns or runs out of time now.
    pub fn loss_points(&self, loser: Side) -> u8 {
        match self {
            Self::Tables(position) => position.loss_points(loser),
            Self::Tafl(_) => 1,
        }
    }

    /// The end of the game, as far as this position shows it: not by a dead position, repetition or drought,
    /// which [`Turn::end`] judges.
    pub fn outcome(&self) -> Option<Outcome> {
        match self {
            Self::Tables(position) => position.outcome(),
            Self::Tafl(position) => position.outcome(),
        }
    }

    /// Whether every roll of both sides would pass (rules/README.md); never in a tafl game.
    pub fn is_dead(&self) -> bool {
        match self {
            Self::Tables(position) => position.is_dead(),
            Self::Tafl(_) => false,
        }
    }

    /// The number of positions after `depth` turns; a finished game counts once (vectors/README.md). In a
    /// dice game: over the distinct unordered rolls, the distinct positions in which each turn can end.
    /// Ignores repetition and drought.
    pub fn perft(&self, depth: u32) -> u64 {
        match self {
            Self::Tables(position) => position.perft(depth),
            Self::Tafl(position) => position.perft(depth),
        }
    }
}
