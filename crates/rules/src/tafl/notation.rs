//! Moves in notation: `e8-e6`, with captures `e8-e6xd6xf6`.

use super::{illegal::Illegal, turn::Turn};
use crate::Step;

/// The reason why a text is not the move that it describes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotationError {
    /// The text does not have the form of a move.
    #[error("\"{text}\" is not a move: write it as e8-e6, or e8-e6xd6 with what it captures")]
    Unreadable {
        /// The text.
        text: String,
    },
    /// The move is not legal.
    #[error(transparent)]
    Illegal(#[from] Illegal),
    /// The move captures other pieces than the text says.
    #[error("{step} captures {}, not {}", list(.captures), list(.claimed))]
    Captures {
        /// The move without captures.
        step: String,
        /// Its captures, sorted.
        captures: Vec<String>,
        /// The captures in the text, sorted.
        claimed: Vec<String>,
    },
}

fn list(cells: &[String]) -> String {
    if cells.is_empty() { "nothing".to_owned() } else { cells.join(" and ") }
}

impl Turn {
    /// The turn's move, with its captures; empty before the move.
    pub fn write(&self) -> String {
        let Some(Step { from, to, .. }) = self.played() else { return String::new() };
        let mut cells = vec![format!("{from}-{to}")];
        cells.extend(self.captures());
        cells.join("x")
    }

    /// Reads the step from text. The captures may all be left out; named ones must be complete and right, in
    /// any order.
    ///
    /// # Errors
    ///
    /// The fault of the text, or the reason why the move is illegal.
    pub fn parse(&self, text: &str) -> Result<Step, NotationError> {
        let unreadable = || NotationError::Unreadable { text: text.to_owned() };
        let (from, rest) = text.trim().split_once('-').ok_or_else(unreadable)?;
        let mut cells = rest.split('x').map(|cell| cell.trim().to_owned());
        let to = cells.next().ok_or_else(unreadable)?;
        let mut claimed: Vec<_> = cells.collect();
        let step = Step { die: None, from: from.trim().to_owned(), to };
        if step.from.is_empty() || step.to.is_empty() || claimed.iter().any(String::is_empty) {
            return Err(unreadable());
        }
        let captures = self.clone().play(&step)?.captures;
        claimed.sort();
        if !claimed.is_empty() && claimed != captures {
            let step = format!("{}-{}", step.from, step.to);
            return Err(NotationError::Captures { step, captures, claimed });
        }
        Ok(step)
    }
}
