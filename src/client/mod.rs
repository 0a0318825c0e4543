//! A client of a server, as anybody could write one: it knows the public API and the
//! rules, and nothing of the server that it talks to.
//!
//! The load generator and the trials play with it.

mod connection;
mod error;
mod heard;
mod origin;
mod sitting;
mod table;

pub use connection::{Connection, open_socket, socket_config};
pub use error::{AskError, Lost};
pub use heard::{Heard, Notice, Numbered};
pub use origin::{BadOrigin, Origin};
pub use sitting::{SitError, sit_down};
pub use table::{NoTable, Table, Waiting};
