//! The claims of a record about its dice. Whether its turns were legal is not checked here.
//!
//! Each claim about the dice may be made once, and at its time. If two contradict each other, the first one
//! counts and the second is a fault.

use std::collections::BTreeMap;

use lusoria_protocol::{Hash, PlayAs, PlayerSeed, Record, Seat, SeatSeed};
use uuid::Uuid;

use super::{Faults, Reason};

/// The claims of a record about its dice.
#[derive(Debug, Clone)]
pub struct Claims {
    pub(crate) id: Uuid,
    pub(crate) game: lusoria_protocol::Game,
    pub(crate) commitment: Hash,
    /// The side that seat 1 requested in the first game, or the lot.
    pub(crate) side: PlayAs,
    /// The seeds of seats 1 and 2, as far as they are public.
    pub(crate) seeds: [Option<SeedClaim>; 2],
    pub(crate) games: Vec<GameClaim>,
    /// The contradictions within the record.
    pub(crate) faults: Faults,
    pub(super) stage: Stage,
}

/// The stage of the match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// The match is not created yet.
    Unmade,
    /// No game is in progress.
    Between,
    /// The last game is in progress.
    Playing,
    /// It has ended.
    Over,
}

/// A seat's seed.
#[derive(Debug, Clone)]
pub(crate) struct SeedClaim {
    /// Brought by the player; otherwise drawn by the server.
    pub(crate) brought: bool,
    /// The hash that the player committed to before.
    pub(crate) hash: Option<Hash>,
    /// None until it is revealed.
    pub(crate) seed: Option<PlayerSeed>,
}

/// A game.
#[derive(Debug, Clone)]
pub(crate) struct GameClaim {
    pub(crate) number: u16,
    /// The seat that plays White (in a tafl game the king).
    pub(crate) white: Seat,
    /// Once it has ended.
    pub(crate) secret: Option<Hash>,
    /// The number of each throw, and its dice.
    pub(crate) throws: Vec<(u32, Vec<u8>)>,
    /// The numbers of the throws' events.
    pub(crate) seqs: Vec<u32>,
    /// For each throw that counts: the event that gave its turn, and the number of throws including it. A
    /// turn that was taken back is given again.
    pub(super) given: Vec<(u32, usize)>,
    /// The index of the next throw in `throws`, if it was thrown before a takeback.
    pub(super) again: Option<usize>,
}

impl GameClaim {
    /// Adds a throw: a new one, or after a takeback the same one again.
    pub(super) fn threw(&mut self, seq: u32, index: u32, dice: Vec<u8>) -> Result<(), (Reason, String)> {
        let Some(at) = self.again else {
            self.throws.push((index, dice));
            self.seqs.push(seq);
            self.given.push((seq, self.throws.len()));
            return Ok(());
        };
        self.again = Some(at + 1).filter(|&next| next < self.throws.len());
        self.given.push((seq, at + 1));
        let (before, thrown) = &self.throws[at];
        if *before != index {
            let why = format!("a throw is numbered {index} where throw {before} comes again");
            return Err((Reason::Order, why));
        }
        if *thrown != dice {
            let why = format!("throw {index} comes again after a turn was taken back, but shows other dice");
            return Err((Reason::Die, why));
        }
        Ok(())
    }

    /// Goes back to the turn that event `to` gave. The event may repeat its dice.
    pub(super) fn take_back(
        &mut self,
        seq: u32,
        to: u32,
        dice: Option<&[u8]>,
    ) -> Result<(), (Reason, String)> {
        let Some(at) = self.given.iter().rposition(|&(given, _)| given == to) else {
            return Err((Reason::Order, "a turn is taken back that does not count".to_owned()));
        };
        let thrown = self.given[at].1;
        self.given.truncate(at);
        self.given.push((seq, thrown));
        self.again = Some(thrown).filter(|&next| next < self.throws.len());
        let (index, before) = &self.throws[thrown - 1];
        if dice.is_some_and(|dice| dice != before.as_slice()) {
            let why = format!("the turn of throw {index} is taken back, but shows other dice");
            return Err((Reason::Die, why));
        }
        Ok(())
    }
}

impl SeedClaim {
    pub(super) fn of(seed: &SeatSeed) -> Self {
        match seed {
            SeatSeed::Brought { seed } => Self { brought: true, hash: None, seed: Some(seed.clone()) },
            SeatSeed::Drawn { seed } => Self { brought: false, hash: None, seed: Some(seed.clone()) },
            SeatSeed::Committed { seed_hash } => Self { brought: true, hash: Some(*seed_hash), seed: None },
        }
    }

    /// Whether this seed, stated outside the events, agrees with the events. Once it is revealed, only the
    /// seed itself may be stated.
    fn repeats(&self, told: &Self) -> bool {
        (self.brought, &self.seed) == (told.brought, &told.seed)
            && (self.seed.is_some() || self.hash == told.hash)
    }
}

impl Claims {
    /// No claims yet.
    pub(crate) const fn nothing(
        id: Uuid,
        game: lusoria_protocol::Game,
        commitment: Hash,
        side: PlayAs,
    ) -> Self {
        Self {
            id,
            game,
            commitment,
            side,
            seeds: [None, None],
            games: Vec::new(),
            faults: Faults::none(),
            stage: Stage::Unmade,
        }
    }

    /// The claims in the events of a record, and contradictions with the rest of the record.
    pub fn of(record: &Record) -> Self {
        let mut claims = Self::nothing(record.id.0, record.game, record.dice.commitment, record.side);
        if let Some((expected, event)) = (1..).zip(&record.events).find(|(at, event)| event.seq != *at) {
            let why = format!("event {expected} is missing: event {} stands in its place", event.seq);
            claims.fault(Reason::Order, why);
        }
        for event in &record.events {
            if event.id != record.id {
                claims.fault(Reason::Order, format!("event {} is of another match", event.seq));
            }
            claims.take(event.seq, &event.kind);
        }
        claims.compare_frame(record);
        claims
    }

    /// Whether the match has ended.
    pub(crate) fn is_over(&self) -> bool {
        self.stage == Stage::Over
    }

    /// Whether a game is in progress.
    pub(crate) fn is_playing(&self) -> bool {
        self.stage == Stage::Playing
    }

    pub(crate) fn fault(&mut self, reason: Reason, why: impl Into<String>) {
        self.faults.add(reason, why);
    }

    /// Compares whether the match is over with the statement outside the events.
    pub(crate) fn compare_end(&mut self, over: bool) {
        if self.is_over() != over {
            self.fault(Reason::Order, "the events and the rest of the record disagree on the end");
        }
    }

    fn compare_frame(&mut self, record: &Record) {
        for (seat, framed) in [(0, Some(&record.dice.seeds.one)), (1, record.dice.seeds.two.as_ref())] {
            let same = match (framed.map(SeedClaim::of), &self.seeds[seat]) {
                (None, None) => true,
                (Some(framed), Some(told)) => framed.repeats(told),
                (Some(_), None) | (None, Some(_)) => false,
            };
            if !same {
                self.fault(Reason::Seed, format!("the record names two seeds of seat {}", seat + 1));
            }
        }
        let ended: BTreeMap<String, Hash> =
            self.games.iter().filter_map(|game| Some((game.number.to_string(), game.secret?))).collect();
        if ended != record.dice.secrets {
            self.fault(Reason::Secret, "the secrets outside the events are not those in them");
        }
        self.compare_end(record.result.is_some());
    }
}
