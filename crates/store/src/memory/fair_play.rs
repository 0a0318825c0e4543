//! What the turns of rated matches lost, and who is flagged for it.

use std::{cmp::Reverse, ops::RangeInclusive};

use lusoria_play::{FlagId, MatchId, Millis, PlayerId, PlayerKind, Seat};

use super::{MemoryStore, tables::Tables};
use crate::{EngineFlag, FairPlay, LossSum, NearLosses, NewFlag, RatingKey, StoreFuture, TurnLosses};

impl FairPlay for MemoryStore {
    fn matches_to_check(&self, since: Millis, limit: u32) -> StoreFuture<'_, Vec<MatchId>> {
        self.at_once(move |tables| {
            let is_kept =
                |of| Seat::BOTH.iter().any(|seat| tables.turn_losses.contains_key(&(of, seat.number())));
            let changes = tables.rating_changes.values().map(|(_, change)| change);
            let mut found: Vec<_> = changes
                .filter(|change| change.seat == Seat::One && change.at >= since)
                .filter(|change| change.taken_back_at.is_none() && !is_kept(change.id))
                .map(|change| (Reverse(change.at), change.id))
                .collect();
            found.sort();
            Ok(found.into_iter().map(|(_, id)| id).take(limit as usize).collect())
        })
    }

    fn keep_turn_losses(&self, losses: Vec<TurnLosses>) -> StoreFuture<'_, ()> {
        self.at_once(move |tables| {
            for one in losses {
                if tables.matches.contains_key(&one.of) && tables.guests.contains_key(&one.player) {
                    tables.turn_losses.entry((one.of, one.seat.number())).or_insert(one);
                }
            }
            Ok(())
        })
    }

    fn turn_losses(
        &self,
        player: PlayerId,
        key: RatingKey,
        ended: RangeInclusive<Millis>,
        limit: u32,
    ) -> StoreFuture<'_, Vec<TurnLosses>> {
        self.at_once(move |tables| {
            let is_meant =
                |one: &&TurnLosses| one.player == player && one.key == key && ended.contains(&one.ended_at);
            let mut found: Vec<_> = tables.turn_losses.values().filter(is_meant).cloned().collect();
            found.sort_by_key(|one| Reverse((one.ended_at, one.of)));
            found.truncate(limit as usize);
            Ok(found)
        })
    }

    fn losses_near(&self, near: NearLosses) -> StoreFuture<'_, LossSum> {
        self.at_once(move |tables| {
            let is_meant = |one: &&TurnLosses| {
                one.key == near.key
                    && one.judge == near.judge
                    && near.points.contains(&one.points)
                    && one.player != near.except
                    && tables.is_a_reference(one.player)
            };
            let add = |sum: LossSum, one: &TurnLosses| LossSum {
                turns: sum.turns + u64::from(one.turns),
                lost: sum.lost + one.lost,
            };
            Ok(tables.turn_losses.values().filter(is_meant).fold(LossSum::default(), add))
        })
    }

    fn flagged_at(&self, player: PlayerId, key: RatingKey) -> StoreFuture<'_, Option<Millis>> {
        self.at_once(move |tables| {
            let theirs = tables.flags.values().filter(|(flag, _)| flag.player == player && flag.key == key);
            Ok(theirs.map(|(flag, _)| flag.raised_at).max())
        })
    }

    fn raise_flag(&self, new: NewFlag) -> StoreFuture<'_, bool> {
        self.at_once(move |tables| {
            let is_there = tables.flags.values().any(|(flag, closed_at)| {
                flag.player == new.player && flag.key == new.key && closed_at.is_none()
            });
            let raises = !is_there && tables.guests.contains_key(&new.player);
            if raises {
                tables.flags.insert(new.id, (new, None));
            }
            Ok(raises)
        })
    }

    fn flags(&self, only_open: bool, limit: u32) -> StoreFuture<'_, Vec<EngineFlag>> {
        self.at_once(move |tables| {
            let told = tables.flags.values().rev().filter(|(_, closed_at)| !only_open || closed_at.is_none());
            Ok(told.take(limit as usize).filter_map(|of| tables.told_flag(of)).collect())
        })
    }

    fn flag(&self, id: FlagId) -> StoreFuture<'_, Option<EngineFlag>> {
        self.at_once(move |tables| Ok(tables.flags.get(&id).and_then(|of| tables.told_flag(of))))
    }
}

impl Tables {
    /// Whether others are compared with this player: a person who is neither flagged nor banned.
    fn is_a_reference(&self, player: PlayerId) -> bool {
        let is_flagged =
            self.flags.values().any(|(flag, closed_at)| flag.player == player && closed_at.is_none());
        let is_person = self.guests.get(&player).is_some_and(|guest| guest.kind == PlayerKind::Person);
        is_person && !is_flagged && self.ban(player).is_none()
    }

    fn told_flag(&self, (flag, closed_at): &(NewFlag, Option<Millis>)) -> Option<EngineFlag> {
        let NewFlag { id, player, key, raised_at, grounds } = *flag;
        let player = self.player(player)?;
        Some(EngineFlag { id, player, key, raised_at, grounds, closed_at: *closed_at })
    }
}
