//! The other end of the protocol: a player of this program as an outside engine (docs/bots.md, "Engines for
//! the arena"). So the computer of one version can play that of another.

use std::io::{self, BufRead, Write};

use lusoria_protocol::{Die, Game, Options, Position as WirePosition};
use lusoria_rules::{History, Position, Variant};
use lusoria_search::{Budget, Decision, Player, Stakes, choose};
use lusoria_wire as wire;
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// The reason that the conversation ended before the arena ended it.
#[derive(Debug, thiserror::Error)]
pub enum SpeakError {
    /// The arena cannot be read or written to.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The arena sends a line that is not understood.
    #[error("line {line}: {why}")]
    Line {
        /// From 1.
        line: usize,
        /// The fault.
        why: String,
    },
}

/// A message of the arena. Other fields and messages are ignored, because later versions may have more.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Message {
    Hello { game: Game, options: Options, stakes: String },
    Start { seed: u64 },
    Turn(Box<Turn>),
    End {},
}

#[derive(Debug, Deserialize)]
struct Turn {
    position: WirePosition,
    #[serde(default)]
    dice: Vec<Die>,
    history: Option<Boards>,
}

#[derive(Debug, Deserialize)]
struct Boards {
    boards: Vec<String>,
}

impl Message {
    /// Reads a line; none if it has no message that this program knows.
    fn read(line: &str) -> serde_json::Result<Option<Self>> {
        let said: Map<String, Value> = serde_json::from_str(line)?;
        let is_known = |name: &String| matches!(name.as_str(), "hello" | "start" | "turn" | "end");
        if said.keys().any(is_known) { serde_json::from_str(line).map(Some) } else { Ok(None) }
    }
}

/// The state of the conversation.
struct Talk {
    variant: Variant,
    stakes: Stakes,
    seed: u64,
}

/// Plays as an outside engine until the input ends. Without a budget the player has its usual one.
///
/// # Errors
///
/// The arena cannot be read, or sends something invalid.
pub fn speak(
    player: Player,
    budget: Option<Budget>,
    input: impl BufRead,
    mut output: impl Write,
) -> Result<(), SpeakError> {
    let mut talk: Option<Talk> = None;
    for (index, line) in input.lines().enumerate() {
        let bad = |why: String| SpeakError::Line { line: index + 1, why };
        let Some(message) = Message::read(&line?).map_err(|why| bad(why.to_string()))? else { continue };
        let answer = match (message, &mut talk) {
            (Message::Hello { game, options, stakes }, _) => {
                let variant = wire::variant(game, &options).map_err(|why| bad(why.detail))?;
                let stakes = if stakes == "points" { Stakes::Points } else { Stakes::Game };
                talk = Some(Talk { variant, stakes, seed: 0 });
                json!({ "ready": true, "legal": 0 })
            }
            (Message::Start { seed }, Some(talk)) => {
                talk.seed = seed;
                continue;
            }
            (Message::End {}, _) => continue,
            (Message::Turn(turn), Some(talk)) => {
                let seed = talk.next_seed();
                let steps = talk.answer(&turn, player, budget, seed).map_err(bad)?;
                json!({ "steps": steps })
            }
            (Message::Start { .. } | Message::Turn(_), None) => {
                return Err(bad("hello comes first".to_owned()));
            }
        };
        writeln!(output, "{answer}")?;
        output.flush()?;
    }
    Ok(())
}

impl Talk {
    /// A new seed for every turn, derived from the game's seed.
    fn next_seed(&mut self) -> u64 {
        self.seed = self.seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        self.seed
    }

    fn answer(
        &self,
        turn: &Turn,
        player: Player,
        budget: Option<Budget>,
        seed: u64,
    ) -> Result<Vec<lusoria_rules::Step>, String> {
        let game = self.variant.game();
        let position = self.position(&turn.position)?;
        let history = match &turn.history {
            Some(history) => self.history(history, &turn.position)?,
            None => History::start(&position),
        };
        position.turn(&turn.dice).map_err(|why| why.to_string())?;
        let decision = Decision { position, dice: &turn.dice, history: &history, stakes: self.stakes };
        Ok(choose(&decision, player, budget.unwrap_or_else(|| player.budget(game)), seed).steps)
    }

    fn position(&self, written: &WirePosition) -> Result<Position, String> {
        let setup = wire::setup(self.variant.game(), written).map_err(|why| why.detail)?;
        Position::recorded(self.variant, &setup).map_err(|why| why.to_string())
    }

    /// The history: the boards since the last capture, with the sides to move alternately.
    fn history(&self, history: &Boards, last: &WirePosition) -> Result<History, String> {
        let game = self.variant.game();
        let mut remembered = History::default();
        for (left, board) in (0..history.boards.len()).rev().zip(&history.boards) {
            let mut setup = wire::setup(game, last).map_err(|why| why.detail)?;
            if let lusoria_rules::Setup::Tafl { board: stood, to_move } = &mut setup {
                board.clone_into(stood);
                *to_move = if left % 2 == 0 { *to_move } else { to_move.other() };
            }
            let position = Position::recorded(self.variant, &setup).map_err(|why| why.to_string())?;
            if remembered == History::default() {
                remembered = History::start(&position);
            } else {
                remembered.record(&position, false);
            }
        }
        Ok(remembered)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(lines: &str) -> Result<Vec<String>, SpeakError> {
        let mut output = Vec::new();
        speak(Player::Greedy, None, lines.as_bytes(), &mut output)?;
        Ok(String::from_utf8(output).expect("JSON is UTF-8").lines().map(str::to_owned).collect())
    }

    const HELLO: &str =
        r#"{"hello": {"protocol": 1, "game": "tabula", "options": {}, "stakes": "game", "time_ms": 5000}}"#;

    #[test]
    fn a_turn_is_answered_and_the_rest_is_not() {
        let turn = r#"{"turn": {"position": {"white": {"points": {"24": 1}, "off": 14}, "black": {"points": {"1": 1}, "off": 14}, "to_move": "white"}, "side": "white", "dice": [3, 1, 5], "time_ms": 5000}}"#;
        let lines = format!(
            "{HELLO}\n{}\n{turn}\n{}\n",
            r#"{"start": {"game": 1, "side": "white", "seed": 4711}}"#,
            r#"{"end": {"game": 1, "result": "won", "points": 1, "reason": "borne_off"}}"#
        );
        let said = said(&lines).expect("a sound talk");
        assert_eq!(said.len(), 2);
        assert!(said[0].contains(r#""ready":true"#), "{}", said[0]);
        assert!(said[1].contains(r#""to":"off""#), "{}", said[1]);
    }

    #[test]
    fn fields_of_later_versions_are_ignored() {
        let news = r#"{"news": {"version": 2}}"#;
        assert_eq!(said(&format!("{news}\n{HELLO}\n{news}\n")).expect("a sound talk").len(), 1);
    }

    #[test]
    fn invalid_messages_are_reported_with_their_line() {
        assert_eq!(said("[]").unwrap_err().to_string().split(':').next(), Some("line 1"));
        let start = r#"{"start": {"game": 1, "side": "white", "seed": 1}}"#;
        assert_eq!(said(start).unwrap_err().to_string(), "line 1: hello comes first");
        assert!(said(&format!("{HELLO}\nx")).unwrap_err().to_string().starts_with("line 2: "));
    }
}
