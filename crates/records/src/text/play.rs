//! Replays the match of a text, which gives its record.

use lusoria_play::{Command, Match, Recorded};
use lusoria_protocol::{Event, EventKind, Record, word};

use super::{LineError, ParsedText, event::event, lines::Content, notation, parsed::ParsedEvent};
use crate::replay::{Revealed, play_on, take_over_ratings};
use lusoria_wire::{self as wire, Cause};

impl ParsedText {
    /// Replays the match with the dice, the lot and the secrets of the text, whether they are right or not.
    ///
    /// # Errors
    /// The first line that breaks a rule, or is not written in canonical form.
    pub fn record(&self) -> Result<Record, LineError> {
        Ok(self.record_while(&|| true)?.expect("there is always time"))
    }

    /// As [`Self::record`], but none if it takes too long: calls `is_time` between events.
    ///
    /// # Errors
    /// As [`Self::record`].
    pub fn record_while(&self, is_time: &dyn Fn() -> bool) -> Result<Option<Record>, LineError> {
        let mut chance = self.chance();
        let mut first = vec![self.event(1, self.head.created_at, self.head.created.clone())];
        if let Some(ParsedEvent { what: Content::Event(kind), .. }) = self.said.first() {
            first.push(self.event(2, self.head.created_at, EventKind::clone(kind)));
        }
        let heading = self.lines.first().map_or(1, |&(line, _)| line);
        let (state, created) = wire::creation(self.head.id, &first)
            .and_then(|creation| {
                Match::create(creation, self.head.created_at, &mut chance).map_err(|error| error.to_string())
            })
            .map_err(|why| LineError::new(heading, why))?;
        let mut playing = Playing { told: self, state, happened: Vec::new(), thrown: Vec::new() };
        playing.take(created)?;
        while playing.happened.len() <= self.said.len() {
            if !is_time() {
                return Ok(None);
            }
            playing.go_on(&mut chance)?;
        }
        let Playing { state, happened, .. } = playing;
        let record = Record { server: self.head.server.clone(), ..wire::record(&state, &happened) };
        self.first_wrong(&record).map_or(Ok(Some(record)), Err)
    }

    fn event(&self, seq: u32, at: u64, kind: EventKind) -> Event {
        Event { id: self.head.id, seq, at, kind }
    }

    /// The dice, the lot, the seeds and the secrets of the text.
    fn chance(&self) -> Revealed {
        let EventKind::Created { game, seed, .. } = &self.head.created else {
            unreachable!("the tags tell of the making of the match")
        };
        let mut chance = Revealed::nothing(self.head.id.0, game.dice());
        chance.seed_of(seed);
        if let Some(EventKind::Joined { seed, .. }) = &self.head.joined {
            chance.seed_of(seed);
        }
        for throw in &self.throws {
            chance.threw(throw.game, throw.index, &throw.dice);
        }
        for &(game, white, _) in &self.whites {
            chance.drew(game, white);
        }
        for (game, secret) in self.secrets() {
            chance.published(game, *secret);
        }
        chance
    }
}

/// The match being replayed.
struct Playing<'a> {
    told: &'a ParsedText,
    state: Match,
    /// The events so far; the first one is in the tags.
    happened: Vec<Recorded>,
    /// The dice of the turn.
    thrown: Vec<lusoria_protocol::Die>,
}

