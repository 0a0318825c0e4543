//! The part of CBOR (RFC 8949) that CTAP2 permits: definite lengths, shortest heads, no tags, few levels.
//!
//! Stricter than a general reader: only one encoding of each value is accepted.

use crate::Error;

/// The deepest nesting of arrays and maps: CTAP2 canonical CBOR permits four levels.
const DEPTH_MAX: u8 = 4;

/// The major types that are distinguished here.
const UNSIGNED: u8 = 0;
const NEGATIVE: u8 = 1;
const BYTES: u8 = 2;
const TEXT: u8 = 3;
const ARRAY: u8 = 4;
const MAP: u8 = 5;
const SIMPLE: u8 = 7;

/// The rest of the input.
pub(crate) struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// The bytes not read yet.
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.0
    }

    /// The next bytes, unchanged.
    pub(crate) fn take(&mut self, count: usize) -> Result<&'a [u8], Error> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(Error::Malformed)?;
        self.0 = rest;
        Ok(taken)
    }

    /// The next bytes, unchanged, as many as the array has.
    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        self.take(N)?.try_into().map_err(|_| Error::Malformed)
    }

    /// Fails if input is left.
    pub(crate) fn end(&self) -> Result<(), Error> {
        if self.0.is_empty() { Ok(()) } else { Err(Error::Malformed) }
    }

    /// The number of pairs in the map that begins here.
    pub(crate) fn map(&mut self) -> Result<u64, Error> {
        self.head_of(MAP)
    }

    /// An integer.
    pub(crate) fn integer(&mut self) -> Result<i64, Error> {
        let (major, value) = self.head()?;
        let value = i64::try_from(value).map_err(|_| Error::Malformed)?;
        match major {
            UNSIGNED => Ok(value),
            NEGATIVE => Ok(-1 - value),
            _ => Err(Error::Malformed),
        }
    }

    /// A byte string.
    pub(crate) fn bytes(&mut self) -> Result<&'a [u8], Error> {
        let count = self.head_of(BYTES)?;
        self.take(usize::try_from(count).map_err(|_| Error::Malformed)?)
    }

    /// A text.
    pub(crate) fn text(&mut self) -> Result<&'a str, Error> {
        let count = self.head_of(TEXT)?;
        let bytes = self.take(usize::try_from(count).map_err(|_| Error::Malformed)?)?;
        std::str::from_utf8(bytes).map_err(|_| Error::Malformed)
    }

    /// Reads a key of a map, which must be this number.
    pub(crate) fn label(&mut self, label: i64) -> Result<(), Error> {
        if self.integer()? == label { Ok(()) } else { Err(Error::Malformed) }
    }

    /// Reads a key of a map, which must be this text.
    pub(crate) fn name(&mut self, name: &str) -> Result<(), Error> {
        if self.text()? == name { Ok(()) } else { Err(Error::Malformed) }
    }

    /// Skips a map with any contents.
    pub(crate) fn skip_map(&mut self) -> Result<(), Error> {
        let pairs = self.map()?;
        self.skip_items(pairs.checked_mul(2).ok_or(Error::Malformed)?, DEPTH_MAX - 1)
    }

    fn skip_items(&mut self, count: u64, depth_left: u8) -> Result<(), Error> {
        // Each takes at least one byte, so a large count ends with the input.
        for _ in 0..count {
            self.skip(depth_left)?;
        }
        Ok(())
    }

    fn skip(&mut self, depth_left: u8) -> Result<(), Error> {
        let (major, value) = self.head()?;
        let items = match major {
            UNSIGNED | NEGATIVE => return Ok(()),
            BYTES | TEXT => {
                return self.take(usize::try_from(value).map_err(|_| Error::Malformed)?).map(drop);
            }
            // False and true.
            SIMPLE if matches!(value, 20 | 21) => return Ok(()),
            ARRAY => value,
            MAP => value.checked_mul(2).ok_or(Error::Malformed)?,
            _ => return Err(Error::Malformed),
        };
        let depth_left = depth_left.checked_sub(1).ok_or(Error::Malformed)?;
        self.skip_items(items, depth_left)
    }

    fn head_of(&mut self, major: u8) -> Result<u64, Error> {
        let (found, value) = self.head()?;
        if found == major { Ok(value) } else { Err(Error::Malformed) }
    }

    /// The major type of the next item and its number, which must have the shortest encoding.
    fn head(&mut self) -> Result<(u8, u64), Error> {
        let [first] = self.array()?;
        let (value, least) = match first & 0x1f {
            small @ 0..24 => (u64::from(small), 0),
            24 => (u64::from(u8::from_be_bytes(self.array()?)), 24),
            25 => (u64::from(u16::from_be_bytes(self.array()?)), 1 << 8),
            26 => (u64::from(u32::from_be_bytes(self.array()?)), 1 << 16),
            27 => (u64::from_be_bytes(self.array()?), 1 << 32),
            _ => return Err(Error::Malformed),
        };
        if value < least { Err(Error::Malformed) } else { Ok((first >> 5, value)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skipped(bytes: &[u8]) -> Result<(), Error> {
        let mut reader = Reader::new(bytes);
        reader.skip_map()?;
        reader.end()
    }

    #[test]
    fn an_integer_is_written_in_one_way() {
        let read = |bytes: &[u8]| Reader::new(bytes).integer();
        assert_eq!(read(&[0x17]), Ok(23));
        assert_eq!(read(&[0x18, 24]), Ok(24));
        assert_eq!(read(&[0x39, 0x01, 0x00]), Ok(-257));
        assert_eq!(read(&[0x18, 23]), Err(Error::Malformed));
        assert_eq!(read(&[0x19, 0, 255]), Err(Error::Malformed));
        assert_eq!(read(&[0x1b, 255, 255, 255, 255, 255, 255, 255, 255]), Err(Error::Malformed));
    }

    #[test]
    fn lengths_are_definite_and_within_the_bytes() {
        assert_eq!(skipped(&[0xa0]), Ok(()));
        assert_eq!(skipped(&[0xbf, 0xff]), Err(Error::Malformed));
        assert_eq!(skipped(&[0xa1, 0x01, 0x42, 0]), Err(Error::Malformed));
        assert_eq!(skipped(&[0xbb, 255, 255, 255, 255, 255, 255, 255, 255]), Err(Error::Malformed));
        assert_eq!(skipped(&[0xbb, 0x7f, 255, 255, 255, 255, 255, 255, 255]), Err(Error::Malformed));
    }

    #[test]
    fn nothing_stands_deeper_than_four_levels() {
        // The map and three arrays; then one more.
        assert_eq!(skipped(&[0xa1, 0x01, 0x81, 0x81, 0x81, 0xf5]), Ok(()));
        assert_eq!(skipped(&[0xa1, 0x01, 0x81, 0x81, 0x81, 0x81, 0xf5]), Err(Error::Malformed));
    }

    #[test]
    fn tags_and_floats_are_refused() {
        assert_eq!(skipped(&[0xa1, 0x01, 0xc0, 0x01]), Err(Error::Malformed));
        assert_eq!(skipped(&[0xa1, 0x01, 0xf9, 0x3c, 0x00]), Err(Error::Malformed));
    }
}
