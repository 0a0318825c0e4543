//! Web Push without I/O: builds requests to push services, and checks where they may go.
//!
//! - [`Endpoint`] and [`Hosts`]: the addresses that a browser may name (RFC 8030 itself allows any).
//! - [`Receiver`]: encrypts a message for a browser, so that the push service cannot read it (RFC 8291).
//! - [`ServerKey`]: signs for the server, so that the push service knows the sender (RFC 8292).
//!
//! Pure: the caller hands in the time and the source of randomness, stores the keys and sends the requests.
//!
//! Encryption and signatures are two pages of code on top of `ring`: `web-push` needs OpenSSL and a licence
//! that `deny.toml` refuses, `web-push-native` a second implementation of everything that `ring` has.

mod encryption;
mod endpoint;
mod hosts;
mod receiver;
mod server_key;

pub use encryption::{BODY_BYTES, ContentKeys, HEADER_BYTES, MESSAGE_BYTES_MAX};
pub use endpoint::{ENDPOINT_BYTES_MAX, Endpoint, EndpointError};
pub use hosts::{BadPushHost, Hosts, PushHost};
pub use receiver::{AUTH_BYTES, KEY_BYTES, Receiver, ReceiverError};
pub use server_key::{BadServerKey, ServerKey, Unsigned};
