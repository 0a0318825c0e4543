//! Finding an opponent.

use lusoria_play::{Millis, PlayerId, SeekId};

use super::{SqliteStore, blocks, seeks};
use crate::{Blocking, Guest, Opponents, Seek, SeekAdding, SeekWithdrawal, StoreFuture, WaitingSeek};

impl Opponents for SqliteStore {
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
}
