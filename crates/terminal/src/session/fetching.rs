//! Fetches records in the background, to save or to check them.

use std::{
    collections::{BTreeSet, HashMap, VecDeque},
    future::Future,
    io,
    pin::Pin,
};

use lusoria_protocol::{MatchId, Record, Snapshot};

use super::{
    Session, SessionError,
    seen::SeenMatch,
    verdict::{Verdict, verdict},
};
use crate::{event_text::clipped, output::Output};
use lusoria_client::{ConnectionError, fetch};

/// The most records that wait to be fetched.
const FETCHES_MAX: usize = 8;

/// The most matches for which the session remembers what it saw.
const SEEN_MAX: usize = 64;

/// The purpose of fetching a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fetch {
    /// To check the match.
    Check(MatchId),
    /// To save it in that file.
    Save(MatchId, String),
}

/// A record that is being fetched.
pub(super) type Fetching = Pin<Box<dyn Future<Output = Result<Vec<u8>, ConnectionError>> + Send>>;

/// The session's memory of its matches, and the records to compare with it.
#[derive(Default)]
pub(super) struct Records {
    pub(super) seen: HashMap<MatchId, SeenMatch>,
    /// The records to fetch.
    queue: VecDeque<Fetch>,
    /// The record that is being fetched.
    pub(super) fetching: Option<(Fetch, Fetching)>,
    /// Finished matches that have not been checked.
    pub(super) unchecked: BTreeSet<MatchId>,
    /// Matches whose check has failed.
    pub(super) not_sound: BTreeSet<MatchId>,
}

impl Records {
    /// Remembers the state of a match when it is opened.
    pub(super) fn sit_down(&mut self, now: &Snapshot) {
        if self.seen.len() >= SEEN_MAX {
            self.seen.retain(|id, _| self.unchecked.contains(id));
        }
        self.seen.entry(now.id).or_default().shown(now);
    }

    /// Checks a finished match: its dice against the stored and seen data, and every turn.
    pub(super) fn check(&mut self, id: MatchId) {
        self.unchecked.insert(id);
        let fetch = Fetch::Check(id);
        let is_on_its_way = self.fetching.as_ref().is_some_and(|(present, _)| *present == fetch);
        if !is_on_its_way && !self.queue.contains(&fetch) {
            self.queue.push_back(fetch);
        }
    }

    /// Checks the matches that could not be checked while the connection was lost.
    pub(super) fn check_again(&mut self) {
        for id in self.unchecked.clone() {
            self.check(id);
        }
    }

    /// The records not fetched yet.
    fn to_fetch(&self) -> impl Iterator<Item = &Fetch> {
        self.fetching.iter().map(|(fetch, _)| fetch).chain(&self.queue)
    }

    /// The files that are not saved yet.
    pub(super) fn saves(&self) -> impl Iterator<Item = &str> {
        self.to_fetch().filter_map(|fetch| match fetch {
            Fetch::Save(_, file) => Some(file.as_str()),
            Fetch::Check(_) => None,
        })
    }

    /// The matches not checked yet.
    pub(super) fn checks(&self) -> impl Iterator<Item = MatchId> {
        self.to_fetch().filter_map(|fetch| match fetch {
            Fetch::Check(id) => Some(*id),
            Fetch::Save(..) => None,
        })
    }
}

impl<O: Output> Session<O> {
    pub(super) fn save_record(&mut self, file: &str) -> Result<(), SessionError> {
        let Some(current) = &self.current else { return self.say("There is no match in the lobby.") };
        if self.records.queue.len() >= FETCHES_MAX {
            return self.say("Too many records are being fetched already.");
        }
        self.records.queue.push_back(Fetch::Save(current.now.id, file.to_owned()));
        Ok(())
    }

    /// Begins to fetch the next record.
    pub(super) fn fetch_next(&mut self) {
        if self.records.fetching.is_some() {
            return;
        }
        let Some(next) = self.records.queue.pop_front() else { return };
        let (Fetch::Check(id) | Fetch::Save(id, _)) = &next;
        let (origin, path) = (self.link.origin().clone(), format!("/api/v1/matches/{id}/record"));
        if let Fetch::Check(id) = &next {
            self.records.seen.entry(*id).or_default().ask_for_record();
        }
        self.records.fetching = Some((next, Box::pin(async move { fetch(&origin, &path).await })));
    }

    /// Handles a fetched record, or the reason why it was not fetched.
    pub(super) fn fetched(&mut self, fetched: Result<Vec<u8>, ConnectionError>) -> Result<(), SessionError> {
        match (self.records.fetching.take(), fetched) {
            (None, _) => Ok(()),
            (Some((Fetch::Check(id), _)), fetched) => self.checked(id, fetched),
            (Some((Fetch::Save(..), _)), Err(why)) => {
                self.say(&format!("No record: {}", clipped(&why.to_string(), 200)))
            }
            (Some((Fetch::Save(_, file), _)), Ok(bytes)) => match write_new(&file, &bytes) {
                Ok(()) => self.say(&format!("{file}: {} bytes", bytes.len())),
                Err(why) => self.say(&format!("{file}: {why}")),
            },
        }
    }

    fn checked(
        &mut self,
        id: MatchId,
        fetched: Result<Vec<u8>, ConnectionError>,
    ) -> Result<(), SessionError> {
        let verdict = match fetched.map(|bytes| serde_json::from_slice::<Record>(&bytes)) {
            Ok(Ok(record)) => {
                let kept = self.profile.dice(self.me, id)?;
                let seen = self.records.seen.get(&id).cloned().unwrap_or_default();
                verdict(&record, id, kept.as_ref(), &seen)
            }
            Ok(Err(why)) => {
                Verdict::NotChecked(format!("the record cannot be read: {}", clipped(&why.to_string(), 200)))
            }
            Err(ConnectionError::Refused { status: 404, .. }) => {
                Verdict::NotChecked("the server has no record of it".to_owned())
            }
            Err(why) => {
                Verdict::NotChecked(format!("the record did not come: {}", clipped(&why.to_string(), 200)))
            }
        };
        match verdict {
            Verdict::Sound(line) => {
                self.records.unchecked.remove(&id);
                self.say(&line)
            }
            Verdict::NotSound(lines) => {
                self.records.unchecked.remove(&id);
                self.records.not_sound.insert(id);
                self.say(&format!("{}\n(match {id})", lines.join("\n")))
            }
            Verdict::NotChecked(why) => self.say(&format!("NOT CHECKED: {why}.")),
        }
    }
}

/// Writes a new file.
fn write_new(path: &str, bytes: &[u8]) -> io::Result<()> {
    use io::Write as _;
    let mut file = std::fs::OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(bytes)
}
