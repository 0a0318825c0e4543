//! The session's memory of a match while it was played, to compare with the server's record afterwards.

use std::collections::BTreeMap;

use lusoria_protocol::{Die, Event, EventKind, Record, SeatSeed, Snapshot};
use sha2::{Digest, Sha256};

use crate::event_text::{NAME_MAX, clipped, shown};

/// How many events of a match are remembered: ten times as many as the longest series has.
const EVENTS_MAX: usize = 100_000;

/// The session's memory of a match.
#[derive(Debug, Clone, Default)]
pub(super) struct SeenMatch {
    /// The number of the last event received.
    head: u32,
    /// The last event that the record must contain: the last one received before it was requested.
    pending: u32,
    /// The digest of each received event, by its number.
    events: BTreeMap<u32, [u8; 32]>,
    /// The throws that were shown, by the number of the event.
    throws: BTreeMap<u32, Vec<Die>>,
    /// The players' names when they were first seen.
    names: [Option<String>; 2],
    /// The seeds that were shown last.
    seeds: [Option<SeatSeed>; 2],
    /// Whether the user has a seat.
    seated: bool,
    /// Whether the server was restored from a backup: events after the backup are forgotten.
    put_back: bool,
}

impl SeenMatch {
    /// Remembers an event.
    pub(super) fn told(&mut self, event: &Event) {
        self.head = self.head.max(event.seq);
        if self.events.len() >= EVENTS_MAX {
            return;
        }
        self.events.entry(event.seq).or_insert_with(|| digest(event));
        match &event.kind {
            EventKind::Thrown { .. } | EventKind::OpeningThrown { .. } => {
                self.throws.entry(event.seq).or_insert_with(|| thrown(&event.kind));
            }
            EventKind::Created { seed, .. } => self.seeds[0] = Some(seed.clone()),
            EventKind::Joined { player, seed } => {
                self.seeds[1] = Some(seed.clone());
                self.names[1].get_or_insert_with(|| clipped(&player.name, NAME_MAX));
            }
            _ => {}
        }
    }

    /// Remembers what a snapshot shows.
    pub(super) fn shown(&mut self, now: &Snapshot) {
        self.head = self.head.max(now.head);
        self.seated |= now.your_seats.as_ref().is_some_and(|seats| !seats.is_empty());
        self.seeds[0] = Some(now.dice.seeds.one.clone());
        if let Some(seed) = &now.dice.seeds.two {
            self.seeds[1] = Some(seed.clone());
        }
        for (seen, player) in self.names.iter_mut().zip([Some(&now.players.one), now.players.two.as_ref()]) {
            if let Some(player) = player {
                seen.get_or_insert_with(|| clipped(&player.name, NAME_MAX));
            }
        }
        if let Some(to_play) = &now.to_play
            && !to_play.dice.is_empty()
            && self.throws.len() < EVENTS_MAX
        {
            self.throws.entry(to_play.seq).or_insert_with(|| to_play.dice.clone());
        }
    }

    /// Handles a restore of the server from a backup: the match is as in that snapshot.
    pub(super) fn put_back(&mut self, now: &Snapshot) {
        let after = now.head.saturating_add(1);
        self.events.split_off(&after);
        self.throws.split_off(&after);
        (self.seeds, self.names) = ([None, None], [None, None]);
        (self.head, self.pending, self.put_back) = (now.head, 0, true);
        self.shown(now);
    }

    /// Notes that the record is requested now.
    pub(super) const fn ask_for_record(&mut self) {
        self.pending = self.head;
    }

    /// Whether the user has a seat in the match.
    pub(super) const fn is_seated(&self) -> bool {
        self.seated
    }

    /// Whether the server was restored from a backup meanwhile.
    pub(super) const fn was_put_back(&self) -> bool {
        self.put_back
    }

    /// How many of a record's events were seen.
    pub(super) fn events(&self) -> usize {
        self.events.len()
    }

