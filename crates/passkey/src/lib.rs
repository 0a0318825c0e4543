//! Passkeys: verifies the results of a browser's `navigator.credentials`, as W3C WebAuthn level 3 specifies
//! (§7.1, §7.2).
//!
//! Pure: the caller draws the challenges, spends each once, and stores the credentials. Attestation is not
//! requested, so only `none` and self attestation (`packed` without certificates, which browsers pass on) are
//! supported.
//!
//! The verifier is our own: `webauthn-rs` needs OpenSSL, a licence that `deny.toml` refuses and many
//! duplicate crates, mostly for attestation. The CBOR reader is our own too: CTAP2 permits few shapes, each
//! with one encoding.

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
