//! Decides what becomes of a tournament, and commits it.

use std::sync::Arc;

use lusoria_play::{MatchId, Millis, PlayerId, TournamentId};
use lusoria_store::{
    KeyUse, NewTournament, Outage, StoreError, TournamentAppend, TournamentAppending, TournamentCreation,
    TournamentEvent,
};
use lusoria_tournament::{Chance, Command, Event, Format, Recorded, Refusal, Settings, Tournament};

use super::{
    TournamentError, calls,
    kept::{Blocks, CommittedTournament, TournamentSlot},
    listing,
};
use crate::live::{context::Context, creation::new_id};

/// How often it is decided again after another node was faster.
const TRIES_MAX: u32 = 32;

/// How many steps are due at once at most. The rest is due again.
const STEPS_MAX: usize = 1_000;

/// Announces a tournament.
pub(super) async fn create(
    context: &Arc<Context>,
    id: TournamentId,
    organiser: PlayerId,
    settings: Settings,
    key: Option<KeyUse>,
) -> Result<Arc<CommittedTournament>, TournamentError> {
    let now = context.now();
    let (state, events) = Tournament::create(id, organiser, settings, now)?;
    let listing = listing::of(&state, now);
    let wake_at = listing.wake_at;
    let new = NewTournament { id, organiser, events: written(&events), listing, key };
    let mut created = context.store.create_tournament(new.clone()).await;
    if let Err(StoreError::Unknown(_)) = created {
        created = context.store.create_tournament(new).await;
    }
    // Even after an error it may be there.
    context.tournaments.alarm.set(wake_at);
    match created? {
        TournamentCreation::Created => {
            let slot = context.tournaments.slot(id);
            Ok(context.tournaments.install(&slot, CommittedTournament { state, last_decided_at: now }))
        }
        TournamentCreation::KeyUsed => Err(TournamentError::KeyUsed),
        TournamentCreation::GuestGone | TournamentCreation::NoAccount => {
            Err(TournamentError::GuestGone(organiser))
        }
        TournamentCreation::TooMany => Err(TournamentError::TooMany),
    }
}

/// Makes a command from the state on which it is decided; none if nothing is to be done.
pub(super) type MakeCommand = dyn Fn(&Tournament) -> Result<Option<Command>, Refusal> + Send + Sync;

/// Decides a command and what is due, or only what is due, and commits it.
pub(super) async fn command(
    context: &Arc<Context>,
    id: TournamentId,
    make_command: Option<&MakeCommand>,
) -> Result<Arc<CommittedTournament>, TournamentError> {
    let slot = context.tournaments.slot(id);
    let _write_lock = slot.write_lock.lock().await;
    for _ in 0..TRIES_MAX {
        let known = slot.refresh(context).await?;
        if !context.membership.may_append() {
            return Err(StoreError::Busy("this node does not know the time well enough".to_owned()).into());
        }
        if let Some(done) = try_commit(context, &slot, &known, make_command).await? {
            return Ok(done);
        }
    }
    Err(StoreError::Busy("others were faster too often".to_owned()).into())
}

/// Decides on a state and commits what follows; none if the tournament has moved on.
async fn try_commit(
    context: &Arc<Context>,
    slot: &TournamentSlot,
    known: &Arc<CommittedTournament>,
    make_command: Option<&MakeCommand>,
) -> Result<Option<Arc<CommittedTournament>>, TournamentError> {
    let now = context.now();
    let blocks = match known.state.settings().format {
        Format::Arena { .. } if known.state.began_at().is_some() => {
            slot.blocks(context, &known.state).await?
        }
        _ => Arc::default(),
    };
    let mut chance = Lots { context, now, blocks };
    let mut draft = Draft { known: CommittedTournament::clone(known), events: Vec::new() };
    let owed_ms = credit_owed(known, &context.membership.known().outages, now);
    if owed_ms > 0 {
        draft.apply(known.state.decide(&Command::Credit { by_ms: owed_ms }, now, &mut chance)?)?;
    }
    draft.apply_due(now, &mut chance)?;
    if let Some(make_command) = make_command
        && let Some(command) = make_command(&draft.known.state)?
    {
        draft.apply(draft.known.state.decide(&command, now, &mut chance)?)?;
        draft.apply_due(now, &mut chance)?;
    }
    let Draft { known: next, events } = draft;
    if events.is_empty() && make_command.is_some() {
        return Ok(Some(Arc::clone(known)));
    }
    let listing = listing::of(&next.state, now);
    let wake_at = listing.wake_at;
    let append = TournamentAppend {
        id: next.state.id(),
        head: known.state.head(),
        events: written(&events),
        listing,
        entered: players_of(&events),
        left: left_of(&events, &next.state),
    };
    let appended = match context.store.append_tournament(append).await {
        Err(StoreError::Unknown(why)) => {
            // Whatever is there must be read, and gone on with.
            context.tell_tournament(next.state.id());
            if !is_there(context, known, &events).await {
                return Err(StoreError::Unknown(why).into());
            }
            TournamentAppending::Appended
        }
        appended => appended?,
    };
    match appended {
        TournamentAppending::Appended => {
            let done = context.tournaments.install(slot, next);
            context.tournaments.alarm.set(wake_at);
            if !events.is_empty() {
                calls::tell(context, &done, &events);
            }
            Ok(Some(done))
        }
        TournamentAppending::MovedOn => Ok(None),
        TournamentAppending::GuestGone(guest) => Err(TournamentError::GuestGone(guest)),
    }
}

