//! Weights as files: where learning starts, and what it writes.

use std::{fmt::Write as _, sync::LazyLock};

use lusoria_search::evaluation::{GROUPS, HEAD, UNIT, Weights};

/// The weights chosen by hand, where learning starts.
pub(super) fn first() -> &'static Weights {
    static FIRST: LazyLock<Weights> = LazyLock::new(|| {
        Weights::read(include_str!("../../tafl-first.txt")).expect("the tests of learning read it too")
    });
    &FIRST
}

/// The weights as a file, after lines of remarks; [`Weights::read`] says what stands in it.
#[expect(clippy::cast_possible_truncation, reason = "weights are whole numbers of 16 bits")]
pub(super) fn write(weights: &Weights, remarks: &str) -> String {
    let mut text = format!("{HEAD}\n");
    for remark in remarks.lines() {
        writeln!(text, "# {remark}").expect("writing to a string does not fail");
    }
    let mut line = |name: &str, numbers: &mut dyn Iterator<Item = String>| {
        let numbers: Vec<_> = numbers.collect();
        writeln!(text, "{name}: {}", numbers.join(" ")).expect("writing to a string does not fail");
    };
    line("scale", &mut std::iter::once(weights.scale().to_string()));
    line("draw", &mut weights.draw().iter().map(f32::to_string));
    let features = weights.features();
    for group in GROUPS {
        let group_weights = &features[group.first..group.first + group.len];
        line(group.name, &mut group_weights.iter().map(|weight| ((weight * UNIT) as i16).to_string()));
    }
    text
}

#[cfg(test)]
mod tests {
    use lusoria_search::evaluation::{FEATURES, WeightsError};

    use super::*;

    #[test]
    fn weights_are_read_as_they_were_written() {
        let features: [f32; FEATURES] = std::array::from_fn(|index| {
            f32::from(i16::try_from(index * 37 % 200).expect("small")) / 64.0 - 1.5
        });
        let weights = Weights::new(&features, 301.5, [-3.25, 1.5, -0.5]);
        let text = write(&weights, "a remark\nand another");
        assert_eq!(Weights::read(&text), Ok(weights));
        assert_eq!(Weights::read(&text.replace("weights 1", "weights 9")), Err(WeightsError::Head));
        let short = text.replace("tempo: ", "tempo: 3 ");
        assert_eq!(Weights::read(&short), Err(WeightsError::Line { name: "tempo", expected: 1 }));
        let without: Vec<_> = text.lines().filter(|line| !line.starts_with("shut")).collect();
        assert_eq!(Weights::read(&without.join("\n")), Err(WeightsError::Line { name: "shut", expected: 1 }));
    }
}
