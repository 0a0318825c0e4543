//! The laws of every bus, and what each of them does besides.

#![allow(missing_docs, clippy::unwrap_used)]

mod credentials;
mod hub;
mod laws;
mod nats;
mod support;
mod tls;
