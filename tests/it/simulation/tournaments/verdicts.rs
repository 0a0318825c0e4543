//! What must hold of a tournament that has ended: by its events, the journals of its matches, and what nodes show.

use std::collections::{BTreeMap, BTreeSet};

use lusoria_play::{MatchEnd, MatchId, Millis, PlayerId, Seat};
use lusoria_tournament::{
    EndedWhy, Entrant, EntrantStatus, Event, Format, PairingEnd, PairingNo, Recorded, Tournament,
};
use serde_json::Value;

use super::watch::Watch;
use crate::simulation::{
    invariants::{Verdict, holds},
    ledger::Ledger,
    world::EPOCH,
};

/// By how much the times of nodes may differ when credit is counted, in milliseconds.
const SKEW_MS: Millis = 400;

/// A tournament that has ended, and all that is known of it.
pub(super) struct Ended<'a> {
    pub(super) watch: &'a Watch,
    pub(super) ledger: &'a Ledger,
    /// The standings that each node shows.
    pub(super) shown: Vec<Value>,
    /// Those who came in time and stayed.
    pub(super) reliable: Vec<PlayerId>,
    /// The players that the operator has blocked or erased, and by when.
    pub(super) gone: BTreeMap<PlayerId, u64>,
}

impl Ended<'_> {
    /// Judges everything.
    pub(super) fn all_holds(&self) -> Verdict {
        self.nobody_is_paired_twice()?;
        self.every_match_is_of_a_pairing()?;
        self.results_are_those_of_the_matches()?;
        self.outages_are_credited()?;
        self.who_was_there_counts_as_there()?;
        self.players_that_are_gone_are_excluded()?;
        self.all_nodes_show_the_same()
    }

    fn state(&self) -> &Tournament {
        &self.watch.state
    }

    fn events(&self) -> impl Iterator<Item = &Recorded> {
        self.watch.events.iter()
    }

    fn why(&self) -> EndedWhy {
        self.state().ended().expect("it has ended").why
    }

    fn nobody_is_paired_twice(&self) -> Verdict {
        for recorded in self.events() {
            let Event::RoundPaired { round, pairings, byes, .. } = &recorded.event else { continue };
            let mut seen = BTreeSet::new();
            let paired = pairings.iter().flat_map(|paired| [paired.first, paired.second]);
            for entrant in paired.chain(byes.iter().map(|bye| bye.entrant)) {
                holds(seen.insert(entrant), || format!("{entrant} is twice in round {round}"))?;
            }
        }
        Ok(())
    }

    fn every_match_is_of_a_pairing(&self) -> Verdict {
        for (&id, book) in &self.ledger.books {
            let of = book.now();
            if of.tournament() != Some(self.state().id()) {
                continue;
            }
            let pairing = self.state().pairing_of_match(id);
            let pairing = pairing.ok_or_else(|| format!("match {id} belongs to no pairing"))?;
            let mut began = 0;
            let mut ends = Vec::new();
            for recorded in self.events() {
                match recorded.event {
                    Event::MatchBegan { match_id } if match_id == id => began += 1,
                    Event::MatchEnded { match_id, end } if match_id == id => ends.push(end),
                    _ => {}
                }
            }
            holds(began == 1, || format!("match {id} began {began} times"))?;
            let end: Vec<PairingEnd> = of.end().into_iter().map(Into::into).collect();
            holds(ends == end, || format!("match {id} ended {end:?}, the tournament has {ends:?}"))?;
            let is_over = self.why() != EndedWhy::Finished || self.is_arena() || of.end().is_some();
            holds(is_over, || format!("match {id} of pairing {} goes on after the end", pairing.pairing))?;
        }
        for pairing in self.state().pairings() {
            let is_decided = self.why() != EndedWhy::Finished || self.is_arena() || !pairing.is_open();
            holds(is_decided, || format!("pairing {} is not decided", pairing.pairing))?;
        }
        Ok(())
    }

    fn is_arena(&self) -> bool {
        matches!(self.state().settings().format, Format::Arena { .. })
    }

    /// Counts the results again: by the events alone which match counts, by its own journal how it ended.
    fn results_are_those_of_the_matches(&self) -> Verdict {
        let is_knockout = matches!(self.state().settings().format, Format::Knockout { .. });
        let mut boards: BTreeMap<PairingNo, (MatchId, [Entrant; 2])> = BTreeMap::new();
        let mut points: BTreeMap<(PairingNo, Entrant), u8> = BTreeMap::new();
        let mut of_byes: BTreeMap<Entrant, u16> = BTreeMap::new();
        for recorded in self.events() {
            let mut decided = None;
            match &recorded.event {
                Event::Entered { entrant, half_points, .. } => {
                    of_byes.insert(*entrant, (*half_points).into());
                }
                Event::RoundPaired { pairings, byes, .. } => {
                    for paired in pairings {
                        boards.insert(paired.pairing, (paired.match_id, [paired.first, paired.second]));
                    }
                    for bye in byes {
                        *of_byes.entry(bye.entrant).or_default() += u16::from(bye.half_points);
                    }
                }
                &Event::Again { pairing, match_id, first, .. } => {
                    let board = boards.get_mut(&pairing).expect("it was paired");
                    let ended = self.ledger.books.get(&board.0).and_then(|book| book.now().end());
                    holds(ended.is_some(), || {
                        format!(
                            "event {}: pairing {pairing} is played again before it was played",
                            recorded.seq
                        )
                    })?;
                    if board.1[0] != first {
                        board.1.reverse();
                    }
                    board.0 = match_id;
                }
                Event::MatchEnded { match_id, .. } => {
                    let board = boards.iter().find(|(_, (id, _))| id == match_id);
                    let end = self.ledger.books.get(match_id).and_then(|book| book.now().end());
                    if let Some((&pairing, &(_, [first, second]))) = board
                        && !points.contains_key(&(pairing, first))
                    {
                        decided = match end {
                            Some(MatchEnd::Won(Seat::One)) => Some((pairing, [(first, 2), (second, 0)])),
                            Some(MatchEnd::Won(Seat::Two)) => Some((pairing, [(first, 0), (second, 2)])),
                            Some(MatchEnd::Drawn) if !is_knockout => {
                                Some((pairing, [(first, 1), (second, 1)]))
                            }
                            _ => None,
                        };
                    }
                }
                Event::Forfeited { pairing, winner, .. } => {
                    let of = |entrant| (entrant, if Some(entrant) == *winner { 2 } else { 0 });
                    decided = Some((*pairing, boards[pairing].1.map(of)));
                }
                Event::ResultSet { pairing, half_points, .. } => {
                    let [first, second] = boards[pairing].1;
                    decided = Some((*pairing, [(first, half_points[0]), (second, half_points[1])]));
                }
                Event::Ended { .. } => break,
                _ => {}
            }
            if let Some((pairing, both)) = decided {
                points.extend(both.map(|(entrant, got)| ((pairing, entrant), got)));
            }
        }
        for pairing in self.state().pairings() {
            for entrant in pairing.entrants() {
                let (counted, shown) = (points.get(&(pairing.pairing, entrant)), pairing.points(entrant));
                holds(counted.copied() == shown, || {
                    format!(
                        "{entrant} has {shown:?} of pairing {}, its matches say {counted:?}",
                        pairing.pairing
                    )
                })?;
            }
        }
        let standings = self.state().standings();
        if is_knockout || standings.iter().any(|standing| !standing.counts) {
            return Ok(());
        }
        for standing in standings {
            let of = standing.entrant;
            let at_boards = points.iter().filter(|((_, entrant), _)| *entrant == of);
            let at_boards: u16 = at_boards.map(|(_, got)| u16::from(*got)).sum();
            let counted = at_boards + of_byes.get(&of).copied().unwrap_or(0);
            holds(counted == standing.points, || format!("{of}: {counted}, not {standing:?}"))?;
        }
        Ok(())
    }

    /// The first decision after an outage moves every deadline by what it took since the last one.
    fn outages_are_credited(&self) -> Verdict {
        let is_blind = |event: &Event| matches!(event, Event::MatchBegan { .. } | Event::MatchEnded { .. });
        let decided: Vec<_> = self.events().filter(|recorded| !is_blind(&recorded.event)).collect();
        let mut is_stopped = false;
        for (before, after) in decided.iter().zip(&decided[1..]) {
            match before.event {
                Event::Stopped { .. } => is_stopped = true,
                Event::Resumed {} => is_stopped = false,
                _ => {}
            }
            let between = |outage: &&(Millis, Millis)| outage.1 > before.at && outage.1 <= after.at;
            let in_time = |outage: &(Millis, Millis)| outage.1.abs_diff(after.at) > SKEW_MS;
            let outages: Vec<_> = self.ledger.outages.iter().filter(between).collect();
            if is_stopped || !outages.iter().all(|outage| in_time(outage)) {
                continue;
            }
            let owed: Millis = outages.iter().map(|(from, until)| until - (*from).max(before.at)).sum();
            let given = match after.event {
                Event::Credited { by_ms } => by_ms,
                _ => 0,
            };
            holds(owed.abs_diff(given) <= SKEW_MS, || {
                format!("event {}: {given} ms of {owed} were credited after {outages:?}", after.seq)
            })?;
        }
        Ok(())
    }

    /// A player who is always there is neither absent at the start nor forfeits a round, and enough of them make a tournament.
    fn who_was_there_counts_as_there(&self) -> Verdict {
        let entered = |player: &&PlayerId| self.state().entrant_of(**player).is_some();
        let there: Vec<_> = self.reliable.iter().filter(entered).collect();
        let least = usize::from(self.state().settings().format.entrants().0);
        holds(self.why() != EndedWhy::TooFew || there.len() < least, || {
            format!("{} were there, and it ended for want of entrants", there.len())
        })?;
        for recorded in self.events() {
            let (Event::Began { absent, .. } | Event::Forfeited { absent, .. }) = &recorded.event else {
                continue;
            };
            let player = |entrant: &Entrant| self.state().entrant(*entrant).map(|state| state.player);
            let wronged =
                absent.iter().find(|entrant| there.iter().any(|one| Some(**one) == player(entrant)));
            let is_by_hours = matches!(self.state().settings().format, Format::RoundRobin { .. });
            holds(wronged.is_none() || is_by_hours, || {
                format!("event {}: {wronged:?} was there all the time", recorded.seq)
            })?;
        }
        Ok(())
    }

    /// A player who is blocked or erased gets no match; as soon as one is to be made, they are excluded.
    fn players_that_are_gone_are_excluded(&self) -> Verdict {
        for (&player, &at) in &self.gone {
            let Some(entrant) = self.state().entrant_of(player) else { continue };
            let since = EPOCH.saturating_add(at).saturating_add(SKEW_MS);
            let of = |pairing: PairingNo| {
                let pairing = self.state().pairing(pairing);
                pairing.is_some_and(|pairing| pairing.entrants().contains(&entrant.entrant))
            };
            let is_there = |event: &Event| match event {
                Event::Seated { pairings } => pairings.iter().any(|pairing| of(*pairing)),
                Event::RoundPaired { pairings, .. } => {
                    pairings.iter().any(|paired| paired.seated && of(paired.pairing))
                }
                Event::Again { pairing, seated, .. } => *seated && of(*pairing),
                _ => false,
            };
            let seated = self.events().find(|recorded| recorded.at > since && is_there(&recorded.event));
            let ended_at = self.state().ended().expect("it has ended").at;
            if let Some(seated) = seated.filter(|seated| seated.at + 60_000 < ended_at) {
                let is_out = matches!(entrant.status, EntrantStatus::Excluded | EntrantStatus::Withdrawn);
                holds(is_out, || format!("{player} is gone, was seated by event {}, and is in", seated.seq))?;
            }
            for pairing in self.state().pairings().iter().filter(|pairing| of(pairing.pairing)) {
                let made = pairing.matches.iter().filter_map(|id| self.ledger.books.get(id));
                for book in made {
                    let began = book.committed_at(1).unwrap_or(0);
                    holds(began <= since, || format!("{player} is gone, and got a match at {began}"))?;
                }
            }
        }
        Ok(())
    }

    fn all_nodes_show_the_same(&self) -> Verdict {
        let standings = self.state().standings().into_iter();
        let row = |standing: lusoria_tournament::Standing| {
            (u64::from(standing.place), u64::from(standing.entrant.0), u64::from(standing.points))
        };
        let folded: Vec<_> = standings.map(row).collect();
        for shown in &self.shown {
            let number = |row: &Value, name: &str| row[name].as_u64().unwrap_or(u64::MAX);
            let rows = shown["standings"].as_array().ok_or_else(|| format!("no standings: {shown}"))?;
            let rows = rows.iter();
            let rows =
                rows.map(|row| (number(row, "place"), number(row, "entrant"), number(row, "half_points")));
            let rows: Vec<_> = rows.collect();
            holds(shown["head"] == self.state().head(), || format!("a node shows head {}", shown["head"]))?;
            holds(rows == folded, || format!("a node shows {rows:?}, the events say {folded:?}"))?;
        }
        Ok(())
    }
}
