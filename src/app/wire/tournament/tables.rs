//! The tables of a tournament.

use std::collections::HashSet;

use lusoria_play::Millis;
use lusoria_protocol::{
    EntrantList, EntrantPresence, PairedEntrant, PairingList, PairingState, ShownEntrant, StandingRow,
    Standings, TieBreak, TournamentBye, TournamentPairing, WhyBye,
};
use lusoria_tournament::{
    Bracket, Entrant, EntrantStatus, Format, How, MatchStage, Pairing, Standing, Tournament,
};

use super::{
    event::{bracket, why_bye},
    shown::Names,
};

/// Who is playing and who is out, for the presence of all entrants.
struct Boards {
    playing: HashSet<Entrant>,
    out: HashSet<Entrant>,
}

impl Boards {
    fn of(state: &Tournament) -> Self {
        let running = state.open_pairings().filter(|pairing| pairing.stage == MatchStage::Running);
        let playing = running.flat_map(Pairing::entrants).collect();
        Self { playing, out: out_of(state) }
    }

    fn presence(&self, state: &Tournament, entrant: Entrant, now: Millis) -> EntrantPresence {
        let Some(entrant) = state.entrant(entrant) else { return EntrantPresence::Away };
        match entrant.status {
            EntrantStatus::Withdrawn => EntrantPresence::Withdrawn,
            EntrantStatus::Excluded => EntrantPresence::Excluded,
            _ if self.playing.contains(&entrant.entrant) => EntrantPresence::Playing,
            _ if self.out.contains(&entrant.entrant) => EntrantPresence::Out,
            EntrantStatus::Paused => EntrantPresence::Paused,
            EntrantStatus::Absent => EntrantPresence::Absent,
            EntrantStatus::Active if entrant.is_here(now) => EntrantPresence::Here,
            EntrantStatus::Active => EntrantPresence::Away,
        }
    }
}

/// Those who have lost their last chance in a knock-out.
fn out_of(state: &Tournament) -> HashSet<Entrant> {
    let Format::Knockout { consolation, .. } = state.settings().format else { return HashSet::new() };
    let last_chance = if consolation { Bracket::Consolation } else { Bracket::Main };
    let decided = state.pairings().iter().filter(|pairing| {
        // The winner of a semi-final stays in the main bracket; the loser of the final is out.
        pairing
            .place
            .is_some_and(|place| place.bracket == last_chance || pairing.round >= state.rounds_planned())
    });
    let lost = decided.filter_map(|pairing| pairing.winner().map(|winner| pairing.opponent(winner)));
    lost.collect()
}

/// Whether one entrant is there.
pub fn presence_of(state: &Tournament, entrant: Entrant, now: Millis) -> EntrantPresence {
    Boards::of(state).presence(state, entrant, now)
}

/// The entrants, in order of entry.
pub fn entrants(state: &Tournament, names: &Names, now: Millis) -> EntrantList {
    let boards = Boards::of(state);
    let shown = state.entrants().iter().map(|entrant| ShownEntrant {
        entrant: entrant.entrant.0,
        player: names.player(entrant.player),
        rating: entrant.rating,
        state: boards.presence(state, entrant.entrant, now),
    });
    EntrantList { head: state.head(), entrants: shown.collect() }
}

/// The standings.
pub fn standings(state: &Tournament, names: &Names, now: Millis) -> Standings {
    let boards = Boards::of(state);
    let ties = ties_of(&state.settings().format);
    let row = |standing: &Standing| {
        let entrant = state.entrant(standing.entrant)?;
        Some(StandingRow {
            place: standing.place,
            entrant: standing.entrant.0,
            player: names.player(entrant.player),
            rating: entrant.rating,
            half_points: standing.points,
            played: standing.played,
            wins: standing.wins,
            draws: standing.draws,
            losses: standing.losses,
            ties: ties.iter().map(|tie| tie_of(*tie, standing)).collect(),
            state: boards.presence(state, standing.entrant, now),
            counts: standing.counts,
        })
    };
    let rows = state.standings().iter().filter_map(row).collect();
    Standings { head: state.head(), ties: ties.to_vec(), standings: rows }
}

