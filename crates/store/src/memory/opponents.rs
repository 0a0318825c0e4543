//! Finding an opponent.

use lusoria_play::{ChallengeSettings, MatchId, Millis, PlayerId, SeekId};

use super::MemoryStore;
use crate::{
    Blocking, Challenge, ChallengeAdding, ChallengeEnd, ChallengeEnding, Following, Guest, NamedChallenge,
    Opponents, Seek, SeekAdding, SeekWithdrawal, StoreFuture, WaitingSeek,
};

impl Opponents for MemoryStore {
    fn add_seek(&self, seek: Seek) -> StoreFuture<'_, SeekAdding> {
        self.at_once(|tables| Ok(tables.add_seek(seek)))
    }

    fn seeks_of(&self, guest: PlayerId, now: Millis) -> StoreFuture<'_, Vec<Seek>> {
        self.at_once(move |tables| Ok(tables.seeks_of(guest, now)))
    }

    fn waiting_seeks(&self, now: Millis) -> StoreFuture<'_, Vec<WaitingSeek>> {
        self.at_once(move |tables| Ok(tables.waiting_seeks(now)))
    }

    fn answered_seeks(&self, since: Millis) -> StoreFuture<'_, Vec<Seek>> {
        self.at_once(move |tables| Ok(tables.answered_seeks(since)))
    }

    fn prolong_seeks(&self, guests: Vec<PlayerId>, now: Millis, until: Millis) -> StoreFuture<'_, ()> {
        self.at_once(move |tables| {
            tables.prolong_seeks(&guests, now, until);
            Ok(())
        })
    }

    fn withdraw_seek(&self, guest: PlayerId, id: SeekId, now: Millis) -> StoreFuture<'_, SeekWithdrawal> {
        self.at_once(move |tables| Ok(tables.withdraw_seek(guest, id, now)))
    }

    fn add_block(&self, guest: PlayerId, blocked: PlayerId, at: Millis) -> StoreFuture<'_, Blocking> {
        self.at_once(move |tables| Ok(tables.add_block(guest, blocked, at)))
    }

    fn remove_block(&self, guest: PlayerId, blocked: PlayerId) -> StoreFuture<'_, bool> {
        self.at_once(move |tables| Ok(tables.blocks.remove(&(guest, blocked)).is_some()))
    }

    fn blocked_by(&self, guest: PlayerId) -> StoreFuture<'_, Vec<Guest>> {
        self.at_once(move |tables| Ok(tables.blocked_by(guest)))
    }

    fn blocks_around(&self, guest: PlayerId) -> StoreFuture<'_, Vec<PlayerId>> {
        self.at_once(move |tables| Ok(tables.blocks_around(guest)))
    }

    fn add_challenge(&self, challenge: Challenge) -> StoreFuture<'_, ChallengeAdding> {
        self.at_once(move |tables| Ok(tables.add_challenge(challenge)))
    }

    fn challenges_of(&self, guest: PlayerId, now: Millis) -> StoreFuture<'_, Vec<NamedChallenge>> {
        self.at_once(move |tables| Ok(tables.challenges_of(guest, now)))
    }

    fn challenge(&self, id: MatchId, now: Millis) -> StoreFuture<'_, Option<NamedChallenge>> {
        self.at_once(move |tables| Ok(tables.challenge(id, now)))
    }

    fn ended_challenges(&self, since: Millis) -> StoreFuture<'_, Vec<NamedChallenge>> {
        self.at_once(move |tables| Ok(tables.ended_challenges(since)))
    }

    fn live_challengers(&self, now: Millis) -> StoreFuture<'_, Vec<PlayerId>> {
        self.at_once(move |tables| Ok(tables.live_challengers(now)))
    }

    fn prolong_challenges(
        &self,
        challengers: Vec<PlayerId>,
        now: Millis,
        until: Millis,
    ) -> StoreFuture<'_, ()> {
        self.at_once(move |tables| {
            tables.prolong_challenges(&challengers, now, until);
            Ok(())
        })
    }

    fn end_challenge(
        &self,
        id: MatchId,
        by: PlayerId,
        end: ChallengeEnd,
        now: Millis,
    ) -> StoreFuture<'_, ChallengeEnding> {
        self.at_once(move |tables| Ok(tables.end_challenge(id, by, end, now)))
    }

    fn challenge_settings(&self, guest: PlayerId) -> StoreFuture<'_, ChallengeSettings> {
        self.at_once(move |tables| Ok(tables.challenge_settings(guest)))
    }

    fn set_challenge_settings(&self, guest: PlayerId, settings: ChallengeSettings) -> StoreFuture<'_, bool> {
        self.at_once(move |tables| Ok(tables.set_challenge_settings(guest, settings)))
    }

    fn add_follow(&self, guest: PlayerId, followed: PlayerId, at: Millis) -> StoreFuture<'_, Following> {
        self.at_once(move |tables| Ok(tables.add_follow(guest, followed, at)))
    }

    fn remove_follow(&self, guest: PlayerId, followed: PlayerId) -> StoreFuture<'_, bool> {
        self.at_once(move |tables| Ok(tables.follows.remove(&(guest, followed)).is_some()))
    }

    fn followed_by(&self, guest: PlayerId) -> StoreFuture<'_, Vec<Guest>> {
        self.at_once(move |tables| Ok(tables.followed_by(guest)))
    }
}
