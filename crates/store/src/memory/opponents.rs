//! Finding an opponent.

use lusoria_play::{Millis, PlayerId, SeekId};

use super::MemoryStore;
use crate::{Blocking, Guest, Opponents, Seek, SeekAdding, SeekWithdrawal, StoreFuture, WaitingSeek};

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
}
