//! The stored data of a passkey.

/// The longest id of a credential by the standard, in bytes.
pub const CREDENTIAL_ID_BYTES_MAX: usize = 1023;

/// The longest public key in COSE, in bytes: RSA with 4096 bits and its wrapping.
pub const KEY_BYTES_MAX: usize = 544;

/// The data of a passkey that is stored, and checked at each assertion.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Credential {
    /// Its id: 1 to [`CREDENTIAL_ID_BYTES_MAX`] bytes.
    pub id: Vec<u8>,
    /// Its public key in COSE, at most [`KEY_BYTES_MAX`] bytes.
    pub cose_key: Vec<u8>,
    /// The authenticator's count of signatures; always 0 if it does not count.
    pub counter: u32,
    /// Whether it can be on several devices. Never changes.
    pub is_backup_eligible: bool,
    /// Whether it is on several devices.
    pub is_backed_up: bool,
}
