//! A small network that selects the ends of a turn that the large one evaluates: a pruning network, as in GNU
//! Backgammon. Its only inputs are the places of the pieces.

#![expect(clippy::inline_always, reason = "only what is inlined uses the processor's own instructions")]

use lusoria_rules::tables::Position;

use super::{
    features::Phase,
    men::{self, MEN, Men},
    weights::WeightsError,
};

/// Units of its hidden layer.
pub const PRUNING_UNITS: usize = 16;
/// All inputs.
const INPUTS: usize = 2 * MEN;

/// Its hidden layer, before or after its activation.
pub type PruningUnits = [f32; PRUNING_UNITS];

/// The weights of one phase, for training.
#[derive(Debug, Clone, PartialEq)]
pub struct PruningLayers {
    /// From each input to the hidden layer.
    pub rows: Vec<PruningUnits>,
    /// The bias of the hidden layer.
    pub bias: PruningUnits,
    /// From the hidden layer to the promise.
    pub out: PruningUnits,
    /// The bias of the promise.
    pub out_bias: f32,
}

impl PruningLayers {
    /// The number of weights.
    pub const LEN: usize = INPUTS * PRUNING_UNITS + 2 * PRUNING_UNITS + 1;

    /// All weights zero.
    pub fn zero() -> Self {
        let none = [0.0; PRUNING_UNITS];
        Self { rows: vec![none; INPUTS], bias: none, out: none, out_bias: 0.0 }
    }

    /// The weights in order.
    pub fn numbers(&self) -> impl Iterator<Item = &f32> {
        self.rows.iter().flatten().chain(&self.bias).chain(&self.out).chain([&self.out_bias])
    }

    /// The weights in order, mutable.
    pub fn numbers_mut(&mut self) -> impl Iterator<Item = &mut f32> {
        let Self { rows, bias, out, out_bias } = self;
        rows.iter_mut().flatten().chain(bias).chain(out).chain([out_bias])
    }

    /// The promise for these hidden units, which are before their activation.
    #[inline(always)]
    pub fn promise(&self, units: &PruningUnits) -> f32 {
        let parts = units.iter().zip(&self.out).map(|(unit, weight)| unit.max(0.0) * weight);
        self.out_bias + parts.sum::<f32>()
    }
}

/// A pruning network that is ready.
#[derive(Debug)]
pub struct PruningNet {
    phases: Vec<Ready>,
    processor: pulp::Arch,
}

/// The layers of one phase, with precomputed sums for each number of pieces on a place.
#[derive(Debug)]
struct Ready {
    layers: PruningLayers,
    /// By role.
    men: [Men<PRUNING_UNITS>; 2],
}

impl PruningNet {
    /// The beginning of its file: its kind, and the version of the inputs.
    pub const MAGIC: &[u8; 8] = b"prune 1\n";

    /// Prepares the network from one set of layers for each phase.
    ///
    /// # Panics
    ///
    /// If their number is not the number of phases.
    pub fn new(phases: Vec<PruningLayers>) -> Self {
        assert_eq!(phases.len(), Phase::COUNT, "every phase has its layers");
        Self { phases: phases.into_iter().map(Ready::new).collect(), processor: pulp::Arch::new() }
    }

    /// Reads a file: [`PruningNet::MAGIC`], then every weight of every phase as a 32-bit number, little-endian.
    ///
    /// # Errors
    ///
    /// The bytes are something else.
    pub fn read(bytes: &[u8]) -> Result<Self, WeightsError> {
        let body = bytes.strip_prefix(Self::MAGIC).ok_or(WeightsError::Magic)?;
        if body.len() != 4 * Phase::COUNT * PruningLayers::LEN {
            return Err(WeightsError::Damaged);
        }
        let mut phases = vec![PruningLayers::zero(); Phase::COUNT];
        let numbers = phases.iter_mut().flat_map(PruningLayers::numbers_mut);
        for (number, bytes) in numbers.zip(body.as_chunks::<4>().0) {
            *number = f32::from_le_bytes(*bytes);
            if !number.is_finite() {
                return Err(WeightsError::Damaged);
            }
        }
        Ok(Self::new(phases))
    }

    /// Keeps the `keep` ends of a turn with the highest promise to the side that played it; of equal ones,
    /// the first. A win is always among them.
    pub fn prune(&self, ends: &mut Vec<Position>, keep: usize) {
        if ends.len() <= keep {
            return;
        }
        let promises = self.promises(ends);
        let mut order: Vec<usize> = (0..ends.len()).collect();
        order.select_nth_unstable_by(keep, |&a, &b| promises[b].total_cmp(&promises[a]).then(a.cmp(&b)));
        order.truncate(keep);
        order.sort_unstable();
        *ends = order.into_iter().map(|at| ends[at]).collect();
    }

    /// The promise of each end of a turn to the side that played it; higher is better. Promises of different
    /// turns cannot be compared.
    pub fn promises(&self, ends: &[Position]) -> Vec<f32> {
        self.processor.dispatch(|| self.promises_inlined(ends))
    }

    #[inline(always)]
    fn promises_inlined(&self, ends: &[Position]) -> Vec<f32> {
        // The ends share the pieces of the side to move, except hit ones.
        let mut memory: Option<(&Position, Phase, PruningUnits)> = None;
        let mut promises = Vec::with_capacity(ends.len());
        for end in ends {
            let (phase, me) = (Phase::of(end), end.to_move());
            if end.outcome().is_some_and(|outcome| outcome.winner == Some(me.other())) {
                promises.push(f32::INFINITY);
                continue;
            }
            let ready = &self.phases[phase as usize];
            let mut units = match memory {
                Some((known, of, units)) if of == phase && known.same_men(end, me) => units,
                _ => {
                    let mut units = ready.layers.bias;
                    ready.men[0].add(&mut units, end, me);
                    memory = Some((end, phase, units));
                    units
                }
            };
            ready.men[1].add(&mut units, end, me.other());
            promises.push(ready.layers.promise(&units));
        }
        promises
    }
}

impl Ready {
    fn new(layers: PruningLayers) -> Self {
        let men = [0, 1].map(|role| Men::new(&layers.rows[role * MEN..]));
        Self { layers, men }
    }
}

/// Every non-zero input by its index: the slow way, for training and tests.
pub fn pruning_inputs(position: &Position) -> Vec<(u16, f32)> {
    let mut inputs = Vec::with_capacity(48);
    let me = position.to_move();
    for (role, side) in [me, me.other()].into_iter().enumerate() {
        men::inputs(position, side, |index, amount| {
            if amount != 0.0 {
                inputs.push((u16::try_from(role * MEN + index).expect("there are few inputs"), amount));
            }
        });
    }
    inputs
}
