//! Pairs those who seek an opponent. The store decides: a match is created only if both seeks still wait, in the
//! transaction that ends them. So nodes need not agree, and what one leaves undone another does.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use lusoria_play::{Clock, Match, Millis, PlayerId, PlayerKind, Seat, SeedBrought, SeekId, Seeker, partner};
use lusoria_store::{ANSWERED_SEEK_KEPT_MS, MatchFilter, Seek, StoreError, WaitingSeek};
use tokio::time::sleep;

use super::{
    CommandError, Notice, PushMatter, challenges,
    context::Context,
    creation::{self, Answering, Creation},
};

/// How long a seek waits after its maker was last heard of.
pub const LIVE_SEEK_FOR_MS: Millis = 30_000;

/// How long a seek by days waits.
pub const SEEK_BY_DAYS_FOR_MS: Millis = 14 * Clock::DAY_MS;

/// How often it is looked who listens, and what was left unpaired.
const LOOK_EVERY: Duration = Duration::from_secs(10);

/// How soon after a failure. Seeks expire meanwhile.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// How long a seek may have waited to be looked at again: all nodes that could have paired it have looked by then.
const LOOKED_AT_FOR_MS: Millis = 60_000;

/// How much earlier a match may say that it was made than it was committed.
const COMMITS_WITHIN_MS: Millis = 15_000;

/// How often a seek is tried to be paired while others are faster.
const TRIES_MAX: u32 = 32;

/// Pairs a seek with another one, if one fits.
///
/// # Errors
/// If the store fails. It may be paired all the same, or be paired later.
pub(super) async fn pair(context: Arc<Context>, id: SeekId) -> Result<(), CommandError> {
    // One after another: else all would choose the seek that has waited longest.
    let _turn = context.pairing.lock().await;
    for _ in 0..TRIES_MAX {
        let mut waiting = context.store.waiting_seeks(context.now()).await?;
        let Some(place) = waiting.iter().position(|waiting| waiting.seek.id == id) else { return Ok(()) };
        let own = waiting.remove(place);
        match pair_with_one_of(&context, own, waiting).await {
            // Somebody was faster: there may be others.
            Err(CommandError::SeekGone | CommandError::GuestGone(_)) => {}
            done => return done,
        }
    }
    Ok(())
}

async fn pair_with_one_of(
    context: &Arc<Context>,
    own: WaitingSeek,
    mut others: Vec<WaitingSeek>,
) -> Result<(), CommandError> {
    let (now, seeker_of_own) = (context.now(), seeker(&own));
    others.retain(|other| seeker(other).terms_with(&seeker_of_own, now).is_some());
    if others.is_empty() {
        return Ok(());
    }
    let avoided = context.store.blocks_around(own.player.id).await?;
    others.retain(|other| !avoided.contains(&other.player.id));
    let last_opponent = last_opponent(context, own.player.id).await?;
    let (place, terms) = loop {
        let seekers: Vec<_> = others.iter().map(seeker).collect();
        let Some((place, terms)) = partner(&seeker_of_own, &seekers, last_opponent, now) else {
            return Ok(());
        };
        // Accounts may have been removed since they began to seek.
        if !terms.rated || has_account(context, others[place].player.id).await? {
            break (place, terms);
        }
        // In their order: the oldest first.
        others.remove(place);
    };
    if terms.rated && !has_account(context, own.player.id).await? {
        return Ok(());
    }
    let (older, newer) = (others.swap_remove(place), own);
    let brings = |seek: &Seek| seek.seed_hash.map_or(SeedBrought::Nothing, SeedBrought::Hash);
    let creation = Creation {
        terms,
        creator: older.player.clone(),
        made_by: None,
        joiner: Some((newer.player.clone(), brings(&newer.seek))),
        seed: brings(&older.seek),
        invite: None,
        key: None,
        answers: Some(Answering::Seeks([older.seek.id, newer.seek.id])),
    };
    let made = creation::create(Arc::clone(context), creation).await?;
    tell_both(context, &made, [older, newer]);
    Ok(())
}

