//! Tournaments as the wire has them.

mod event;
mod refusal;
mod settings;
mod shown;
mod tables;

pub use event::{event, why_bye};
pub use refusal::{readable_reason, refused};
pub use settings::{change, code_hash, readable_description, readable_name, settings};
pub use shown::{Names, card, tournament, tournament_call};
pub use tables::{entrants, pairings, presence_of, standings};
