//! Pairs seeks. The store decides: a match is created only if both seeks still wait, in the transaction that
//! ends them. So nodes need not agree, and one does what another left undone.

use std::{cmp::Ordering, collections::BTreeMap, sync::Arc, time::Duration};

use lusoria_play::{
    Clock, Colours, Length, Match, Millis, Pace, Player, PlayerId, PlayerKind, Seat, SeedBrought, SeekId,
    SeekTerms, Seeker, Terms, partner,
};
use lusoria_rules::Game;
use lusoria_store::{
    ANSWERED_SEEK_KEPT_MS, MatchFilter, RATED_PLAYERS_MAX, RatingKey, Seek, StoreError, StoredRating,
    WaitingSeek,
};
use tokio::time::sleep;
use uuid::Uuid;

use super::{
    CommandError, Notice, PushMatter, challenges,
    context::Context,
    creation::{self, Answering, Creation},
    rating::{self, Constants},
};

/// How long a live seek waits after the seeker was last present, in milliseconds.
pub const LIVE_SEEK_FOR_MS: Millis = 30_000;

/// How long a correspondence seek waits, in milliseconds.
pub const SEEK_BY_DAYS_FOR_MS: Millis = 14 * Clock::DAY_MS;

/// How often the node prolongs seeks, and looks for unpaired ones.
const LOOK_EVERY: Duration = Duration::from_secs(10);

/// The pause after a failure. Seeks expire meanwhile.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// For how long a new seek is checked again: by then all nodes that could have paired it have done so.
const LOOKED_AT_FOR_MS: Millis = 60_000;

/// By how much the creation time of a match may be before its commit, in milliseconds.
const COMMITS_WITHIN_MS: Millis = 15_000;

/// How often pairing a seek is tried while others are faster.
const TRIES_MAX: u32 = 32;

