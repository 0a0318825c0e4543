//! Ratings of players.

use std::collections::BTreeMap;

use lusoria_play::{BySeat, MatchId, Millis, PlayerId, PlayerKind, Seat};
use lusoria_rules::Game;

use super::{MemoryStore, tables::Tables};
use crate::{
    CurvePoint, LEADERBOARD_MATCHES_MIN, LeaderboardRow, MatchState, RatingChange, RatingKey, RatingMark,
    RatingTables, Ratings, RatingsBefore, StoreFuture, StoredChange, StoredRating, error::Refused,
    ratings::day_of,
};

impl Ratings for MemoryStore {
    fn ratings_before(
        &self,
        players: BySeat<PlayerId>,
        key: RatingKey,
        at: Millis,
    ) -> StoreFuture<'_, RatingsBefore> {
        self.at_once(move |tables| {
            let BySeat(one, two) = players;
            let (begins, ends) = day_of(at);
            let is_theirs = |change: &&StoredChange| {
                change.player == one
                    && change.opponent == two
                    && (begins..ends).contains(&change.at)
                    && change.taken_back_at.is_none()
            };
            let earlier = tables.changes_of(key).filter(is_theirs).count();
            Ok(RatingsBefore {
                stored: BySeat(tables.rating(one, key), tables.rating(two, key)),
                earlier_today: u32::try_from(earlier).unwrap_or(u32::MAX),
            })
        })
    }

    fn ratings_of(
        &self,
        players: Vec<PlayerId>,
    ) -> StoreFuture<'_, Vec<(PlayerId, RatingKey, StoredRating)>> {
        self.at_once(move |tables| {
            let all = tables.ratings.iter().map(|((player, key), stored)| (*player, *key, *stored));
            Ok(all.filter(|(player, ..)| players.contains(player)).collect())
        })
    }

    fn rating_changes(
        &self,
        player: PlayerId,
        key: RatingKey,
        after: u32,
        limit: u32,
    ) -> StoreFuture<'_, Vec<CurvePoint>> {
        self.at_once(move |tables| {
            let is_meant = |change: &&StoredChange| {
                change.player == player && change.number > after && change.taken_back_at.is_none()
            };
            let mut changes: Vec<_> = tables.changes_of(key).filter(is_meant).copied().collect();
            changes.sort_by_key(|change| change.number);
            changes.truncate(limit as usize);
            let is_listed = |change: &StoredChange| {
                tables.matches.get(&change.id).is_some_and(|kept| kept.card.is_listed())
            };
            Ok(changes
                .into_iter()
                .map(|change| CurvePoint { change, is_listed: is_listed(&change) })
                .collect())
        })
    }

    fn leaderboard(
        &self,
        key: RatingKey,
        bots: bool,
        since: Millis,
        limit: u32,
    ) -> StoreFuture<'_, Vec<LeaderboardRow>> {
        self.at_once(move |tables| {
            let row = |((player, of), stored): (&(PlayerId, RatingKey), &StoredRating)| {
                let (guest, account) = (tables.guests.get(player)?, tables.accounts.get(player)?);
                let is_meant = *of == key
                    && (guest.kind == PlayerKind::Bot) == bots
                    && guest.blocked_at.is_none()
                    && stored.rating.is_settled()
                    && stored.matches >= LEADERBOARD_MATCHES_MIN
                    && stored.ended_at >= since;
                let (name, handle) = (guest.name.clone(), account.handle.clone());
                is_meant.then_some(LeaderboardRow { player: *player, name, handle, stored: *stored })
            };
            let mut rows: Vec<_> = tables.ratings.iter().filter_map(row).collect();
            // Stable: those with equal points stay in the order of their ids.
            rows.sort_by(|a, b| b.stored.rating.points().total_cmp(&a.stored.rating.points()));
            rows.truncate(limit as usize);
            Ok(rows)
        })
    }

    fn rated_matches(&self, game: Game, after: Option<MatchId>, limit: u32) -> StoreFuture<'_, Vec<MatchId>> {
        self.at_once(move |tables| {
            let is_meant = |(id, kept): &(&MatchId, &super::tables::Match)| {
                let card = &kept.card;
                after.is_none_or(|after| **id > after)
                    && card.game() == game
                    && card.terms.rated
                    && card.state() == MatchState::Finished
            };
            let found = tables.matches.iter().filter(is_meant).map(|(id, _)| *id);
            Ok(found.take(limit as usize).collect())
        })
    }

    fn rating_mark(&self, key: RatingKey) -> StoreFuture<'_, RatingMark> {
        self.at_once(move |tables| Ok(tables.rating_mark(key)))
    }

    fn rating_tables(&self, key: RatingKey) -> StoreFuture<'_, RatingTables> {
        self.at_once(move |tables| {
            let of_key = tables.ratings.iter().filter(|((_, of), _)| *of == key);
            Ok(RatingTables {
                ratings: of_key.map(|((player, _), stored)| (*player, *stored)).collect(),
                changes: tables.changes_of(key).copied().collect(),
            })
        })
    }

    fn replace_ratings(&self, key: RatingKey, seen: RatingMark, new: RatingTables) -> StoreFuture<'_, bool> {
        self.at_once(move |tables| {
            if tables.rating_mark(key) != seen {
                return Ok(false);
            }
            tables.rating_changes.retain(|_, (of, _)| *of != key);
            for change in new.changes {
                tables.rating_changes.insert((change.id, change.seat.number()), (key, change));
            }
            let mut versions = BTreeMap::new();
            for ((player, of), stored) in &mut tables.ratings {
                if *of == key {
                    versions.insert(*player, stored.version);
                    *stored = StoredRating { version: stored.version + 1, ..StoredRating::none_of(key.game) };
                }
            }
            for (player, stored) in new.ratings {
                let version = versions.get(&player).copied().unwrap_or(0) + 1;
                tables.ratings.insert((player, key), StoredRating { version, ..stored });
            }
            tables.stale_ratings.remove(&key);
            Ok(true)
        })
    }

    fn stale_ratings(&self) -> StoreFuture<'_, Vec<RatingKey>> {
        self.at_once(|tables| Ok(tables.stale_ratings.iter().copied().collect()))
    }
}

