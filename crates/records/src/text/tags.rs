//! The tag pairs: the facts about a match before its first event, and the secrets of its games.

use std::collections::BTreeMap;

use lusoria_dice::GAMES_MAX;
use lusoria_play::JOURNAL_VERSION;
use lusoria_protocol::{
    CardPlayer, EventKind, Game, Hash, MatchId, Options, PlayerKind, Record, meant, word,
};

use super::{
    FORMAT, LineError, TAGS_MAX,
    exact::{match_id, number},
    moment::{moment, read_moment},
    quoted::{quote, unquote},
    values::{SEED, clock, kind, options, read_clock, read_kind, read_options, read_seed, seed},
};

/// The contents of the tags.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct TagContents {
    pub(super) id: MatchId,
    pub(super) server: String,
    pub(super) created_at: u64,
    /// `created`.
    pub(super) created: EventKind,
    /// `joined`, if seat 2 was ever taken.
    pub(super) joined: Option<EventKind>,
    pub(super) secrets: BTreeMap<u16, Hash>,
}

/// The tags in a text, with their lines.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Tags {
    found: BTreeMap<String, (usize, String)>,
    /// The line of the last one.
    last_line: usize,
}

/// The tags of a record, in order.
pub(super) fn tags(record: &Record) -> Vec<(String, String)> {
    let mut tags = vec![("Format".to_owned(), FORMAT.to_owned())];
    let mut tag = |name: &str, value: String| tags.push((name.to_owned(), value));
    tag("Game", word(&record.game));
    let options = options(record.options);
    if !options.is_empty() {
        tag("Options", options);
    }
    tag("Points", record.points.to_string());
    if let Some(games) = record.games {
        tag("Games", games.to_string());
    }
    if record.rated {
        tag("Rated", YES.to_owned());
    }
    tag("Clock", clock(record.clock));
    tag("Created", moment(record.created_at));
    let joined = record.events.iter().find_map(|event| match &event.kind {
        EventKind::Joined { player, seed } => Some((player, seed)),
        _ => None,
    });
    let created = record.events.iter().find_map(|event| match &event.kind {
        EventKind::Created { player, seed, rematch_of, made_by, commitment, .. } => {
            Some((player, seed, rematch_of, made_by, commitment))
        }
        _ => None,
    });
    let mut person = |seat: &str, player: &CardPlayer| {
        tag(seat, player.name.clone());
        tag(&format!("{seat}Id"), player.id.to_string());
        if let Some(kind) = kind(player) {
            tag(&format!("{seat}Kind"), kind);
        }
    };
    if let Some((player, _, _, made_by, _)) = created {
        person("Seat1", player);
        if let Some((joiner, _)) = joined {
            person("Seat2", joiner);
        }
        if let Some(maker) = made_by {
            person("MadeBy", maker);
        }
    }
    tag("Match", record.id.to_string());
    tag("Server", record.server.clone());
    tag("Admission", word(&record.admission));
    tag("Side", word(&record.side));
    if let Some((_, seed_one, rematch_of, _, commitment)) = created {
        if let Some(of) = rematch_of {
            tag("RematchOf", of.to_string());
        }
        tag("Commitment", commitment.to_string());
        tag("Seat1Seed", seed(seed_one));
    }
    if let Some((_, seed_two)) = joined {
        tag("Seat2Seed", seed(seed_two));
    }
    for event in &record.events {
        if let EventKind::GameEnded { game_number, secret, .. } = &event.kind {
            tag(&format!("Secret{game_number}"), secret.to_string());
        }
    }
    tags
}

/// The value of the tag of a rated match. Others have no such tag.
const YES: &str = "yes";

/// The names of all tags except those of the secrets.
const NAMES: [&str; 25] = [
    "Format",
    "Game",
    "Options",
    "Points",
    "Games",
    "Rated",
    "Clock",
    "Created",
    "Seat1",
    "Seat1Id",
    "Seat1Kind",
    "Seat2",
    "Seat2Id",
    "Seat2Kind",
    "MadeBy",
    "MadeById",
    "MadeByKind",
    "Match",
    "RematchOf",
    "Server",
    "Admission",
    "Side",
    "Commitment",
    "Seat1Seed",
    "Seat2Seed",
];

/// Tags about a player whose name is in another tag.
const OF_SOMEBODY: [(&str, &str); 5] = [
    ("Seat2Id", "Seat2"),
    ("Seat2Kind", "Seat2"),
    ("Seat2Seed", "Seat2"),
    ("MadeById", "MadeBy"),
    ("MadeByKind", "MadeBy"),
];

/// A tag as a line.
pub(super) fn line(name: &str, value: &str) -> String {
    format!("[{name} {}]", quote(value))
}

impl Tags {
    /// Takes the next line that begins with `[`.
    pub(super) fn take(&mut self, line: usize, text: &str) -> Result<(), LineError> {
        let pair = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        let Some((name, Some(value))) =
            pair.and_then(|pair| pair.split_once(' ')).map(|(name, value)| (name, unquote(value)))
        else {
            return Err(LineError::new(line, "a tag is written [Name \"value\"]"));
        };
        if self.found.is_empty() && (name, value.as_str()) != ("Format", FORMAT) {
            let why = match name {
                "Format" => format!("the format is \"{value}\"; this program reads \"{FORMAT}\""),
                _ => format!("the first tag must be [Format \"{FORMAT}\"]"),
            };
            return Err(LineError::new(line, why));
        }
        if self.found.len() >= TAGS_MAX {
            return Err(LineError::new(line, format!("more than {TAGS_MAX} tags")));
        }
        if self.found.insert(name.to_owned(), (line, value)).is_some() {
            return Err(LineError::new(line, format!("a second tag {name}")));
        }
        self.last_line = line;
        Ok(())
    }

