//! What the maker of a seek sees of it.

use lusoria_play::RatingRange;
use lusoria_protocol::{RatingRange as WireRange, Seek as WireSeek};
use lusoria_store::Seek;

/// A seek.
pub fn seek(seek: &Seek) -> WireSeek {
    let terms = seek.terms.clone();
    WireSeek {
        id: seek.id,
        games: terms.games,
        points: terms.points,
        pairs: terms.pairs,
        clocks: terms.clocks,
        bots: terms.bots,
        rated: terms.rated,
        rating: terms.rating.map(|RatingRange { below, above }| WireRange { below, above }),
        created_at: seek.created_at,
        expires_at: seek.expires_at,
        answered: seek.answered,
    }
}