/// Whether these events certainly follow a state in the store.
async fn is_there(context: &Context, known: &CommittedTournament, events: &[Recorded]) -> bool {
    let (events, head) = (written(events), known.state.head());
    let limit = u32::try_from(events.len()).unwrap_or(u32::MAX);
    let found = context.store.tournament_events(known.state.id(), head, limit).await;
    !events.is_empty() && found.is_ok_and(|found| found == events)
}

/// A state and the events that have led to it since the last commit.
struct Draft {
    known: CommittedTournament,
    events: Vec<Recorded>,
}

impl Draft {
    fn apply(&mut self, events: Vec<Recorded>) -> Result<(), StoreError> {
        for recorded in events {
            self.known.fold(&recorded)?;
            self.events.push(recorded);
        }
        Ok(())
    }

    fn apply_due(&mut self, now: Millis, chance: &mut Lots<'_>) -> Result<(), StoreError> {
        for _ in 0..STEPS_MAX {
            let due = self.known.state.due(now, chance);
            if due.is_empty() {
                break;
            }
            self.apply(due)?;
        }
        Ok(())
    }
}

/// The time of outages for which a tournament has not moved its deadlines. Before check-in opens, an outage costs nobody
/// anything.
fn credit_owed(known: &CommittedTournament, outages: &[Outage], now: Millis) -> Millis {
    let opens_at = match known.state.began_at() {
        Some(_) => 0,
        None => known.state.begins_at().saturating_sub(Tournament::CHECK_IN_MS),
    };
    let since = known.last_decided_at.max(opens_at);
    let owed = outages.iter().filter(|outage| outage.until > since && outage.until <= now);
    owed.map(|outage| outage.until - outage.from.max(since).min(outage.until)).sum()
}

fn written(events: &[Recorded]) -> Vec<TournamentEvent> {
    let write = |recorded: &Recorded| TournamentEvent {
        seq: recorded.seq,
        at: recorded.at,
        event: serde_json::to_string(&recorded.event).expect("an event is plain data"),
    };
    events.iter().map(write).collect()
}

/// Who enters by these events.
fn players_of(events: &[Recorded]) -> Vec<PlayerId> {
    let entered = events.iter().filter_map(|recorded| match recorded.event {
        Event::Entered { player, .. } => Some(player),
        _ => None,
    });
    entered.collect()
}

/// Who leaves by these events before the start, as if they had never entered.
fn left_of(events: &[Recorded], state: &Tournament) -> Vec<PlayerId> {
    if state.began_at().is_some() {
        return Vec::new();
    }
    let left = events.iter().filter_map(|recorded| match recorded.event {
        Event::Withdrew { entrant } => state.entrant(entrant).map(|state| state.player),
        _ => None,
    });
    left.collect()
}

/// Lots from the server's random bytes, ids of matches, and who blocks whom.
struct Lots<'a> {
    context: &'a Context,
    now: Millis,
    blocks: Arc<Blocks>,
}

impl Chance for Lots<'_> {
    fn lot(&mut self) -> u64 {
        let bytes = self.context.entropy.bytes32();
        u64::from_be_bytes(bytes[..8].try_into().expect("eight of thirty-two bytes"))
    }

    fn match_id(&mut self) -> MatchId {
        new_id(&*self.context.entropy, self.now)
    }

    fn avoids(&mut self, one: PlayerId, other: PlayerId) -> bool {
        self.blocks.contains(&(one, other)) || self.blocks.contains(&(other, one))
    }
}
