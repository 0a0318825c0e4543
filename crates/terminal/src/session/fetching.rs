//! Records fetched while one types: to be saved, and to be checked.

use std::{future::Future, io, pin::Pin};

use lusoria_protocol::{MatchId, Record};

use super::{
    Failure, Session,
    verdict::{Verdict, verdict},
};
use crate::{output::Output, telling::clipped};
use lusoria_client::{Lost, fetch};

/// How many records can wait to be fetched.
const FETCHES_MAX: usize = 8;

/// What a record is fetched for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fetch {
    /// To check the match.
    Check(MatchId),
    /// To be kept in that file.
    Save(MatchId, String),
}

/// A record on its way.
pub(super) type Fetching = Pin<Box<dyn Future<Output = Result<Vec<u8>, Lost>> + Send>>;

impl<O: Output> Session<O> {
    pub(super) fn save_record(&mut self, file: &str) -> Result<(), Failure> {
        let Some(table) = &self.table else { return self.say("There is no match in the hall.") };
        if self.fetches.len() >= FETCHES_MAX {
            return self.say("Too many records are being fetched already.");
        }
        self.fetches.push_back(Fetch::Save(table.now.id, file.to_owned()));
        Ok(())
    }

    /// Checks a match that is over: its dice against what was kept and seen, and every turn.
    pub(super) fn check(&mut self, id: MatchId) {
        self.unchecked.insert(id);
        let fetch = Fetch::Check(id);
        let is_on_its_way = self.fetching.as_ref().is_some_and(|(present, _)| *present == fetch);
        if !is_on_its_way && !self.fetches.contains(&fetch) {
            self.fetches.push_back(fetch);
        }
    }

    /// Checks what could not be checked while the line was lost.
    pub(super) fn check_again(&mut self) {
        for id in self.unchecked.clone() {
            self.check(id);
        }
    }

    /// Begins to fetch what is next.
    pub(super) fn fetch_next(&mut self) {
        if self.fetching.is_some() {
            return;
        }
        let Some(next) = self.fetches.pop_front() else { return };
        let (Fetch::Check(id) | Fetch::Save(id, _)) = &next;
        let (origin, path) = (self.link.origin().clone(), format!("/api/v1/matches/{id}/record"));
        if let Fetch::Check(id) = &next {
            self.seen.entry(*id).or_default().ask_for_record();
        }
        self.fetching = Some((next, Box::pin(async move { fetch(&origin, &path).await })));
    }

    /// What is still to be fetched.
    fn to_fetch(&self) -> impl Iterator<Item = &Fetch> {
        self.fetching.iter().map(|(fetch, _)| fetch).chain(&self.fetches)
    }

    /// The files that a record is still to be kept in.
    pub(super) fn saves(&self) -> impl Iterator<Item = &str> {
        self.to_fetch().filter_map(|fetch| match fetch {
            Fetch::Save(_, file) => Some(file.as_str()),
            Fetch::Check(_) => None,
        })
    }

    /// The matches that are still to be checked.
    pub(super) fn checks(&self) -> impl Iterator<Item = MatchId> {
        self.to_fetch().filter_map(|fetch| match fetch {
            Fetch::Check(id) => Some(*id),
            Fetch::Save(..) => None,
        })
    }

    /// A record has come, or not.
    pub(super) fn fetched(&mut self, fetched: Result<Vec<u8>, Lost>) -> Result<(), Failure> {
        match (self.fetching.take(), fetched) {
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

    fn checked(&mut self, id: MatchId, fetched: Result<Vec<u8>, Lost>) -> Result<(), Failure> {
        let verdict = match fetched.map(|bytes| serde_json::from_slice::<Record>(&bytes)) {
            Ok(Ok(record)) => {
                let kept = self.keep.dice(self.me, id)?;
                let seen = self.seen.get(&id).cloned().unwrap_or_default();
                verdict(&record, id, kept.as_ref(), &seen)
            }
            Ok(Err(why)) => {
                Verdict::NotChecked(format!("the record cannot be read: {}", clipped(&why.to_string(), 200)))
            }
            Err(Lost::Refused { status: 404, .. }) => {
                Verdict::NotChecked("the server has no record of it".to_owned())
            }
            Err(why) => {
                Verdict::NotChecked(format!("the record did not come: {}", clipped(&why.to_string(), 200)))
            }
        };
        match verdict {
            Verdict::Sound(line) => {
                self.unchecked.remove(&id);
                self.say(&line)
            }
            Verdict::NotSound(lines) => {
                self.unchecked.remove(&id);
                self.not_sound.insert(id);
                self.say(&format!("{}\n(match {id})", lines.join("\n")))
            }
            Verdict::NotChecked(why) => self.say(&format!("NOT CHECKED: {why}.")),
        }
    }
}

/// Writes a file that is not there yet.
fn write_new(path: &str, bytes: &[u8]) -> io::Result<()> {
    use io::Write as _;
    let mut file = std::fs::OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(bytes)
}
