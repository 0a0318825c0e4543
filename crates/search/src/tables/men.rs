//! The contribution of the pieces to the first layer of a network.

#![expect(clippy::inline_always, reason = "only what is inlined uses the processor's own instructions")]

use lusoria_rules::{Side, tables::Position};

use super::features::{self, PINNABLE, PLACES, STEPS};

/// The number of inputs for a side's pieces: their places in steps, then the cells where one is pinned.
pub(super) const MEN: usize = PLACES * STEPS + PINNABLE;

/// The non-zero inputs of a side's pieces, by their index: the slow way, for training and tests.
pub(super) fn inputs(position: &Position, side: Side, mut push: impl FnMut(usize, f32)) {
    features::each_place(position, side, |place, count| {
        for (step, amount) in features::steps(count).into_iter().enumerate() {
            push(place * STEPS + step, amount);
        }
    });
    let pinned = position.pinned(side);
    for cell in (0..PINNABLE).filter(|cell| pinned >> cell & 1 == 1) {
        push(PLACES * STEPS + cell, 1.0);
    }
}

/// The sums of weights, for one side's pieces.
#[derive(Debug)]
pub(super) struct Men<const UNITS: usize> {
    /// By place and number of pieces.
    by_count: Vec<[f32; UNITS]>,
    /// By pinned cell.
    pinned: Vec<[f32; UNITS]>,
}

impl<const UNITS: usize> Men<UNITS> {
    /// Built from the weights of the side's inputs, of which the first [`MEN`] are those of its pieces.
    pub(super) fn new(rows: &[[f32; UNITS]]) -> Self {
        let mut by_count = Vec::with_capacity(PLACES * 16);
        for place in 0..PLACES {
            for count in 0..16 {
                let mut units = [0.0; UNITS];
                for (step, amount) in features::steps(count).into_iter().enumerate() {
                    for (unit, weight) in units.iter_mut().zip(&rows[place * STEPS + step]) {
                        *unit += weight * amount;
                    }
                }
                by_count.push(units);
            }
        }
        Self { by_count, pinned: rows[PLACES * STEPS..MEN].to_vec() }
    }

    #[inline(always)]
    pub(super) fn add(&self, units: &mut [f32; UNITS], position: &Position, side: Side) {
        features::each_place(position, side, |place, count| {
            add(units, &self.by_count[place * 16 + usize::from(count)]);
        });
        let mut pinned = position.pinned(side);
        while pinned != 0 {
            add(units, &self.pinned[pinned.trailing_zeros() as usize]);
            pinned &= pinned - 1;
        }
    }
}

#[inline(always)]
fn add<const UNITS: usize>(units: &mut [f32; UNITS], row: &[f32; UNITS]) {
    for (unit, weight) in units.iter_mut().zip(row) {
        *unit += weight;
    }
}
