//! The messages of the WebSocket `/api/v1/socket`.
//!
//! A client sends [`ClientMessage`]s; the first one is `hello`. Each is answered by one
//! [`Reply`] with its `id` as `re`. Events and [`crate::Notice`]s are pushed.

mod api;
mod client;
mod request;
mod server;

pub use api::{ApiRequest, Method, RawJson};
pub use client::{ClientMessage, MatchCommand, Nothing, Op, Unread};
pub use request::{Hello, OfMatch, OnLag, Switch, TalkSwitch, TournamentSwitch, Watch};
pub use server::{HelloOk, Limits, Pushed, Reply, ServerMessage, TournamentHead, WatchOk};
