//! Standings, cross-table and brackets, from the outcomes of pairings.

use std::cmp::Reverse;

use crate::{
    Bracket, ByeWhy, Entrant, EntrantState, EntrantStatus, Format, Pairing, PairingNo, Tournament,
    pair::first_round_seeds,
};

/// What decides a place: the greater, the better.
type Key = [i64; 7];

/// A row of the standings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// From 1; equal entrants share it.
    pub place: u16,
    /// The entrant.
    pub entrant: Entrant,
    /// Half points; points of an arena.
    pub points: u16,
    /// How many matches count: played ones, without forfeits and byes.
    pub played: u16,
    /// How many they won, at the board or by forfeit.
    pub wins: u16,
    /// How many were drawn.
    pub draws: u16,
    /// How many they lost, at the board or by forfeit.
    pub losses: u16,
    /// Tie-break 1 of Swiss and round robin: half points against those with as many points, if all of them
    /// met.
    pub direct: Option<u16>,
    /// Tie-break 2: half points of the opponents, without the lowest.
    pub buchholz_cut_1: u16,
    /// Tie-break 3, in quarter points: points of opponents beaten, and half of those drawn with.
    pub sonneborn_berger: u32,
    /// The tie-break of an arena: the rating that the results are worth.
    pub performance: Option<i32>,
    /// The last round of the main bracket that they reached, of a knock-out; one more for its winner.
    pub reached: Option<u16>,
    /// The same of the consolation, in rounds of the tournament; none if they were not in it.
    pub consolation: Option<u16>,
    /// Whether their results count: not those of one who left a round robin before half of it was played.
    pub counts: bool,
}
/// An entrant's row of the cross-table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CrossRow {
    /// The entrant.
    pub entrant: Entrant,
    /// What they have in each round that was paired, in order; a wave of an arena without them has nothing.
    pub cells: Vec<CrossCell>,
}
/// A cell of the cross-table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CrossCell {
    /// The round.
    pub round: u16,
    /// The pairing, if they had one.
    pub pairing: Option<PairingNo>,
    /// The opponent, if they had one.
    pub opponent: Option<Entrant>,
    /// Whether they had seat 1.
    pub is_first: bool,
    /// Half points, once it is decided; points of an arena.
    pub half_points: Option<u8>,
    /// Whether it was forfeited.
    pub is_forfeit: bool,
    /// Why they had no pairing.
    pub bye: Option<ByeWhy>,
}
/// The brackets of a knock-out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Brackets {
    /// The rounds of the main bracket, the first one first, with all slots, those to come too.
    pub main: Vec<Vec<BracketSlot>>,
    /// The rounds of the consolation that were paired: round 2 of the tournament is its first.
    pub consolation: Vec<Vec<BracketSlot>>,
}
/// A slot of a bracket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BracketSlot {
    /// The pairing, once there is one.
    pub pairing: Option<PairingNo>,
    /// Who meets, as far as known; one alone has a bye.
    pub entrants: [Option<Entrant>; 2],
    /// Who goes on.
    pub winner: Option<Entrant>,
}

/// A round of an entrant that counts.
struct Counted {
    /// The opponent at the board; none after a bye or a forfeit.
    opponent: Option<Entrant>,
    points: u8,
    /// Whether the opponent won it, at the board or by forfeit.
    is_lost: bool,
}

impl Tournament {
    /// The standings, the first place first (docs/tournaments.md). Those who withdrew before the start have no place.
    pub fn standings(&self) -> Vec<Standing> {
        let counted: Vec<_> = self.entrants.iter().map(|state| self.counted(state)).collect();
        let scores: Vec<_> = counted.iter().map(|rounds| total(rounds)).collect();
        let took_part = |state: &&EntrantState| {
            self.began_at.is_none()
                || !state.is_gone()
                || self.pairings.iter().any(|pairing| pairing.entrants().contains(&state.entrant))
                || self.order.contains(&state.entrant)
        };
        let entrants = self.entrants.iter().filter(took_part);
        let mut standings: Vec<_> =
            entrants.map(|state| self.standing(state, &counted[at(state.entrant)], &scores)).collect();
        if matches!(self.settings.format, Format::Swiss { .. } | Format::RoundRobin { .. }) {
            self.add_direct(&mut standings, &counted);
        }
        let keys: Vec<_> = standings.iter().map(|standing| (standing.entrant, self.key(standing))).collect();
        let key = |entrant| keys.iter().find(|(other, _)| *other == entrant).map(|(_, key)| *key);
        let seeds: Vec<_> = self.entrants.iter().map(|state| self.seed(state.entrant)).collect();
        standings.sort_by_key(|standing| {
            (Reverse(key(standing.entrant)), seeds[at(standing.entrant)], standing.entrant)
        });
        for index in 0..standings.len() {
            let shares = index > 0 && key(standings[index - 1].entrant) == key(standings[index].entrant);
            standings[index].place = if shares {
                standings[index - 1].place
            } else {
                u16::try_from(index + 1).expect("at most 500")
            };
        }
        standings
    }