const fn ties_of(format: &Format) -> &'static [TieBreak] {
    match format {
        Format::Swiss { .. } | Format::RoundRobin { .. } => {
            &[TieBreak::DirectEncounter, TieBreak::BuchholzCut1, TieBreak::SonnebornBerger, TieBreak::Wins]
        }
        Format::Knockout { .. } => &[TieBreak::RoundReached],
        Format::Arena { .. } => &[TieBreak::Performance],
    }
}

fn tie_of(tie: TieBreak, of: &Standing) -> Option<i64> {
    match tie {
        TieBreak::DirectEncounter => of.direct.map(i64::from),
        TieBreak::BuchholzCut1 => Some(of.buchholz_cut_1.into()),
        TieBreak::SonnebornBerger => Some(of.sonneborn_berger.into()),
        TieBreak::Wins => Some(of.wins.into()),
        TieBreak::Performance => of.performance.map(i64::from),
        TieBreak::RoundReached => of.reached.map(i64::from),
    }
}

/// The pairings and byes of one round, or of all.
pub fn pairings(state: &Tournament, round: Option<u16>, names: &Names) -> PairingList {
    let rounds = state.rounds().iter().filter(|of| round.is_none_or(|round| of.number == round));
    let byes = rounds.flat_map(|round| {
        round.byes.iter().filter_map(|bye| {
            Some(TournamentBye {
                round: round.number,
                entrant: bye.entrant.0,
                player: names.player(state.entrant(bye.entrant)?.player),
                half_points: bye.half_points,
                why: why_bye(bye.why),
            })
        })
    });
    // The rounds that were paired before an entrant came.
    let is_swiss = matches!(state.settings().format, Format::Swiss { .. });
    let missed = state.entrants().iter().filter(|_| is_swiss).flat_map(|of| {
        (1..=of.missed).filter(move |&missed| round.is_none_or(|round| missed == round)).map(|missed| {
            TournamentBye {
                round: missed,
                entrant: of.entrant.0,
                player: names.player(of.player),
                half_points: u8::from(missed <= u16::from(of.late_half_points)),
                why: WhyBye::Late,
            }
        })
    });
    let mut byes: Vec<_> = byes.chain(missed).collect();
    byes.sort_by_key(|bye| bye.round);
    let of_round = state.pairings().iter().filter(|of| round.is_none_or(|round| of.round == round));
    let pairings = of_round.filter_map(|of| pairing(state, of, names)).collect();
    PairingList { head: state.head(), byes, pairings }
}

/// A pairing.
pub(super) fn pairing(state: &Tournament, of: &Pairing, names: &Names) -> Option<TournamentPairing> {
    let entrant = |entrant: Entrant| {
        let player = names.player(state.entrant(entrant)?.player);
        Some(PairedEntrant { entrant: entrant.0, player })
    };
    let is_made = of.stage != MatchStage::ToCome;
    let earlier = of.matches.iter().copied().filter(|id| *id != of.match_id);
    let goes_on = state.ended().is_none();
    let until = of.waits_until.filter(|_| goes_on && of.outcome.is_none() && !of.seated);
    let (forfeit, reason) = match of.outcome.as_ref().map(|outcome| &outcome.how) {
        Some(How::Forfeited) => (true, None),
        Some(How::SetByHand { reason }) => (false, Some(reason.clone())),
        Some(How::Played) | None => (false, None),
    };
    Some(TournamentPairing {
        pairing: of.pairing.0,
        round: of.round,
        board: of.board,
        first: entrant(of.first)?,
        second: entrant(of.second)?,
        match_id: is_made.then_some(of.match_id),
        earlier: earlier.collect(),
        bracket: of.place.map(|place| bracket(place.bracket)),
        slot: of.place.map(|place| place.slot),
        state: match (&of.outcome, until) {
            (Some(_), _) => PairingState::Ended,
            (None, _) if of.stage == MatchStage::Running || (of.seated && goes_on) => PairingState::Playing,
            (None, Some(_)) => PairingState::Called,
            (None, None) => PairingState::Open,
        },
        until,
        half_points: of.outcome.as_ref().map(|outcome| outcome.half_points),
        forfeit,
        by_hand: reason.is_some(),
        reason,
    })
}
