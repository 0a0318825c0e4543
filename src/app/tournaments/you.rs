//! What concerns a caller in a tournament.

use std::collections::BTreeMap;

use lusoria_protocol::{Problem, TournamentCommandName as Name, YouInTournament, YourBye, YourPairing};
use lusoria_tournament::{
    Entrant, EntrantState, EntrantStatus, Format, MatchStage, Pairing, Phase, Tournament,
};

use crate::app::{App, Caller, wire::tournament as wire};

impl App {
    /// What concerns a caller; none if they neither play nor may do anything.
    pub(super) async fn you_in(
        &self,
        state: &Tournament,
        caller: &Caller,
        places: &BTreeMap<Entrant, (u16, u16)>,
    ) -> Result<Option<YouInTournament>, Problem> {
        let now = self.live.now();
        let entry = state.entrant_of(caller.id());
        let is_organiser = state.organiser() == caller.id();
        let mut you = YouInTournament::default();
        if let Some(entry) = entry {
            you.entrant = Some(entry.entrant.0);
            you.state = Some(wire::presence_of(state, entry.entrant, now));
            you.here_until = Some(entry.here_until).filter(|until| *until > now);
            (you.place, you.half_points) = places.get(&entry.entrant).copied().unzip();
            you.pairing = self.your_pairing(state, entry, now).await?;
            you.bye = your_bye(state, entry);
            let to_come = usize::from(u16::MAX).min(state.rounds().len());
            let asked = entry.byes_asked.iter().copied();
            you.byes = asked.filter(|round| usize::from(*round) > to_come).collect();
            you.reason.clone_from(&entry.exclusion);
        }
        if state.ended().is_none() {
            you.may.extend(of_entrant(state, entry, now).into_iter().filter(|_| caller.ban().is_none()));
        }
        if is_organiser {
            you.may.extend(of_organiser(state, now));
            let players = &state.settings().conditions.players;
            let names = self.tournament_names(players.clone()).await?;
            you.players = players.iter().map(|player| names.player(*player)).collect();
        }
        Ok(Some(you).filter(|you| you.entrant.is_some() || !you.may.is_empty()))
    }

    pub(super) async fn your_pairing(
        &self,
        state: &Tournament,
        entry: &EntrantState,
        now: u64,
    ) -> Result<Option<YourPairing>, Problem> {
        let yours = || state.open_pairings().filter(|of| of.entrants().contains(&entry.entrant));
        let is_running = |of: &&Pairing| of.stage == MatchStage::Running;
        // A round robin has several at once: the one to play, else the first that can be played.
        let opponent_here =
            |of: &&Pairing| state.entrant(of.opponent(entry.entrant)).is_some_and(|other| other.is_here(now));
        let found =
            yours().find(is_running).or_else(|| yours().find(opponent_here)).or_else(|| yours().next());
        let Some(of) = found else { return Ok(None) };
        let Some(opponent) = state.entrant(of.opponent(entry.entrant)) else { return Ok(None) };
        let names = self.tournament_names(vec![opponent.player]).await?;
        Ok(Some(YourPairing {
            pairing: of.pairing.0,
            round: of.round,
            opponent: names.player(opponent.player),
            match_id: (of.stage != MatchStage::ToCome).then_some(of.match_id),
            until: of.waits_until.filter(|_| !of.seated),
            is_here: entry.is_here(now),
            opponent_here: opponent.is_here(now),
        }))
    }
}

/// Their bye in the last round.
fn your_bye(state: &Tournament, entry: &EntrantState) -> Option<YourBye> {
    let round = state.rounds().last().filter(|_| state.ended().is_none())?;
    let bye = round.byes.iter().find(|bye| bye.entrant == entry.entrant)?;
    Some(YourBye { round: round.number, why: wire::why_bye(bye.why) })
}

/// The commands of a player who takes part, or may.
fn of_entrant(state: &Tournament, entry: Option<&EntrantState>, now: u64) -> Vec<Name> {
    let may_enter = || {
        let has_room = state.entrants_in() < usize::from(state.settings().conditions.entrants_max);
        state.admits_entries(now) && has_room
    };
    let Some(entry) = entry.filter(|entry| entry.status != EntrantStatus::Withdrawn) else {
        // Who withdrew after the start does not come again.
        let is_new = entry.is_none() || state.began_at().is_none();
        return if is_new && may_enter() { vec![Name::Enter] } else { Vec::new() };
    };
    if entry.status == EntrantStatus::Excluded {
        return Vec::new();
    }
    let mut may = vec![Name::Here, Name::Withdraw];
    if entry.status != EntrantStatus::Paused {
        may.push(Name::Pause);
    }
    let is_swiss = matches!(state.settings().format, Format::Swiss { .. });
    let has_rounds =
        state.began_at().is_none() || state.rounds().len() + 1 < usize::from(state.rounds_planned());
    let byes = entry.byes_asked.len() + usize::from(entry.late_half_points);
    if is_swiss && has_rounds && byes < usize::from(Tournament::BYES_MAX) {
        may.push(Name::AskBye);
    }
    may
}

fn of_organiser(state: &Tournament, now: u64) -> Vec<Name> {
    let phase = state.phase(now);
    let mut may = vec![Name::Edit];
    if phase == Phase::Ended {
        return may;
    }
    may.push(Name::End);
    if state.entrants_in() > 0 {
        may.push(Name::Exclude);
    }
    if state.began_at().is_none() {
        may.push(Name::Start);
        return may;
    }
    may.push(if phase == Phase::Stopped { Name::Resume } else { Name::Stop });
    let (is_swiss, has_rounds) = match state.settings().format {
        Format::Swiss { .. } => (true, true),
        Format::Knockout { .. } | Format::RoundRobin { by_round: true, .. } => (false, true),
        Format::Arena { .. } | Format::RoundRobin { by_round: false, .. } => (false, false),
    };
    let has_open = state.open_pairings().next().is_some();
    let is_played = |pairing: &Pairing| pairing.seated || pairing.stage == MatchStage::Running;
    if has_rounds && has_open && phase == Phase::Running && !state.open_pairings().any(is_played) {
        may.push(Name::NextRound);
    }
    if is_swiss && !has_open && state.rounds().len() < usize::from(state.rounds_planned()) {
        may.push(Name::Pair);
    }
    if !state.pairings().is_empty() {
        may.push(Name::SetResult);
    }
    may
}
