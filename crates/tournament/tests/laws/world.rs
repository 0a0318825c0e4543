//! A tournament on virtual time, with people who come late, leave, vanish and come back, and nodes that see
//! it late.

use std::collections::BTreeMap;

use lusoria_play::{Clock, Length, MatchId, Millis, PlayerId, Seat, TournamentId};
use lusoria_rules::{Game, Variant};
use lusoria_tournament::{
    Candidate, Chance, Command, Conditions, Entrant, Event, ExcludedBy, Format, PairingEnd, Recorded,
    Refusal, Settings, Tournament, Who,
};
use uuid::Uuid;

pub(crate) const START: Millis = 1_800_000_000_000;
pub(crate) const MINUTE: Millis = 60_000;

/// Seeded chance (`SplitMix64`).
#[derive(Debug)]
pub(crate) struct Rng(pub u64);

impl Rng {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    pub(crate) fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }
}

impl Chance for Rng {
    fn lot(&mut self) -> u64 {
        self.next()
    }

    fn match_id(&mut self) -> MatchId {
        MatchId(Uuid::from_u64_pair(self.next(), self.next()))
    }

    fn avoids(&mut self, one: PlayerId, other: PlayerId) -> bool {
        (one, other) == (player(1), player(2)) || (one, other) == (player(2), player(1))
    }
}

pub(crate) fn player(number: u16) -> PlayerId {
    PlayerId(Uuid::from_u128(u128::from(number)))
}

pub(crate) fn settings(format: Format, clock: Clock) -> Settings {
    Settings {
        name: "Evening".into(),
        description: String::new(),
        conditions: Conditions {
            who: Who::Both,
            entrants_max: format.entrants().1,
            rated_matches_min: 0,
            rating_min: None,
            rating_max: None,
            account_age_ms_min: 0,
            players: Vec::new(),
            code: None,
        },
        format,
        variant: Variant::standard(Game::Tabula),
        length: Length::Points(1),
        clock,
        rated: false,
        begins_at: START + 60 * MINUTE,
        wait_ms: Settings::WAIT_MS,
        listed: true,
    }
}

pub(crate) const LIVE: Clock = Clock::Fischer { base_ms: 300_000, increment_ms: 5_000 };

#[derive(Debug)]
pub(crate) struct World {
    pub(crate) tournament: Tournament,
    pub(crate) events: Vec<Recorded>,
    pub(crate) now: Millis,
    pub(crate) rng: Rng,
    /// The matches that run, and when they end.
    running: BTreeMap<MatchId, Millis>,
    /// How a match can end: with aborted ones and draws, or always won.
    pub(crate) calm: bool,
    stale: Option<Tournament>,
}

impl World {
    pub(crate) fn new(settings: Settings, seed: u64) -> Self {
        let id = TournamentId(Uuid::from_u128(7));
        let (tournament, events) =
            Tournament::create(id, player(9_999), settings, START).expect("they are sound");
        let rng = Rng(seed);
        Self { tournament, events, now: START, rng, running: BTreeMap::new(), calm: false, stale: None }
    }

    /// Appends what a node has decided, unless the tournament has moved on.
    pub(crate) fn append(&mut self, events: Vec<Recorded>) {
        for recorded in events {
            // What the store keeps is what a fold reads.
            let json = serde_json::to_string(&recorded).expect("events are JSON");
            let read: Recorded = serde_json::from_str(&json).expect("JSON is read back");
            assert_eq!(read, recorded);
            self.tournament.fold(&read).expect("an event that was decided folds");
            self.events.push(read);
        }
    }

    pub(crate) fn command(&mut self, command: &Command) -> Result<(), Refusal> {
        let events = self.tournament.decide(command, self.now, &mut self.rng)?;
        self.append(events);
        Ok(())
    }

    pub(crate) fn enter(&mut self, number: u16) -> Result<(), Refusal> {
        let rating = 1_200 + u16::try_from(self.rng.below(900)).expect("small");
        self.command(&Command::Enter(Candidate {
            player: player(number),
            rating,
            is_bot: false,
            rated_matches: 0,
            account_age_ms: 0,
            code: None,
        }))
    }

    /// An event that the store adds with a match's own.
    fn blind(&mut self, event: Event) {
        let recorded = Recorded { seq: self.tournament.head() + 1, at: self.now, event };
        self.append(vec![recorded]);
    }

