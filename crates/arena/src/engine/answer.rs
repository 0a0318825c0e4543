//! The replies of outside engines.

use lusoria_protocol::{
    Notation, plainly,
    strict::{self, Misread},
};
use lusoria_rules::{Step, Turn};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::Fault;
use lusoria_wire as wire;

/// How much of an unreadable line is shown, in characters.
const SHOWN_CHARS: usize = 80;

/// How much of an engine's reason is kept, in characters.
const WHY_CHARS_MAX: usize = 200;

/// The reply to `hello`. Other fields are ignored.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Ready {
    #[serde(rename = "ready")]
    can_play: bool,
    /// The reason that it is not ready.
    #[serde(default)]
    why: String,
    /// How many legal turns it wants with each request for a turn.
    pub(super) legal: Option<u16>,
}

/// The reply to `turn`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer {
    steps: Option<Vec<Step>>,
    notation: Option<Notation>,
}

pub(super) fn ready(line: &[u8]) -> Result<Ready, Fault> {
    let ready: Ready = read(line)?;
    if ready.can_play {
        return Ok(ready);
    }
    Err(Fault::NotReady { why: ready.why.chars().take(WHY_CHARS_MAX).collect() })
}

/// The steps of the turn in a line; they need not be legal.
pub(super) fn steps(line: &[u8], turn: &Turn) -> Result<Vec<Step>, Fault> {
    let unreadable = |why: &str| Fault::Unreadable { why: why.to_owned(), line: shown(line) };
    match read::<Answer>(line)? {
        Answer { steps: Some(steps), notation: None } => {
            wire::check_steps(&steps).map_err(|problem| unreadable(&problem.detail))?;
            Ok(steps)
        }
        Answer { steps: None, notation: Some(notation) } => turn
            .parse(notation.as_str())
            .map_err(|why| Fault::BadNotation { notation: notation.as_str().to_owned(), why: Box::new(why) }),
        Answer { .. } => Err(unreadable("a turn is answered with either steps or notation")),
    }
}

fn read<T: Serialize + DeserializeOwned>(line: &[u8]) -> Result<T, Fault> {
    strict::read(line).map_err(|misread| {
        let why = match &misread {
            Misread::NotJson(error) if error.is_eof() => {
                "it ends too soon; an answer is JSON in one line".to_owned()
            }
            Misread::NotJson(error) | Misread::Twice(error) => plainly(&error.to_string()),
            Misread::Value { .. } => misread.reason(),
            Misread::List { .. } => misread.to_string(),
        };
        Fault::Unreadable { why, line: shown(line) }
    })
}

/// The beginning of a line.
pub(super) fn shown(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    let mut shown: String = text.chars().take(SHOWN_CHARS).collect();
    if text.chars().nth(SHOWN_CHARS).is_some() {
        shown.push('…');
    }
    shown
}
