//! What the user can type now: for help, and for completion.

use lusoria_protocol::{Game, MatchState, PlayerKind, Seat};

use super::{Session, SessionError, play::Server};
use crate::{command::WORDS, moves, output::Output};

/// The most completions.
const OFFERED_MAX: usize = 200;

impl<O: Output> Session<O> {
    pub(super) fn help(&mut self) -> Result<(), SessionError> {
        let mut lines = Vec::new();
        if let Some(built) = self.building_now() {
            let example = moves::words(&built.legal).first().cloned().unwrap_or_default();
            lines.push(format!("  {example:<14} a step, or a whole turn: whole turns are sent at once"));
            lines.push(format!("  {:<14} send what is complete, play what is forced", "Enter"));
        }
        let words = self.words_now();
        let known = WORDS.iter().filter(|(word, ..)| words.contains(word));
        lines.extend(known.map(|(word, does, _)| format!("  {word:<14} {does}")));
        self.say(&lines.join("\n"))
    }

    /// The commands that make sense now.
    fn words_now(&self) -> Vec<&'static str> {
        let mut words = Vec::new();
        if self.to_confirm.is_some() {
            words.push("yes");
        }
        match &self.current {
            None => {
                words.extend(["seek", "challenge", "challenges", "accept", "decline", "withdraw"]);
                words.extend(["tournaments", "tournament"]);
                if self.tournaments.has_one_at_hand() {
                    words.extend(["enter", "here", "go", "pause", "bye", "withdraw tournament", "follow"]);
                }
                words.extend(["create", "list", "live", "mine", "join", "watch", "me", "name"]);
            }
            Some(current) => {
                let plays = !current.mine().is_empty();
                if self.building_now().is_some() {
                    words.extend(["undo", "reset", "legal", "hint"]);
                }
                words.extend(["board", "turn", "dice", "record", "wait"]);
                match current.now.state {
                    MatchState::Open if plays => words.extend(["invite", "abort"]),
                    MatchState::Open => words.push("join"),
                    MatchState::AwaitingSeeds if plays => words.push("abort"),
                    MatchState::Playing if plays => {
                        let is_bot = |seat| {
                            current.now.player(seat).is_some_and(|player| player.kind == PlayerKind::Bot)
                        };
                        if !current.now.rated
                            && current.mine().len() == 1
                            && !Seat::BOTH.into_iter().any(is_bot)
                        {
                            words.push("takeback");
                        }
                        words.extend(["draw", "resign", "abort", "claim"]);
                        if current.now.points > 1 {
                            words.push("resign match");
                        }
                        if current.has_offer() {
                            words.extend(["accept", "decline"]);
                        }
                    }
                    MatchState::Ended if plays => {
                        words.extend(["rematch", "accept", "decline"]);
                        if self.tournaments.has_one_at_hand() {
                            words.extend(["tournament", "here", "go"]);
                        }
                    }
                    MatchState::AwaitingSeeds | MatchState::Playing | MatchState::Ended => {}
                }
                words.push("leave");
            }
        }
        if self.tournaments.follows() {
            words.push("unfollow");
        }
        words.extend(["help", "quit"]);
        words
    }

    /// The possible beginnings of a line.
    pub(super) fn offers(&self) -> Vec<String> {
        let steps = self.building_now().map(|built| moves::words(&built.legal)).unwrap_or_default();
        let words = self.words_now().into_iter().map(str::to_owned);
        steps.into_iter().take(OFFERED_MAX).chain(words).collect()
    }

    /// Completions of the last word of that line.
    pub(super) async fn complete(&mut self, line: &str) -> Vec<String> {
        let (before, last) = line.rsplit_once(char::is_whitespace).unwrap_or(("", line));
        let fits = |word: &String| word.to_lowercase().starts_with(&last.to_lowercase());
        let mut offered = Vec::new();
        if before.trim().is_empty() {
            offered = self.offers();
        } else if moves::looks_like_steps(before)
            && let Some(legal) = self.legal_after(before).await
        {
            offered = moves::words(&legal);
        }
        if ["create", "seek"].contains(&before.trim()) {
            offered.extend(Game::ALL.map(|game| game.id().to_owned()));
        } else if before.trim().starts_with("create ") {
            let flags = ["--computer", "--invite", "--both", "--side", "--clock", "--points", "--option"];
            offered.extend(flags.map(str::to_owned));
        }
        offered.retain(fits);
        offered.truncate(OFFERED_MAX);
        offered
    }

    /// The legal steps after the steps on the line so far.
    async fn legal_after(&mut self, before: &str) -> Option<lusoria_protocol::Legal> {
        let built = self.building_now()?.clone();
        let id = self.current.as_ref()?.now.id;
        let legs = moves::legs(before).ok()?;
        let played = moves::play(&mut Server { link: &mut self.link, id }, &built, &legs).await.ok()?;
        Some(played.legal)
    }
}
