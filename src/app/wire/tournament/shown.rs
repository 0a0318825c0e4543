//! A tournament as it is shown.

use std::collections::HashMap;

use lusoria_play::{Millis, PlayerId, PlayerKind, TournamentId};
use lusoria_protocol::{
    Name, Notice, PlayerKind as WireKind, Tournament as WireTournament, TournamentCard, TournamentPhase,
    TournamentPlayer,
};
use lusoria_store::NamedPlayer;
use lusoria_tournament::{MatchStage, Phase, Tournament};
use lusoria_wire::{games, player_kind};

use super::{
    event::why_ended,
    settings::{shown_conditions, shown_format, who},
    tables::pairing,
};
use crate::live::{ListedTournament, TournamentCall};

/// The name of a player who is gone.
const GONE: &str = "Erased guest";

/// How many boards are shown as the best.
const BEST_MAX: usize = 4;

/// The names of players, as they are now.
#[derive(Debug, Default)]
pub struct Names(HashMap<PlayerId, NamedPlayer>);

impl FromIterator<NamedPlayer> for Names {
    fn from_iter<I: IntoIterator<Item = NamedPlayer>>(named: I) -> Self {
        Self(named.into_iter().map(|named| (named.player.id, named)).collect())
    }
}

impl Names {
    /// A player.
    pub fn player(&self, id: PlayerId) -> TournamentPlayer {
        let gone = || TournamentPlayer {
            id,
            name: Name::given_before(GONE.to_owned()),
            kind: player_kind(PlayerKind::Person).0,
            handle: None,
        };
        self.0.get(&id).map_or_else(gone, player)
    }
}

fn player(named: &NamedPlayer) -> TournamentPlayer {
    let kind: WireKind = player_kind(named.player.kind).0;
    TournamentPlayer {
        id: named.player.id,
        name: Name::given_before(named.player.name.clone()),
        kind,
        handle: named.handle.clone().and_then(|handle| handle.try_into().ok()),
    }
}

/// The notice of a call.
pub fn tournament_call(call: &TournamentCall) -> Notice {
    Notice::TournamentCall {
        tournament: call.tournament,
        name: call.name.clone(),
        round: call.round,
        opponent: Box::new(player(&call.opponent)),
        id: call.match_id,
        until: call.until,
    }
}

/// A tournament in a list.
pub fn card(
    id: TournamentId,
    head: u32,
    listed: &ListedTournament,
    names: &Names,
    now: Millis,
) -> TournamentCard {
    let known = |number: u16| Some(number).filter(|&number| number > 0);
    TournamentCard {
        id,
        head,
        name: listed.name.clone(),
        format: shown_format(&listed.format),
        game: listed.variant.game(),
        options: listed.variant.options(),
        points: listed.length.points(),
        games: games(listed.length),
        clock: listed.clock,
        rated: listed.rated,
        listed: listed.listed,
        phase: match listed.phase(now) {
            Phase::Announced => TournamentPhase::Announced,
            Phase::CheckIn => TournamentPhase::CheckIn,
            Phase::Running => TournamentPhase::Running,
            Phase::Stopped => TournamentPhase::Stopped,
            Phase::Ended => TournamentPhase::Ended,
        },
        begins_at: listed.begins_at,
        check_in_at: listed.check_in_at(),
        ends_at: listed.ends_at,
        ended_at: listed.ended_at,
        round: known(listed.round),
        rounds: known(listed.rounds),
        entrants: listed.entrants,
        entrants_max: listed.entrants_max,
        who: who(listed.who),
        has_code: listed.has_code,
        organiser: names.player(listed.organiser),
        winner: listed.winner.map(|winner| names.player(winner)),
    }
}

/// A tournament, without what concerns a caller.
pub fn tournament(state: &Tournament, names: &Names, now: Millis) -> WireTournament {
    let settings = state.settings();
    let running = || state.open_pairings().filter(|pairing| pairing.stage == MatchStage::Running);
    // The latest round first, in which the leaders have the first boards.
    let mut best: Vec<_> = running().collect();
    best.sort_by_key(|pairing| (std::cmp::Reverse(pairing.round), pairing.board));
    best.truncate(BEST_MAX);
    let reason = match (state.ended(), state.stopped()) {
        (Some(ended), _) => ended.reason.clone(),
        (None, Some((_, reason))) => Some(reason.to_owned()),
        (None, None) => None,
    };
    WireTournament {
        card: card(state.id(), state.head(), &ListedTournament::of(state), names, now),
        description: settings.description.clone(),
        wait_ms: settings.wait_ms,
        conditions: shown_conditions(&settings.conditions),
        ended: state.ended().map(|ended| why_ended(ended.why)),
        reason,
        next_round_at: state
            .next_round_at()
            .filter(|_| state.began_at().is_some() && state.ended().is_none()),
        playing: u32::try_from(running().count()).unwrap_or(u32::MAX),
        best: best.into_iter().filter_map(|of| pairing(state, of, names)).collect(),
        you: None,
    }
}
