//! Values of positions, and stakes.

use lusoria_rules::{Outcome, Side};

/// The value for a side: probabilities between 0 and 1.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Value {
    /// The probability of winning, double or not.
    pub win: f32,
    /// The probability of winning double; 0 where no win counts double.
    pub win_double: f32,
    /// The probability of losing double.
    pub lose_double: f32,
    /// The probability of a draw.
    pub draw: f32,
}

impl Value {
    /// A game that is drawn.
    pub const DRAWN: Self = Self { win: 0.0, win_double: 0.0, lose_double: 0.0, draw: 1.0 };
    /// Unknown: either side may win.
    pub const EVEN: Self = Self { win: 0.5, win_double: 0.0, lose_double: 0.0, draw: 0.0 };
    /// A game that is lost by a single point.
    pub const LOST: Self = Self { win: 0.0, win_double: 0.0, lose_double: 0.0, draw: 0.0 };

    /// A finished game with this many points for the side: −2 to 2, 0 for a draw.
    pub fn of_points(points: i8) -> Self {
        let flag = |is: bool| if is { 1.0 } else { 0.0 };
        Self {
            win: flag(points > 0),
            win_double: flag(points > 1),
            lose_double: flag(points < -1),
            draw: flag(points == 0),
        }
    }

    /// The value of a finished game for that side.
    pub fn of_outcome(outcome: Outcome, side: Side) -> Self {
        let points = i8::try_from(outcome.points).expect("a game scores at most 2");
        match outcome.winner {
            None => Self::DRAWN,
            Some(winner) if winner == side => Self::of_points(points),
            Some(_) => Self::of_points(-points),
        }
    }

    /// The probability of losing, double or not.
    pub fn lose(&self) -> f32 {
        1.0 - self.win - self.draw
    }

    /// The value for the other side.
    #[must_use]
    pub fn turned(&self) -> Self {
        Self { win: self.lose(), win_double: self.lose_double, lose_double: self.win_double, draw: self.draw }
    }

    /// Wins count 1, draws a half: 0 to 1.
    pub fn score(&self) -> f32 {
        self.win + self.draw / 2.0
    }

    /// The expected points: −2 to 2.
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

/// The stakes, which matter where a win can count double.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stakes {
    /// A single game: a win is a win.
    Game,
    /// A series: a double win is worth two.
    Points,
}

impl Stakes {
    /// The worth of a value: higher is better.
    pub fn worth(self, value: &Value) -> f32 {
        match self {
            Self::Game => 2.0 * value.score() - 1.0,
            Self::Points => value.points(),
        }
    }

    /// Converts a difference of worth to chances of winning, or to points: worth in a single game ranges over
    /// 2, a chance over 1.
    pub fn difference(self, of_worth: f64) -> f64 {
        match self {
            Self::Game => of_worth / 2.0,
            Self::Points => of_worth,
        }
    }
}
