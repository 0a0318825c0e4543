//! What the training of a dictionary needs (`cargo lab dictionary`): texts as they are packed, and how
//! long they are then.

use lusoria_play::Recorded;
use zstd::dict::EncoderDictionary;

use super::packed::{self, LEVEL, compress_with};
use crate::{Card, StoreError, append_row::AppendRow};

/// The dictionary with which matches are packed now.
pub const PRESENT: &[u8] = packed::DICTIONARY;

/// The text of a journal, from its first event on.
///
/// # Errors
/// If these are not the events of whole appends in order.
pub fn text_of_journal(journal: &[Recorded]) -> Result<String, StoreError> {
    let appends = journal.chunk_by(|one, next| one.first == next.first);
    let appends = appends.map(|append| AppendRow::of(append[0].first.saturating_sub(1), append));
    Ok(packed::text_of(&appends.collect::<Result<Vec<_>, _>>()?))
}

/// The text of a card.
pub fn text_of_card(card: &Card) -> String {
    card.to_json()
}

/// How many bytes a text has when it is packed with a dictionary; with an empty one, without any.
///
/// # Errors
/// If it is too long.
pub fn packed_len(text: &str, dictionary: &[u8]) -> Result<usize, StoreError> {
    Ok(compress_with(&EncoderDictionary::copy(dictionary, LEVEL), text.as_bytes())?.len())
}

#[cfg(test)]
mod tests {
    use lusoria_play::Event;

    use super::*;

    #[test]
    fn a_text_is_as_long_as_what_is_stored_of_it() {
        let event: Event = serde_json::from_str(r#"{"type":"draw_offered","seat":1}"#).expect("an event");
        let recorded = |seq, first| Recorded { seq, first, at: 1_700_000_000_000, event: event.clone() };
        let journal = [recorded(1, 1), recorded(2, 2), recorded(3, 2)];
        let text = text_of_journal(&journal).expect("whole appends");
        assert_eq!(text.lines().count(), 2, "{text}");
        let appends = [AppendRow::of(0, &journal[..1]), AppendRow::of(1, &journal[1..])];
        let appends = appends.map(|append| append.expect("an append"));
        let stored = packed::pack(&appends).expect("packed");
        assert_eq!(packed_len(&text, PRESENT).expect("packed"), stored.len());
        assert!(packed_len(&text, &[]).expect("packed") > stored.len(), "the dictionary helps");
    }
}
