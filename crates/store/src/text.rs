//! Converts ids, times, numbers and hashes to columns, and back.

use lusoria_play::{Bytes32, Millis};
use uuid::{NoContext, Timestamp, Uuid};

use crate::{MatchState, StoreError};

/// 32 bytes as 64 lower-case hexadecimal digits.
pub(super) fn hex(bytes: [u8; 32]) -> String {
    Bytes32(bytes).to_string()
}

/// A time as a column; one beyond its range becomes the latest.
pub(super) fn column(time: Millis) -> i64 {
    i64::try_from(time).unwrap_or(i64::MAX)
}

/// The reverse of [`column`].
pub(super) fn millis(column: i64) -> Result<Millis, StoreError> {
    Millis::try_from(column).map_err(corrupt)
}

/// The number of an event.
pub(super) fn seq(column: i64) -> Result<u32, StoreError> {
    u32::try_from(column).map_err(corrupt)
}

/// The last time that an id can tell: it has 48 bits of milliseconds.
const LAST_OF_IDS: Millis = (1 << 48) - 1;

/// The least id that a match made then can have: ids of version 7 begin with the time.
pub(super) fn first_id_of(at: Millis) -> Uuid {
    let at = at.min(LAST_OF_IDS);
    let seconds = at / 1_000;
    let nanos = u32::try_from(at % 1_000).expect("less than a thousand") * 1_000_000;
    let mut bytes = *Uuid::new_v7(Timestamp::from_unix(NoContext, seconds, nanos)).as_bytes();
    bytes[6..].fill(0);
    Uuid::from_bytes(bytes)
}

pub(super) const fn state_column(state: MatchState) -> &'static str {
    match state {
        MatchState::Open => "open",
        MatchState::Live => "live",
        MatchState::Finished => "finished",
    }
}

/// The error for a value that cannot be decoded.
#[expect(clippy::needless_pass_by_value, reason = "so that it fits map_err")]
pub(super) fn corrupt(why: impl ToString) -> StoreError {
    StoreError::Corrupt(why.to_string())
}
