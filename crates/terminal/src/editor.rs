//! The line editor of a terminal: events are printed above the line.

use std::{
    io,
    sync::{Arc, mpsc as sync},
    thread,
    time::Duration,
};

use parking_lot::Mutex;
use rustyline::{
    ColorMode, CompletionType, Config, Context, Editor, ExternalPrinter, Helper, completion::Completer,
    error::ReadlineError, highlight::Highlighter, hint::Hinter, history::DefaultHistory, validate::Validator,
};
use tokio::sync::mpsc;

use super::{
    input::{Input, Typed},
    output::Output,
};

/// How long Tab waits for completions.
const COMPLETED_WITHIN: Duration = Duration::from_secs(1);

/// The length of the history.
const HISTORY_LINES: usize = 200;

/// Opens a line editor, with or without colours. Returns its input and its output.
///
/// # Errors
/// If the terminal does not support it.
pub fn edited(colour: bool) -> io::Result<(Input, EditedOutput)> {
    let before = SavedTerminal::of_terminal()?;
    let config = Config::builder()
        .completion_type(CompletionType::List)
        .max_history_size(HISTORY_LINES)
        .map_err(io::Error::other)?
        .auto_add_history(true)
        .color_mode(if colour { ColorMode::Enabled } else { ColorMode::Disabled })
        .build();
    let mut editor: Editor<Completions, DefaultHistory> =
        Editor::with_config(config).map_err(io::Error::other)?;
    let printer = editor.create_external_printer().map_err(io::Error::other)?;
    let (sender, typed) = mpsc::channel(4);
    let (ready, prompts) = sync::channel();
    let offered = Arc::new(Mutex::new(Vec::new()));
    editor.set_helper(Some(Completions { typed: sender.clone(), offered: Arc::clone(&offered) }));
    thread::spawn(move || {
        for prompt in prompts {
            let typed = match editor.readline(&prompt) {
                Ok(line) => Typed::Line(line),
                Err(ReadlineError::Interrupted) => Typed::Interrupted,
                Err(_) => Typed::End,
            };
            let is_end = matches!(typed, Typed::End);
            // The session may be over.
            if sender.blocking_send(typed).is_err() || is_end {
                return;
            }
        }
    });
    let input = Input::new(typed, Some(ready), offered);
    Ok((input, EditedOutput { printer: Box::new(printer), _before: before }))
}

/// Prints above the line that is being edited.
pub struct EditedOutput {
    printer: Box<dyn ExternalPrinter + Send>,
    /// Restored on drop.
    _before: SavedTerminal,
}

impl Output for EditedOutput {
    fn print(&mut self, lines: &str) -> io::Result<()> {
        self.printer.print(lines.to_owned()).map_err(io::Error::other)
    }
}

/// The possible continuations, for Tab and for the pale hint behind the cursor.
struct Completions {
    typed: mpsc::Sender<Typed>,
    offered: Arc<Mutex<Vec<String>>>,
}

impl Completer for Completions {
    type Candidate = String;

    fn complete(&self, line: &str, pos: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        let line = &line[..pos];
        let start = line.rfind(char::is_whitespace).map_or(0, |space| space + 1);
        let (answer, answered) = sync::sync_channel(1);
        // A busy session offers nothing.
        let _ = self.typed.try_send(Typed::Complete { line: line.to_owned(), answer });
        Ok((start, answered.recv_timeout(COMPLETED_WITHIN).unwrap_or_default()))
    }
}

impl Hinter for Completions {
    type Hint = String;

    /// The rest of the word, if there is only one continuation.
    fn hint(&self, line: &str, pos: usize, _: &Context<'_>) -> Option<String> {
        if line.is_empty() || pos < line.len() {
            return None;
        }
        only_rest(&self.offered.lock(), line)
    }
}

fn only_rest(offered: &[String], line: &str) -> Option<String> {
    let mut rests = offered.iter().filter_map(|word| word.strip_prefix(line)).filter(|rest| !rest.is_empty());
    let rest = rests.next()?;
    rests.next().is_none().then(|| rest.to_owned())
}

impl Highlighter for Completions {
    fn highlight_hint<'h>(&self, hint: &'h str) -> std::borrow::Cow<'h, str> {
        format!("\u{1b}[2m{hint}\u{1b}[0m").into()
    }
}

impl Validator for Completions {}

impl Helper for Completions {}

/// The terminal's earlier settings: the editor may still be active when a session ends by itself.
#[cfg(unix)]
struct SavedTerminal(rustix::termios::Termios);

#[cfg(unix)]
impl SavedTerminal {
    fn of_terminal() -> io::Result<Self> {
        Ok(Self(rustix::termios::tcgetattr(io::stdin())?))
    }
}

#[cfg(unix)]
impl Drop for SavedTerminal {
    fn drop(&mut self) {
        // It does not matter if the terminal is gone.
        let _ = rustix::termios::tcsetattr(io::stdin(), rustix::termios::OptionalActions::Now, &self.0);
    }
}

#[cfg(not(unix))]
struct SavedTerminal;

#[cfg(not(unix))]
impl SavedTerminal {
    #[expect(clippy::unnecessary_wraps, reason = "elsewhere it can fail")]
    const fn of_terminal() -> io::Result<Self> {
        Ok(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_unique_continuation_is_hinted() {
        let offered = ["e8-e6", "e8-e7", "d5-d8", "board"].map(str::to_owned);
        assert_eq!(only_rest(&offered, "d5"), Some("-d8".to_owned()));
        assert_eq!(only_rest(&offered, "e8"), None);
        assert_eq!(only_rest(&offered, "e8-e6"), None);
        assert_eq!(only_rest(&offered, "bo"), Some("ard".to_owned()));
        assert_eq!(only_rest(&offered, "x"), None);
    }
}
