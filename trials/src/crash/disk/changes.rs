//! The shim's change logs: the changes that have not been synced, in order.

/// A change of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Change {
    /// The length of the file before it.
    pub(super) before: usize,
    /// Its first byte; for a new length, that length.
    pub(super) offset: usize,
    /// The bytes before.
    pub(super) old: Vec<u8>,
    /// The bytes written; none if the length was set.
    pub(super) new: Option<Vec<u8>>,
}

/// A change of the folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Entry {
    /// A file was created.
    Made(String),
    /// A file was removed; its content is kept under this number.
    Removed(String, u64),
}

/// Reads the changes of a file. Ignores an incomplete last one: the server died while it was being noted, and
/// did not write it.
pub(super) fn changes(mut log: &[u8]) -> Vec<Change> {
    let mut changes = Vec::new();
    while let Some(change) = change(&mut log) {
        changes.push(change);
    }
    changes
}

/// Reads the changes of the folder.
pub(super) fn entries(mut log: &[u8]) -> Vec<Entry> {
    let mut entries = Vec::new();
    while let Some(entry) = entry(&mut log) {
        entries.push(entry);
    }
    entries
}

fn change(log: &mut &[u8]) -> Option<Change> {
    let kind = take(log, 1)?[0];
    let (offset, length) = (number(log)?, number(log)?);
    let (before, old_length) = (number(log)?, number(log)?);
    let old = take(log, old_length)?.to_vec();
    let new = if kind == b'W' { Some(take(log, length)?.to_vec()) } else { None };
    Some(Change { before, offset, old, new })
}

fn entry(log: &mut &[u8]) -> Option<Entry> {
    let head = take(log, 2)?;
    let name = String::from_utf8(take(log, head[1].into())?.to_vec()).ok()?;
    if head[0] == b'C' { Some(Entry::Made(name)) } else { Some(Entry::Removed(name, number(log)? as u64)) }
}

fn number(log: &mut &[u8]) -> Option<usize> {
    let bytes = take(log, 8)?.try_into().expect("eight bytes");
    usize::try_from(u64::from_le_bytes(bytes)).ok()
}

fn take<'a>(log: &mut &'a [u8], length: usize) -> Option<&'a [u8]> {
    let (taken, rest) = log.split_at_checked(length)?;
    *log = rest;
    Some(taken)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_is_read_up_to_an_incomplete_change() {
        let word = |number: u64| number.to_le_bytes();
        let mut log = vec![b'W'];
        log.extend([word(2), word(3), word(4), word(2)].concat());
        log.extend(b"oo");
        log.extend(b"new");
        log.push(b'T');
        log.extend([word(1), word(0), word(5), word(4)].concat());
        log.extend(b"tail");
        let write = Change { before: 4, offset: 2, old: b"oo".to_vec(), new: Some(b"new".to_vec()) };
        let set = Change { before: 5, offset: 1, old: b"tail".to_vec(), new: None };
        assert_eq!(changes(&log), [write.clone(), set]);
        assert_eq!(changes(&log[..log.len() - 1]), [write]);
    }

    #[test]
    fn the_folder_has_a_log_too() {
        let mut log = b"C\x02dbU\x03wal".to_vec();
        log.extend(7_u64.to_le_bytes());
        assert_eq!(entries(&log), [Entry::Made("db".to_owned()), Entry::Removed("wal".to_owned(), 7)]);
    }
}
