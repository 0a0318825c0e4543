//! A small network: inputs, one hidden layer, four chances.
//!
//! Sums have the same bits on every processor, although newer ones add more numbers at a time: the order of
//! additions is fixed and nothing is fused. Only `exp`, which turns a sum into a chance, is the system's own.

#![expect(clippy::inline_always, reason = "only what is inlined uses the processor's own instructions")]

use lusoria_rules::tables::Position;

use super::{
    features::{self, COMMON, INPUTS, Phase, ROLE, TRAITS},
    men::{self, MEN, Men},
};
use crate::Value;

/// Units of the hidden layer.
pub const HIDDEN: usize = 128;
/// Win, win double, lose double, draw.
pub const OUTPUTS: usize = 4;

/// The hidden layer, before or after its activation.
pub type Units = [f32; HIDDEN];

/// The weights of one phase, for training.
#[derive(Debug, Clone, PartialEq)]
pub struct Layers {
    /// From each input to the hidden layer.
    pub rows: Vec<Units>,
    /// The bias of the hidden layer.
    pub bias: Units,
    /// From the hidden layer to each output.
    pub out: [Units; OUTPUTS],
    /// The bias of the outputs.
    pub out_bias: [f32; OUTPUTS],
}

impl Layers {
    /// The number of weights.
    pub const LEN: usize = INPUTS * HIDDEN + HIDDEN + OUTPUTS * HIDDEN + OUTPUTS;

    /// All weights zero.
    pub fn zero() -> Self {
        Self {
            rows: vec![[0.0; HIDDEN]; INPUTS],
            bias: [0.0; HIDDEN],
            out: [[0.0; HIDDEN]; OUTPUTS],
            out_bias: [0.0; OUTPUTS],
        }
    }

    /// The weights in order.
    pub fn numbers(&self) -> impl Iterator<Item = &f32> {
        self.rows.iter().flatten().chain(&self.bias).chain(self.out.iter().flatten()).chain(&self.out_bias)
    }

    /// The weights in order, mutable.
    pub fn numbers_mut(&mut self) -> impl Iterator<Item = &mut f32> {
        self.rows
            .iter_mut()
            .flatten()
            .chain(&mut self.bias)
            .chain(self.out.iter_mut().flatten())
            .chain(&mut self.out_bias)
    }

    /// The chances for these hidden units, given before their activation.
    #[inline(always)]
    pub fn outputs(&self, units: &Units) -> [f32; OUTPUTS] {
        let mut sums = self.out_bias;
        for (sum, row) in sums.iter_mut().zip(&self.out) {
            let mut parts = [0.0; 8];
            for (unit, weight) in units.chunks_exact(8).zip(row.chunks_exact(8)) {
                for ((part, unit), weight) in parts.iter_mut().zip(unit).zip(weight) {
                    *part += unit.max(0.0) * weight;
                }
            }
            *sum += parts.iter().sum::<f32>();
        }
        sums.map(sigmoid)
    }
}

/// A network that is ready to evaluate positions.
#[derive(Debug)]
pub struct Net {
    phases: Vec<Ready>,
    processor: pulp::Arch,
}

/// The layers of one phase, with precomputed sums for each number of pieces on a place.
#[derive(Debug)]
struct Ready {
    layers: Layers,
    /// By role.
    men: [Men<HIDDEN>; 2],
}

impl Net {
    /// Prepares the network from one set of layers for each phase.
    ///
    /// # Panics
    ///
    /// If their number is not the number of phases.
    pub fn new(phases: Vec<Layers>) -> Self {
        assert_eq!(phases.len(), Phase::COUNT, "every phase has its layers");
        Self { phases: phases.into_iter().map(Ready::new).collect(), processor: pulp::Arch::new() }
    }

    /// The layers of a phase.
    #[cfg(test)]
    pub(crate) fn layers(&self, phase: Phase) -> &Layers {
        &self.phases[phase as usize].layers
    }

    /// The network's value for the side to move. Its sums have the same bits on every processor, although a
    /// newer one adds more numbers at a time; `exp` is the system's.
    pub fn value(&self, position: &Position, memory: &mut Memory) -> Value {
        self.processor.dispatch(|| self.value_inlined(position, memory))
    }

    #[inline(always)]
    fn value_inlined(&self, position: &Position, memory: &mut Memory) -> Value {
        let phase = Phase::of(position);
        let ready = &self.phases[phase as usize];
        let me = position.to_move();
        let mut units = match memory {
            Some((known, of, units))
                if *of == phase && known.to_move() == me && known.same_men(position, me) =>
            {
                *units
            }
            _ => {
                let mut units = ready.layers.bias;
                ready.men[0].add(&mut units, position, me);
                *memory = Some((*position, phase, units));
                units
            }
        };
        ready.men[1].add(&mut units, position, me.other());
        let traits = [me, me.other()].map(|side| features::traits(position, side));
        for (role, traits) in traits.iter().enumerate() {
            add_some(&mut units, &ready.layers.rows[role * ROLE + MEN..], traits);
        }
        add_some(
            &mut units,
            &ready.layers.rows[2 * ROLE..],
            &features::common(position, phase, &traits[0], &traits[1]),
        );
        value(ready.layers.outputs(&units))
    }
}

/// The sum for the pieces of the side to move in the last evaluated position: the ends of one turn share
/// them.
pub type Memory = Option<(Position, Phase, Units)>;

impl Ready {
    fn new(layers: Layers) -> Self {
        let men = [0, 1].map(|role| Men::new(&layers.rows[role * ROLE..]));
        Self { layers, men }
    }
}

/// Every non-zero input by its index: the slow way, for training and tests.
pub fn inputs(position: &Position) -> Vec<(u16, f32)> {
    let mut inputs = Vec::with_capacity(96);
    let mut push = |index: usize, amount: f32| {
        if amount != 0.0 {
            inputs.push((u16::try_from(index).expect("there are few inputs"), amount));
        }
    };
    let me = position.to_move();
    let traits: [[f32; TRAITS]; 2] = [me, me.other()].map(|side| features::traits(position, side));
    for (role, side) in [me, me.other()].into_iter().enumerate() {
        let first = role * ROLE;
        men::inputs(position, side, |index, amount| push(first + index, amount));
        for (index, amount) in traits[role].into_iter().enumerate() {
            push(first + MEN + index, amount);
        }
    }
    let common: [f32; COMMON] = features::common(position, Phase::of(position), &traits[0], &traits[1]);
    for (index, amount) in common.into_iter().enumerate() {
        push(2 * ROLE + index, amount);
    }
    inputs
}

/// The chances as a consistent value.
pub(crate) fn value([win, win_double, lose_double, draw]: [f32; OUTPUTS]) -> Value {
    let win = win.min(1.0 - draw);
    Value { win, win_double: win_double.min(win), lose_double: lose_double.min(1.0 - draw - win), draw }
}

pub(crate) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// Adds a row of weights to the units, multiplied by the input.
#[inline(always)]
pub fn add(units: &mut Units, row: &Units, amount: f32) {
    for (unit, weight) in units.iter_mut().zip(row) {
        *unit += weight * amount;
    }
}

/// Adds the rows of the non-zero inputs; about half of the inputs about a whole side are.
#[inline(always)]
fn add_some(units: &mut Units, rows: &[Units], amounts: &[f32]) {
    for (amount, row) in amounts.iter().zip(rows).filter(|(amount, _)| **amount != 0.0) {
        add(units, row, *amount);
    }
}
