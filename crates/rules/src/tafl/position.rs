//! Positions of tafl games: read, checked, written, drawn.

use super::{
    board::{Cell, Cells},
    games::Kind,
};
use crate::{Outcome, Reason, Setup, SetupError, Side};

/// A position: pieces and the side to move. The game may have ended in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    pub(super) kind: Kind,
    pub(super) to_move: Side,
    pub(super) attackers: Cells,
    /// Without the king.
    pub(super) defenders: Cells,
    /// One cell, or none once the king is captured.
    pub(super) king: Cells,
}

impl Position {
    /// The start of a game.
    pub fn start(kind: Kind) -> Self {
        let board = kind.description().start;
        Self::recorded(kind, board, kind.game().first_to_move()).expect("the start is a position")
    }

    /// The written position, if the game can still be in progress: one king, not on an edge nor captured on
    /// the throne, no more pieces than the game has, and only the king on the throne. A side to move without
    /// a legal move is accepted: its turn ends with its loss.
    ///
    /// # Errors
    ///
    /// The fault of the board.
    pub fn from_setup(kind: Kind, board: &str, to_move: Side) -> Result<Self, SetupError> {
        let position = Self::recorded(kind, board, to_move)?;
        let board = kind.board();
        let kings = position.king.count_ones();
        if kings != 1 {
            return Err(SetupError::Kings { found: kings });
        }
        for (side, found) in [
            (Side::Black, position.attackers.count_ones()),
            (Side::White, position.defenders.count_ones() + kings),
        ] {
            let limit = u32::from(kind.pieces(side));
            if found > limit {
                return Err(SetupError::TooMany { side: kind.game().side_name(side), found, limit });
            }
        }
        if (position.attackers | position.defenders) & board.throne != 0 {
            return Err(SetupError::OnThrone);
        }
        if position.king & board.edge != 0 {
            return Err(SetupError::Over { why: "the king has reached an edge" });
        }
        // Elsewhere the king may have moved in between the attackers. But a king that enters the throne comes
        // from a cell next to it and leaves that cell empty.
        if position.king == board.throne && board.neighbours(board.throne) & !position.attackers == 0 {
            return Err(SetupError::Over { why: "the king is captured on the throne" });
        }
        Ok(position)
    }

    /// The written position, with only the checks needed to represent it: a board of the right size with at
    /// most one king.
    ///
    /// # Errors
    ///
    /// [`SetupError::Board`] or [`SetupError::Kings`].
    pub fn recorded(kind: Kind, text: &str, to_move: Side) -> Result<Self, SetupError> {
        let mut position = Self { kind, to_move, attackers: 0, defenders: 0, king: 0 };
        let size = kind.board().size();
        let ranks: Vec<_> = text.split('/').collect();
        if ranks.len() != size as usize {
            let why = format!("it has {} ranks", ranks.len());
            return Err(SetupError::Board { why });
        }
        for (rank, text) in (0..size).rev().zip(ranks) {
            position
                .read_rank(rank, text)
                .map_err(|why| SetupError::Board { why: format!("rank {} {why}", rank + 1) })?;
        }
        match position.king.count_ones() {
            0 | 1 => Ok(position),
            found => Err(SetupError::Kings { found }),
        }
    }

    fn read_rank(&mut self, rank: u32, text: &str) -> Result<(), String> {
        let board = self.kind.board();
        let (mut file, mut after_number) = (0, false);
        for letter in text.chars() {
            let number = letter.to_digit(10);
            let width = match number {
                Some(0) => return Err("has a 0, which stands for nothing".to_owned()),
                // Two numbers side by side would read as one with two digits.
                Some(_) if after_number => return Err("has two numbers side by side".to_owned()),
                Some(width) => width,
                None => 1,
            };
            if file + width > board.size() {
                return Err(format!("has more than {} cells", board.size()));
            }
            let cell = Cell::at(rank, file, board).bit();
            match letter {
                't' => self.attackers |= cell,
                'T' => self.defenders |= cell,
                'K' => self.king |= cell,
                _ if number.is_some() => {}
                _ => return Err(format!("has an unknown letter {letter:?}")),
            }
            file += width;
            after_number = number.is_some();
        }
        if file < board.size() {
            return Err(format!("has only {file} of {} cells", board.size()));
        }
        Ok(())
    }

