//! PNG files (ISO/IEC 15948) with eight bits for each of red, green and blue.

use std::io::Write;

use flate2::{Compression, Crc, write::ZlibEncoder};

use crate::canvas::Canvas;

const SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";

/// Bytes in a pixel.
const PIXEL_BYTES: usize = 3;

/// The picture as a file.
pub(crate) fn encoded(canvas: &Canvas) -> Vec<u8> {
    let (width, height) = canvas.size();
    let mut header = Vec::with_capacity(13);
    header.extend(width.to_be_bytes());
    header.extend(height.to_be_bytes());
    // Eight bits a channel, true colour; the only compression and filter methods; not interlaced.
    header.extend([8, 2, 0, 0, 0]);
    let mut file = SIGNATURE.to_vec();
    chunk(&mut file, *b"IHDR", &header);
    chunk(&mut file, *b"IDAT", &compressed(canvas));
    chunk(&mut file, *b"IEND", &[]);
    file
}

fn compressed(canvas: &Canvas) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    let mut above = vec![0; canvas.size().0 as usize * PIXEL_BYTES];
    for row in canvas.rows() {
        let row = row.as_flattened();
        encoder.write_all(&filtered(row, &above)).expect("memory takes what is written");
        above.copy_from_slice(row);
    }
    encoder.finish().expect("memory takes what is written")
}

/// The row with the filter that gives the smallest differences, by the standard's rule of thumb (12.8).
fn filtered(row: &[u8], above: &[u8]) -> Vec<u8> {
    let left = |at: usize, of: &[u8]| at.checked_sub(PIXEL_BYTES).map_or(0, |at| of[at]);
    let with = |filter: u8| {
        let mut line = Vec::with_capacity(row.len() + 1);
        line.push(filter);
        line.extend((0..row.len()).map(|at| {
            let guess = match filter {
                1 => left(at, row),
                2 => above[at],
                4 => paeth(left(at, row), above[at], left(at, above)),
                _ => 0,
            };
            row[at].wrapping_sub(guess)
        }));
        line
    };
    let rest = |line: &Vec<u8>| {
        line[1..].iter().map(|&byte| u64::from(byte.cast_signed().unsigned_abs())).sum::<u64>()
    };
    [1, 2, 4].map(with).into_iter().min_by_key(rest).expect("there are filters")
}

/// The one of three neighbours that is closest to the prediction (9.4).
fn paeth(left: u8, above: u8, corner: u8) -> u8 {
    let expected = i16::from(left) + i16::from(above) - i16::from(corner);
    let off = |neighbour: u8| (expected - i16::from(neighbour)).abs();
    [left, above, corner].into_iter().min_by_key(|&neighbour| off(neighbour)).expect("three neighbours")
}

fn chunk(file: &mut Vec<u8>, name: [u8; 4], content: &[u8]) {
    let length = u32::try_from(content.len()).expect("a picture is far smaller than 4 GiB");
    file.extend(length.to_be_bytes());
    let checked_from = file.len();
    file.extend(name);
    file.extend(content);
    let mut crc = Crc::new();
    crc.update(&file[checked_from..]);
    file.extend(crc.sum().to_be_bytes());
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::ZlibDecoder;

    use super::*;
    use crate::canvas::{Colour, svg};

    /// The pixels of a file, read as the standard specifies.
    fn decoded(file: &[u8], width: usize) -> Vec<u8> {
        let mut rest = file.strip_prefix(&SIGNATURE).expect("a signature");
        let mut packed = Vec::new();
        while let Some((length, after)) = rest.split_first_chunk::<4>() {
            let length = u32::from_be_bytes(*length) as usize;
            let (named, after) = after.split_at(length + 4);
            let (sum, after) = after.split_first_chunk::<4>().expect("a sum");
            let mut crc = Crc::new();
            crc.update(named);
            assert_eq!(u32::from_be_bytes(*sum), crc.sum());
            if named.starts_with(b"IDAT") {
                packed.extend(&named[4..]);
            }
            rest = after;
        }
        let mut lines = Vec::new();
        ZlibDecoder::new(&*packed).read_to_end(&mut lines).expect("zlib");
        let mut above = vec![0; width * PIXEL_BYTES];
        lines
            .chunks_exact(width * PIXEL_BYTES + 1)
            .flat_map(|line| {
                let mut row: Vec<u8> = Vec::new();
                for (at, &byte) in line[1..].iter().enumerate() {
                    let left = at.checked_sub(PIXEL_BYTES).map_or(0, |at| row[at]);
                    let corner = at.checked_sub(PIXEL_BYTES).map_or(0, |at| above[at]);
                    row.push(byte.wrapping_add(match line[0] {
                        1 => left,
                        2 => above[at],
                        4 => paeth(left, above[at], corner),
                        other => panic!("filter {other}"),
                    }));
                }
                above.clone_from(&row);
                row
            })
            .collect()
    }

    #[test]
    fn an_encoded_picture_can_be_decoded() {
        let mut canvas = Canvas::new(40, 30, Colour::hex(0x00f3_ecdf));
        canvas.fill(&svg("M3 3 37 8 20 28Z"), zeno::Transform::IDENTITY, Colour::hex(0x0093_271a));
        let pixels: Vec<u8> = canvas.rows().flatten().flatten().copied().collect();
        assert_eq!(decoded(&encoded(&canvas), 40), pixels);
    }

    #[test]
    fn the_nearest_neighbour_is_predicted() {
        for (left, above, corner, expected) in
            [(0, 0, 0, 0), (10, 20, 10, 20), (20, 10, 10, 20), (9, 11, 10, 10)]
        {
            assert_eq!(paeth(left, above, corner), expected, "{left} {above} {corner}");
        }
    }
}