    /// Does everything that is due, makes and resigns matches.
    pub(crate) fn settle(&mut self) {
        for _ in 0.. {
            let mut moved = false;
            if self.rng.one_in(4) {
                // A node that has not read the last events decides in vain.
                if let Some(stale) = self.stale.replace(self.tournament.clone()) {
                    let late = stale.due(self.now, &mut self.rng);
                    if stale.head() == self.tournament.head() && !late.is_empty() {
                        self.append(late);
                        moved = true;
                    }
                }
            }
            let due = self.tournament.due(self.now, &mut self.rng);
            moved |= !due.is_empty();
            self.append(due);
            for made in self.tournament.matches_to_make() {
                moved = true;
                let correspondence = self.tournament.settings().clock.is_correspondence();
                let lasts = if correspondence { 20 * 24 * 60 } else { 25 };
                let ends_at = self.now + MINUTE + self.rng.below(lasts * MINUTE);
                self.running.insert(made.id, ends_at);
                self.blind(Event::MatchBegan { match_id: made.id });
            }
            for (match_id, player) in self.tournament.matches_to_resign() {
                moved = true;
                let pairing = self.tournament.pairing_of_match(match_id).expect("it is known");
                let entrant = self.tournament.entrant_of(player).expect("it is known").entrant;
                let winner = if pairing.first == entrant { Seat::Two } else { Seat::One };
                self.running.remove(&match_id);
                self.blind(Event::MatchEnded { match_id, end: PairingEnd::Won(winner) });
            }
            if !moved {
                return;
            }
        }
    }

    /// Goes on to the next thing that happens, at most `most`.
    pub(crate) fn advance(&mut self, most: Millis) {
        self.settle();
        let wake = self.tournament.next_wake(self.now);
        assert!(wake.is_none_or(|at| at > self.now), "a wake in the past");
        let ends = self.running.values().min().copied();
        let next = wake.into_iter().chain(ends).min();
        assert!(
            next.is_some() || self.tournament.ended().is_some(),
            "nothing is to come: {:#?}",
            self.tournament
        );
        self.now = next.unwrap_or(self.now).min(self.now + most).max(self.now);
        let over: Vec<_> =
            self.running.iter().filter(|(_, at)| **at <= self.now).map(|(id, _)| *id).collect();
        for match_id in over {
            self.running.remove(&match_id);
            let seat = if self.rng.one_in(2) { Seat::One } else { Seat::Two };
            let end = match self.rng.below(20) {
                0..4 if !self.calm => PairingEnd::Drawn,
                4..6 if !self.calm => PairingEnd::NoShow(seat),
                6 if !self.calm => PairingEnd::Aborted,
                _ => PairingEnd::Won(seat),
            };
            self.blind(Event::MatchEnded { match_id, end });
            if self.rng.one_in(9) {
                // The same, once more: only the first counts, and an unknown match changes nothing.
                self.blind(Event::MatchEnded { match_id, end: PairingEnd::Drawn });
                let unknown = self.rng.match_id();
                self.blind(Event::MatchBegan { match_id: unknown });
            }
        }
        self.settle();
    }

    /// Somebody does something; most of it is refused.
    pub(crate) fn disturb(&mut self, players: u16) {
        let number = 1 + u16::try_from(self.rng.below(players.into())).expect("small");
        let one = player(number);
        let round = u16::try_from(self.rng.below(6)).expect("small");
        let reason = "as the rules say".to_owned();
        let pairings = self.tournament.pairings().len() as u64;
        let command = match self.rng.below(60) {
            0..8 => return drop(self.enter(number)),
            40..44 => Command::Pause(one),
            44 => Command::Withdraw(one),
            45..48 => Command::AskBye { player: one, round },
            48 => Command::Exclude { player: one, by: ExcludedBy::Server, reason: None },
            49 => Command::Stop { reason },
            50..53 => Command::Resume,
            53 => Command::NextRound,
            54 if pairings > 0 => Command::SetResult {
                pairing: lusoria_tournament::PairingNo(
                    u32::try_from(1 + self.rng.below(pairings)).expect("small"),
                ),
                half_points: [[2, 0], [0, 2], [1, 1]][usize::try_from(self.rng.below(3)).expect("small")],
                reason,
            },
            55 => Command::Credit { by_ms: 5 * MINUTE },
            56 => Command::Pair(vec![(Entrant(1), Entrant(2))]),
            57 if self.rng.one_in(30) => Command::Start,
            _ => Command::Here(one),
        };
        drop(self.command(&command));
    }

    /// Everybody says that they are here.
    pub(crate) fn all_here(&mut self, players: u16) {
        for number in 1..=players {
            drop(self.command(&Command::Here(player(number))));
        }
    }
}
