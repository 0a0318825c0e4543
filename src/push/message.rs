//! The content of push messages.

use std::sync::Arc;

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use lusoria_play::{MatchId, Millis, PlayerId, Seat, TournamentId};
use lusoria_protocol::{LanguageTag, Name, PushKind, PushMessage, ToJson};
use lusoria_store::{MatchFilter, MatchRow, MatchState, StoreError};
use lusoria_tournament::{MatchStage, PairingNo};

use crate::live::{CommittedTournament, Live, Presence, PushMatter, PushOccasion, TournamentError};

/// How long a push service keeps a message about a match, in seconds: a day.
const MATCH_TTL_S: u32 = 86_400;

/// Counts up to this many matches that wait for a player.
const COUNTED_MAX: u32 = 100;

/// A message, with how to deliver it.
#[derive(Debug, Clone)]
pub(super) struct Message {
    what: PushKind,
    /// How long it is useful, in seconds.
    pub(super) ttl_s: u32,
    /// Whether somebody is waiting right now.
    pub(super) is_urgent: bool,
    /// Its subject: a later message about the same subject replaces it.
    pub(super) topic: String,
}

impl Message {
    fn new(what: PushKind, about: MatchId, ttl_s: u32, is_urgent: bool) -> Self {
        // At most 32 letters (RFC 8030 5.4).
        Self { what, ttl_s, is_urgent, topic: BASE64_URL_SAFE_NO_PAD.encode(about.0.as_bytes()) }
    }

    /// The plain text of the message.
    pub(super) fn written(&self, language: Option<&str>) -> Vec<u8> {
        let language = language.and_then(|language| LanguageTag::try_from(language.to_owned()).ok());
        PushMessage { what: self.what.clone(), language }.to_json()
    }
}

/// The message for an occasion; none if it is outdated, or the player is looking at the match.
pub(super) async fn of(
    live: &Arc<Live>,
    PushOccasion { player, what }: PushOccasion,
) -> Result<Option<Message>, StoreError> {
    match what {
        PushMatter::YourTurn(id) => your_turn(live, player, id).await,
        PushMatter::Challenge(id) => challenge(live, player, id).await,
        PushMatter::Answered(id) => answered(live, player, id).await,
        PushMatter::TournamentCall { id, pairing } => tournament_call(live, player, id, pairing).await,
        PushMatter::TournamentEnded(id) => tournament_ended(live, player, id).await,
    }
}

async fn your_turn(live: &Arc<Live>, player: PlayerId, id: MatchId) -> Result<Option<Message>, StoreError> {
    let Some(row) = live.store().row(id).await? else { return Ok(None) };
    let Some(seat) = row.card.waits_for.filter(|seat| row.card.player(*seat) == Some(player)) else {
        return Ok(None);
    };
    if is_connected(live, id, seat).await {
        return Ok(None);
    }
    let theirs = MatchFilter::Of { player, state: Some(MatchState::Live) };
    let theirs = live.store().list(theirs, None, COUNTED_MAX).await?;
    let waits =
        |row: &&MatchRow| row.card.waits_for() == Some(player) && row.card.terms.clock.is_correspondence();
    let waiting = theirs.rows.iter().filter(waits).count();
    let waiting = u32::try_from(waiting).unwrap_or(COUNTED_MAX).max(1);
    let what =
        PushKind::YourTurn { id, game: row.card.game(), opponent: opponent(&row, player, seat), waiting };
    Ok(Some(Message::new(what, id, MATCH_TTL_S, false)))
}

async fn challenge(live: &Arc<Live>, player: PlayerId, id: MatchId) -> Result<Option<Message>, StoreError> {
    let now = live.now();
    let Some(of) = live.store().challenge(id, now).await? else { return Ok(None) };
    if !of.challenge.waits(now) || of.challenged.id != player {
        return Ok(None);
    }
    let what = PushKind::Challenge {
        challenge: id,
        from: Name::given_before(of.challenger.name),
        game: of.challenge.terms.variant.game(),
    };
    let ttl_s = seconds_until(of.challenge.expires_at, now);
    Ok(Some(Message::new(what, id, ttl_s, !of.challenge.terms.clock.is_correspondence())))
}

