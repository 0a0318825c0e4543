//! What is stored of a passkey.

/// How long a credential's id may be, as the standard says.
pub const CREDENTIAL_ID_BYTES_MAX: usize = 1023;

/// How long a public key may be as COSE writes it: RSA with 4096 bits and what stands around it.
pub const KEY_BYTES_MAX: usize = 544;

/// What is stored of a passkey and checked at each assertion.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Credential {
    /// Its id: 1 to [`CREDENTIAL_ID_BYTES_MAX`] bytes.
    pub id: Vec<u8>,
    /// Its public key as COSE writes it, at most [`KEY_BYTES_MAX`] bytes.
    pub cose_key: Vec<u8>,
    /// How many signatures the authenticator had made; always 0 where it does not count.
    pub counter: u32,
    /// Whether it can be on several devices. Never changes.
    pub is_backup_eligible: bool,
    /// Whether it is on several devices.
    pub is_backed_up: bool,
}
