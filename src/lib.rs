//! The server: games of antiquity over HTTP and WebSocket.

pub mod app;
pub mod arena;
pub mod bench;
pub mod bots;
pub mod cli;
pub mod client;
pub mod config;
pub mod http;
pub mod live;
pub mod record;
pub mod replay;
pub mod server;
pub mod store;
pub mod terminal;
pub mod ws;