/// Pairs a seek with another one, if one fits.
///
/// # Errors
/// If the store fails. The seek may be paired nevertheless, now or later.
pub(super) async fn pair(context: Arc<Context>, id: SeekId) -> Result<(), CommandError> {
    // One after another; otherwise all would choose the seek that has waited longest.
    let _turn = context.pairing.lock().await;
    for _ in 0..TRIES_MAX {
        let mut waiting = context.store.waiting_seeks(context.now()).await?;
        let Some(place) = waiting.iter().position(|waiting| waiting.seek.id == id) else { return Ok(()) };
        let own = waiting.remove(place);
        match pair_with_one_of(&context, own, waiting).await {
            // Another was faster; there may be more that fit.
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
    let ratings = KnownRatings::of(context, std::iter::once(&own).chain(&others), None).await?;
    let seeker = |of: &WaitingSeek| seeker(of, &ratings);
    let (now, seeker_of_own) = (context.now(), seeker(&own));
    others.retain(|other| seeker(other).terms_with(&seeker_of_own, now).is_some());
    if others.is_empty() {
        return Ok(());
    }
    let avoided = context.store.blocks_around(own.player.id).await?;
    others.retain(|other| !avoided.contains(&other.player.id));
    let last_opponent = last_opponent(context, own.player.id).await?;
    let (place, terms) = loop {
        let seekers: Vec<_> = others.iter().map(&seeker).collect();
        let Some((place, terms)) = partner(&seeker_of_own, &seekers, last_opponent, now) else {
            return Ok(());
        };
        // Accounts may have been removed since the seek was made.
        if !terms.rated || has_account(context, others[place].player.id).await? {
            break (place, terms);
        }
        // Keeps the order, the oldest first.
        others.remove(place);
    };
    if terms.rated && !has_account(context, own.player.id).await? {
        return Ok(());
    }
    let (older, newer) = (others.swap_remove(place), own);
    let terms = Terms { colours: ratings.colours(&terms, [older.player.id, newer.player.id]), ..terms };
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

/// The waiting seeks of others that would be paired now with an equal one of this player (without a player:
/// of a guest without ratings), the newest first.
pub(super) async fn waiting_for(
    context: &Context,
    viewer: Option<&Player>,
) -> Result<Vec<WaitingSeek>, StoreError> {
    let now = context.now();
    let mut waiting = context.store.waiting_seeks(now).await?;
    let avoided = match viewer {
        Some(viewer) => context.store.blocks_around(viewer.id).await?,
        None => Vec::new(),
    };
    waiting.retain(|of| !avoided.contains(&of.player.id));
    let ratings = KnownRatings::of(context, waiting.iter(), viewer.map(|viewer| viewer.id)).await?;
    waiting.retain(|of| {
        let other = seeker(of, &ratings);
        let equal = Seeker {
            player: viewer.map_or(PlayerId(Uuid::nil()), |viewer| viewer.id),
            is_bot: viewer.is_some_and(|viewer| viewer.kind == PlayerKind::Bot),
            terms: SeekTerms { bots: true, rating: None, ..other.terms.clone() },
            since: now,
            ratings: viewer.map_or_else(BTreeMap::new, |viewer| ratings.shown(viewer.id)),
        };
        other.terms_with(&equal, now).is_some()
    });
    waiting.reverse();
    Ok(waiting)
}

fn tell_both(context: &Context, made: &Match, seeks: [WaitingSeek; 2]) {
    for WaitingSeek { seek, player } in seeks {
        let expires_at = made.created_at() + ANSWERED_SEEK_KEPT_MS;
        let answered = Seek { answered: Some(made.id()), expires_at, ..seek };
        context.tell_player(player.id, || Notice::Seek(answered));
        context.push_inbox.mark(player.id, PushMatter::Answered(made.id()));
    }
}

/// Ratings of seekers.
struct KnownRatings(BTreeMap<PlayerId, BTreeMap<RatingKey, StoredRating>>);

impl KnownRatings {
    /// The ratings of the seeker and of another player. Reads none if neither seek asks for any.
    async fn of(
        context: &Context,
        seeking: impl Iterator<Item = &WaitingSeek> + Clone,
        other: Option<PlayerId>,
    ) -> Result<Self, StoreError> {
        let mut known = BTreeMap::<_, BTreeMap<_, _>>::new();
        let asks = |of: &WaitingSeek| of.seek.terms.rated || of.seek.terms.rating.is_some();
        if seeking.clone().any(asks) {
            let mut players: Vec<PlayerId> = seeking.map(|of| of.player.id).chain(other).collect();
            players.sort_unstable();
            players.dedup();
            for some in players.chunks(RATED_PLAYERS_MAX) {
                for (player, key, stored) in context.store.ratings_of(some.to_vec()).await? {
                    known.entry(player).or_default().insert(key, stored);
                }
            }
        }
        Ok(Self(known))
    }

    fn shown(&self, player: PlayerId) -> BTreeMap<(Game, Pace), u16> {
        let all = self.0.get(&player).into_iter().flatten();
        all.map(|(key, stored)| ((key.game, key.pace), rating::shown(&stored.rating).points)).collect()
    }

    /// Chooses the sides of the two players, the first of whom takes seat 1: in a rated single game the
    /// player who has had the better side less often has it now.
    fn colours(&self, terms: &Terms, players: [PlayerId; 2]) -> Colours {
        let better = Constants::PRESENT.better_side(terms.variant.game());
        let (Some(better), true) = (better, terms.rated && terms.length == Length::SINGLE) else {
            return terms.colours;
        };
        let key = RatingKey { game: terms.variant.game(), pace: terms.clock.pace() };
        let balance =
            |player| self.0.get(&player).and_then(|of| of.get(&key)).map_or(0, |of| of.better_sides);
        match balance(players[0]).cmp(&balance(players[1])) {
            Ordering::Less => Colours::SeatOne(better),
            Ordering::Equal => terms.colours,
            Ordering::Greater => Colours::SeatOne(better.other()),
        }
    }
}

fn seeker(WaitingSeek { seek, player }: &WaitingSeek, ratings: &KnownRatings) -> Seeker {
    Seeker {
        player: player.id,
        is_bot: player.kind == PlayerKind::Bot,
        terms: seek.terms.clone(),
        since: seek.created_at,
        ratings: ratings.shown(player.id),
    }
}

async fn has_account(context: &Context, guest: PlayerId) -> Result<bool, StoreError> {
    Ok(context.store.account(guest).await?.is_some())
}

/// The opponent in the guest's newest match.
async fn last_opponent(context: &Context, guest: PlayerId) -> Result<Option<PlayerId>, StoreError> {
    let page = context.store.list(MatchFilter::Of { player: guest, state: None }, None, 1).await?;
    let players = page.rows.first().map(|row| Seat::BOTH.map(|seat| row.card.player(seat)));
    Ok(players.and_then(|players| players.into_iter().flatten().find(|player| *player != guest)))
}

/// Prolongs the seeks and challenges of connected players, and does what a stopped node left undone, until
/// the server stops.
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
                tracing::warn!(%error, "could not check seeks and challenges; retrying");
                RETRY_AFTER
            }
        };
    }
}

/// Returns when it looked.
async fn look_once(context: &Arc<Context>, last_look: Option<Millis>) -> Result<Millis, CommandError> {
    let now = context.now();
    let waiting = context.store.waiting_seeks(now).await?;
    let live = waiting.iter().filter(|waiting| !waiting.seek.terms.is_correspondence());
    let mut here: Vec<_> = live.map(|waiting| waiting.player.id).collect();
    here.sort_unstable();
    here.dedup();
    here.retain(|player| context.topics.has_listener(*player));
    if !here.is_empty() {
        context.store.prolong_seeks(here, now, now + LIVE_SEEK_FOR_MS).await?;
    }
    challenges::prolong(context, now).await?;
    let ratings = KnownRatings::of(context, waiting.iter(), None).await?;
    let seekers: Vec<_> = waiting.iter().map(|of| seeker(of, &ratings)).collect();
    for (place, WaitingSeek { seek, .. }) in waiting.iter().enumerate() {
        // Rated seeks may come to fit: the longer they wait, the farther apart ratings may be.
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

/// Notifies players connected here of matches that answered their seeks at or after `since`: the node that
/// created a match may have stopped before it notified them.
async fn tell_again(context: &Context, since: Millis) -> Result<(), StoreError> {
    for seek in context.store.answered_seeks(since).await? {
        context.topics.tell(seek.guest, || context.render.notice(&Notice::Seek(seek.clone())));
    }
    Ok(())
}