async fn answered(live: &Arc<Live>, player: PlayerId, id: MatchId) -> Result<Option<Message>, StoreError> {
    let Some(row) = live.store().row(id).await? else { return Ok(None) };
    let seat = Seat::BOTH.into_iter().find(|seat| row.card.player(*seat) == Some(player));
    let Some(seat) = seat.filter(|_| row.card.state() != MatchState::Finished) else { return Ok(None) };
    if is_connected(live, id, seat).await {
        return Ok(None);
    }
    let what = PushKind::Seek { id, game: row.card.game(), opponent: opponent(&row, player, seat) };
    Ok(Some(Message::new(what, id, MATCH_TTL_S, !row.card.terms.clock.is_correspondence())))
}

async fn tournament_call(
    live: &Arc<Live>,
    player: PlayerId,
    id: TournamentId,
    number: u32,
) -> Result<Option<Message>, StoreError> {
    let Some(known) = tournament(live, id).await? else { return Ok(None) };
    let state = &known.state;
    let Some(pairing) = state.pairing(PairingNo(number)).filter(|pairing| pairing.is_open()) else {
        return Ok(None);
    };
    let Some(entrant) = state.entrant_of(player).map(|of| of.entrant) else { return Ok(None) };
    let match_id = (pairing.stage != MatchStage::ToCome).then_some(pairing.match_id);
    let is_known = match match_id {
        Some(id) => {
            is_connected(live, id, if pairing.first == entrant { Seat::One } else { Seat::Two }).await
        }
        None => live.has_listener(player),
    };
    let opponent = state.entrant(pairing.opponent(entrant)).map(|opponent| opponent.player);
    let Some(opponent) = opponent.filter(|_| !is_known) else { return Ok(None) };
    let Some(opponent) = live.store().guest(opponent).await? else { return Ok(None) };
    let settings = state.settings();
    let what = PushKind::TournamentCall {
        tournament: id,
        name: settings.name.clone(),
        game: settings.variant.game(),
        opponent: Name::given_before(opponent.name),
        id: match_id,
    };
    // The pairing waits for both no longer than this.
    let until = pairing.waits_until.filter(|_| match_id.is_none());
    let ttl_s = until.map_or(MATCH_TTL_S, |until| seconds_until(until, live.now()));
    Ok(Some(Message::new(what, MatchId(id.0), ttl_s, !settings.clock.is_correspondence())))
}

async fn tournament_ended(
    live: &Arc<Live>,
    player: PlayerId,
    id: TournamentId,
) -> Result<Option<Message>, StoreError> {
    let known = tournament(live, id).await?.filter(|_| !live.has_listener(player));
    Ok(known.map(|known| {
        let name = known.state.settings().name.clone();
        let what = PushKind::TournamentEnded { tournament: id, name };
        Message::new(what, MatchId(id.0), MATCH_TTL_S, false)
    }))
}

async fn tournament(
    live: &Arc<Live>,
    id: TournamentId,
) -> Result<Option<Arc<CommittedTournament>>, StoreError> {
    match live.tournament(id).await {
        Ok(known) => Ok(Some(known)),
        Err(TournamentError::Store(error)) => Err(error),
        Err(_) => Ok(None),
    }
}

/// Whole seconds from now, rounded up.
fn seconds_until(at: Millis, now: Millis) -> u32 {
    u32::try_from(at.saturating_sub(now).div_ceil(1_000)).unwrap_or(u32::MAX)
}

/// Whether a player watches the match, on any node.
async fn is_connected(live: &Arc<Live>, id: MatchId, seat: Seat) -> bool {
    live.glimpse_presence(id).await;
    live.presence(id, seat) == Presence::Connected
}

/// The name of a player's opponent; none if they play both sides.
fn opponent(row: &MatchRow, player: PlayerId, seat: Seat) -> Option<Name> {
    let other = row.card.players.get(seat.other()).as_ref().filter(|other| other.id != player)?;
    Some(Name::given_before(other.name.clone()))
}