fn tell_both(context: &Context, made: &Match, seeks: [WaitingSeek; 2]) {
    for WaitingSeek { seek, player } in seeks {
        let expires_at = made.created_at() + ANSWERED_SEEK_KEPT_MS;
        let answered = Seek { answered: Some(made.id()), expires_at, ..seek };
        context.tell_player(player.id, || Notice::Seek(answered));
        context.push_inbox.mark(player.id, PushMatter::Answered(made.id()));
    }
}

fn seeker(WaitingSeek { seek, player }: &WaitingSeek) -> Seeker {
    Seeker {
        player: player.id,
        is_bot: player.kind == PlayerKind::Bot,
        terms: seek.terms.clone(),
        since: seek.created_at,
        ratings: BTreeMap::new(),
    }
}

async fn has_account(context: &Context, guest: PlayerId) -> Result<bool, StoreError> {
    Ok(context.store.account(guest).await?.is_some())
}

/// With whom a guest has the newest match.
async fn last_opponent(context: &Context, guest: PlayerId) -> Result<Option<PlayerId>, StoreError> {
    let page = context.store.list(MatchFilter::Of { player: guest, state: None }, None, 1).await?;
    let players = page.rows.first().map(|row| Seat::BOTH.map(|seat| row.card.player(seat)));
    Ok(players.and_then(|players| players.into_iter().flatten().find(|player| *player != guest)))
}

/// Keeps the seeks and challenges of those who listen alive, and does what a node that ended left undone, until the server stops.
pub(super) async fn keep_pairing(context: Arc<Context>) {
    let mut last_look = None;
    let mut pause = Duration::ZERO;
    while context.stopping.run_until_cancelled(sleep(pause)).await.is_some() {
        pause = match look_once(&context, last_look).await {
            Ok(now) => {
                last_look = Some(now);
                LOOK_EVERY
            }
            Err(error) => {
                tracing::warn!(%error, "could not look after seeks and challenges; retrying");
                RETRY_AFTER
            }
        };
    }
}

/// Returns when it looked.
async fn look_once(context: &Arc<Context>, last_look: Option<Millis>) -> Result<Millis, CommandError> {
    let now = context.now();
    let waiting = context.store.waiting_seeks(now).await?;
    let live = waiting.iter().filter(|waiting| !waiting.seek.terms.is_by_days());
    let mut here: Vec<_> = live.map(|waiting| waiting.player.id).collect();
    here.sort_unstable();
    here.dedup();
    here.retain(|player| context.topics.has_listener(*player));
    if !here.is_empty() {
        context.store.prolong_seeks(here, now, now + LIVE_SEEK_FOR_MS).await?;
    }
    challenges::prolong(context, now).await?;
    let seekers: Vec<_> = waiting.iter().map(seeker).collect();
    for (place, WaitingSeek { seek, .. }) in waiting.iter().enumerate() {
        // Those who seek rated matches may come to fit: the longer they wait, the farther apart ratings may be.
        let may_be_left = last_look.is_none() || seek.terms.rated || seek.created_at + LOOKED_AT_FOR_MS > now;
        if may_be_left && partner(&seekers[place], &seekers[..place], None, now).is_some() {
            pair(Arc::clone(context), seek.id).await?;
        }
    }
    let since = last_look.unwrap_or(now).saturating_sub(COMMITS_WITHIN_MS);
    tell_again(context, since).await?;
    challenges::tell_again(context, since).await?;
    Ok(now)
}

/// Tells those who listen here of matches that answered their seeks at or after `since`: the node that made a match may
/// have ended before it told them.
async fn tell_again(context: &Context, since: Millis) -> Result<(), StoreError> {
    for seek in context.store.answered_seeks(since).await? {
        context.topics.tell(seek.guest, || context.render.notice(&Notice::Seek(seek.clone())));
    }
    Ok(())
}