impl Playing<'_> {
    /// Plays the cause of the next line.
    fn go_on(&mut self, chance: &mut Revealed) -> Result<(), LineError> {
        let next = self.happened.len() - 1;
        let said = &self.told.said[next];
        let refused = |why: String| LineError::new(said.line, why);
        let told = || match &said.what {
            Content::Turned { side, words, .. } => format!("{} turn {words}", whose(&word(side))),
            Content::Event(_) | Content::TakenBack { .. } | Content::Follows(_) => {
                format!("\"{}\"", said.what.text())
            }
        };
        if let Content::Event(kind) = &said.what
            && take_over_ratings(&mut self.state, &mut self.happened, kind)
        {
            return Ok(());
        }
        let causes = self.causes(next).map_err(|why| refused(format!("{}: {why}", told())))?;
        if causes.is_empty() {
            return Err(refused(format!("nothing led to {}", told())));
        }
        let after_ms = said.after_ms.ok_or_else(|| {
            refused("when? the seconds since the event before it stand at the end, as +3.214".to_owned())
        })?;
        let at =
            self.state.last_at().checked_add(after_ms).ok_or_else(|| refused("too long after".to_owned()))?;
        let lines = &self.told.said;
        let fits = |state: &Match, expected: &[Recorded]| {
            (next..).zip(expected).all(|(index, expected)| {
                let kind = wire::event(state, expected).kind;
                lines.get(index).is_some_and(|said| agrees(&said.what, &kind))
            })
        };
        let events = play_on(&mut self.state, causes, at, chance, fits)
            .map_err(|why| refused(format!("{}: {why}", told())))?;
        self.take(events)
    }

    /// The possible causes of the line.
    fn causes(&self, index: usize) -> Result<Vec<Cause>, String> {
        match &self.told.said[index].what {
            Content::Follows(_) => Ok(Vec::new()),
            Content::Turned { side, words, thought, lag_ms } => {
                let told = (*thought, *lag_ms);
                let turned = wire::turn_told(&self.state, *side, told, |turn| notation::read(turn, words));
                turned.map(|command: Command| vec![Cause::Asked(command)])
            }
            Content::TakenBack { seat, .. } => {
                Ok(wire::takeback(&self.state, *seat).map(Cause::Asked).into_iter().collect())
            }
            Content::Event(kind) => {
                let mut events = vec![self.told.event(0, 0, EventKind::clone(kind))];
                if let Some(ParsedEvent { what: Content::Event(next), .. }) = self.told.said.get(index + 1) {
                    events.push(self.told.event(0, 0, EventKind::clone(next)));
                }
                wire::causes(&self.state, &events)
            }
        }
    }

    /// Compares the replayed events with the lines.
    fn take(&mut self, events: Vec<Recorded>) -> Result<(), LineError> {
        for recorded in events {
            let kind = wire::event(&self.state, &recorded).kind;
            match &kind {
                EventKind::Thrown { dice, .. } | EventKind::TakenBack { dice, .. } => {
                    self.thrown.clone_from(dice);
                }
                EventKind::OpeningThrown { white, black, .. } => self.thrown = vec![*white, *black],
                _ => {}
            }
            if let Some(index) = self.happened.len().checked_sub(1) {
                let expected = || event(&kind, &self.thrown);
                let Some(said) = self.told.said.get(index) else {
                    let line = self.told.lines.last().map_or(1, |&(line, _)| line);
                    return Err(LineError::new(line, format!("before this, \"{}\" must follow", expected())));
                };
                if !agrees(&said.what, &kind) {
                    let (found, expected) = (said.what.text(), expected());
                    let why = format!("\"{found}\" stands where by the rules \"{expected}\" must stand");
                    return Err(LineError::new(said.line, why));
                }
            }
            self.happened.push(recorded);
        }
        Ok(())
    }
}

/// Whether a line describes this event. The notation of turns is compared at the end, when all are known.
fn agrees(said: &Content, happened: &EventKind) -> bool {
    match (said, happened) {
        (
            Content::Turned { side, thought, lag_ms, .. },
            EventKind::Turned { side: played, thought: spent, lag_ms: given, .. },
        ) => (side, thought, lag_ms) == (played, spent, given),
        (Content::Turned { .. }, _) | (_, EventKind::Turned { .. }) => false,
        (Content::Event(_) | Content::TakenBack { .. } | Content::Follows(_), happened) => {
            said.text() == event(happened, &[])
        }
    }
}

/// The side in the possessive: `White's`, `the attackers'`.
fn whose(side: &str) -> String {
    if side.ends_with('s') {
        return format!("the {side}'");
    }
    let (first, rest) = side.split_at(1);
    format!("{}{rest}'s", first.to_uppercase())
}
