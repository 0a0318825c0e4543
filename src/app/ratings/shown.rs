//! Public ratings: a player's ratings, their history, and the leaderboards.

use lusoria_play::{Millis, PlayerId};
use lusoria_protocol::{Leaderboard, LeaderboardPlace, Name, PlayerRating, Problem, RatedMatch, RatingCurve};
use lusoria_store::{CurvePoint, RatingKey, StoredRating};
use lusoria_wire::rating;

use crate::{
    app::{App, WhichPlayer, problem},
    live::shown,
};

/// How many changes a page of a curve has at most.
pub const CURVE_MAX: u32 = 500;

/// How many places a leaderboard has at most.
pub const PLACES_MAX: u32 = 100;

/// How long a player without rated matches stays on the leaderboard: 90 days.
const ON_LEADERBOARD_FOR_MS: Millis = 90 * 86_400_000;

impl App {
    /// The ratings of a player, by game and pace.
    pub(in crate::app) async fn ratings_of(&self, player: PlayerId) -> Result<Vec<PlayerRating>, Problem> {
        let found = self.store().ratings_of(vec![player]).await.map_err(problem::store)?;
        let counts = found.into_iter().filter(|(_, _, stored)| stored.matches > 0);
        Ok(counts.map(|(_, key, stored)| player_rating(key, &stored)).collect())
    }

    /// A rating of a player with a page of its history: changes after number `after`, the oldest first.
    ///
    /// # Errors
    /// `no_such_guest`; `unavailable`.
    pub async fn rating_curve(
        &self,
        which: &WhichPlayer,
        key: RatingKey,
        after: u32,
        limit: u32,
    ) -> Result<RatingCurve, Problem> {
        let player = self.player(which).await?.id;
        let known = self.store().ratings_of(vec![player]).await.map_err(problem::store)?;
        let stored = known.into_iter().find(|(_, of, _)| *of == key).map(|(_, _, stored)| stored);
        let now = stored.unwrap_or_else(|| StoredRating::none_of(key.game)).rating;
        let limit = limit.clamp(1, CURVE_MAX);
        let found = self.store().rating_changes(player, key, after, limit + 1).await;
        let mut found = found.map_err(problem::store)?;
        let has_more = found.len() > limit as usize;
        found.truncate(limit as usize);
        let next = found.last().map(|last| last.change.number).filter(|_| has_more);
        let changes = found.iter().map(|CurvePoint { change, is_listed }| RatedMatch {
            number: change.number,
            // Only its players know a match by invitation.
            id: is_listed.then_some(change.id),
            at: change.at,
            before: rating(shown(&change.before)),
            after: rating(shown(&change.after)),
        });
        Ok(RatingCurve { rating: rating(shown(&now)), changes: changes.collect(), next })
    }

    /// The people, or the bots, with the highest settled ratings.
    ///
    /// # Errors
    /// `unavailable`.
    pub async fn leaderboard(&self, key: RatingKey, bots: bool, limit: u32) -> Result<Leaderboard, Problem> {
        let since = self.live.now().saturating_sub(ON_LEADERBOARD_FOR_MS);
        let found = self.store().leaderboard(key, bots, since, limit.clamp(1, PLACES_MAX)).await;
        let mut places: Vec<LeaderboardPlace> = Vec::new();
        for (place, row) in (1..).zip(found.map_err(problem::store)?) {
            let rating = rating(shown(&row.stored.rating));
            let above = places.last().filter(|above| above.rating.points == rating.points);
            places.push(LeaderboardPlace {
                rank: above.map_or(place, |above| above.rank),
                handle: row.handle.try_into().map_err(|_| problem::internal())?,
                id: row.player,
                name: Name::given_before(row.name),
                rating,
                matches: row.stored.matches,
                played_at: row.stored.ended_at,
            });
        }
        Ok(Leaderboard { game: key.game, pace: key.pace, places })
    }
}

fn player_rating(key: RatingKey, stored: &StoredRating) -> PlayerRating {
    PlayerRating {
        game: key.game,
        pace: key.pace,
        rating: rating(shown(&stored.rating)),
        matches: stored.matches,
        played_at: stored.ended_at,
    }
}
