//! Ratings: who may play rated matches, reading ratings, computing them again, and annulling the rating of a
//! match.

mod admission;
mod rebuild;
mod shown;

use std::{sync::Arc, time::Duration};

use lusoria_play::{Command, MatchId, Refusal, UnratedReason};
pub use lusoria_store::RatingKey;
use lusoria_store::{MatchRow, RatingMark, RatingTables, Store, StoredRating};
use serde::{Deserialize, Serialize};
use tokio::time::MissedTickBehavior;
use uuid::Uuid;

pub use rebuild::RebuildError;
pub use shown::{CURVE_MAX, PLACES_MAX};

use crate::{
    app::{
        App,
        admin::{AdminError, AdminOutcome, MatchDetails},
    },
    live::{CommandError, MatchRequest},
};
use rebuild::rebuild;

/// How often ratings are computed again if matches end meanwhile.
const ATTEMPTS: u32 = 5;

/// How many differences are listed.
const DIFFERENCES_TOLD: usize = 20;

/// How often the server looks for stale ratings.
const LOOK_EVERY: Duration = Duration::from_mins(1);

/// The ratings of a game and pace, computed again from the journals.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RatingsDetails {
    /// The game.
    pub game: String,
    /// `live` or `days`.
    pub pace: String,
    /// Number of players who have one.
    pub players: u64,
    /// Number of rated matches.
    pub matches: u64,
    /// Number of those that were taken back.
    pub taken_back: u64,
    /// Number of ratings and changes that were stored with other bits, too many, or missing.
    pub differences: u64,
    /// The first of these differences.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub first_differences: Vec<String>,
}

impl RatingsDetails {
    fn of(key: RatingKey, stored: &RatingTables, computed: &RatingTables) -> Self {
        let differences = differences(stored, computed);
        let taken_back = computed.changes.iter().filter(|change| change.taken_back_at.is_some()).count();
        Self {
            game: key.game.id().to_owned(),
            pace: key.pace.name().to_owned(),
            players: computed.ratings.values().filter(|rating| rating.matches > 0).count() as u64,
            matches: computed.changes.len() as u64 / 2,
            taken_back: taken_back as u64 / 2,
            differences: differences.len() as u64,
            first_differences: differences.into_iter().take(DIFFERENCES_TOLD).collect(),
        }
    }
}

/// Rows that are stored and should not be, or the reverse. Ratings are never NaN or negative zero, so equal
/// ones have equal bits.
fn differences(stored: &RatingTables, computed: &RatingTables) -> Vec<String> {
    let content = |rating: &StoredRating| StoredRating { version: 0, ..*rating };
    // A player without matches may have a row with zero matches.
    let counts = |rating: &&StoredRating| rating.number > 0;
    let mut found = Vec::new();
    let players = stored.ratings.keys().chain(computed.ratings.keys());
    let players: std::collections::BTreeSet<_> = players.copied().collect();
    for player in players {
        let is = stored.ratings.get(&player).filter(counts).map(content);
        let should = computed.ratings.get(&player).filter(counts).map(content);
        if is != should {
            found.push(format!("player {}: {} is stored, {} computed", player.0, told(is), told(should)));
        }
    }
    let by_place = |tables: &RatingTables| {
        let place = |change: &lusoria_store::StoredChange| ((change.id, change.seat.number()), *change);
        tables.changes.iter().map(place).collect::<std::collections::BTreeMap<_, _>>()
    };
    let (stored, computed) = (by_place(stored), by_place(computed));
    let places: std::collections::BTreeSet<_> = stored.keys().chain(computed.keys()).collect();
    for place in places {
        if stored.get(place) != computed.get(place) {
            found.push(format!("match {}, seat {}: another change is stored", place.0.0, place.1));
        }
    }
    found
}

fn told(rating: Option<StoredRating>) -> String {
    rating.map_or_else(
        || "none".to_owned(),
        |of| format!("{} ± {} after {} matches", of.rating.points(), of.rating.deviation(), of.matches),
    )
}

/// Computes all ratings again and compares them with what is stored. Changes nothing.
///
/// # Errors
/// If the journals contradict each other or cannot be read.
pub async fn check(store: &Store) -> Result<Vec<RatingsDetails>, RebuildError> {
    let mut checked = Vec::new();
    for key in RatingKey::all() {
        let (details, _) = compare(store, key).await?;
        checked.push(details);
    }
    Ok(checked)
}