    /// The contents of the tags; `line` is the first line below them.
    pub(super) fn head(&self, line: usize) -> Result<TagContents, LineError> {
        if self.found.is_empty() {
            return Err(LineError::new(line, format!("the first tag must be [Format \"{FORMAT}\"]")));
        }
        let unknown = |name: &str| !name.starts_with("Secret") && !NAMES.contains(&name);
        if let Some((name, (at, _))) = self.found.iter().find(|(name, _)| unknown(name)) {
            return Err(LineError::new(*at, format!("there is nothing for the tag {name} to tell")));
        }
        for (name, of) in OF_SOMEBODY {
            if let (Some((at, _)), None) = (self.found.get(name), self.found.get(of)) {
                return Err(LineError::new(*at, format!("whose? there is no tag {of}")));
            }
        }
        let game = self.read("Game", &Game::list("or"), meant)?;
        let options =
            self.read_or("Options", "options such as mother=play_on", Options::default(), read_options)?;
        let created = EventKind::Created {
            version: JOURNAL_VERSION,
            game,
            options,
            points: self.read("Points", "a number", number)?,
            games: self.optional("Games", "2", number)?,
            clock: self.read("Clock", "none, fischer 600+10, delay 600+10 or days 3", read_clock)?,
            admission: self.read("Admission", "open, invitation or both_seats", meant)?,
            side: self.read("Side", "lot, or a side of the game", meant)?,
            rated: self.optional("Rated", YES, |text| (text == YES).then_some(()))?.is_some(),
            player: self.person("Seat1")?,
            commitment: self.read("Commitment", "64 hexadecimal digits", meant)?,
            seed: self.read("Seat1Seed", SEED, read_seed)?,
            rematch_of: self.optional("RematchOf", "the id of a match", match_id)?,
            made_by: if self.found.contains_key("MadeBy") { Some(self.person("MadeBy")?) } else { None },
        };
        let joined = if self.found.contains_key("Seat2") {
            let (player, seed) = (self.person("Seat2")?, self.read("Seat2Seed", SEED, read_seed)?);
            Some(EventKind::Joined { player, seed })
        } else {
            None
        };
        Ok(TagContents {
            id: self.read("Match", "the id of a match, in lower case", match_id)?,
            server: self.read("Server", "a version", |text| Some(text.to_owned()))?,
            created_at: self.read("Created", "a moment such as 2026-09-21T14:13:20.000Z", read_moment)?,
            created,
            joined,
            secrets: self.secrets()?,
        })
    }

    /// The first tag that is not in canonical form, with the reason; none if all are.
    pub(super) fn first_wrong(&self, written: &[(String, String)]) -> Option<LineError> {
        let mut wrong: Vec<LineError> = Vec::new();
        for (name, value) in written {
            match self.found.get(name) {
                None => wrong.push(LineError::new(
                    self.last_line,
                    format!("the tag {} is missing", line(name, value)),
                )),
                Some((at, found)) if found != value => {
                    wrong.push(LineError::new(*at, format!("this must read {}", line(name, value))));
                }
                Some(_) => {}
            }
        }
        for (name, (at, _)) in &self.found {
            if !written.iter().any(|(known, _)| known == name) {
                wrong.push(LineError::new(*at, format!("there is nothing for the tag {name} to tell")));
            }
        }
        wrong.into_iter().min_by_key(|error| error.line)
    }

    fn read<T>(&self, name: &str, form: &str, read: impl Fn(&str) -> Option<T>) -> Result<T, LineError> {
        self.optional(name, form, read)?
            .ok_or_else(|| LineError::new(self.last_line, format!("there is no tag {name}")))
    }

    fn read_or<T>(
        &self,
        name: &str,
        form: &str,
        otherwise: T,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<T, LineError> {
        Ok(self.optional(name, form, read)?.unwrap_or(otherwise))
    }

    fn optional<T>(
        &self,
        name: &str,
        form: &str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>, LineError> {
        let Some((line, value)) = self.found.get(name) else { return Ok(None) };
        match read(value) {
            Some(read) => Ok(Some(read)),
            None => Err(LineError::new(*line, format!("the tag {name} must be {form}"))),
        }
    }

    fn person(&self, seat: &str) -> Result<CardPlayer, LineError> {
        let (kind, level) = self.read_or(
            &format!("{seat}Kind"),
            "bot, or computer with a level",
            (PlayerKind::Person, None),
            read_kind,
        )?;
        Ok(CardPlayer {
            id: self.read(&format!("{seat}Id"), "the id of a player", meant)?,
            name: self.read(seat, "a name", |text| Some(text.to_owned()))?,
            kind,
            level,
        })
    }

    fn secrets(&self) -> Result<BTreeMap<u16, Hash>, LineError> {
        let mut secrets = BTreeMap::new();
        for (name, (line, value)) in &self.found {
            let Some(game) = name.strip_prefix("Secret") else { continue };
            let game = number(game).filter(|game| (1..=GAMES_MAX).contains(game));
            let secret = game.zip(meant(value));
            let (number, secret) = secret.ok_or_else(|| {
                LineError::new(*line, "a secret is written [Secret1 \"…\"] with 64 hexadecimal digits")
            })?;
            secrets.insert(number, secret);
        }
        Ok(secrets)
    }
}
