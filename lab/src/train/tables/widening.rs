//! Widens a network, its inputs and its hidden layer, without changing its output.

use std::ops::Range;

use lusoria_search::{
    Random,
    network::{HIDDEN, Head, Layers, OUTPUTS, Phase, Weights, WeightsError},
};

/// The bytes of a file of weights with the number of inputs, and those with the number of hidden units.
const INPUTS_AT: Range<usize> = 10..12;
const HIDDEN_AT: Range<usize> = 12..14;
/// The largest absolute weight from an input to a new unit.
const FRESH: f32 = 0.05;

/// Reads a file of weights of a network with as many inputs and hidden units as that of this program, or
/// fewer.
///
/// New units get small weights from every input, drawn from the seed of the weights, and weigh nothing in the
/// output; new inputs, which come after the others, weigh nothing: the output stays the same, and learning
/// finds their weights.
///
/// # Errors
///
/// As [`Weights::read`].
pub(super) fn read_widened(bytes: &[u8]) -> Result<Weights, WeightsError> {
    let (head, body) = bytes.split_at_checked(Head::LEN).ok_or(WeightsError::Damaged)?;
    let short = |at: Range<usize>| usize::from(u16::from_le_bytes([head[at.start], head[at.start + 1]]));
    let inputs = Layers::LEN / HIDDEN - 1 - OUTPUTS;
    let (few, narrow) = (short(INPUTS_AT), short(HIDDEN_AT));
    if few > inputs || narrow == 0 || narrow > HIDDEN || (few, narrow) == (inputs, HIDDEN) {
        return Weights::read(bytes);
    }
    let length = (few + 1 + OUTPUTS) * narrow + OUTPUTS;
    if body.len() != 4 * Phase::COUNT * length {
        return Err(WeightsError::Damaged);
    }
    let mut random = Random::new(
        head.iter().fold(0_u64, |seed, &byte| seed.wrapping_mul(31).wrapping_add(u64::from(byte))),
    );
    let mut wide = head.to_vec();
    for (at, size) in [(INPUTS_AT, inputs), (HIDDEN_AT, HIDDEN)] {
        wide[at].copy_from_slice(&u16::try_from(size).expect("the network is small").to_le_bytes());
    }
    for layers in body.chunks_exact(4 * length) {
        let (units, out_bias) = layers.split_at(4 * (length - OUTPUTS));
        for (row, known) in units.chunks_exact(4 * narrow).enumerate() {
            if row == few {
                wide.extend(std::iter::repeat_n(0_u8, 4 * HIDDEN * (inputs - few)));
            }
            wide.extend(known);
            for _ in narrow..HIDDEN {
                let weight = if row < few { (2.0 * random.unit() - 1.0) * FRESH } else { 0.0 };
                wide.extend(weight.to_le_bytes());
            }
        }
        wide.extend(out_bias);
    }
    Weights::read(&wide)
}

#[cfg(test)]
mod tests {
    use lusoria_rules::{Game, Variant, tables};
    use lusoria_search::network::{Memory, Net};

    use super::*;
    use crate::train::tables::{learning::Student, weights::write};

    /// The same file with only the first inputs and hidden units.
    fn narrowed(weights: &Weights, inputs: usize, hidden: usize) -> Vec<u8> {
        let mut bytes = write(&Weights { phases: Vec::new(), ..weights.clone() });
        for (at, size) in [(INPUTS_AT, inputs), (HIDDEN_AT, hidden)] {
            bytes[at].copy_from_slice(&u16::try_from(size).unwrap().to_le_bytes());
        }
        for layers in &weights.phases {
            let units = layers.rows[..inputs].iter().chain([&layers.bias]).chain(&layers.out);
            let numbers = units.flat_map(|units| &units[..hidden]).chain(&layers.out_bias);
            bytes.extend(numbers.flat_map(|number| number.to_le_bytes()));
        }
        bytes
    }

    #[test]
    fn a_widened_network_keeps_its_output() {
        let narrow = HIDDEN / 2;
        let mut weights =
            Weights::read(&Student::new(Variant::standard(Game::Scripta), 3).weights()).unwrap();
        for units in weights.phases.iter_mut().flat_map(|layers| &mut layers.out) {
            units[narrow..].fill(0.0);
        }
        let inputs = weights.phases[0].rows.len();
        let wide = read_widened(&narrowed(&weights, inputs, narrow)).unwrap();
        let fresh = &wide.phases[0].rows[0][narrow..];
        assert!(fresh.iter().all(|weight| *weight != 0.0 && weight.abs() <= FRESH), "{fresh:?}");
        let rules = tables::Rules::of(Variant::standard(Game::Scripta)).unwrap();
        let start = tables::Position::start(rules);
        let value = |weights: Weights| Net::new(weights.phases).value(&start, &mut Memory::None);
        let (was, is) = (value(weights.clone()), value(wide));
        assert!((was.win - is.win).abs() < 1e-6, "{was:?} {is:?}");
        assert_eq!(read_widened(&write(&weights)), Ok(weights.clone()));
        let damaged = &narrowed(&weights, inputs, narrow)[1..];
        assert!(read_widened(&[damaged, &[0]].concat()).is_err());
        assert!(read_widened(&narrowed(&weights, inputs, 0)).is_err());
    }

    #[test]
    fn new_inputs_weigh_nothing() {
        let mut weights = Weights::read(&Student::new(Variant::standard(Game::Zeno), 3).weights()).unwrap();
        let few = weights.phases[0].rows.len() - 9;
        for layers in &mut weights.phases {
            layers.rows[few..].fill([0.0; HIDDEN]);
        }
        assert_eq!(read_widened(&narrowed(&weights, few, HIDDEN)), Ok(weights));
    }
}
