//! Plays a Swiss of 500 over nine rounds: how long each round takes to pair, and how much the scores of
//! opponents differ. Results follow from a hash of the seed, the round and the two entrants, so that
//! docs/tournaments/dutch.py can play the same tournament with other pairings.
//!
//! `cargo run --release -p lusoria-tournament --example swiss [entrants] [rounds] [seed] [one in so many
//! leaves before each round] > games`
//!
//! Standard output has a line for each entrant (`entrant`, number, rating), board (`board`, round, White,
//! Black, White's half points) and round without an opponent (`bye`, round, entrant, half points).

use std::time::Instant;

use lusoria_play::{Clock, Length, MatchId, PlayerId, Seat, TournamentId};
use lusoria_rules::{Game, Variant};
use lusoria_tournament::{
    Candidate, Chance, Command, Conditions, Event, Format, PairingEnd, Recorded, Settings, Tournament, Who,
};
use uuid::Uuid;

/// What happens, from a seed.
struct Fate(u64);

impl Fate {
    /// A number that follows from the seed and these three: the last step of `SplitMix64`, once for each.
    fn of(&self, what: [u64; 3]) -> u64 {
        what.into_iter().fold(self.0, |state, word| {
            let mixed = (state ^ word).wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            mixed ^ (mixed >> 31)
        })
    }

    fn rating(&self, entrant: u16) -> u16 {
        1_000 + u16::try_from(self.of([0, 0, entrant.into()]) % 1_200).expect("below 1,200")
    }

    /// The half points of the first of two: by the expected score of their ratings, with three draws in ten
    /// where that is possible.
    fn half_points(&self, round: u16, (one, other): (u16, u16)) -> u8 {
        let edge = f64::from(self.rating(one)) - f64::from(self.rating(other));
        let expected = 1.0 / (1.0 + 10.0_f64.powf(-edge / 400.0));
        let draws = expected.min(1.0 - expected).min(0.15);
        let low = u32::try_from(self.of([round.into(), one.min(other).into(), one.max(other).into()]) >> 32);
        let at = f64::from(low.expect("32 bits")) / f64::from(u32::MAX);
        // The same for both orders of the two.
        let at = if one < other { at } else { 1.0 - at };
        if at < expected - draws { 2 } else { u8::from(at < expected + draws) }
    }

    fn leaves(&self, round: u16, entrant: u16, one_in: u64) -> bool {
        one_in > 0 && self.of([1_000 + u64::from(round), entrant.into(), 0]).is_multiple_of(one_in)
    }
}

impl Chance for Fate {
    fn lot(&mut self) -> u64 {
        self.0 = self.of([0; 3]);
        self.0
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
    let (seed, one_in) = (numbers.next().unwrap_or(1), numbers.next().unwrap_or(0));
    let (fate, mut lots) = (Fate(seed.into()), Fate(u64::from(seed) << 32));
    let id = TournamentId(Uuid::from_u128(1));
    let (mut tournament, _) =
        Tournament::create(id, PlayerId(id.0), settings(rounds), 0).expect("it is sound");
    let player = |entrant: u16| PlayerId(Uuid::from_u128(u128::from(entrant) + 10));
    for entrant in 1..=entrants {
        let candidate = Candidate {
            player: player(entrant),
            rating: fate.rating(entrant),
            is_bot: false,
            rated_matches: 0,
            account_age_ms: 0,
            code: None,
        };
        println!("entrant {entrant} {}", candidate.rating);
        let events = tournament.decide(&Command::Enter(candidate), 1, &mut lots).expect("entry is open");
        fold(&mut tournament, &events);
    }
    let mut now = 1_000;
    while tournament.ended().is_none() {
        let begun = Instant::now();
        let due = tournament.due(now, &mut lots);
        let took = begun.elapsed();
        now += if due.is_empty() { Clock::DAY_MS } else { 1 };
        let before = tournament.standings();
        fold(&mut tournament, &due);
        let Some(Event::RoundPaired { round, pairings, byes, .. }) =
            due.first().map(|recorded| &recorded.event)
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
        eprintln!("round {round}: {took:?}, opponents {mean:.3} points apart");
        for bye in byes {
            println!("bye {round} {} {}", bye.entrant.0, bye.half_points);
        }
        for paired in pairings {
            let half_points = fate.half_points(*round, (paired.first.0, paired.second.0));
            println!("board {round} {} {} {half_points}", paired.first.0, paired.second.0);
            let end = match half_points {
                0 => PairingEnd::Won(Seat::Two),
                1 => PairingEnd::Drawn,
                _ => PairingEnd::Won(Seat::One),
            };
            let event = Event::MatchEnded { match_id: paired.match_id, end };
            let ended = Recorded { seq: tournament.head() + 1, at: now, event };
            fold(&mut tournament, &[ended]);
        }
        for leaves in (1..=entrants).filter(|&entrant| fate.leaves(*round, entrant, one_in.into())) {
            // Those who have left before are refused.
            if let Ok(events) = tournament.decide(&Command::Withdraw(player(leaves)), now, &mut lots) {
                fold(&mut tournament, &events);
            }
        }
    }
}

fn settings(rounds: u16) -> Settings {
    Settings {
        name: "A Swiss".into(),
        description: String::new(),
        format: Format::Swiss { rounds: u8::try_from(rounds).ok(), every_ms: None },
        variant: Variant::standard(Game::Tabula),
        length: Length::Points(1),
        clock: Clock::Days { days: 1 },
        rated: false,
        begins_at: 1_000,
        wait_ms: Settings::WAIT_MS,
        listed: true,
        conditions: Conditions {
            who: Who::Both,
            entrants_max: 500,
            rated_matches_min: 0,
            rating_min: None,
            rating_max: None,
            account_age_ms_min: 0,
            players: Vec::new(),
            code: None,
        },
    }
}
