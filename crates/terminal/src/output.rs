//! The output of a session.

use std::io::{self, Write};

/// Prints lines.
pub trait Output {
    /// Prints lines, each with its newline.
    ///
    /// # Errors
    /// If the output is closed.
    fn print(&mut self, lines: &str) -> io::Result<()>;
}

impl<O: Output + ?Sized> Output for Box<O> {
    fn print(&mut self, lines: &str) -> io::Result<()> {
        (**self).print(lines)
    }
}

/// Plain text, line after line.
pub struct Plain<W>(pub W);

impl<W: Write> Output for Plain<W> {
    fn print(&mut self, lines: &str) -> io::Result<()> {
        self.0.write_all(lines.as_bytes())?;
        self.0.flush()
    }
}
