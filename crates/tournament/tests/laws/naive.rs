//! Standings and pairings as one would work them out by hand.

use std::collections::BTreeMap;

use lusoria_play::{MatchId, Seat};
use lusoria_tournament::{Entrant, Event, Format, PairingEnd, Recorded, Standing, Tournament};

/// Calls `found` with every way to pair all players so that nobody meets whom they have met.
pub(crate) fn all_pairings(
    players: &[Entrant],
    met: &dyn Fn(Entrant, Entrant) -> bool,
    found: &mut dyn FnMut(&[[Entrant; 2]]),
) {
    fn go(
        left: &[Entrant],
        pairs: &mut Vec<[Entrant; 2]>,
        met: &dyn Fn(Entrant, Entrant) -> bool,
        found: &mut dyn FnMut(&[[Entrant; 2]]),
    ) {
        let Some((&one, others)) = left.split_first() else { return found(pairs) };
        for (index, &other) in others.iter().enumerate() {
            if !met(one, other) {
                let mut rest = others.to_vec();
                rest.remove(index);
                pairs.push([one, other]);
                go(&rest, pairs, met, found);
                pairs.pop();
            }
        }
    }
    go(players, &mut Vec::new(), met, found);
}

/// The half points of all entrants before a round.
pub(crate) fn scores_before(tournament: &Tournament, round: u16) -> Vec<u16> {
    let mut scores = vec![0; tournament.entrants().len()];
    let mut add = |entrant: Entrant, points: u8| scores[usize::from(entrant.0) - 1] += u16::from(points);
    for pairing in tournament.pairings().iter().filter(|pairing| pairing.round < round) {
        for entrant in pairing.entrants() {
            add(entrant, pairing.points(entrant).unwrap_or(0));
        }
    }
    for round in tournament.rounds().iter().filter(|earlier| earlier.number < round) {
        round.byes.iter().for_each(|bye| add(bye.entrant, bye.half_points));
    }
    scores
}

