//! Reads SQLite's WAL to find where its last commit ends (sqlite.org/fileformat2.html, "The Write-Ahead
//! Log").

/// The length of the WAL's header, in bytes.
const HEADER: usize = 32;

/// The length of a frame's header, in bytes.
pub(super) const FRAME_HEADER: usize = 24;

/// The first four bytes, without their last bit, which is the byte order of the checksums.
const MAGIC: u32 = 0x377f_0682;

/// A WAL that was read.
#[derive(Debug)]
pub(super) struct Wal {
    pub(super) page_bytes: usize,
    /// The end of the last committed frame, in bytes.
    pub(super) committed_until: usize,
    /// The beginnings of the committed frames, in bytes.
    pub(super) frames: Vec<usize>,
    /// The checksum of everything up to the end of the last commit.
    pub(super) checksum: [u32; 2],
    salts: [u8; 8],
    big_endian: bool,
}

impl Wal {
    /// Reads a WAL; none if it has no valid header.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let header = bytes.get(..HEADER)?;
        let magic = word(header, 0);
        let big_endian = magic & 1 == 1;
        let checksum = sum(&header[..24], [0, 0], big_endian);
        if magic & !1 != MAGIC || checksum != [word(header, 24), word(header, 28)] {
            return None;
        }
        let mut wal = Self {
            page_bytes: word(header, 8) as usize,
            committed_until: HEADER,
            frames: Vec::new(),
            checksum,
            salts: header[16..24].try_into().expect("eight bytes"),
            big_endian,
        };
        let (mut frames, mut checksum) = (Vec::new(), checksum);
        let mut at = HEADER;
        while let Some(frame) = bytes.get(at..at + FRAME_HEADER + wal.page_bytes) {
            let (header, page) = frame.split_at(FRAME_HEADER);
            checksum = sum(page, sum(&header[..8], checksum, big_endian), big_endian);
            if header[8..16] != wal.salts || checksum != [word(header, 16), word(header, 20)] {
                break;
            }
            frames.push(at);
            at += frame.len();
            if word(header, 4) != 0 {
                wal.committed_until = at;
                wal.frames.append(&mut frames);
                wal.checksum = checksum;
            }
        }
        Some(wal)
    }

    /// A valid frame without a commit, to follow a frame with this checksum.
    pub(super) fn frame(&self, page: u32, content: &[u8], checksum: &mut [u32; 2]) -> Vec<u8> {
        self.commit_frame(page, 0, content, checksum)
    }

    /// A valid frame; with `pages`, the size of the database after it, it is a commit.
    pub(super) fn commit_frame(
        &self,
        page: u32,
        pages: u32,
        content: &[u8],
        checksum: &mut [u32; 2],
    ) -> Vec<u8> {
        let mut frame = [page.to_be_bytes(), pages.to_be_bytes()].concat();
        *checksum = sum(content, sum(&frame, *checksum, self.big_endian), self.big_endian);
        frame.extend(self.salts);
        frame.extend(checksum.iter().flat_map(|part| part.to_be_bytes()));
        frame.extend(content);
        frame
    }
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_be_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}

/// Continues the checksum over pairs of words.
fn sum(bytes: &[u8], [mut one, mut two]: [u32; 2], big_endian: bool) -> [u32; 2] {
    let read = |bytes: &[u8]| {
        let bytes = bytes.try_into().expect("four bytes");
        if big_endian { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) }
    };
    for pair in bytes.chunks_exact(8) {
        one = one.wrapping_add(read(&pair[..4])).wrapping_add(two);
        two = two.wrapping_add(read(&pair[4..])).wrapping_add(one);
    }
    [one, two]
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: u16 = 512;

    /// A WAL with that many frames, some of them commits.
    fn log(commits: &[bool]) -> Vec<u8> {
        let mut bytes = [MAGIC, 3_007_000, u32::from(PAGE), 0, 7, 9].map(u32::to_be_bytes).concat();
        let checksum = sum(&bytes, [0, 0], false);
        bytes.extend(checksum.iter().flat_map(|part| part.to_be_bytes()));
        let wal = Wal::read(&bytes).unwrap();
        let mut checksum = wal.checksum;
        for (page, &commit) in (1_u8..).zip(commits) {
            let content = [page; PAGE as usize];
            bytes.extend(wal.commit_frame(page.into(), u32::from(commit), &content, &mut checksum));
        }
        bytes
    }

    #[test]
    fn the_last_commit_ends_where_its_frame_ends() {
        let frame = FRAME_HEADER + usize::from(PAGE);
        for (commits, expected) in [
            (&[][..], 0),
            (&[true], 1),
            (&[false], 0),
            (&[false, true, false, false], 2),
            (&[true, true, false, true], 4),
        ] {
            let wal = Wal::read(&log(commits)).unwrap();
            assert_eq!(wal.committed_until, HEADER + expected * frame, "{commits:?}");
            assert_eq!(wal.frames.len(), expected);
        }
    }

    #[test]
    fn a_torn_frame_ends_the_log() {
        let whole = log(&[true, true, true]);
        let frame = FRAME_HEADER + usize::from(PAGE);
        assert_eq!(Wal::read(&whole[..whole.len() - 1]).unwrap().frames.len(), 2);
        let mut flipped = whole.clone();
        flipped[HEADER + frame + 100] ^= 1;
        assert_eq!(Wal::read(&flipped).unwrap().frames.len(), 1, "the second is wrong");
        let mut salted = whole;
        salted[HEADER + 8] ^= 1;
        assert_eq!(Wal::read(&salted).unwrap().frames.len(), 0, "it is of another log");
        assert!(Wal::read(&salted[..HEADER - 1]).is_none());
    }
}