impl Tables {
    fn rating(&self, player: PlayerId, key: RatingKey) -> Option<StoredRating> {
        self.ratings.get(&(player, key)).copied()
    }

    fn changes_of(&self, key: RatingKey) -> impl Iterator<Item = &StoredChange> {
        self.rating_changes.values().filter(move |(of, _)| *of == key).map(|(_, change)| change)
    }

    fn rating_mark(&self, key: RatingKey) -> RatingMark {
        let taken_back = self.changes_of(key).filter(|change| change.taken_back_at.is_some()).count();
        RatingMark { changes: self.changes_of(key).count() as u64, taken_back: taken_back as u64 }
    }

    /// Checks that the ratings are still those from which a change was computed.
    pub(super) fn check_ratings(&self, change: &RatingChange) -> Result<(), Refused> {
        let is_as_read = |seat| {
            let change_of = change.seats.get(seat);
            self.rating(change_of.player, change.key).map_or(0, |stored| stored.version) == change_of.expected
        };
        if Seat::BOTH.into_iter().all(is_as_read) { Ok(()) } else { Err(Refused::Conflict) }
    }

    pub(super) fn rate(&mut self, id: MatchId, change: &RatingChange) {
        let changes = change.stored(id);
        for seat in Seat::BOTH {
            let of = change.seats.get(seat);
            self.ratings.insert((of.player, change.key), of.after);
            self.rating_changes.insert((id, seat.number()), (change.key, *changes.get(seat)));
        }
    }

    pub(super) fn take_back_ratings(&mut self, id: MatchId, at: Millis) {
        for seat in Seat::BOTH {
            if let Some((key, change)) = self.rating_changes.get_mut(&(id, seat.number())) {
                change.taken_back_at = Some(at);
                self.stale_ratings.insert(*key);
            }
        }
    }
}