    /// Who is first alone in these standings: not one who was excluded, nor one whose results do not count.
    pub fn leader(&self, standings: &[Standing]) -> Option<Entrant> {
        let may_lead = |of: &&Standing| of.place == 1 && of.counts && !self.is_excluded(of.entrant);
        let mut first = standings.iter().filter(may_lead);
        first.next().filter(|_| first.next().is_none()).map(|standing| standing.entrant)
    }

    /// The score of each entrant, in half points; entrant n is at n - 1.
    pub(crate) fn scores(&self) -> Vec<u16> {
        self.entrants.iter().map(|state| total(&self.counted(state))).collect()
    }

    /// Whether the results of an entrant count: not those of one who left a round robin before they had
    /// played half of their matches.
    fn counts(&self, state: &EntrantState) -> bool {
        let is_played = |pairing: &&Pairing| {
            pairing.entrants().contains(&state.entrant) && pairing.outcome.is_some() && !pairing.is_forfeit()
        };
        !matches!(self.settings.format, Format::RoundRobin { .. })
            || !state.is_gone()
            || 2 * self.pairings.iter().filter(is_played).count() >= self.order.len().saturating_sub(1)
    }

    fn counted(&self, state: &EntrantState) -> Vec<Counted> {
        let entrant = state.entrant;
        let unplayed = |points| Counted { opponent: None, points, is_lost: false };
        let pairings = self.pairings.iter().filter(|pairing| pairing.entrants().contains(&entrant));
        let pairings = pairings.filter_map(|pairing| {
            let opponent = pairing.opponent(entrant);
            let points = pairing.points(entrant)?;
            if !self.counts(self.known(opponent)) {
                return None;
            }
            let is_played = !pairing.is_forfeit();
            let is_lost = pairing.winner() == Some(opponent);
            Some(Counted { opponent: is_played.then_some(opponent), points, is_lost })
        });
        let byes = self.rounds.iter().flat_map(|round| &round.byes).filter(|bye| bye.entrant == entrant);
        // In a round robin or a knock-out a round without an opponent is no round.
        let is_swiss = matches!(self.settings.format, Format::Swiss { .. });
        let byes = byes.filter(|_| is_swiss).map(|bye| unplayed(bye.half_points));
        let missed = (0..state.missed)
            .filter(|_| is_swiss)
            .map(|round| unplayed(u8::from(round < u16::from(state.late_half_points))));
        pairings.chain(byes).chain(missed).collect()
    }

    fn standing(&self, state: &EntrantState, rounds: &[Counted], scores: &[u16]) -> Standing {
        let counts = self.counts(state);
        let own = total(rounds);
        // FIDE Handbook C.07, 16.4: a round without play counts as one against somebody with the own score.
        let opposed = |round: &Counted| round.opponent.map_or(own, |opponent| scores[at(opponent)]);
        let opponents: Vec<_> = rounds.iter().map(opposed).collect();
        let cut = opponents.iter().min().copied().unwrap_or(0);
        let buchholz: u32 = opponents.iter().copied().map(u32::from).sum();
        // The many rounds of an arena may be worth more, but nothing there depends on it.
        let buchholz_cut_1 = u16::try_from(buchholz - u32::from(cut)).unwrap_or(u16::MAX);
        let number = |points: u8, played: bool| {
            let rounds =
                rounds.iter().filter(|round| round.points == points && (!played || round.opponent.is_some()));
            u16::try_from(rounds.count()).unwrap_or(u16::MAX)
        };
        let played = rounds.iter().filter(|round| round.opponent.is_some()).count();
        let performance = self.is_arena().then(|| self.performance(rounds)).flatten();
        let losses = rounds.iter().filter(|round| round.is_lost).count();
        Standing {
            place: 0,
            entrant: state.entrant,
            points: if counts { own } else { 0 },
            played: u16::try_from(played).unwrap_or(u16::MAX),
            wins: number(2, false),
            draws: number(1, true),
            losses: u16::try_from(losses).unwrap_or(u16::MAX),
            direct: None,
            buchholz_cut_1,
            sonneborn_berger: rounds
                .iter()
                .map(|round| u32::from(round.points) * u32::from(opposed(round)))
                .sum(),
            performance,
            reached: self.reached(state.entrant),
            consolation: self.reached_in_consolation(state.entrant),
            counts,
        }
    }

