//! Statistics of the next throw, over all throws: which blots it reaches, whether anything can move, and how
//! a side's rearmost piece advances.
//!
//! Cells are bits, shifted by one against [`Position::occupied`], to make space for pieces that wait before
//! the first cell. The rules are followed as far as they decide most positions; the result is an input of the
//! network, not an evaluation.

#![expect(clippy::inline_always, reason = "only what is inlined uses the processor's own instructions")]

use lusoria_rules::{Side, tables::Position};

/// The number of inputs about the next throw.
pub(super) const PROSPECTS: usize = CHANCES + 2 * REAR;
/// Those about the side that throws next.
const CHANCES: usize = 5;
/// Those about how a side's rearmost piece advances.
const REAR: usize = 2;

/// The faces of a die.
const FACES: usize = 6;
/// How many dice two alike give.
const DOUBLE: u8 = 4;
/// The cells in which zeno shelters a blot.
const SHELTER: u64 = 0b11_1111;

/// A side's cells, and its obstacles.
#[derive(Debug, Clone, Copy)]
struct Ahead {
    /// The cells from which its pieces count.
    from: u64,
    /// How many pieces must move before all others, and the cells from which these count.
    waiting: u8,
    first: u64,
    /// The cells on which it may not land.
    blocked: u64,
    /// The blots that it can hit or pin.
    blots: u64,
    /// How many dice three alike give.
    triple: u8,
}

/// The dice that a throw gives.
#[derive(Debug, Clone, Copy)]
enum Hand {
    /// One face, this many times.
    Alike(usize, u8),
    /// Two faces.
    Two(usize, usize),
    /// Three faces.
    Three(usize, usize, usize),
    /// Two alike and a third.
    TwoAlike(usize, usize),
}

impl Ahead {
    #[inline(always)]
    fn of(position: &Position, side: Side) -> Self {
        let (other, path) = (side.other(), position.path());
        let (own, theirs) = (position.occupied(side), position.occupied(other) & path);
        let pinned = position.pinned(side);
        // Where a piece lies beneath an enemy's, there are two, with the enemy's on top.
        let mut blocked = position.across(position.held(other)) | pinned;
        let mut blots = position.across(theirs & !position.pinned(other)) & !blocked;
        let has_middle_row = position.has_middle_row();
        if has_middle_row && !position.exposed(other) {
            blocked |= blots & SHELTER;
            blots &= !SHELTER;
        }
        let middle = if has_middle_row { own >> position.length() } else { 0 };
        let (bar, supply) = (position.bar(side), position.supply(side));
        let all_enter_first = has_middle_row;
        let (waiting, first) = if bar > 0 {
            (bar, 1)
        } else if middle != 0 {
            (in_middle(position, side, middle), middle)
        } else if supply > 0 && all_enter_first {
            (supply, 1)
        } else if supply > 0 && position.length() > 24 {
            // One must enter in every turn.
            (1, 1)
        } else {
            (0, 0)
        };
        let from = (own & path & !pinned) << 1 | u64::from(supply > 0);
        let triple = if has_middle_row { 12 } else { 6 };
        Self { from, waiting, first, blocked: blocked << 1, blots: blots << 1, triple }
    }

    /// The targets of these cells by one die.
    #[inline(always)]
    const fn by(&self, from: u64, face: usize) -> u64 {
        from << face & !self.blocked
    }

    /// Their targets by up to this many dice alike.
    #[inline(always)]
    fn by_many(&self, from: u64, face: usize, dice: u8) -> u64 {
        let (mut reached, mut next) = (0, from);
        for _ in 0..dice {
            next = self.by(next, face);
            if next == 0 {
                break;
            }
            reached |= next;
        }
        reached
    }

    /// Their targets by either of two dice, and by both.
    #[inline(always)]
    const fn by_two(&self, from: u64, a: usize, b: usize) -> (u64, u64) {
        let (by_a, by_b) = (self.by(from, a), self.by(from, b));
        (by_a | by_b, self.by(by_a, b) | self.by(by_b, a))
    }

    /// The targets of pieces that are free to move.
    #[inline(always)]
    fn free(&self, from: u64, hand: Hand) -> u64 {
        match hand {
            Hand::Alike(face, dice) => self.by_many(from, face, dice),
            Hand::Two(a, b) => {
                let (by_one, by_both) = self.by_two(from, a, b);
                by_one | by_both
            }
            Hand::Three(a, b, c) => {
                let ((one, ab), (more, bc)) = (self.by_two(from, a, b), self.by_two(from, b, c));
                let (_, ac) = self.by_two(from, a, c);
                one | more | ab | bc | ac | self.by(ab, c) | self.by(bc, a) | self.by(ac, b)
            }
            Hand::TwoAlike(face, third) => {
                let by_third = self.by(from, third);
                let alike = self.by_many(from | by_third, face, DOUBLE);
                by_third | alike | self.by(alike, third)
            }
        }
    }

