//! Reads the user's answers: a handle, a password or a code.

use std::io::{self, BufRead, IsTerminal, Read as _, Write};

/// The longest answer that is read, in bytes: a password has at most 256 characters of four bytes.
const BYTES_MAX: u64 = 2 * 1024;

/// The source of answers.
pub enum Answers {
    /// A person types them.
    Terminal,
    /// Secrets are the lines of a file or pipe, in the order of the questions. Nothing else is asked.
    Secrets(Box<dyn BufRead + Send>),
}

/// The reason that there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum NoAnswer {
    /// There is nobody to ask.
    #[error("there is no terminal to type {0} at: use --password-stdin and --handle")]
    NoTerminal(&'static str),
    /// The handle is missing.
    #[error("name the account with --handle, because only passwords are read from standard input")]
    NoHandle,
    /// The input ends too early.
    #[error("standard input ends before {0}")]
    End(&'static str),
    /// The two passwords differ.
    #[error("the two passwords are not the same")]
    Differ,
    /// Ctrl-C.
    #[error("interrupted")]
    Interrupted,
    /// The input cannot be read.
    #[error("standard input: {0}")]
    Io(#[from] io::Error),
}

impl Answers {
    /// Asks for the handle of the account.
    pub(super) fn handle(&mut self) -> Result<String, NoAnswer> {
        match self {
            Self::Terminal => {
                ask("Handle: ", "a handle")?;
                line(&mut io::stdin().lock(), "a handle")
            }
            Self::Secrets(_) => Err(NoAnswer::NoHandle),
        }
    }

    /// Asks for a secret, which is not displayed.
    pub(super) fn secret(&mut self, question: &str, what: &'static str) -> Result<String, NoAnswer> {
        match self {
            Self::Terminal => {
                ask(question, what)?;
                let typed = hidden(what);
                eprintln!();
                typed
            }
            Self::Secrets(lines) => line(lines, what),
        }
    }

    /// Asks for a new password: a person types it twice.
    pub(super) fn new_password(&mut self) -> Result<String, NoAnswer> {
        let what = "the new password";
        let password = self.secret("New password, at least 8 characters: ", what)?;
        let is_typed = matches!(self, Self::Terminal);
        if is_typed && self.secret("The same again: ", what)? != password {
            return Err(NoAnswer::Differ);
        }
        Ok(password)
    }
}

/// Asks a person. Standard output is reserved for results.
fn ask(question: &str, what: &'static str) -> Result<(), NoAnswer> {
    if !io::stdin().is_terminal() {
        return Err(NoAnswer::NoTerminal(what));
    }
    let mut out = io::stderr().lock();
    out.write_all(question.as_bytes())?;
    Ok(out.flush()?)
}

/// The next line, without its end.
fn line(from: &mut impl BufRead, what: &'static str) -> Result<String, NoAnswer> {
    let mut line = String::new();
    if from.take(BYTES_MAX).read_line(&mut line)? == 0 {
        return Err(NoAnswer::End(what));
    }
    Ok(line.trim_end_matches(['\r', '\n']).to_owned())
}

/// Reads a line without displaying it. Restores the terminal however that ends; meanwhile no key sends a
/// signal.
#[cfg(unix)]
fn hidden(what: &'static str) -> Result<String, NoAnswer> {
    use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

    struct Shown(Termios);
    impl Drop for Shown {
        fn drop(&mut self) {
            // It does not matter if the terminal is gone.
            let _ = tcsetattr(io::stdin(), OptionalActions::Flush, &self.0);
        }
    }
    let before = tcgetattr(io::stdin()).map_err(io::Error::from)?;
    let mut silent = before.clone();
    silent.local_modes -= LocalModes::ECHO | LocalModes::ICANON | LocalModes::ISIG | LocalModes::IEXTEN;
    let _shown = Shown(before);
    tcsetattr(io::stdin(), OptionalActions::Flush, &silent).map_err(io::Error::from)?;
    typed(&mut io::stdin().lock(), what)
}

#[cfg(not(unix))]
fn hidden(what: &'static str) -> Result<String, NoAnswer> {
    Err(NoAnswer::NoTerminal(what))
}

/// Reads a line key by key.
#[cfg(unix)]
fn typed(keys: &mut impl BufRead, what: &'static str) -> Result<String, NoAnswer> {
    const CTRL_C: u8 = 3;
    const CTRL_D: u8 = 4;
    const CTRL_U: u8 = 21;
    let mut line = Vec::new();
    for key in keys.bytes() {
        match key? {
            b'\r' | b'\n' => return String::from_utf8(line).map_err(|why| io::Error::other(why).into()),
            CTRL_C => return Err(NoAnswer::Interrupted),
            CTRL_D if line.is_empty() => return Err(NoAnswer::End(what)),
            CTRL_D => {}
            CTRL_U => line.clear(),
            8 | 127 => {
                let start = line.iter().rposition(|byte: &u8| byte & 0xc0 != 0x80);
                line.truncate(start.unwrap_or(0));
            }
            byte if (line.len() as u64) < BYTES_MAX => line.push(byte),
            _ => {}
        }
    }
    Err(NoAnswer::End(what))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn what_is_typed_unseen_can_be_mended() {
        for (keys, read) in [
            ("abc\r", "abc"),
            ("abc\nd", "abc"),
            ("ab\u{7f}c\n", "ac"),
            ("aü\u{7f}\u{8}\u{8}b\n", "b"),
            ("wrong\u{15}right\n", "right"),
            ("a\u{4}b\n", "ab"),
        ] {
            assert_eq!(typed(&mut keys.as_bytes(), "it").expect(keys), read, "{keys:?}");
        }
        assert!(matches!(typed(&mut &b"ab\x03c\n"[..], "it"), Err(NoAnswer::Interrupted)));
        for ended in ["", "\u{4}", "abc"] {
            assert!(matches!(typed(&mut ended.as_bytes(), "it"), Err(NoAnswer::End("it"))), "{ended:?}");
        }
    }

    #[test]
    fn secrets_are_lines_and_a_new_password_is_one_of_them() {
        let mut answers = Answers::Secrets(Box::new(&b"first \r\nsecond\nthird"[..]));
        assert_eq!(answers.secret("?", "it").expect("a line"), "first ");
        assert_eq!(answers.new_password().expect("a line"), "second");
        assert_eq!(answers.secret("?", "it").expect("a line"), "third");
        assert!(matches!(answers.secret("?", "it"), Err(NoAnswer::End("it"))));
        assert!(matches!(answers.handle(), Err(NoAnswer::NoHandle)));
    }
}
