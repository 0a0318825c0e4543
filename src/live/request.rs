//! Requests to a match, their outcome, and the creation of matches.

use std::{sync::Arc, time::Duration};

use lusoria_dice::Secret;
use lusoria_play::{
    Admission, Bytes32, Command, Creation as MatchCreation, Match, MatchId, Millis, Phase, Player, PlayerId,
    Recorded, Refusal, SeedBrought, Terms,
};
use uuid::Builder;

use super::{Card, CommandError, Entropy, Live, Notice, chance::MatchDice, summary::summary};
use lusoria_store::{AppendError, Invitation, KeyUse, NewMatch, SecretHash, StoreError};

/// How often to ask the store whether a match was created if that is unknown, and how long to
/// wait between.
const CHECKS_MAX: u32 = 10;
const CHECK_RETRY: Duration = Duration::from_millis(500);

/// A match to create.
#[derive(Debug, Clone)]
pub struct Creation {
    /// What is played.
    pub terms: Terms,
    /// Who takes seat 1.
    pub creator: Player,
    /// Who creates it and lets the computer play in seat 1.
    pub made_by: Option<Player>,
    /// Who takes seat 2 at once: the computer, with a seed that is drawn for it.
    pub joiner: Option<Player>,
    /// The seed of seat 1.
    pub seed: SeedBrought,
    /// The invitation to seat 2.
    pub invite: Option<Invite>,
    /// The idempotency key to use up.
    pub key: Option<KeyUse>,
}

/// An invitation to store.
#[derive(Debug, Clone, Copy)]
pub struct Invite {
    /// The hash of its code.
    pub hash: SecretHash,
    /// When it expires.
    pub expires_at: Millis,
}

/// A request to a match.
#[derive(Debug, Clone)]
pub enum MatchRequest {
    /// Apply a command of a player.
    Command {
        /// The command.
        command: Command,
        /// The idempotency key to use up.
        key: Option<KeyUse>,
        /// The invitation that it uses up.
        spends: Option<SecretHash>,
    },
    /// Accept the rematch that the opponent has offered, and create the new match.
    AcceptRematch {
        /// Who accepts.
        by: PlayerId,
        /// Their seed for it.
        seed: RematchSeed,
        /// The idempotency key to use up.
        key: Option<KeyUse>,
    },
    /// End the match without a result, unless it has events after `since` other than credit for
    /// outages.
    EndUnlessPlayed {
        /// The last event that the requester knows.
        since: u32,
    },
    /// Rename a player, in past events too.
    Rename {
        /// Who.
        player: PlayerId,
        /// The new name.
        name: String,
    },
    /// Give the credit for outages that is due.
    CreditOutages,
    /// Give the credit that is due and apply a deadline that has passed, unless a command that
    /// arrived before it is still undecided.
    Wake,
}

/// The seed that a player brings to a rematch: its hash, or none.
pub type RematchSeed = Option<Bytes32>;

/// The outcome of a request.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The match after it.
    pub state: Arc<Match>,
    /// The events that were appended; empty if nothing had to be done.
    pub events: Vec<Recorded>,
    /// The rematch that was created.
    pub next: Option<MatchId>,
}

/// A match that is created but not stored yet.
pub(super) struct NewlyCreated {
    pub(super) state: Match,
    pub(super) stored: NewMatch,
}

/// Creates a match: its id, its secret, its first events.
pub(super) fn create_state(
    entropy: &dyn Entropy,
    now: Millis,
    creation: impl FnOnce(MatchId, Bytes32) -> Result<MatchCreation, Refusal>,
    invite: Option<Invite>,
    key: Option<KeyUse>,
) -> Result<NewlyCreated, CommandError> {
    let id = new_id(entropy, now);
    let secret = entropy.bytes32();
    let chain = Secret::new(secret).chain();
    let commitment = Bytes32(chain.commitment());
    let mut current = None;
    let mut dice = MatchDice::new(id, &chain, &mut current, entropy);
    let (state, events) = Match::create(creation(id, commitment)?, now, &mut dice)?;
    let stored = NewMatch {
        id,
        events,
        secret: Secret::new(secret),
        summary: summary(&state),
        made_by: state.made_by().map(|maker| maker.id),
        deadline: state.next_deadline(),
        invitation: invite.map(|Invite { hash, expires_at }| Invitation { hash, expires_at }),
        key,
    };
    Ok(NewlyCreated { state, stored })
}

pub(super) async fn create(live: Arc<Live>, creation: Creation) -> Result<Outcome, CommandError> {
    if live.stopping.is_cancelled() {
        return Err(CommandError::Stopping);
    }
    let Creation { terms, creator, made_by, joiner, seed, invite, key } = creation;
    let joiner = joiner.map(|joiner| (joiner, SeedBrought::Nothing));
    let creation = |id, commitment| {
        Ok(MatchCreation { id, terms, creator, commitment, seed, made_by, joiner, rematch_of: None })
    };
    let NewlyCreated { state, stored } = create_state(&*live.entropy, live.now(), creation, invite, key)?;
    let (id, events, deadline) = (stored.id, stored.events.clone(), stored.deadline);
    match live.store.create(stored).await {
        Ok(()) => {}
        Err(AppendError::Unknown(why)) => {
            if !was_created(&live, id, &why).await? {
                return Err(StoreError::Busy(why).into());
            }
        }
        Err(AppendError::Conflict) => return Err(StoreError::Failed("a new id is taken".to_owned()).into()),
        Err(AppendError::KeyUsed) => return Err(CommandError::KeyUsed),
        Err(AppendError::GuestGone(guest)) => return Err(CommandError::GuestGone(guest)),
        Err(AppendError::InvitationGone) => return Err(CommandError::InvitationGone),
        Err(AppendError::Store(error)) => return Err(error.into()),
    }
    live.alarm.set(deadline);
    announce(&live, &state);
    Ok(Outcome { state: Arc::new(state), events, next: None })
}

/// Whether a match is in the store, after a commit with an unknown outcome.
async fn was_created(live: &Live, id: MatchId, why: &str) -> Result<bool, StoreError> {
    for _ in 0..CHECKS_MAX {
        match live.store.head(id).await {
            Ok(head) => return Ok(head.is_some()),
            Err(error) => {
                tracing::warn!(id = %id.0, %error, "could not check whether a match was created; retrying");
            }
        }
        tokio::time::sleep(CHECK_RETRY).await;
    }
    // Not the error of the last check: that would say that nothing has changed.
    Err(StoreError::Unknown(why.to_owned()))
}

/// Announces a new match to the lobby, and to the player whose turn it is already.
pub(super) fn announce(live: &Live, state: &Match) {
    let id = state.id();
    if state.phase() == Phase::Open && state.terms().admission == Admission::Open {
        live.topics.tell_lobby(|| live.render.notice(&Notice::Opened { id, card: Card::of(state) }));
    }
    if let Some(player) = state.waits_for().and_then(|seat| state.player(seat)).map(|player| player.id) {
        let notice = || Notice::YourTurn { player, id, card: Card::of(state), head: state.head() };
        live.topics.tell(player, || live.render.notice(&notice()));
    }
    live.ring_for_computer(state);
}

fn new_id(entropy: &dyn Entropy, now: Millis) -> MatchId {
    let random: [u8; 10] = entropy.bytes32()[..10].try_into().expect("ten of thirty-two bytes");
    MatchId(Builder::from_unix_timestamp_millis(now, &random).into_uuid())
}
