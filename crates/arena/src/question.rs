//! The question for a turn, as a seat is asked it.

use lusoria_rules::Turn;
use lusoria_search::Decision;

use super::engine::Memory;

/// A turn to be chosen.
pub(super) struct Question<'a> {
    pub(super) decision: &'a Decision<'a>,
    /// The same turn, before its first step.
    pub(super) turn: &'a Turn,
    /// What the game remembers, as outside engines are told.
    pub(super) memory: &'a Memory,
    pub(super) seed: u64,
}
