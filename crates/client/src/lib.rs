//! A client library for the public API: connections, a link that reconnects by itself, and a view of a match
//! that follows its events. It knows the public API (`protocol`, `wire`) and the rules, and nothing else of
//! the server.
//!
//! `lusoria play`, `lusoria-lab bench` and the trials are built on it.

mod connection;
mod error;
mod http;
mod http_connection;
mod http_guest;
mod http_lines;
mod incoming;
mod link;
mod match_view;
mod origin;
mod pauses;
mod printable;
#[cfg(test)]
mod scripted_server;
mod start_match;
mod stream;

pub use connection::{Connection, open_socket, socket_config};
pub use error::{ConnectionError, RequestError};
pub use http::{ByteStream, HttpAnswer, HttpRequest, fetch};
pub use http_connection::HttpConnection;
pub use http_guest::HttpGuest;
pub use http_lines::LineStream;
pub use incoming::{EventMessage, Incoming, Notice};
pub use link::{Link, LinkEvent, passes};
pub use match_view::{MatchView, ViewError};
pub use origin::{BadOrigin, Origin};
pub use printable::printable;
pub use start_match::start_match;
pub use stream::{Stream, connect, tcp};
