//! Packs square tables of numbers that change little from one to the next.
//!
//! Each number is predicted from the ones beside and above it, as lossless picture formats do (M. Weinberger,
//! G. Seroussi, G. Sapiro, *LOCO-I*, 1996), and the difference is written in a Rice code, whose parameter is
//! at the beginning of each row. Numbers that are never read are not written; they are unpacked as predicted.

/// Bits of a row's parameter.
const PARAMETER_BITS: u32 = 4;
/// This many ones announce that the whole difference follows.
const LONG: u32 = 24;
/// Bits of a whole difference.
const WHOLE_BITS: u32 = 17;

/// Packs a square table of this width, without the numbers that are not `wanted`, by row and column.
pub(super) fn pack(numbers: &[u16], width: usize, wanted: impl Fn(usize, usize) -> bool) -> Vec<u8> {
    let mut known = vec![0; numbers.len()];
    let mut bits = Writer::default();
    for row in 0..width {
        let mut differences = Vec::with_capacity(width);
        for column in 0..width {
            let (at, foreseen) = (row * width + column, foresee(&known, width, row, column));
            known[at] = foreseen;
            if wanted(row, column) {
                known[at] = numbers[at];
                differences.push(fold(i32::from(numbers[at]) - i32::from(foreseen)));
            }
        }
        let cost = |parameter: &u32| -> u64 {
            differences.iter().map(|&difference| u64::from(code_bits(difference, *parameter))).sum()
        };
        let parameter = (0..1 << PARAMETER_BITS).min_by_key(cost).expect("there are parameters");
        bits.write(parameter, PARAMETER_BITS);
        for difference in differences {
            bits.write_code(difference, parameter);
        }
    }
    bits.bytes
}

/// The reverse of [`pack`]; none if there are too few or too many bytes.
pub(super) fn unpack(bytes: &[u8], width: usize, wanted: impl Fn(usize, usize) -> bool) -> Option<Vec<u16>> {
    let mut bits = Reader { bytes, at: 0 };
    let mut numbers = vec![0; width * width];
    for row in 0..width {
        let parameter = bits.read(PARAMETER_BITS)?;
        for column in 0..width {
            let foreseen = foresee(&numbers, width, row, column);
            numbers[row * width + column] = if wanted(row, column) {
                let difference = unfold(bits.read_code(parameter)?);
                u16::try_from(i32::from(foreseen) + difference).ok()?
            } else {
                foreseen
            };
        }
    }
    (bits.at.div_ceil(8) == bytes.len()).then_some(numbers)
}

/// Predicts a number from those before it: the plane through its neighbours, limited by the two nearest.
fn foresee(numbers: &[u16], width: usize, row: usize, column: usize) -> u16 {
    let at = row * width + column;
    match (row, column) {
        (0, 0) => 0,
        (0, _) => numbers[at - 1],
        (_, 0) => numbers[at - width],
        (_, _) => {
            let (beside, above, corner) = (numbers[at - 1], numbers[at - width], numbers[at - width - 1]);
            if corner >= beside.max(above) {
                beside.min(above)
            } else if corner <= beside.min(above) {
                beside.max(above)
            } else {
                // The corner lies between them, so no step overflows.
                beside.max(above) - (corner - beside.min(above))
            }
        }
    }
}

/// Maps signed differences to unsigned numbers: 0, -1, 1, -2, 2.
fn fold(difference: i32) -> u32 {
    let twice = difference.unsigned_abs() * 2;
    if difference < 0 { twice - 1 } else { twice }
}

/// The reverse of [`fold`].
fn unfold(folded: u32) -> i32 {
    let half = i32::try_from(folded.div_ceil(2)).expect("differences are small");
    if folded.is_multiple_of(2) { half } else { -half }
}

/// The number of bits in the code of a number.
fn code_bits(number: u32, parameter: u32) -> u32 {
    let ones = number >> parameter;
    if ones < LONG { ones + 1 + parameter } else { LONG + WHOLE_BITS }
}

#[derive(Debug, Default)]
struct Writer {
    bytes: Vec<u8>,
    /// How many bits of the last byte are used.
    taken: u32,
}

impl Writer {
    /// Writes the lowest bits of a number, the highest of them first.
    fn write(&mut self, number: u32, count: u32) {
        for bit in (0..count).rev() {
            if self.taken.is_multiple_of(8) {
                self.bytes.push(0);
                self.taken = 0;
            }
            if number >> bit & 1 == 1 {
                *self.bytes.last_mut().expect("one was pushed") |= 0x80 >> self.taken;
            }
            self.taken += 1;
        }
    }

    fn write_code(&mut self, number: u32, parameter: u32) {
        let ones = number >> parameter;
        if ones < LONG {
            self.write(u32::MAX << 1, ones + 1);
            self.write(number, parameter);
        } else {
            self.write(u32::MAX, LONG);
            self.write(number, WHOLE_BITS);
        }
    }
}

#[derive(Debug)]
struct Reader<'a> {
    bytes: &'a [u8],
    /// The number of bits read.
    at: usize,
}

impl Reader<'_> {
    /// Reads a number of this many bits, at most 25; none if the bytes end first.
    fn read(&mut self, count: u32) -> Option<u32> {
        if self.at + count as usize > 8 * self.bytes.len() {
            return None;
        }
        let number = self.peek().unbounded_shr(32 - count);
        self.at += count as usize;
        Some(number)
    }

    /// The next 25 bits or more as the highest bits of a number, zeros after the end.
    fn peek(&self) -> u32 {
        let next = |index| self.bytes.get(self.at / 8 + index).copied().unwrap_or(0);
        u32::from_be_bytes(std::array::from_fn(next)) << (self.at % 8)
    }

    fn read_code(&mut self, parameter: u32) -> Option<u32> {
        let ones = self.peek().leading_ones();
        if ones >= LONG {
            self.read(LONG)?;
            return self.read(WHOLE_BITS);
        }
        self.read(ones + 1)?;
        Some(ones << parameter | self.read(parameter)?)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn packing_is_reversible(width in 1..12_usize, steep in 0..17_u32, seed: u64, skipped in 2..9_usize) {
            let mut random = crate::Random::new(seed);
            let numbers: Vec<u16> =
                (0..width * width).map(|_| u16::try_from(random.below(1 << steep)).unwrap()).collect();
            let wanted = |row: usize, column: usize| !(row + column).is_multiple_of(skipped);
            let packed = pack(&numbers, width, wanted);
            let back = unpack(&packed, width, wanted).unwrap();
            for (at, (was, is)) in numbers.iter().zip(&back).enumerate() {
                prop_assert!(was == is || !wanted(at / width, at % width), "{at}: {was} {is}");
            }
            prop_assert_eq!(unpack(&packed[..packed.len() - 1], width, wanted), None);
            prop_assert_eq!(unpack(&[&packed[..], &[0]].concat(), width, wanted), None);
        }
    }

    #[test]
    fn a_plane_takes_a_bit_a_number() {
        let plane: Vec<u16> =
            (0..100_u16).flat_map(|row| (0..100_u16).map(move |column| 40 * row + 7 * column)).collect();
        assert!(pack(&plane, 100, |_, _| true).len() < 8_000);
        let flat = vec![500; 10_000];
        assert!(pack(&flat, 100, |_, _| true).len() < 10_000 / 8 + 100);
    }
}