    /// The mean rating of the opponents, and 400 points more a win, less a loss, over all matches.
    fn performance(&self, rounds: &[Counted]) -> Option<i32> {
        let played = rounds.iter().filter_map(|round| {
            let rating = i32::from(self.known(round.opponent?).rating);
            Some(rating + 400 * (i32::from(round.points) - 1))
        });
        let (sum, number) = played.fold((0_i32, 0), |(sum, number), worth| (sum + worth, number + 1));
        (number > 0).then(|| sum.div_euclid(number))
    }

    fn key(&self, standing: &Standing) -> Key {
        let direct = standing.direct.map_or(0, i64::from);
        let points = i64::from(standing.points);
        // Excluded entrants come after all others, in the order that they would have had.
        let stays = i64::from(!self.is_excluded(standing.entrant));
        match self.settings.format {
            Format::Swiss { .. } | Format::RoundRobin { .. } => [
                stays,
                i64::from(standing.counts),
                points,
                direct,
                standing.buchholz_cut_1.into(),
                standing.sonneborn_berger.into(),
                standing.wins.into(),
            ],
            Format::Arena { .. } => {
                [stays, points, standing.performance.map_or(i64::MIN, i64::from), 0, 0, 0, 0]
            }
            Format::Knockout { .. } => {
                let reached = standing.reached.unwrap_or(0);
                // The finalists are first, and until the end all who are still in the main bracket; then how far
                // somebody came in the consolation, if there is one.
                let is_first = reached >= self.rounds_planned || self.may_still_win(standing.entrant);
                let finalist = if is_first { reached } else { 0 };
                let consolation = standing.consolation.unwrap_or(0);
                [stays, finalist.into(), consolation.into(), reached.into(), 0, 0, 0]
            }
        }
    }

    fn is_excluded(&self, entrant: Entrant) -> bool {
        self.known(entrant).status == EntrantStatus::Excluded
    }

    /// Adds the direct encounter of those who are level, if all of them have met: they have the same points, and all
    /// or none of them were excluded.
    fn add_direct(&self, standings: &mut [Standing], counted: &[Vec<Counted>]) {
        let group = |standing: &Standing| (self.is_excluded(standing.entrant), standing.points);
        let groups: Vec<_> = standings.iter().map(|standing| (standing.entrant, group(standing))).collect();
        for standing in standings.iter_mut() {
            let own_group = group(standing);
            let level: Vec<_> =
                groups.iter().filter(|(_, of)| *of == own_group).map(|(entrant, _)| *entrant).collect();
            let against = |one: Entrant, other: Entrant| {
                counted[at(one)].iter().filter(move |round| round.opponent == Some(other))
            };
            let met = |one, other| one == other || against(one, other).next().is_some();
            let all_met =
                level.len() > 1 && level.iter().all(|&one| level.iter().all(|&other| met(one, other)));
            let own = standing.entrant;
            standing.direct = all_met.then(|| {
                level.iter().flat_map(|&other| against(own, other)).map(|round| u16::from(round.points)).sum()
            });
        }
    }

    /// The last round of the main bracket that an entrant reached; one more for its winner.
    fn reached(&self, entrant: Entrant) -> Option<u16> {
        if !matches!(self.settings.format, Format::Knockout { .. }) || !self.order.contains(&entrant) {
            return None;
        }
        let in_round = |pairing: &&Pairing| {
            pairing.entrants().contains(&entrant)
                && pairing.place.is_some_and(|place| place.bracket == Bracket::Main)
        };
        let last = self.pairings.iter().filter(in_round).max_by_key(|pairing| pairing.round);
        Some(last.map_or(1, |pairing| pairing.round + u16::from(pairing.winner() == Some(entrant))))
    }

    /// Whether an entrant of a knock-out is still in its main bracket.
    fn may_still_win(&self, entrant: Entrant) -> bool {
        self.ended().is_none()
            && !self.known(entrant).is_gone()
            && self.lost_in(entrant, Bracket::Main).is_none()
    }

