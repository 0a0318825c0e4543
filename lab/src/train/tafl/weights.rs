//! The weights from which learning starts.

use std::sync::LazyLock;

use lusoria_search::evaluation::Weights;

/// The weights chosen by hand, from which learning starts.
pub(super) fn first() -> &'static Weights {
    static FIRST: LazyLock<Weights> = LazyLock::new(|| {
        Weights::read(include_str!("../../../tafl-first.txt")).expect("the tests of learning read it too")
    });
    &FIRST
}

#[cfg(test)]
mod tests {
    use lusoria_search::evaluation::{FEATURES, UNITS, Unit, WeightsError};

    use super::*;

    #[test]
    fn weights_are_read_as_they_were_written() {
        let features: [f32; FEATURES] = std::array::from_fn(|index| {
            f32::from(i16::try_from(index * 37 % 200).expect("small")) / 64.0 - 1.5
        });
        let units: [Unit; UNITS] = std::array::from_fn(|unit| Unit {
            features: features.map(|weight| weight / (unit + 2) as f32),
            worth: unit as f32 - 3.5,
        });
        let weights = Weights::new(&features, &units, 301.5);
        let text = weights.write("a remark\nand another");
        assert_eq!(Weights::read(&text), Ok(weights));
        assert_eq!(Weights::read(&text.replace("weights 3", "weights 9")), Err(WeightsError::Head));
        let short = text.replace("tempo: ", "tempo: 3 ");
        assert_eq!(Weights::read(&short), Err(WeightsError::Line { name: "tempo", expected: 1 }));
        let without: Vec<_> = text.lines().filter(|line| !line.starts_with("shut")).collect();
        assert_eq!(Weights::read(&without.join("\n")), Err(WeightsError::Line { name: "shut", expected: 1 }));
    }
}
