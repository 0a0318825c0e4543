//! A client as anybody could write one: connections, one that comes back by itself, and a match as
//! it is known from its events. It knows the public API (`protocol`, `wire`) and the rules, and
//! nothing of the server.
//!
//! `lusoria play`, `lusoria bench` and the trials are built on it.

mod connection;
mod error;
mod heard;
mod http;
mod link;
mod match_view;
mod origin;
mod pauses;
mod printable;
mod sitting;
mod stream;

pub use connection::{Connection, open_socket, socket_config};
pub use error::{AskError, Lost};
pub use heard::{Heard, Notice, Numbered};
pub use http::{HttpAnswer, HttpRequest, fetch};
pub use link::{Link, News, passes};
pub use match_view::{MatchView, ViewError};
pub use origin::{BadOrigin, Origin};
pub use printable::printable;
pub use sitting::sit_down;
pub use stream::Stream;
