//! The messages of the WebSocket `/api/v1/socket`.
//!
//! A client sends [`ClientMessage`]s; the first one is `hello`. Each is answered by one
//! [`Reply`] with its `id` as `re`. Events and [`crate::Notice`]s are pushed.

mod client;
mod request;
mod server;

pub use client::{ClientMessage, Nothing, OnLag, Op, Unread};
pub use request::{
    AbortMatch, BuildingMatch, ClaimMatch, CreateAMatch, DrawMatch, EventsOf, GameNamed, Hello, JoinAMatch,
    LegalOf, ListMatches, ListMine, OfMatch, OfSession, RecordOf, RematchMatch, ResignMatch, RulesOf, SeedOf,
    SpendAnInvitation, Switch, TurnOf, Watch,
};
pub use server::{HelloOk, Limits, Pushed, Reply, ServerMessage, WatchOk};