    /// The players who have another name in the record than when they were first seen, in words.
    pub(super) fn renamed(&self, record: &Record) -> Vec<String> {
        let recorded = [Some(&record.players.one), record.players.two.as_ref()];
        let both = self.names.iter().zip(recorded);
        both.filter_map(|(seen, recorded)| {
            let (seen, now) = (seen.as_ref()?, clipped(&recorded?.name, NAME_MAX));
            (*seen != now).then(|| format!("{seen} is now {now}"))
        })
        .collect()
    }

    /// The differences between the record and what was seen, in words.
    pub(super) fn differences(&self, record: &Record) -> Vec<String> {
        let mut found = Vec::new();
        let head = record.events.last().map_or(0, |last| last.seq);
        if head < self.pending {
            found.push(format!("the record stops at event {head}, but you saw {}", self.pending));
        }
        let recorded: BTreeMap<u32, &Event> = record.events.iter().map(|event| (event.seq, event)).collect();
        for (seq, dice) in &self.throws {
            let now = recorded.get(seq).map(|event| thrown(&event.kind)).unwrap_or_default();
            if *seq <= head && sorted(&now) != sorted(dice) {
                let now = if now.is_empty() { "no throw".to_owned() } else { shown(&now) };
                found.push(format!("event {seq}: you saw {} thrown, the record has {now}", shown(dice)));
            }
        }
        for (seq, seen) in self.events.iter().filter(|(seq, _)| **seq <= head) {
            if recorded.get(seq).is_none_or(|event| digest(event) != *seen) {
                found.push(format!("event {seq} of the record is not the one that you were told"));
            }
        }
        let begun = |kind: &EventKind| match kind {
            EventKind::Created { seed, .. } => [Some(seed.clone()), None],
            EventKind::Joined { seed, .. } => [None, Some(seed.clone())],
            _ => [None, None],
        };
        let last = [Some(record.dice.seeds.one.clone()), record.dice.seeds.two.clone()];
        for (seat, seen) in self.seeds.iter().enumerate() {
            let Some(seen) = seen else { continue };
            let begun = record.events.iter().filter_map(|event| begun(&event.kind)[seat].clone());
            if !begun.chain(last[seat].clone()).any(|recorded| recorded == *seen) {
                found.push(format!("the seed of seat {} is not the one that you were shown", seat + 1));
            }
        }
        found
    }
}

/// The digest of an event without its names. Only names may change in past events, because an operator may
/// erase a person's data.
fn digest(event: &Event) -> [u8; 32] {
    let mut nameless = event.clone();
    match &mut nameless.kind {
        EventKind::Created { player, made_by, .. } => {
            player.name.clear();
            if let Some(maker) = made_by {
                maker.name.clear();
            }
        }
        EventKind::Joined { player, .. } => player.name.clear(),
        EventKind::SeedRevealed { .. }
        | EventKind::GameStarted { .. }
        | EventKind::OpeningThrown { .. }
        | EventKind::Thrown { .. }
        | EventKind::Turned { .. }
        | EventKind::Passed { .. }
        | EventKind::TakenBack { .. }
        | EventKind::TakebackOffered { .. }
        | EventKind::TakebackDeclined { .. }
        | EventKind::DrawOffered { .. }
        | EventKind::DrawDeclined { .. }
        | EventKind::Credited { .. }
        | EventKind::GameEnded { .. }
        | EventKind::MatchEnded { .. }
        | EventKind::Rated { .. }
        | EventKind::Unrated { .. }
        | EventKind::RematchOffered { .. }
        | EventKind::RematchDeclined { .. }
        | EventKind::RematchAgreed { .. } => {}
    }
    let text = serde_json::to_vec(&nameless).expect("wire types are plain data");
    Sha256::digest(text).into()
}

/// The dice that an event throws.
fn thrown(kind: &EventKind) -> Vec<Die> {
    match kind {
        EventKind::Thrown { dice, .. } => dice.clone(),
        EventKind::OpeningThrown { white, black, .. } => vec![*white, *black],
        _ => Vec::new(),
    }
}

/// A snapshot may show the dice in another order.
fn sorted(dice: &[Die]) -> Vec<u8> {
    let mut eyes: Vec<u8> = dice.iter().map(|&die| die.into()).collect();
    eyes.sort_unstable();
    eyes
}
