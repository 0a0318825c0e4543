//! The laws of every bus, and the particular behaviour of each.

#![allow(missing_docs, clippy::unwrap_used)]

mod credentials;
mod hub;
mod laws;
mod nats;
mod support;
mod tls;