/// Computes the ratings of a game and pace, and reads the stored ones. Starts again if matches end meanwhile.
async fn compare(
    store: &Store,
    key: RatingKey,
) -> Result<(RatingsDetails, (RatingMark, RatingTables)), RebuildError> {
    let mut tries = 0;
    loop {
        tries += 1;
        let mark = store.rating_mark(key).await?;
        let computed = rebuild(store, key).await?;
        let stored = store.rating_tables(key).await?;
        let is_same_moment = store.rating_mark(key).await? == mark;
        if is_same_moment || tries == ATTEMPTS {
            return Ok((RatingsDetails::of(key, &stored, &computed), (mark, computed)));
        }
    }
}

/// Computes the ratings of a game and pace again, and stores the differences.
///
/// # Errors
/// If the journals contradict each other or cannot be read, or matches keep ending.
async fn replace(store: &Store, key: RatingKey) -> Result<RatingsDetails, RebuildError> {
    for _ in 0..ATTEMPTS {
        let (details, (mark, computed)) = compare(store, key).await?;
        let is_stale = store.stale_ratings().await?.contains(&key);
        if details.differences == 0 && !is_stale || store.replace_ratings(key, mark, computed).await? {
            return Ok(details);
        }
    }
    let why = "rated matches keep ending meanwhile; try again when fewer are played";
    Err(lusoria_store::StoreError::Busy(why.to_owned()).into())
}

/// Computes all ratings again from the journals, and stores the differences.
///
/// # Errors
/// If the journals contradict each other or cannot be read, or matches keep ending.
pub async fn store_again(store: &Store) -> Result<Vec<RatingsDetails>, RebuildError> {
    let mut replaced = Vec::new();
    for key in RatingKey::all() {
        replaced.push(replace(store, key).await?);
    }
    Ok(replaced)
}

impl App {
    /// As [`store_again`], for the operator.
    pub(super) async fn rebuild_ratings(&self) -> Result<Vec<RatingsDetails>, AdminError> {
        let _one_at_a_time = self.rebuilding_ratings.lock().await;
        let replaced = store_again(self.store()).await?;
        let differences: u64 = replaced.iter().map(|of| of.differences).sum();
        tracing::info!(differences, "the operator has recomputed all ratings");
        Ok(replaced)
    }

    /// Takes a match out of the ratings: all later ratings become what they would be without it.
    pub(super) async fn unrate(&self, id: Uuid, reason: UnratedReason) -> Result<AdminOutcome, AdminError> {
        let unrate = MatchRequest::Command { command: Command::Unrate { reason }, key: None, spends: None };
        let outcome = self.live.request(MatchId(id), unrate).await.map_err(|error| match error {
            CommandError::NoSuchMatch => AdminError::NoSuchMatch(id),
            CommandError::Refused(Refusal::NoRating) => AdminError::NotRated(id),
            CommandError::Refused(Refusal::RatingTakenBack) => AdminError::TakenBack(id),
            error => AdminError::Match { id, error },
        })?;
        tracing::info!(%id, reason = reason.name(), "the operator has taken back the rating of a match");
        let terms = outcome.state.terms();
        let key = RatingKey { game: terms.variant.game(), pace: terms.clock.pace() };
        let _one_at_a_time = self.rebuilding_ratings.lock().await;
        let ratings = replace(self.store(), key).await?;
        Ok(AdminOutcome::Unrated { told: MatchDetails::of(MatchRow::of(&outcome.state)), ratings })
    }

    /// Computes stale ratings again after an interrupted annulment: at once, and every minute.
    pub async fn keep_ratings_fresh(self: Arc<Self>) {
        let mut looks = tokio::time::interval(LOOK_EVERY);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            looks.tick().await;
            if let Err(error) = self.freshen_ratings().await {
                tracing::warn!(%error, "could not recompute stale ratings; trying again later");
            }
        }
    }

    async fn freshen_ratings(&self) -> Result<(), RebuildError> {
        if self.store().stale_ratings().await?.is_empty() {
            return Ok(());
        }
        let _one_at_a_time = self.rebuilding_ratings.lock().await;
        for key in self.store().stale_ratings().await? {
            tracing::info!(game = key.game.id(), pace = key.pace.name(), "recomputing stale ratings");
            replace(self.store(), key).await?;
        }
        Ok(())
    }
}
