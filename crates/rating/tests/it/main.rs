//! Tests against known answers and another implementation, laws, and bits that must not change.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod bits;
mod chance;
mod known_answers;
mod laws;
mod oracle;
