//! A power cut: each change that was not synced may or may not be on the disk.

use std::{collections::BTreeSet, fs, io, ops::AddAssign, path::Path};

use rand::{RngExt, rngs::StdRng};

use super::changes::{Change, Entry, changes, entries};
use crate::server::read_if_there;

/// The size of a sector, which a disk writes whole or not at all.
const SECTOR: usize = 512;

/// The number of lost writes.
#[derive(Debug, Clone, Copy, Default)]
pub(in super::super) struct LostWrites {
    /// Written sectors, or parts of them, that are lost.
    pub(in super::super) pieces: u64,
    /// Created files that are missing, or removed ones that are back.
    pub(in super::super) entries: u64,
}

impl AddAssign for LostWrites {
    fn add_assign(&mut self, other: Self) {
        self.pieces += other.pieces;
        self.entries += other.entries;
    }
}

/// Reverts the changes in the shim's logs: all of them, or each piece with some probability, so that
/// writes are torn and reordered.
pub(super) fn cut(logs: &Path, folder: &Path, random: &mut StdRng) -> io::Result<LostWrites> {
    let kept_percent = *[0, 0, 10, 50, 90].get(random.random_range(0..5)).expect("five of them");
    let mut keep = || kept_percent > 0 && random.random_ratio(kept_percent, 100);
    let mut lost = LostWrites::default();
    let noted = entries(&read_if_there(&logs.join("entries"))?.unwrap_or_default());
    let names: BTreeSet<_> = names(logs)?;
    for name in &names {
        let (log, file) = (logs.join(format!("{name}.log")), place(logs, folder, name));
        if !file.exists() {
            continue;
        }
        let changes = changes(&read_if_there(&log)?.unwrap_or_default());
        if !changes.is_empty() {
            let mut bytes = fs::read(&file)?;
            lost.pieces += take_back(&mut bytes, &changes, &mut keep);
            fs::write(&file, bytes)?;
        }
    }
    for entry in noted.iter().rev().filter(|_| !keep()) {
        let done = match entry {
            Entry::Made(name) => fs::remove_file(folder.join(name)),
            // A new file of that name that was kept has replaced it.
            Entry::Removed(name, _) if folder.join(name).exists() => continue,
            Entry::Removed(name, number) => {
                fs::rename(logs.join(format!("removed.{number}")), folder.join(name))
            }
        };
        match done {
            Ok(()) => lost.entries += 1,
            // It was created or removed just as the server ended.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    fs::remove_dir_all(logs)?;
    fs::create_dir_all(logs)?;
    Ok(lost)
}

/// The files that have a change log.
fn names(logs: &Path) -> io::Result<BTreeSet<String>> {
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(logs)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        names.extend(name.strip_suffix(".log").map(str::to_owned));
    }
    Ok(names)
}

fn place(logs: &Path, folder: &Path, name: &str) -> std::path::PathBuf {
    if name.starts_with("removed.") { logs.join(name) } else { folder.join(name) }
}

/// Reverts all changes and applies again the pieces to keep. Returns how many are lost.
fn take_back(bytes: &mut Vec<u8>, changes: &[Change], keep: &mut impl FnMut() -> bool) -> u64 {
    for change in changes.iter().rev() {
        bytes.resize(change.before, 0);
        bytes[change.offset.min(change.before)..][..change.old.len()].copy_from_slice(&change.old);
    }
    let mut lost = 0;
    for change in changes {
        let Some(new) = &change.new else {
            if keep() {
                bytes.resize(change.offset, 0);
            } else {
                lost += 1;
            }
            continue;
        };
        for (at, piece) in pieces(change.offset, new) {
            if keep() {
                bytes.resize(bytes.len().max(at + piece.len()), 0);
                bytes[at..at + piece.len()].copy_from_slice(piece);
            } else {
                lost += 1;
            }
        }
    }
    lost
}

/// The part of a write in each sector.
fn pieces(offset: usize, new: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let begin = offset + at;
        let end = (begin / SECTOR + 1) * SECTOR;
        let piece = &new[at..new.len().min(end - offset)];
        at += piece.len();
        (!piece.is_empty()).then_some((begin, piece))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes changes as the shim notes them.
    struct File {
        bytes: Vec<u8>,
        changes: Vec<Change>,
    }

    impl File {
        fn write(&mut self, offset: usize, new: &[u8]) {
            let (before, end) = (self.bytes.len(), (offset + new.len()).min(self.bytes.len()));
            let old = self.bytes.get(offset..end).unwrap_or_default().to_vec();
            self.bytes.resize(before.max(offset + new.len()), 0);
            self.bytes[offset..offset + new.len()].copy_from_slice(new);
            self.changes.push(Change { before, offset, old, new: Some(new.to_vec()) });
        }

        fn set_len(&mut self, length: usize) {
            let (before, old) = (self.bytes.len(), self.bytes.get(length..).unwrap_or_default().to_vec());
            self.bytes.resize(length, 0);
            self.changes.push(Change { before, offset: length, old, new: None });
        }
    }

    fn changed() -> (Vec<u8>, File) {
        let synced = vec![1; 1500];
        let mut file = File { bytes: synced.clone(), changes: Vec::new() };
        file.write(400, &[2; 300]);
        file.write(1400, &[3; 2000]);
        file.set_len(600);
        file.write(2000, &[4; 10]);
        file.set_len(3000);
        (synced, file)
    }

    #[test]
    fn all_or_nothing_can_be_lost() {
        let (synced, file) = changed();
        let mut lost = file.bytes.clone();
        assert!(take_back(&mut lost, &file.changes, &mut || false) > 0);
        assert_eq!(lost, synced);
        let mut kept = file.bytes.clone();
        assert_eq!(take_back(&mut kept, &file.changes, &mut || true), 0);
        assert_eq!(kept, file.bytes);
    }

    #[test]
    fn a_write_is_torn_where_sectors_end() {
        let found: Vec<_> = pieces(500, &[7; 600]).map(|(begin, piece)| (begin, piece.len())).collect();
        assert_eq!(found, [(500, 12), (512, 512), (1024, 76)]);
        assert_eq!(pieces(512, &[]).count(), 0);
    }

    #[test]
    fn a_created_file_is_missing_and_a_removed_one_is_back() {
        use rand::SeedableRng;
        let root = std::env::temp_dir().join(format!("lusoria-cut-{}", std::process::id()));
        let logs = root.join("logs");
        fs::create_dir_all(&logs).unwrap();
        fs::write(root.join("new"), "new").unwrap();
        fs::write(logs.join("removed.1"), "old").unwrap();
        let mut entries = b"C\x03newU\x03old".to_vec();
        entries.extend(1_u64.to_le_bytes());
        // In no case are both there together with what they replaced.
        let mut random = StdRng::seed_from_u64(1);
        fs::write(logs.join("entries"), entries).unwrap();
        let lost = cut(&logs, &root, &mut random).unwrap();
        let is_there = |name: &str| u64::from(root.join(name).exists());
        assert_eq!(lost.entries, (1 - is_there("new")) + is_there("old"));
        assert_eq!(fs::read_dir(&logs).unwrap().count(), 0, "the next server starts with empty logs");
        fs::remove_dir_all(root).unwrap();
    }
}
