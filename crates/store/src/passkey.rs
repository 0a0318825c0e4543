//! Passkeys: keys with which people sign in in place of a password.

use lusoria_passkey::Credential;
use lusoria_play::{Millis, PasskeyId, PlayerId};

/// How many passkeys an account can have.
pub const PASSKEYS_PER_GUEST_MAX: u32 = 10;

/// A passkey.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passkey {
    /// Its id, which is unique.
    pub id: PasskeyId,
    /// Whose account it is for.
    pub guest: PlayerId,
    /// What its owner calls it.
    pub name: String,
    /// What is checked when it is used. No two passkeys have the same `id` here.
    pub credential: Credential,
    /// When it was added.
    pub created_at: Millis,
    /// When it was last used.
    pub used_at: Option<Millis>,
}

/// What became of a passkey to be stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PasskeyAddition {
    /// It was stored.
    Added,
    /// The account has as many as it can have.
    TooMany,
    /// It is stored already.
    Known,
    /// The proof no longer holds, or the session has ended.
    NotProven,
}

/// What became of a passkey to be removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PasskeyRemoval {
    /// It was removed.
    Removed,
    /// The account has none with that id.
    NotFound,
    /// It is the only one, and the account has no password to sign in with instead.
    LastWayIn,
    /// The proof no longer holds, or the session has ended.
    NotProven,
}

/// A use of a passkey, as it was judged.
#[derive(Debug, Clone, Copy)]
pub struct PasskeyUse {
    /// Which.
    pub id: PasskeyId,
    /// The counter that it was judged by. If it is another by now, nothing changes.
    pub counter_before: u32,
    /// The counter from now on.
    pub counter: u32,
    /// Whether it is on several devices now.
    pub is_backed_up: bool,
    /// When.
    pub at: Millis,
}

/// What a new password takes away, beside other sessions and the device code.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Revoking {
    /// All API tokens.
    pub api_tokens: bool,
    /// All passkeys.
    pub passkeys: bool,
}
