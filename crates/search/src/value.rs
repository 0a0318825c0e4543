//! What a position is worth, and what is played for.

use lusoria_rules::{Outcome, Side};

/// What a side can hope for: chances between 0 and 1.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Value {
    /// The chance of winning, double or not.
    pub win: f32,
    /// The chance of winning double; 0 where no win counts double.
    pub win_double: f32,
    /// The chance of losing double.
    pub lose_double: f32,
    /// The chance of a draw.
    pub draw: f32,
}

impl Value {
    /// A game that is drawn.
    pub const DRAWN: Self = Self { win: 0.0, win_double: 0.0, lose_double: 0.0, draw: 1.0 };
    /// Nothing is known: either side may win.
    pub const EVEN: Self = Self { win: 0.5, win_double: 0.0, lose_double: 0.0, draw: 0.0 };
    /// A game that is lost simply.
    pub const LOST: Self = Self { win: 0.0, win_double: 0.0, lose_double: 0.0, draw: 0.0 };

    /// A game that has ended with so many points for this side: −2 to 2, 0 for a draw.
    pub fn of_points(points: i8) -> Self {
        let flag = |is: bool| if is { 1.0 } else { 0.0 };
        Self {
            win: flag(points > 0),
            win_double: flag(points > 1),
            lose_double: flag(points < -1),
            draw: flag(points == 0),
        }
    }

    /// What a game that has ended so is worth to that side.
    pub fn of_outcome(outcome: Outcome, side: Side) -> Self {
        let points = i8::try_from(outcome.points).expect("a game scores at most 2");
        match outcome.winner {
            None => Self::DRAWN,
            Some(winner) if winner == side => Self::of_points(points),
            Some(_) => Self::of_points(-points),
        }
    }

    /// The chance of losing, double or not.
    pub fn lose(&self) -> f32 {
        1.0 - self.win - self.draw
    }

    /// What the other side can hope for.
    #[must_use]
    pub fn turned(&self) -> Self {
        Self { win: self.lose(), win_double: self.lose_double, lose_double: self.win_double, draw: self.draw }
    }

    /// Wins count 1, draws a half: 0 to 1.
    pub fn score(&self) -> f32 {
        self.win + self.draw / 2.0
    }

    /// The points to be expected: −2 to 2.
    pub fn points(&self) -> f32 {
        self.win - self.lose() + self.win_double - self.lose_double
    }

    /// Adds another value, weighted: a mean is the sum of values weighted with their chances.
    pub fn add(&mut self, other: &Self, weight: f32) {
        self.win += other.win * weight;
        self.win_double += other.win_double * weight;
        self.lose_double += other.lose_double * weight;
        self.draw += other.draw * weight;
    }
}

/// What is played for, which matters where a win can count double.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stakes {
    /// A single game: a win is a win.
    Game,
    /// A series: a double win is worth two.
    Points,
}

impl Stakes {
    /// What a value is worth: more is better.
    pub fn worth(self, value: &Value) -> f32 {
        match self {
            Self::Game => 2.0 * value.score() - 1.0,
            Self::Points => value.points(),
        }
    }

    /// What a difference of worth is in chances of winning, or in points: worth in a single game runs over 2
    /// where a chance runs over 1.
    pub fn difference(self, of_worth: f64) -> f64 {
        match self {
            Self::Game => of_worth / 2.0,
            Self::Points => of_worth,
        }
    }
}