    /// The targets in a turn.
    #[inline(always)]
    fn reached(&self, steps: &Steps, hand: Hand) -> u64 {
        if self.waiting == 0 { steps.free(self, hand) } else { self.reached_after_entering(hand) }
    }

    /// The same where pieces must move before all others.
    fn reached_after_entering(&self, hand: Hand) -> u64 {
        let enter = |face| self.by(self.first, face);
        match hand {
            Hand::Alike(face, dice) => {
                let left = dice.saturating_sub(self.waiting);
                let entered = enter(face);
                if entered == 0 { 0 } else { entered | self.by_many(self.from | entered, face, left) }
            }
            Hand::Two(a, b) => {
                let then = |first, second| {
                    let entered = enter(first);
                    if entered == 0 || self.waiting > 1 {
                        entered
                    } else {
                        entered | self.by(self.from | entered, second)
                    }
                };
                then(a, b) | then(b, a)
            }
            Hand::Three(a, b, c) => {
                let then = |first, second, third| {
                    let entered = enter(first);
                    if entered == 0 || self.waiting > 1 {
                        entered
                    } else {
                        entered | self.free(self.from | entered, Hand::Two(second, third))
                    }
                };
                let both = |one, other, last| {
                    let (by_one, by_other) = (enter(one), enter(other));
                    if self.waiting == 2 && by_one != 0 && by_other != 0 {
                        self.by(self.from | by_one | by_other, last)
                    } else {
                        0
                    }
                };
                then(a, b, c) | then(b, a, c) | then(c, a, b) | both(a, b, c) | both(a, c, b) | both(b, c, a)
            }
            Hand::TwoAlike(face, third) => {
                let (by_face, by_third) = (enter(face), enter(third));
                let entered = by_face | by_third;
                if by_face != 0 && self.waiting <= DOUBLE {
                    let left = DOUBLE - self.waiting + u8::from(by_third != 0);
                    let alike = self.by_many(self.from | entered, face, left.min(DOUBLE));
                    entered | alike | self.by(self.from | by_face | alike, third)
                } else if by_third != 0 && self.waiting == 1 {
                    entered | self.by_many(self.from | by_third, face, DOUBLE)
                } else {
                    entered
                }
            }
        }
    }
}

/// The targets by one and two dice from the cells of a side that is free to move, shared by many throws.
#[derive(Debug)]
struct Steps {
    /// By the face.
    one: [u64; FACES + 1],
    /// By both of two dice, the lower face first.
    both: [[u64; FACES + 1]; FACES + 1],
    /// By two dice alike, which are four.
    alike: [u64; FACES + 1],
}

impl Steps {
    #[inline(always)]
    fn of(ahead: &Ahead) -> Self {
        let mut steps =
            Self { one: [0; FACES + 1], both: [[0; FACES + 1]; FACES + 1], alike: [0; FACES + 1] };
        for face in 1..=FACES {
            steps.one[face] = ahead.by(ahead.from, face);
            steps.alike[face] = ahead.by_many(ahead.from, face, DOUBLE);
        }
        for a in 1..=FACES {
            for b in a + 1..=FACES {
                steps.both[a][b] = ahead.by(steps.one[a], b) | ahead.by(steps.one[b], a);
            }
        }
        steps
    }

    /// The same as [`Ahead::free`] from the side's own cells.
    #[inline(always)]
    fn free(&self, ahead: &Ahead, hand: Hand) -> u64 {
        let Self { one, both, alike } = self;
        match hand {
            Hand::Alike(face, DOUBLE) => alike[face],
            Hand::Alike(face, dice) => ahead.by_many(ahead.from, face, dice),
            Hand::Two(a, b) => one[a] | one[b] | both[a][b],
            Hand::Three(a, b, c) => {
                let (ab, bc, ac) = (both[a][b], both[b][c], both[a][c]);
                let three = ab << c | bc << a | ac << b;
                one[a] | one[b] | one[c] | ab | bc | ac | three & !ahead.blocked
            }
            Hand::TwoAlike(face, third) => {
                let alike = alike[face] | ahead.by_many(one[third], face, DOUBLE);
                one[third] | alike | ahead.by(alike, third)
            }
        }
    }
}

