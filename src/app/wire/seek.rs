//! Seeks, as the seeker and others see them.

use lusoria_play::RatingRange;
use lusoria_protocol::{RatingRange as WireRange, Seek as WireSeek};
use lusoria_store::{Seek, WaitingSeek};

use super::other;

/// A seek of somebody else.
pub fn seek_of_other(WaitingSeek { seek: of, player }: &WaitingSeek) -> WireSeek {
    WireSeek { by: Some(other(player)), ..seek(of) }
}

/// A seek, for the seeker.
pub fn seek(seek: &Seek) -> WireSeek {
    let terms = seek.terms.clone();
    WireSeek {
        id: seek.id,
        by: None,
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
