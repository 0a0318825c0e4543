//! Creates matches.

use std::{sync::Arc, time::Duration};

use lusoria_dice::Secret;
use lusoria_play::{
    Admission, Bytes32, Creation as MatchCreation, Match, MatchId, Millis, Phase, Player, Refusal,
    SeedBrought, SeekId, Terms, TournamentId,
};
use lusoria_store::{
    Answers, AppendError, Card, Invitation, KeyUse, MatchRow, NewMatch, SecretHash, Store, StoreError,
};
use uuid::Builder;

use super::{
    CommandError, Entropy, Notice, Room, chance::DiceSecrets, context::Context, loading, pairing_note,
};

/// How often to ask the store whether a match was created after an unknown outcome, and the pause between.
const CHECKS_MAX: u32 = 10;
const CHECK_RETRY: Duration = Duration::from_millis(500);

/// A match to create.
#[derive(Debug, Clone)]
pub struct Creation {
    /// The terms.
    pub terms: Terms,
    /// The player in seat 1.
    pub creator: Player,
    /// The guest who creates it and lets the computer play in seat 1.
    pub made_by: Option<Player>,
    /// The player who takes seat 2 at once, and their seed: the computer, or an opponent who was found.
    pub joiner: Option<(Player, SeedBrought)>,
    /// The seed of seat 1.
    pub seed: SeedBrought,
    /// The invitation to seat 2.
    pub invite: Option<Invite>,
    /// The idempotency key to store.
    pub key: Option<KeyUse>,
    /// The seeks, the challenge or the pairing that it answers.
    pub answers: Option<Answering>,
}

/// The reason that a match is created.
#[derive(Debug, Clone, Copy)]
pub enum Answering {
    /// It pairs two seeks.
    Seeks([SeekId; 2]),
    /// It accepts a challenge, whose id it takes.
    Challenge(MatchId),
    /// It is that of a pairing.
    Pairing {
        /// The tournament.
        of: TournamentId,
        /// The id that the pairing has given it. Creating it again finds it.
        id: MatchId,
    },
}

impl Answering {
    fn into_stored(self) -> Answers {
        match self {
            Self::Seeks(seeks) => Answers::Seeks(seeks),
            Self::Challenge(_) => Answers::Challenge,
            Self::Pairing { of, id } => Answers::Tournament(pairing_note::began(of, id)),
        }
    }
}

/// An invitation to store.
#[derive(Debug, Clone, Copy)]
pub struct Invite {
    /// The hash of its code.
    pub hash: SecretHash,
    /// When it expires.
    pub expires_at: Millis,
}

/// A match that is created but not stored yet.
pub(super) struct NewlyCreated {
    pub(super) state: Match,
    pub(super) stored: NewMatch,
    pub(super) dice: DiceSecrets,
}

/// Creates a match in memory: its secret and its first events.
pub(super) fn create_state(
    entropy: &dyn Entropy,
    id: MatchId,
    now: Millis,
    creation: impl FnOnce(Bytes32) -> Result<MatchCreation, Refusal>,
    invite: Option<Invite>,
    key: Option<KeyUse>,
) -> Result<NewlyCreated, CommandError> {
    let secret = entropy.bytes32();
    let chain = Secret::new(secret).chain();
    let (first, commitment) = chain.beginning();
    let mut secrets = DiceSecrets { chain, current: Some((1, first)) };
    let (state, events) = Match::create(creation(Bytes32(commitment))?, now, &mut secrets.dice(id, entropy))?;
    let stored = NewMatch {
        id,
        events,
        secret: Secret::new(secret),
        card: Card::of(&state),
        made_by: state.made_by().map(|maker| maker.id),
        deadline: state.next_deadline(),
        invitation: invite.map(|Invite { hash, expires_at }| Invitation { hash, expires_at }),
        key,
        answers: None,
    };
    Ok(NewlyCreated { state, stored, dice: secrets })
}