/// The number of a side's pieces in the middle row.
fn in_middle(position: &Position, side: Side, middle: u64) -> u8 {
    let mut cells = middle;
    let mut count = 0;
    while cells != 0 {
        let cell = u8::try_from(cells.trailing_zeros()).expect("a bit's number is small");
        count += position.on(side, position.length() + cell);
        cells &= cells - 1;
    }
    count
}

/// Passes on the hand of every throw of this many dice, with the number of ways to throw it.
#[inline(always)]
fn each_hand(dice: usize, triple: u8, mut visit: impl FnMut(Hand, u32)) {
    for a in 1..=FACES {
        if dice == 2 {
            visit(Hand::Alike(a, DOUBLE), 1);
            for b in a + 1..=FACES {
                visit(Hand::Two(a, b), 2);
            }
            continue;
        }
        visit(Hand::Alike(a, triple), 1);
        for b in a + 1..=FACES {
            visit(Hand::TwoAlike(a, b), 3);
            visit(Hand::TwoAlike(b, a), 3);
            for c in b + 1..=FACES {
                visit(Hand::Three(a, b, c), 6);
            }
        }
    }
}

/// The statistics of the next throw for the side that throws it, then the advance of its own rearmost piece
/// and of the other side's.
#[inline(always)]
pub(super) fn prospects(position: &Position) -> [f32; PROSPECTS] {
    let me = position.to_move();
    let [mine, theirs] = [me, me.other()].map(|side| Ahead::of(position, side));
    let mut prospects = [0.0; PROSPECTS];
    let (chances_of_throw, rears) = prospects.split_at_mut(CHANCES);
    chances_of_throw.copy_from_slice(&chances(position, &mine));
    for (ahead, numbers) in [mine, theirs].iter().zip(rears.chunks_exact_mut(REAR)) {
        numbers.copy_from_slice(&rear(ahead));
    }
    prospects
}

/// For the side that throws next, over all throws: how often it can land on a blot; on two or more; the
/// greatest loss of these, on average; how often nothing can move; how many steps each face allows.
#[inline(always)]
fn chances(position: &Position, ahead: &Ahead) -> [f32; CHANCES] {
    let dice = position.rules().game().dice();
    let sources = if ahead.waiting > 0 { ahead.first } else { ahead.from };
    let (mut open, mut possible) = (0_i32, 0);
    for face in 1..=FACES {
        let by_face = ahead.by(sources, face).count_ones();
        open += i32::from(by_face > 0);
        possible += by_face;
    }
    let stuck = (1.0 - small(open.unsigned_abs()) / 6.0).powi(if dice == 2 { 2 } else { 3 });
    let (mut any, mut several, mut lost) = (0, 0, 0);
    if ahead.blots != 0 {
        // A hit piece starts again; a pinned one stays, and loses most where it has come least far.
        let is_lowest_dearest = position.is_opposed() && !position.rules().pins();
        let length = u32::from(position.length());
        let steps = Steps::of(ahead);
        each_hand(dice, ahead.triple, |hand, ways| {
            let met = ahead.reached(&steps, hand) & ahead.blots;
            if met != 0 {
                any += ways;
                several += if met.is_power_of_two() { 0 } else { ways };
                lost +=
                    ways * if is_lowest_dearest { length + 1 - met.trailing_zeros() } else { met.ilog2() };
            }
        });
    }
    let all = small(if dice == 2 { 36 } else { 216 });
    [
        small(any) / all,
        small(several) / all,
        small(lost) / all / f32::from(position.length()),
        stuck,
        small(possible) / 30.0,
    ]
}

/// For a side's rearmost piece, if it moves alone with two dice: how many faces let it move, and how often it
/// passes the longest possible block.
#[inline(always)]
fn rear(ahead: &Ahead) -> [f32; REAR] {
    let sources = ahead.from | ahead.first;
    let rearmost = sources & sources.wrapping_neg();
    if rearmost == 0 {
        return [0.0; REAR];
    }
    let beyond = !(rearmost << (FACES + 1)).wrapping_sub(1);
    let (mut open, mut away) = (0, 0);
    for a in 1..=FACES {
        open += u32::from(ahead.by(rearmost, a) != 0);
        away += u32::from(ahead.by_many(rearmost, a, DOUBLE) & beyond != 0);
        for b in a + 1..=FACES {
            away += 2 * u32::from(ahead.by_two(rearmost, a, b).1 & beyond != 0);
        }
    }
    [small(open) / 6.0, small(away) / 36.0]
}

#[expect(clippy::cast_precision_loss, reason = "counts are small")]
fn small(count: u32) -> f32 {
    count as f32
}

#[cfg(test)]
mod tests;
