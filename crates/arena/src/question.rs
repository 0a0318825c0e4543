//! The request to a player: which turn to play.

use lusoria_rules::Turn;
use lusoria_search::Decision;

use super::engine::Memory;

/// A turn to be chosen.
pub(super) struct Question<'a> {
    pub(super) decision: &'a Decision<'a>,
    /// The same turn, before its first step.
    pub(super) turn: &'a Turn,
    /// The history of the game, in the form for outside engines.
    pub(super) memory: &'a Memory,
    pub(super) seed: u64,
}
