//! The input: from a person or a pipe.

use std::{
    io::{BufRead, Read},
    sync::{Arc, mpsc as sync},
    thread,
};

use parking_lot::Mutex;
use tokio::sync::mpsc;

/// The longest line, in bytes: a turn of twelve steps has a tenth of that.
const LINE_BYTES_MAX: u64 = 4 * 1024;

/// An input.
#[derive(Debug)]
pub enum Typed {
    /// A line.
    Line(String),
    /// A line that is too long.
    TooLong,
    /// A request for completions of the last word of that line.
    Complete {
        /// The line typed so far.
        line: String,
        /// The channel for the answer.
        answer: sync::SyncSender<Vec<String>>,
    },
    /// Ctrl-C.
    Interrupted,
    /// The end of the input.
    End,
}

/// The user's input, one line at a time.
pub struct Input {
    typed: mpsc::Receiver<Typed>,
    /// Notified when the next line may be read, with its prompt.
    ready: Option<sync::Sender<String>>,
    /// The possible continuations.
    offered: Arc<Mutex<Vec<String>>>,
}

impl Input {
    /// Input from a channel. The second channel says when the next line may be read; `offered` are its
    /// possible beginnings.
    pub const fn new(
        typed: mpsc::Receiver<Typed>,
        ready: Option<sync::Sender<String>>,
        offered: Arc<Mutex<Vec<String>>>,
    ) -> Self {
        Self { typed, ready, offered }
    }

    /// Input from a channel.
    pub fn heard(typed: mpsc::Receiver<Typed>) -> Self {
        Self::new(typed, None, Arc::default())
    }

    /// The lines of a pipe.
    pub fn piped(from: impl Read + Send + 'static) -> Self {
        let (sender, typed) = mpsc::channel(1);
        thread::spawn(move || {
            let mut lines = std::io::BufReader::new(from);
            // The session may be over.
            while let Some(typed) = next_line(&mut lines) {
                if sender.blocking_send(typed).is_err() {
                    return;
                }
            }
        });
        Self::heard(typed)
    }

    /// The next input; none at the end of a pipe. Cancel safe.
    pub(super) async fn next(&mut self) -> Option<Typed> {
        self.typed.recv().await
    }

    /// Whether a person types in the line editor, which waits for the prompt.
    pub(super) const fn is_edited(&self) -> bool {
        self.ready.is_some()
    }

    /// Sets the possible beginnings of the next line.
    pub(super) fn offer(&self, words: Vec<String>) {
        *self.offered.lock() = words;
    }

    /// Lets the user type the next line.
    pub(super) fn ready(&self, prompt: &str) {
        if let Some(ready) = &self.ready {
            // If the typist has gone, `next` reports it.
            let _ = ready.send(prompt.to_owned());
        }
    }
}

/// The next line; none at the end.
fn next_line(lines: &mut impl BufRead) -> Option<Typed> {
    let mut line = Vec::new();
    // An error counts as the end. Text before the end is a line even without a newline.
    let _ = lines.by_ref().take(LINE_BYTES_MAX + 1).read_until(b'\n', &mut line);
    if line.is_empty() {
        return None;
    }
    if line.len() as u64 > LINE_BYTES_MAX {
        if !line.ends_with(b"\n") {
            let _ = lines.skip_until(b'\n');
        }
        return Some(Typed::TooLong);
    }
    Some(Typed::Line(String::from_utf8_lossy(&line).trim_end_matches(['\n', '\r']).to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(mut text: &[u8]) -> Vec<String> {
        let mut lines = Vec::new();
        while let Some(typed) = next_line(&mut text) {
            lines.push(match typed {
                Typed::Line(line) => line,
                other => format!("{other:?}"),
            });
        }
        lines
    }

    #[test]
    fn a_pipe_is_read_line_by_line() {
        assert_eq!(lines(b"board\r\n\n24/18 13/8\nquit"), ["board", "", "24/18 13/8", "quit"]);
        assert!(lines(b"").is_empty());
        assert_eq!(lines(b"\xff\n"), ["\u{fffd}"]);
    }

    #[test]
    fn a_line_without_end_takes_no_room() {
        let mut text = vec![b'x'; 1 << 20];
        text.extend(b"\nboard\n");
        assert_eq!(lines(&text), ["TooLong", "board"]);
    }
}
