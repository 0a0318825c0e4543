//! Pairs a Swiss of 500 over nine rounds: how long each round takes, and how much the scores of opponents
//! differ.
//!
//! `cargo run --release -p lusoria-tournament --example swiss [entrants] [rounds]`

use std::time::Instant;

use lusoria_play::{Clock, Length, MatchId, PlayerId, Seat, TournamentId};
use lusoria_rules::{Game, Variant};
use lusoria_tournament::{
    Candidate, Chance, Command, Conditions, Event, Format, PairingEnd, Recorded, Settings, Tournament, Who,
};
use uuid::Uuid;

struct Rng(u64);

impl Chance for Rng {
    fn lot(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 20
    }

    fn match_id(&mut self) -> MatchId {
        MatchId(Uuid::from_u64_pair(self.lot(), self.lot()))
    }

    fn avoids(&mut self, _: PlayerId, _: PlayerId) -> bool {
        false
    }
}

fn fold(tournament: &mut Tournament, events: &[Recorded]) {
    for event in events {
        tournament.fold(event).expect("it was decided for this state");
    }
}

fn main() {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<u16>().expect("a number"));
    let (entrants, rounds) = (numbers.next().unwrap_or(500), numbers.next().unwrap_or(9));
    let conditions = Conditions {
        who: Who::Both,
        entrants_max: 500,
        rated_matches_min: 0,
        rating_min: None,
        rating_max: None,
        account_age_ms_min: 0,
        players: Vec::new(),
        code: None,
    };
    let settings = Settings {
        name: "Five hundred".into(),
        description: String::new(),
        format: Format::Swiss { rounds: u8::try_from(rounds).ok(), every_ms: None },
        variant: Variant::standard(Game::Tabula),
        length: Length::Points(1),
        clock: Clock::Days { days: 1 },
        rated: false,
        begins_at: 1_000,
        wait_ms: Settings::WAIT_MS,
        listed: true,
        conditions,
    };
    let mut rng = Rng(1);
    let id = TournamentId(Uuid::from_u128(1));
    let (mut tournament, _) = Tournament::create(id, PlayerId(id.0), settings, 0).expect("it is sound");
    for number in 0..entrants {
        let player = PlayerId(Uuid::from_u128(u128::from(number) + 10));
        let rating = 1_000 + u16::try_from(rng.lot() % 1_200).expect("small");
        let candidate =
            Candidate { player, rating, is_bot: false, rated_matches: 0, account_age_ms: 0, code: None };
        let events = tournament.decide(&Command::Enter(candidate), 1, &mut rng).expect("entry is open");
        fold(&mut tournament, &events);
    }
    let mut now = 1_000;
    while tournament.ended().is_none() {
        let begun = Instant::now();
        let due = tournament.due(now, &mut rng);
        let took = begun.elapsed();
        now += 1;
        let before = tournament.standings();
        fold(&mut tournament, &due);
        let Some(Event::RoundPaired { round, pairings, .. }) = due.first().map(|recorded| &recorded.event)
        else {
            continue;
        };
        let points = |entrant| {
            before.iter().find(|standing| standing.entrant == entrant).map_or(0, |standing| standing.points)
        };
        let apart: u32 = pairings
            .iter()
            .map(|paired| u32::from(points(paired.first).abs_diff(points(paired.second))))
            .sum();
        let mean = f64::from(apart) / 2.0 / f64::from(u32::try_from(pairings.len()).expect("few"));
        println!("round {round}: {took:?}, opponents {mean:.3} points apart");
        for made in tournament.matches_to_make() {
            let rating = |player| i64::from(tournament.entrant_of(player).map_or(0, |state| state.rating));
            let edge = (rating(made.first) - rating(made.second)) / 10;
            let end = match i64::try_from(rng.lot() % 200).expect("small") {
                0..30 => PairingEnd::Drawn,
                lot if lot - 115 < edge => PairingEnd::Won(Seat::One),
                _ => PairingEnd::Won(Seat::Two),
            };
            let event = Event::MatchEnded { match_id: made.id, end };
            let ended = Recorded { seq: tournament.head() + 1, at: now, event };
            fold(&mut tournament, &[ended]);
        }
    }
}