    /// The position in written form.
    pub fn setup(&self) -> Setup {
        Setup::Tafl { board: self.board_text(), to_move: self.to_move }
    }

    fn board_text(&self) -> String {
        let size = self.kind.board().size();
        let mut text = String::new();
        for rank in (0..size).rev() {
            if !text.is_empty() {
                text.push('/');
            }
            let mut empty = 0;
            for file in 0..size {
                match self.letter(Cell::at(rank, file, self.kind.board())) {
                    None => empty += 1,
                    Some(letter) => {
                        push_number(&mut text, empty);
                        empty = 0;
                        text.push(letter);
                    }
                }
            }
            push_number(&mut text, empty);
        }
        text
    }

    fn letter(&self, cell: Cell) -> Option<char> {
        [(self.attackers, 't'), (self.defenders, 'T'), (self.king, 'K')]
            .into_iter()
            .find_map(|(cells, letter)| (cells & cell.bit() != 0).then_some(letter))
    }

    /// The game and its options.
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// The side to move.
    pub const fn to_move(&self) -> Side {
        self.to_move
    }

    /// The same pieces with that side to move.
    #[must_use]
    pub const fn with_to_move(self, to_move: Side) -> Self {
        Self { to_move, ..self }
    }

    /// The cells on which attackers stand.
    pub const fn attackers(&self) -> Cells {
        self.attackers
    }

    /// The cells on which defenders stand, without the king's.
    pub const fn defenders(&self) -> Cells {
        self.defenders
    }

    /// The king's cell; empty if the king is captured.
    pub const fn king(&self) -> Cells {
        self.king
    }

    /// The number of the side's pieces on the board, the king included.
    pub const fn pieces(&self, side: Side) -> u32 {
        self.own(side).count_ones()
    }

    /// The number of directions in which the king could reach an edge in one move, as raichi and tuichu count
    /// them (tafl 7). With the option `throne` `closed`, a line across the empty throne does not count.
    pub fn exits(&self) -> u32 {
        self.king_exits(self.free_for_king())
    }

    /// The number of directions without a piece between the king and the edge, including a line across a
    /// closed throne. Servers once called raichi and tuichu by this number, so older journals contain such
    /// calls.
    pub fn open_lines(&self) -> u32 {
        self.king_exits(self.kind.board().all & !self.occupied())
    }

    /// The end of the game, as far as the pieces and the side to move show it: all of tafl 4, 6 and 8 except
    /// repetition and drought.
    pub fn outcome(&self) -> Option<Outcome> {
        let won = |winner, reason| Some(Outcome { winner: Some(winner), points: 1, reason });
        if self.king == 0 {
            won(Side::Black, Reason::KingCaptured)
        } else if self.king & self.kind.board().edge != 0 {
            won(Side::White, Reason::KingEscaped)
        } else if !self.has_move() {
            won(self.to_move.other(), Reason::NoMove)
        } else {
            None
        }
    }

    /// The board in letters: `t` attacker, `T` defender, `K` king, `x` the
    /// empty throne.
    pub fn drawing(&self) -> String {
        let board = self.kind.board();
        let rank_line = |rank| {
            let cells = (0..board.size()).map(|file| {
                let cell = Cell::at(rank, file, board);
                let empty = if cell.bit() == board.throne { 'x' } else { '.' };
                self.letter(cell).unwrap_or(empty)
            });
            line(&format!("{:>2}", rank + 1), cells)
        };
        let ranks: String = (0..board.size()).rev().map(rank_line).collect();
        ranks + &line("  ", ('a'..='z').take(board.size() as usize))
    }

    pub(super) const fn own(&self, side: Side) -> Cells {
        match side {
            Side::White => self.defenders | self.king,
            Side::Black => self.attackers,
        }
    }

    pub(super) const fn occupied(&self) -> Cells {
        self.attackers | self.defenders | self.king
    }
}

fn line(label: &str, letters: impl Iterator<Item = char>) -> String {
    label.chars().chain(letters.flat_map(|letter| [' ', letter])).chain(['\n']).collect()
}

fn push_number(text: &mut String, empty: u32) {
    if empty > 0 {
        text.push_str(&empty.to_string());
    }
}
