//! What a record claims about its dice, without asking whether its turns could be played.

use lusoria_protocol::{EventKind, Hash, PlayAs, PlayerSeed, Record, Seat, SeatSeed};
use uuid::Uuid;

use super::{Fault, Reason};
use crate::{app::wire, replay::white_seat};

/// What a record claims about its dice.
#[derive(Debug, Clone)]
pub struct Claims {
    pub(in crate::record) id: Uuid,
    pub(in crate::record) game: lusoria_protocol::Game,
    pub(in crate::record) commitment: Hash,
    /// The seeds of seats 1 and 2, as far as they are told.
    pub(in crate::record) seeds: [Option<SeedClaim>; 2],
    /// Whether the sides of the first game were drawn.
    pub(in crate::record) by_lot: bool,
    pub(in crate::record) games: Vec<GameClaim>,
    /// Where the record contradicts itself.
    pub(in crate::record) faults: Vec<Fault>,
}

/// A seat's seed.
#[derive(Debug, Clone)]
pub(in crate::record) struct SeedClaim {
    /// By the player; else the server drew it.
    pub(in crate::record) brought: bool,
    /// What the player promised before.
    pub(in crate::record) hash: Option<Hash>,
    /// None until it is revealed.
    pub(in crate::record) seed: Option<PlayerSeed>,
}

/// A game.
#[derive(Debug, Clone)]
pub(in crate::record) struct GameClaim {
    pub(in crate::record) number: u16,
    /// Who plays White (tablut: the king).
    pub(in crate::record) white: Seat,
    /// Once it has ended.
    pub(in crate::record) secret: Option<Hash>,
    /// The number of each throw, and its dice.
    pub(in crate::record) throws: Vec<(u32, Vec<u8>)>,
    /// Where the throws stand.
    pub(in crate::record) seqs: Vec<u32>,
}

impl SeedClaim {
    pub(in crate::record) fn of(seed: &SeatSeed) -> Self {
        match seed {
            SeatSeed::Brought { seed } => Self { brought: true, hash: None, seed: Some(seed.clone()) },
            SeatSeed::Drawn { seed } => Self { brought: false, hash: None, seed: Some(seed.clone()) },
            SeatSeed::Committed { seed_hash } => {
                Self { brought: true, hash: Some(seed_hash.clone()), seed: None }
            }
        }
    }
}

impl Claims {
    /// Nothing yet of a match.
    pub(in crate::record) const fn nothing(
        id: Uuid,
        game: lusoria_protocol::Game,
        commitment: Hash,
        side: PlayAs,
    ) -> Self {
        let by_lot = matches!(side, PlayAs::Lot);
        Self { id, game, commitment, seeds: [None, None], by_lot, games: Vec::new(), faults: Vec::new() }
    }

    /// What the events of a record claim, and where the rest of it says something else.
    pub fn of(record: &Record) -> Self {
        let mut claims = Self::nothing(record.id.0, record.game, record.dice.commitment.clone(), record.side);
        for (expected, event) in (1..).zip(&record.events) {
            if event.seq != expected && claims.faults.is_empty() {
                let why = format!("event {expected} is missing: event {} stands in its place", event.seq);
                claims.fault(Reason::Order, why);
            }
            claims.take(event.seq, &event.kind);
        }
        claims.compare_frame(record);
        claims
    }

    fn take(&mut self, seq: u32, kind: &EventKind) {
        match kind {
            EventKind::Created { commitment, seed, .. } => {
                if *commitment != self.commitment {
                    self.fault(Reason::Commitment, "the record names two commitments");
                }
                self.seeds[0] = Some(SeedClaim::of(seed));
            }
            EventKind::Joined { seed, .. } => self.seeds[1] = Some(SeedClaim::of(seed)),
            EventKind::SeedRevealed { seat, seed } => self.reveal(*seat, seed),
            EventKind::GameStarted { game_number, sides, .. } => self.start(*game_number, white_seat(*sides)),
            EventKind::OpeningThrown { throw, white, black, .. } => {
                self.threw(seq, *throw, vec![(*white).into(), (*black).into()]);
            }
            EventKind::Thrown { throw, dice, .. } => {
                self.threw(seq, *throw, dice.iter().map(|&die| die.into()).collect());
            }
            EventKind::GameEnded { game_number, secret, .. } => self.end(*game_number, secret),
            EventKind::Turned { .. }
            | EventKind::Passed { .. }
            | EventKind::DrawOffered { .. }
            | EventKind::DrawDeclined { .. }
            | EventKind::Credited { .. }
            | EventKind::MatchEnded { .. }
            | EventKind::RematchOffered { .. }
            | EventKind::RematchDeclined { .. }
            | EventKind::RematchAgreed { .. } => {}
        }
    }

    pub(in crate::record) fn reveal(&mut self, seat: Seat, seed: &PlayerSeed) {
        let known = &mut self.seeds[usize::from(u8::from(seat) - 1)];
        match known {
            Some(known) => known.seed = Some(seed.clone()),
            None => *known = Some(SeedClaim { brought: true, hash: None, seed: Some(seed.clone()) }),
        }
    }

    pub(in crate::record) fn start(&mut self, number: u16, white: Seat) {
        self.games.push(GameClaim { number, white, secret: None, throws: Vec::new(), seqs: Vec::new() });
    }

    pub(in crate::record) fn threw(&mut self, seq: u32, index: u32, dice: Vec<u8>) {
        let count = wire::game(self.game).dice();
        if dice.len() != count {
            let why = format!("event {seq}: a throw of this game has {count} dice, not {}", dice.len());
            self.fault(Reason::Die, why);
            return;
        }
        match self.games.last_mut() {
            Some(game) => {
                game.throws.push((index, dice));
                game.seqs.push(seq);
            }
            None => self.fault(Reason::Order, format!("event {seq}: a throw before any game")),
        }
    }

    pub(in crate::record) fn end(&mut self, number: u16, secret: &Hash) {
        match self.games.last_mut() {
            Some(game) if game.number == number => game.secret = Some(secret.clone()),
            _ => self.fault(Reason::Order, format!("game {number} ends, but it is not the one being played")),
        }
    }

    pub(in crate::record) fn fault(&mut self, reason: Reason, why: impl Into<String>) {
        self.faults.push(Fault { reason, why: why.into() });
    }

    fn compare_frame(&mut self, record: &Record) {
        for (seat, framed) in [(0, Some(&record.dice.seeds.one)), (1, record.dice.seeds.two.as_ref())] {
            let framed = framed.map(SeedClaim::of);
            let told =
                |claim: &Option<SeedClaim>| claim.as_ref().map(|claim| (claim.brought, claim.seed.clone()));
            if told(&framed) != told(&self.seeds[seat]) {
                self.fault(Reason::Seed, format!("the record names two seeds of seat {}", seat + 1));
            }
        }
        let ended: std::collections::BTreeMap<String, Hash> = self
            .games
            .iter()
            .filter_map(|game| Some((game.number.to_string(), game.secret.clone()?)))
            .collect();
        if ended != record.dice.secrets {
            self.fault(Reason::Secret, "the secrets outside the events are not those in them");
        }
    }
}
