//! Widens the hidden layer of a network without changing what it says.

use lusoria_search::{
    Random,
    network::{HIDDEN, Head, Layers, OUTPUTS, Phase, Weights, WeightsError},
};

/// Where the number of hidden units stands in a file of weights.
const AT: std::ops::Range<usize> = 12..14;
/// How far from zero a new unit's weights from the inputs are at most.
const FRESH: f32 = 0.05;

/// Reads a file of weights whose hidden layer has as many units as that of this program, or fewer.
///
/// New units listen to every input a little, drawn from the seed of the weights, and count for nothing:
/// the network says what it said, and learning finds out what they are good for.
///
/// # Errors
///
/// As [`Weights::read`].
pub(super) fn read_widened(bytes: &[u8]) -> Result<Weights, WeightsError> {
    let narrow =
        bytes.get(AT).map_or(HIDDEN, |hidden| usize::from(u16::from_le_bytes([hidden[0], hidden[1]])));
    if narrow >= HIDDEN {
        return Weights::read(bytes);
    }
    let (head, body) = bytes.split_at_checked(Head::LEN).ok_or(WeightsError::Damaged)?;
    let inputs = Layers::LEN / HIDDEN - 1 - OUTPUTS;
    let length = |hidden: usize| (inputs + 1 + OUTPUTS) * hidden + OUTPUTS;
    if body.len() != 4 * Phase::COUNT * length(narrow) {
        return Err(WeightsError::Damaged);
    }
    let mut random = Random::new(
        head.iter().fold(0_u64, |seed, &byte| seed.wrapping_mul(31).wrapping_add(u64::from(byte))),
    );
    let mut wide = head.to_vec();
    wide[AT].copy_from_slice(&u16::try_from(HIDDEN).expect("the network is small").to_le_bytes());
    for layers in body.chunks_exact(4 * length(narrow)) {
        let (units, out_bias) = layers.split_at(4 * (inputs + 1 + OUTPUTS) * narrow);
        for (row, known) in units.chunks_exact(4 * narrow).enumerate() {
            wide.extend(known);
            for _ in narrow..HIDDEN {
                let weight = if row < inputs { (2.0 * random.unit() - 1.0) * FRESH } else { 0.0 };
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
    use crate::tables::{learning::Student, weights::write};

    /// The same file with the first units of the hidden layer alone.
    fn narrowed(weights: &Weights, hidden: usize) -> Vec<u8> {
        let mut bytes = write(&Weights { phases: Vec::new(), ..weights.clone() });
        bytes[AT].copy_from_slice(&u16::try_from(hidden).unwrap().to_le_bytes());
        for layers in &weights.phases {
            let units = layers.rows.iter().chain([&layers.bias]).chain(&layers.out);
            let numbers = units.flat_map(|units| &units[..hidden]).chain(&layers.out_bias);
            bytes.extend(numbers.flat_map(|number| number.to_le_bytes()));
        }
        bytes
    }

    #[test]
    fn a_wider_network_says_what_the_narrow_one_said() {
        let narrow = HIDDEN / 2;
        let mut weights = Weights::read(&Student::new(Game::Scripta, 3).weights()).unwrap();
        for units in weights.phases.iter_mut().flat_map(|layers| &mut layers.out) {
            units[narrow..].fill(0.0);
        }
        let wide = read_widened(&narrowed(&weights, narrow)).unwrap();
        let fresh = &wide.phases[0].rows[0][narrow..];
        assert!(fresh.iter().all(|weight| *weight != 0.0 && weight.abs() <= FRESH), "{fresh:?}");
        let rules = tables::Rules::of(Variant::standard(Game::Scripta)).unwrap();
        let start = tables::Position::start(rules);
        let value = |weights: Weights| Net::new(weights.phases).value(&start, &mut Memory::None);
        let (was, is) = (value(weights.clone()), value(wide));
        assert!((was.win - is.win).abs() < 1e-6, "{was:?} {is:?}");
        assert_eq!(read_widened(&write(&weights)), Ok(weights.clone()));
        let damaged = &narrowed(&weights, narrow)[1..];
        assert!(read_widened(&[damaged, &[0]].concat()).is_err());
    }
}
