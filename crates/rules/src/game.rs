//! The five games and their options.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::Side;

/// One of the five games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Game {
    /// Zeno's Tavli (rules/zeno.md).
    Zeno,
    /// Tavla, Mahbousseh (rules/tavla.md).
    Tavla,
    /// Ludus XII scriptorum (rules/scripta.md).
    Scripta,
    /// Tabula (rules/tabula.md).
    Tabula,
    /// Tablut (rules/tablut.md).
    Tablut,
}

impl Game {
    /// All games, in the order of rules/README.md.
    pub const ALL: [Self; 5] = [Self::Zeno, Self::Tavla, Self::Scripta, Self::Tabula, Self::Tablut];

    /// The id used in every interface: `zeno`, `tavla`, `scripta`, `tabula`, `tablut`.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Zeno => "zeno",
            Self::Tavla => "tavla",
            Self::Scripta => "scripta",
            Self::Tabula => "tabula",
            Self::Tablut => "tablut",
        }
    }

    /// The number of dice in a throw; 0 for tablut.
    pub const fn dice(self) -> usize {
        match self {
            Self::Zeno | Self::Tabula => 3,
            Self::Tavla | Self::Scripta => 2,
            Self::Tablut => 0,
        }
    }

    /// Whether both sides roll one die each to find out who begins (tavla 1).
    pub const fn has_opening_throw(self) -> bool {
        matches!(self, Self::Tavla)
    }

    /// The side that moves first where no opening throw decides it.
    pub const fn first_to_move(self) -> Side {
        match self {
            Self::Zeno | Self::Tavla | Self::Scripta | Self::Tabula => Side::White,
            Self::Tablut => Side::Black,
        }
    }

    /// What the side is called in this game: `white`/`black`, in tablut
    /// `defenders`/`attackers`.
    pub const fn side_name(self, side: Side) -> &'static str {
        match (self, side) {
            (Self::Tablut, Side::White) => "defenders",
            (Self::Tablut, Side::Black) => "attackers",
            (_, Side::White) => "white",
            (_, Side::Black) => "black",
        }
    }

    /// The side of that name, the reverse of [`Game::side_name`].
    pub fn side_named(self, name: &str) -> Option<Side> {
        Side::BOTH.into_iter().find(|&side| self.side_name(side) == name)
    }
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// The text is not the id of a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no game \"{0}\"; the games are zeno, tavla, scripta, tabula and tablut")]
pub struct UnknownGame(pub String);

impl FromStr for Game {
    type Err = UnknownGame;

    fn from_str(id: &str) -> Result<Self, UnknownGame> {
        Self::ALL.into_iter().find(|game| game.id() == id).ok_or_else(|| UnknownGame(id.to_owned()))
    }
}

/// Zeno's option `shift` (zeno 2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shift {
    /// Entered pieces shift only if no value of the throw can enter one.
    #[default]
    Throw,
    /// Each die that cannot enter may shift, whatever the others can do.
    Die,
}

/// Tavla's option `mother` (tavla 8).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mother {
    /// A pinned mother changes nothing.
    #[default]
    PlayOn,
    /// A pinned mother loses double, unless it is a dead draw.
    DoubleLoss,
}

/// Tablut's option `throne` (tablut 1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Throne {
    /// Only the king may stop on the throne or cross it.
    #[default]
    King,
    /// Once the king has left, nobody may.
    Closed,
}

/// A game with its options: everything that decides what is legal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "game", rename_all = "snake_case")]
pub enum Variant {
    /// Zeno's Tavli.
    Zeno {
        /// When an entered piece may shift inside 1–6.
        shift: Shift,
    },
    /// Tavla.
    Tavla {
        /// What a pinned mother means.
        mother: Mother,
    },
    /// Ludus XII scriptorum.
    Scripta {
        /// Whether pieces stay in row A until the supply is empty (scripta 3).
        row_a_gate: bool,
    },
    /// Tabula.
    Tabula,
    /// Tablut.
    Tablut {
        /// Who may use the throne.
        throne: Throne,
    },
}

impl Variant {
    /// The game with its default options.
    pub const fn standard(game: Game) -> Self {
        match game {
            Game::Zeno => Self::Zeno { shift: Shift::Throw },
            Game::Tavla => Self::Tavla { mother: Mother::PlayOn },
            Game::Scripta => Self::Scripta { row_a_gate: true },
            Game::Tabula => Self::Tabula,
            Game::Tablut => Self::Tablut { throne: Throne::King },
        }
    }

    /// The game without its options.
    pub const fn game(self) -> Game {
        match self {
            Self::Zeno { .. } => Game::Zeno,
            Self::Tavla { .. } => Game::Tavla,
            Self::Scripta { .. } => Game::Scripta,
            Self::Tabula => Game::Tabula,
            Self::Tablut { .. } => Game::Tablut,
        }
    }
}
