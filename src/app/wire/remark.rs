//! Remarks as readers see them.

use lusoria_protocol::{Remark as WireRemark, RemarkText};
use lusoria_store::{Remark, Said};

use super::other;

/// A remark.
pub fn remark(Remark { id, of, room, by, said_at, said }: Remark) -> WireRemark {
    let (phrase, text) = match said {
        Said::Phrase(phrase) => (Some(phrase), None),
        Said::Words(words) => (None, Some(RemarkText::given_before(words))),
    };
    WireRemark { id, of, room, from: other::of(&by), said_at, phrase, text }
}
