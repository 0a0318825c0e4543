//! How much time a side has.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The clock of a match. It starts afresh in each game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
#[schema(examples(json!({"kind": "fischer", "base_ms": 600_000, "increment_ms": 10_000})))]
pub enum Clock {
    /// No clock. A player who has been gone for ten minutes can be claimed against.
    None {},
    /// A stock of time, and an increment added after every turn.
    Fischer {
        /// The stock: 5 seconds to 3 hours.
        base_ms: u64,
        /// What a turn adds: at most 3 minutes.
        increment_ms: u64,
    },
    /// A stock of time that only runs after the first moments of every turn.
    Delay {
        /// The stock: 5 seconds to 3 hours.
        base_ms: u64,
        /// How long a turn is free: at most 3 minutes.
        delay_ms: u64,
    },
    /// So many days for every turn.
    Days {
        /// 1 to 14.
        days: u8,
    },
}

impl Default for Clock {
    fn default() -> Self {
        Self::None {}
    }
}
