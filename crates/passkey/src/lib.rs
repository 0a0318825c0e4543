//! Passkeys: judges what a browser's `navigator.credentials` returns, as W3C WebAuthn level 3 says (§7.1, §7.2).
//!
//! Pure: the caller draws the challenges, spends each once, and stores the credentials. Attestation is not asked
//! for, so that only `none` and self attestation (`packed` without certificates, which browsers pass on) are known.
//!
//! The verifier is our own: `webauthn-rs` brings OpenSSL, a licence that `deny.toml` refuses and many doubled crates,
//! mostly for attestation. So is the CBOR reader: CTAP2 permits few shapes, each in one way only.

mod authenticator_data;
mod cbor;
mod client_data;
mod credential;
mod error;
mod key;
mod response;

pub use credential::{CREDENTIAL_ID_BYTES_MAX, Credential, KEY_BYTES_MAX};
pub use error::Error;
pub use key::{ALGORITHMS, PublicKey};
pub use response::{Asserted, Assertion, Ceremony, Registration};
