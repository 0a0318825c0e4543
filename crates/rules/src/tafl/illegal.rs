//! Reasons why a move is refused.

/// The reason that a move of a tafl game is illegal. Cells are named as on the board.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Illegal {
    /// The game has ended.
    #[error("the game is over")]
    GameOver,
    /// The turn's one move has been made.
    #[error("this turn has its move already")]
    TurnOver,
    /// The step names a die.
    #[error("this game is played without dice")]
    HasDie,
    /// The text is not a cell of the board.
    #[error("there is no cell \"{cell}\"")]
    UnknownCell {
        /// The text.
        cell: String,
    },
    /// There is no piece where the move begins.
    #[error("there is no piece on {cell}")]
    NoPiece {
        /// The cell where the move begins.
        cell: String,
    },
    /// There is an enemy piece where the move begins.
    #[error("the piece on {cell} is not yours")]
    NotYours {
        /// The cell where the move begins.
        cell: String,
    },
    /// The move ends where it begins.
    #[error("a move must end on another cell than {cell}")]
    NoDistance {
        /// The cell where the move begins and ends.
        cell: String,
    },
    /// The move follows neither a rank nor a file (tafl 1).
    #[error("pieces move in a straight line, along a rank or a file")]
    NotStraight,
    /// A piece is on the way, or at its end (tafl 1).
    #[error("{cell} is in the way: a piece stands there")]
    InTheWay {
        /// The cell of the first such piece.
        cell: String,
    },
    /// A piece other than the king would stop on the throne or cross it (tafl 1).
    #[error("{cell} is the throne: only the king may stop on it or cross it")]
    Throne {
        /// The throne.
        cell: String,
    },
    /// Option `throne`, `closed`: the king has left the throne (tafl 1).
    #[error("{cell} is the throne: once the king has left it, nobody may stop on it or cross it")]
    ThroneClosed {
        /// The throne.
        cell: String,
    },
}

impl Illegal {
    /// A stable code for programs.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::GameOver => "game_over",
            Self::TurnOver => "turn_over",
            Self::HasDie => "has_die",
            Self::UnknownCell { .. } => "unknown_cell",
            Self::NoPiece { .. } => "no_piece",
            Self::NotYours { .. } => "not_yours",
            Self::NoDistance { .. } => "no_distance",
            Self::NotStraight => "not_straight",
            Self::InTheWay { .. } => "in_the_way",
            Self::Throne { .. } => "throne",
            Self::ThroneClosed { .. } => "throne_closed",
        }
    }

    /// The values in the words, by name, for translations.
    pub fn params(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::GameOver | Self::TurnOver | Self::HasDie | Self::NotStraight => Vec::new(),
            Self::UnknownCell { cell }
            | Self::NoPiece { cell }
            | Self::NotYours { cell }
            | Self::NoDistance { cell }
            | Self::InTheWay { cell }
            | Self::Throne { cell }
            | Self::ThroneClosed { cell } => vec![("cell", cell.clone())],
        }
    }
}