/// Creates, stores and announces a match.
pub(super) async fn create(context: Arc<Context>, creation: Creation) -> Result<Arc<Match>, CommandError> {
    if context.stopping.is_cancelled() {
        return Err(CommandError::Stopping);
    }
    let Creation { terms, creator, made_by, joiner, seed, invite, key, answers } = creation;
    let now = context.now();
    let (id, tournament) = match answers {
        Some(Answering::Challenge(id)) => (id, None),
        Some(Answering::Pairing { of, id }) => (id, Some(of)),
        Some(Answering::Seeks(_)) | None => (new_id(&*context.entropy, now), None),
    };
    let creation = |commitment| {
        let rematch_of = None;
        Ok(MatchCreation { id, terms, creator, commitment, seed, made_by, joiner, rematch_of, tournament })
    };
    let NewlyCreated { state, mut stored, dice } =
        create_state(&*context.entropy, id, now, creation, invite, key)?;
    stored.answers = answers.map(Answering::into_stored);
    let deadline = stored.deadline;
    let opening = context.topics.opening(id);
    let room = context.room(id);
    match context.store.create(stored).await {
        Ok(()) => {}
        // Another node has made it, or an earlier attempt whose outcome was unknown.
        Err(AppendError::Conflict) if tournament.is_some() => {
            let state = loading::room(&context, id).await?.state();
            // The node that has made it may have died before this.
            context.alarm.set(state.next_deadline());
            return Ok(state);
        }
        // Not settled, which would take the id from the next attempt.
        Err(AppendError::Unknown(why)) if tournament.is_some() => {
            return Err(StoreError::Unknown(why).into());
        }
        Err(AppendError::Unknown(why)) => {
            if !was_created(&context.store, id, &why).await? {
                return Err(StoreError::Busy(why).into());
            }
        }
        Err(AppendError::Conflict | AppendError::Outdated) => {
            return Err(StoreError::Failed("a new id is taken".to_owned()).into());
        }
        Err(AppendError::KeyUsed) => return Err(CommandError::KeyUsed),
        Err(AppendError::GuestGone(guest)) => return Err(CommandError::GuestGone(guest)),
        Err(AppendError::SeekGone) => return Err(CommandError::SeekGone),
        Err(AppendError::ChallengeGone) => return Err(CommandError::ChallengeGone),
        Err(AppendError::InvitationGone) => return Err(CommandError::InvitationGone),
        Err(AppendError::Store(error)) => return Err(error.into()),
    }
    context.alarm.set(deadline);
    if state.phase() == Phase::Open && state.terms().admission == Admission::Open {
        let opened = || context.render.notice(&Notice::Opened { row: MatchRow::of(&state) });
        if context.membership.has_others() {
            context.tell_lobby(id, true, &opened());
        }
        opening.tell(opened);
    }
    announce(&context, &state);
    if let Some(id) = tournament {
        context.tell_tournament(id);
    }
    enter(&context, &room, state, dice);
    Ok(room.state())
}

/// Fills the room of a match that was just created, so that nothing of it needs to be read. The room was made before
/// the match was stored: a rewrite since then has found it.
pub(super) fn enter(context: &Context, room: &Arc<Room>, state: Match, dice: DiceSecrets) {
    room.begin(state);
    if let Ok(mut judge_state) = room.judge_state.try_lock() {
        judge_state.dice.get_or_insert(dice);
    }
    context.recent_rooms.note(room, context.now());
}

/// Whether a match is in the store, after a commit with an unknown outcome.
async fn was_created(store: &Store, id: MatchId, why: &str) -> Result<bool, StoreError> {
    for _ in 0..CHECKS_MAX {
        match store.settle(id).await {
            Ok(head) => return Ok(head.is_some()),
            Err(error) => {
                tracing::warn!(id = %id.0, %error, "could not check whether a match was created; retrying");
            }
        }
        tokio::time::sleep(CHECK_RETRY).await;
    }
    // Not the error of the last check, which would claim that nothing has changed.
    Err(StoreError::Unknown(why.to_owned()))
}

/// Announces a new match to the player whose turn it is, and to the computer.
pub(super) fn announce(context: &Context, state: &Match) {
    if let Some(player) = state.waits_for().and_then(|seat| state.player(seat)).map(|player| player.id) {
        context.tell_player(player, || Notice::YourTurn { player, row: MatchRow::of(state) });
    }
    context.push_turn(state);
    context.tell_computer(state);
}

/// The id of a new match.
pub(super) fn new_id(entropy: &dyn Entropy, now: Millis) -> MatchId {
    let random: [u8; 10] = entropy.bytes32()[..10].try_into().expect("ten of thirty-two bytes");
    MatchId(Builder::from_unix_timestamp_millis(now, &random).into_uuid())
}