/// Works the points of a tournament out of its events alone, and compares them with its standings.
pub(crate) fn check_standings(tournament: &Tournament, events: &[Recorded]) {
    let is_knockout = matches!(tournament.settings().format, Format::Knockout { .. });
    let is_swiss = matches!(tournament.settings().format, Format::Swiss { .. });
    // The pairing of each match with who sits where; each pairing's points.
    let mut matches: BTreeMap<MatchId, (u32, [Entrant; 2])> = BTreeMap::new();
    let mut present: BTreeMap<u32, [Entrant; 2]> = BTreeMap::new();
    let mut points: BTreeMap<u32, [(Entrant, u16); 2]> = BTreeMap::new();
    let mut over = Vec::new();
    let mut given: BTreeMap<Entrant, u16> = BTreeMap::new();
    for recorded in events {
        match &recorded.event {
            Event::Entered { entrant, half_points, .. } => {
                given.insert(*entrant, u16::from(*half_points));
            }
            Event::RoundPaired { pairings, byes, .. } => {
                for paired in pairings {
                    let pair = [paired.first, paired.second];
                    matches.insert(paired.match_id, (paired.pairing.0, pair));
                    present.insert(paired.pairing.0, pair);
                }
                for bye in byes {
                    *given.entry(bye.entrant).or_default() += u16::from(bye.half_points);
                }
            }
            Event::Again { pairing, match_id, first, .. } => {
                let mut pair = present[&pairing.0];
                if pair[0] != *first {
                    pair.swap(0, 1);
                }
                matches.retain(|_, (number, _)| *number != pairing.0);
                matches.insert(*match_id, (pairing.0, pair));
                present.insert(pairing.0, pair);
            }
            Event::MatchEnded { match_id, end } => {
                let Some((number, [one, two])) = matches.get(match_id).copied() else { continue };
                if points.contains_key(&number) || over.contains(match_id) {
                    continue;
                }
                over.push(*match_id);
                let result = match end {
                    PairingEnd::Won(Seat::One) => [2, 0],
                    PairingEnd::Won(Seat::Two) => [0, 2],
                    PairingEnd::Drawn if !is_knockout => [1, 1],
                    PairingEnd::Drawn | PairingEnd::NoShow(_) | PairingEnd::Aborted => continue,
                };
                points.insert(number, [(one, result[0]), (two, result[1])]);
            }
            Event::Forfeited { pairing, winner, .. } => {
                let pair = present[&pairing.0];
                points.insert(
                    pairing.0,
                    pair.map(|entrant| (entrant, if Some(entrant) == *winner { 2 } else { 0 })),
                );
            }
            Event::ResultSet { pairing, half_points: [one, two], .. } => {
                let pair = present[&pairing.0];
                points.insert(pairing.0, [(pair[0], u16::from(*one)), (pair[1], u16::from(*two))]);
            }
            _ => {}
        }
    }
    let standings = tournament.standings();
    let counts = |entrant: Entrant| {
        standings.iter().find(|standing| standing.entrant == entrant).is_none_or(|standing| standing.counts)
    };
    if standings.iter().all(|standing| standing.counts) {
        let full_byes = tournament.rounds().iter().flat_map(|round| &round.byes);
        // Who left before they were ever paired has no place.
        let has_place = |entrant| standings.iter().any(|standing| standing.entrant == entrant);
        let full_byes = full_byes.filter(|bye| bye.half_points == 2 && has_place(bye.entrant)).count();
        let sum =
            |number: fn(&Standing) -> u16| standings.iter().map(|of| usize::from(number(of))).sum::<usize>();
        assert_eq!(sum(|of| of.wins), sum(|of| of.losses) + full_byes, "who wins has beaten somebody");
    }
    check_order(&standings, is_knockout, events);
    for standing in &standings {
        let own = points.values().filter(|pair| pair.iter().all(|(entrant, _)| counts(*entrant)));
        let own: u16 =
            own.flatten().filter(|(entrant, _)| *entrant == standing.entrant).map(|(_, won)| won).sum();
        let given = if is_swiss { given.get(&standing.entrant).copied().unwrap_or(0) } else { 0 };
        let expected = if standing.counts { own + given } else { 0 };
        assert_eq!(standing.points, expected, "{:?}", tournament.settings().format);
        if is_swiss {
            assert_eq!(
                (standing.buchholz_cut_1, standing.sonneborn_berger),
                tie_breaks(tournament, standing.entrant)
            );
        }
    }
}

/// Excluded entrants come after all others; points, unless it is a knock-out, decide first.
fn check_order(standings: &[Standing], is_knockout: bool, events: &[Recorded]) {
    let excludes = |of: &Recorded, out| matches!(of.event, Event::Excluded { entrant, .. } if entrant == out);
    let is_out = |of: &Standing| events.iter().any(|event| excludes(event, of.entrant));
    for pair in standings.windows(2) {
        let [before, after] = [&pair[0], &pair[1]];
        let is_in_order = match (is_out(before), is_out(after)) {
            (false, true) => before.place < after.place,
            (true, false) => false,
            _ => is_knockout || before.points >= after.points,
        };
        assert!(is_in_order, "{before:#?} {after:#?}");
    }
}

/// Buchholz cut 1 and Sonneborn-Berger from the cross-table.
fn tie_breaks(tournament: &Tournament, entrant: Entrant) -> (u16, u32) {
    let table = tournament.crosstable();
    let score = |entrant: Entrant| {
        let cells = &table[usize::from(entrant.0) - 1].cells;
        cells.iter().map(|cell| u16::from(cell.half_points.unwrap_or(0))).sum::<u16>()
    };
    let mut against = Vec::new();
    let mut sonneborn_berger = 0;
    for cell in table[usize::from(entrant.0) - 1].cells.iter().filter(|cell| cell.half_points.is_some()) {
        let opponent = cell.opponent.filter(|_| !cell.is_forfeit).map_or(score(entrant), score);
        sonneborn_berger += u32::from(opponent) * u32::from(cell.half_points.unwrap_or(0));
        against.push(opponent);
    }
    against.sort_unstable();
    (against.iter().skip(1).sum(), sonneborn_berger)
}
