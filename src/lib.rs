//! The server: games of antiquity over HTTP and WebSocket.

pub mod live;
pub mod store;
