//! The messages of the WebSocket `/api/v1/socket`.
//!
//! A client sends [`ClientMessage`]s; the first one is `hello`. Each is answered by one
//! [`Reply`] with its `id` as `re`. Events and [`crate::Notice`]s are pushed.

mod client;
mod request;
mod server;

pub use client::{ClientMessage, MatchCommand, Nothing, Op, Unread};
pub use request::{
    EventsOf, GameNamed, Hello, ListMatches, ListMine, OfChallenge, OfMatch, OfSeek, OfSession, OnLag,
    RecordOf, Switch, TalkSwitch, Watch,
};
pub use server::{HelloOk, Limits, Pushed, Reply, ServerMessage, WatchOk};
