//! A client of a server, as anybody could write one: it knows the public API and the
//! rules, and nothing of the server that it talks to.
//!
//! The load generator, the trials and `lusoria play` play with it.

mod connection;
mod error;
mod fetch;
mod heard;
mod link;
mod origin;
mod pauses;
mod printable;
mod sitting;
mod stream;
mod table;

pub use connection::{Connection, open_socket, socket_config};
pub use error::{AskError, Lost};
pub use fetch::fetch;
pub use heard::{Heard, Notice, Numbered};
pub use link::{Link, News, passes};
pub use origin::{BadOrigin, Origin};
pub use printable::printable;
pub use sitting::{SitError, sit_down};
pub use stream::Stream;
pub use table::{NoTable, Table, Waiting};