    /// The same of the consolation, counted in rounds of the tournament.
    fn reached_in_consolation(&self, entrant: Entrant) -> Option<u16> {
        let in_round = |pairing: &&Pairing| {
            pairing.entrants().contains(&entrant)
                && pairing.place.is_some_and(|place| place.bracket == Bracket::Consolation)
        };
        let last = self.pairings.iter().filter(in_round).max_by_key(|pairing| pairing.round)?;
        Some(last.round + u16::from(last.winner() == Some(entrant)))
    }

    /// The cross-table: each entrant's rounds, in the order of entry.
    pub fn crosstable(&self) -> Vec<CrossRow> {
        let mut rows: Vec<_> = self
            .entrants
            .iter()
            .map(|state| CrossRow { entrant: state.entrant, cells: Vec::new() })
            .collect();
        for round in &self.rounds {
            for pairing in round.pairings.iter().filter_map(|&pairing| self.pairing(pairing)) {
                for entrant in pairing.entrants() {
                    rows[at(entrant)].cells.push(CrossCell {
                        round: round.number,
                        pairing: Some(pairing.pairing),
                        opponent: Some(pairing.opponent(entrant)),
                        is_first: pairing.first == entrant,
                        half_points: pairing.points(entrant),
                        is_forfeit: pairing.is_forfeit(),
                        bye: None,
                    });
                }
            }
            for bye in &round.byes {
                rows[at(bye.entrant)].cells.push(bye_cell(round.number, bye.half_points, bye.why));
            }
        }
        if matches!(self.settings.format, Format::Swiss { .. }) {
            for (row, state) in rows.iter_mut().zip(&self.entrants) {
                let half_points = |round| u8::from(round <= u16::from(state.late_half_points));
                let missed =
                    (1..=state.missed).map(|round| bye_cell(round, half_points(round), ByeWhy::Late));
                row.cells.splice(0..0, missed);
            }
        }
        rows
    }

    /// The brackets of a knock-out that has begun.
    pub fn brackets(&self) -> Option<Brackets> {
        if !matches!(self.settings.format, Format::Knockout { .. }) || self.began_at.is_none() {
            return None;
        }
        let mut entering: Vec<Option<Entrant>> = first_round_seeds(self.rounds_planned)
            .into_iter()
            .map(|seed| self.order.get(seed).copied())
            .collect();
        let mut main = Vec::new();
        for round in 1..=self.rounds_planned {
            let pairing_at = |slot| {
                self.pairings.iter().find(|pairing| {
                    pairing.round == round
                        && pairing
                            .place
                            .is_some_and(|place| (place.bracket, place.slot) == (Bracket::Main, slot))
                })
            };
            let slots: Vec<_> = entering
                .chunks(2)
                .zip(0..)
                .map(|(entrants, slot)| {
                    let entrants = [entrants[0], entrants[1]];
                    let winner = match (entrants, pairing_at(slot)) {
                        (_, Some(pairing)) => pairing.winner(),
                        // Only the first round has byes; later an empty place waits for its winner.
                        ([Some(entrant), None] | [None, Some(entrant)], None) if round == 1 => Some(entrant),
                        _ => None,
                    };
                    BracketSlot { pairing: pairing_at(slot).map(|pairing| pairing.pairing), entrants, winner }
                })
                .collect();
            entering = slots.iter().map(|slot| slot.winner).collect();
            main.push(slots);
        }
        let consolation = self.rounds.iter().skip(1).map(|round| {
            let pairings = round.pairings.iter().filter_map(|&pairing| self.pairing(pairing));
            let pairings = pairings
                .filter(|pairing| pairing.place.is_some_and(|place| place.bracket == Bracket::Consolation));
            pairings
                .map(|pairing| BracketSlot {
                    pairing: Some(pairing.pairing),
                    entrants: pairing.entrants().map(Some),
                    winner: pairing.winner(),
                })
                .collect()
        });
        let consolation = consolation.collect();
        Some(Brackets { main, consolation })
    }
}

const fn bye_cell(round: u16, half_points: u8, why: ByeWhy) -> CrossCell {
    CrossCell {
        round,
        pairing: None,
        opponent: None,
        is_first: false,
        half_points: Some(half_points),
        is_forfeit: false,
        bye: Some(why),
    }
}

fn total(rounds: &[Counted]) -> u16 {
    rounds.iter().map(|round| u16::from(round.points)).sum()
}

fn at(entrant: Entrant) -> usize {
    usize::from(entrant.0) - 1
}
