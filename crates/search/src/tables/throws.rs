//! The throws of two or three dice.

use lusoria_rules::Die;

/// A throw, regardless of order.
#[derive(Debug, Clone, PartialEq)]
pub struct Throw {
    /// The dice, the lowest first.
    pub dice: Vec<Die>,
    /// Its probability, 0 to 1.
    pub chance: f32,
}

/// All distinct throws, the likeliest first.
pub fn throws(dice: usize) -> Vec<Throw> {
    let mut throws: Vec<Throw> = vec![Throw { dice: Vec::new(), chance: 1.0 }];
    for _ in 0..dice {
        let mut longer: Vec<Throw> = Vec::new();
        for throw in &throws {
            for die in Die::ALL {
                let mut with = throw.dice.clone();
                with.push(die);
                with.sort_unstable();
                let chance = throw.chance / 6.0;
                match longer.iter_mut().find(|known| known.dice == with) {
                    Some(known) => known.chance += chance,
                    None => longer.push(Throw { dice: with, chance }),
                }
            }
        }
        throws = longer;
    }
    throws.sort_by(|a, b| b.chance.total_cmp(&a.chance).then_with(|| a.dice.cmp(&b.dice)));
    throws
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_21_throws_of_two_dice_and_56_of_three() {
        for (dice, count) in [(2, 21), (3, 56)] {
            let throws = throws(dice);
            assert_eq!(throws.len(), count);
            assert!((throws.iter().map(|throw| throw.chance).sum::<f32>() - 1.0).abs() < 1e-5);
        }
    }
}
