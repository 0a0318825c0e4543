//! Finding an opponent.

use lusoria_play::{ChallengeSettings, MatchId, Millis, PlayerId, SeekId};

use super::{PostgresStore, blocks, challenges, follows, seeks};
use crate::{
    Blocking, Challenge, ChallengeAdding, ChallengeEnd, ChallengeEnding, Following, Guest, NamedChallenge,
    Opponents, Seek, SeekAdding, SeekWithdrawal, StoreFuture, WaitingSeek,
};

impl Opponents for PostgresStore {
    fn add_seek(&self, seek: Seek) -> StoreFuture<'_, SeekAdding> {
        Box::pin(seeks::add(&self.writer, seek))
    }

    fn seeks_of(&self, guest: PlayerId, now: Millis) -> StoreFuture<'_, Vec<Seek>> {
        Box::pin(seeks::of(&self.readers, guest, now))
    }

    fn waiting_seeks(&self, now: Millis) -> StoreFuture<'_, Vec<WaitingSeek>> {
        Box::pin(seeks::waiting(&self.readers, now))
    }

    fn answered_seeks(&self, since: Millis) -> StoreFuture<'_, Vec<Seek>> {
        Box::pin(seeks::answered(&self.readers, since))
    }

    fn prolong_seeks(&self, guests: Vec<PlayerId>, now: Millis, until: Millis) -> StoreFuture<'_, ()> {
        Box::pin(seeks::prolong(&self.writer, guests, now, until))
    }

    fn withdraw_seek(&self, guest: PlayerId, id: SeekId, now: Millis) -> StoreFuture<'_, SeekWithdrawal> {
        Box::pin(seeks::withdraw(&self.writer, guest, id, now))
    }

    fn add_block(&self, guest: PlayerId, blocked: PlayerId, at: Millis) -> StoreFuture<'_, Blocking> {
        Box::pin(blocks::add(&self.writer, guest, blocked, at))
    }

    fn remove_block(&self, guest: PlayerId, blocked: PlayerId) -> StoreFuture<'_, bool> {
        Box::pin(blocks::remove(&self.writer, guest, blocked))
    }

    fn blocked_by(&self, guest: PlayerId) -> StoreFuture<'_, Vec<Guest>> {
        Box::pin(blocks::by(&self.readers, guest))
    }

    fn blocks_around(&self, guest: PlayerId) -> StoreFuture<'_, Vec<PlayerId>> {
        Box::pin(blocks::around(&self.readers, guest))
    }

    fn add_challenge(&self, challenge: Challenge) -> StoreFuture<'_, ChallengeAdding> {
        Box::pin(challenges::add(&self.writer, challenge))
    }

    fn challenges_of(&self, guest: PlayerId, now: Millis) -> StoreFuture<'_, Vec<NamedChallenge>> {
        Box::pin(challenges::of(&self.readers, guest, now))
    }

    fn challenge(&self, id: MatchId, now: Millis) -> StoreFuture<'_, Option<NamedChallenge>> {
        Box::pin(challenges::get(&self.readers, id, now))
    }

    fn ended_challenges(&self, since: Millis) -> StoreFuture<'_, Vec<NamedChallenge>> {
        Box::pin(challenges::ended(&self.readers, since))
    }

    fn live_challengers(&self, now: Millis) -> StoreFuture<'_, Vec<PlayerId>> {
        Box::pin(challenges::live_challengers(&self.readers, now))
    }

    fn prolong_challenges(
        &self,
        challengers: Vec<PlayerId>,
        now: Millis,
        until: Millis,
    ) -> StoreFuture<'_, ()> {
        Box::pin(challenges::prolong(&self.writer, challengers, now, until))
    }

    fn end_challenge(
        &self,
        id: MatchId,
        by: PlayerId,
        end: ChallengeEnd,
        now: Millis,
    ) -> StoreFuture<'_, ChallengeEnding> {
        Box::pin(challenges::end(&self.writer, id, by, end, now))
    }

    fn challenge_settings(&self, guest: PlayerId) -> StoreFuture<'_, ChallengeSettings> {
        Box::pin(challenges::settings(&self.readers, guest))
    }

    fn set_challenge_settings(&self, guest: PlayerId, settings: ChallengeSettings) -> StoreFuture<'_, bool> {
        Box::pin(challenges::set_settings(&self.writer, guest, settings))
    }

    fn add_follow(&self, guest: PlayerId, followed: PlayerId, at: Millis) -> StoreFuture<'_, Following> {
        Box::pin(follows::add(&self.writer, guest, followed, at))
    }

    fn remove_follow(&self, guest: PlayerId, followed: PlayerId) -> StoreFuture<'_, bool> {
        Box::pin(follows::remove(&self.writer, guest, followed))
    }

    fn followed_by(&self, guest: PlayerId) -> StoreFuture<'_, Vec<Guest>> {
        Box::pin(follows::by(&self.readers, guest))
    }
}
