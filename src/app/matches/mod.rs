//! A match as its players and watchers see it: made, read, played, followed.

pub(super) mod commands;
pub(super) mod conditional;
pub(super) mod create;
pub(super) mod keys;
pub(super) mod lists;
pub(super) mod pictures;
pub(super) mod read;
pub(super) mod rematch;
pub(super) mod stream;
pub(super) mod topics;
pub(super) mod turn;
pub(super) mod turn_to_play;
pub(super) mod tv;
