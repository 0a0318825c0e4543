//! What the maker of a seek sees of it.

use lusoria_protocol::Seek as WireSeek;
use lusoria_store::Seek;

/// A seek.
pub fn seek(seek: &Seek) -> WireSeek {
    let terms = seek.terms.clone();
    WireSeek {
        id: seek.id,
        games: terms.games,
        points: terms.points,
        clocks: terms.clocks,
        bots: terms.bots,
        created_at: seek.created_at,
        expires_at: seek.expires_at,
        answered: seek.answered,
    }
}
