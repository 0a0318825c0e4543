//! Records of matches as files: JSON (`lusoria-record-1`) and text (`lusoria-text-1`),
//! read and written (docs/record.md).
//!
//! A record as JSON says of every event all that there is to say. As text it says what the
//! players asked for and what came by chance; the reader plays the match again and
//! has the rest from the rules. Either can be made into the other without loss, but for
//! what the text leaves out: what the computer thinks of a match, and calls of tablut that
//! are not those of today.

mod file;
mod form;
pub mod proof;
pub mod replay;
mod sent;
pub mod text;

pub use file::{BYTES_MAX, Format, Unreadable, Written, read, to_text};
pub use sent::{EVENTS_SENT_MAX, judged};
