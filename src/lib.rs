//! The server: games of antiquity over HTTP and WebSocket.

pub mod app;
pub mod bots;
pub mod cli;
pub mod config;
pub mod http;
pub mod live;
pub mod push;
pub mod server;
pub mod ws;
