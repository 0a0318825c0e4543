//! The learning curve: the share of games won against a fixed opponent while learning.

use std::fmt::{self, Write as _};

use lusoria_rules::Variant;

use crate::train::files::{self, Failure};

/// One trial.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Point {
    /// Games learnt from.
    pub(crate) games: u64,
    /// Minutes of training.
    pub(crate) minutes: f64,
    /// The share of games won against the opponent, draws counting half: 0 to 1.
    pub(crate) share: f32,
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:>8} games {:>6.1} min {:>5.1} % won", self.games, self.minutes, self.share * 100.0)
    }
}

/// The opponent of the trials.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Opponent {
    /// The fixed one of the game, in words.
    Fixed(&'static str),
    /// The weights from which learning continued.
    Before,
    /// The weights that the second stage began from.
    FirstStage,
}

impl fmt::Display for Opponent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Fixed(name) => name,
            Self::Before => "the earlier weights",
            Self::FirstStage => "the first stage",
        })
    }
}

/// All trials of a game, kept as a table and drawn as a picture.
#[derive(Debug)]
pub(crate) struct Curve {
    variant: Variant,
    opponent: Opponent,
    points: Vec<Point>,
}

const HEAD: &str = "games,minutes,share";

impl Curve {
    /// A curve without any trial.
    pub(crate) const fn new(variant: Variant, opponent: Opponent) -> Self {
        Self { variant, opponent, points: Vec::new() }
    }

    /// The curve so far, without the points after that many games.
    pub(crate) fn read(variant: Variant, opponent: Opponent, games: u64) -> Result<Self, Failure> {
        let path = files::curve(variant, opponent, "csv");
        let text = files::read(&path)?.unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let mut points = Vec::new();
        for (index, line) in text.lines().enumerate().skip(1) {
            points.push(point(line).ok_or_else(|| Failure::Curve { path: path.clone(), line: index + 1 })?);
        }
        points.retain(|point| point.games <= games);
        Ok(Self { variant, opponent, points })
    }

    /// The games learnt from until the last trial.
    pub(crate) fn last(&self) -> Option<u64> {
        self.points.last().map(|point| point.games)
    }

    /// The minutes until the last trial.
    pub(crate) fn minutes(&self) -> f64 {
        self.points.last().map_or(0.0, |point| point.minutes)
    }

    /// Adds a trial, and writes the table and the picture anew.
    pub(crate) fn push(&mut self, point: Point) -> Result<(), Failure> {
        self.points.push(point);
        let mut table = format!("{HEAD}\n");
        for Point { games, minutes, share } in &self.points {
            let _ = writeln!(table, "{games},{minutes:.1},{share:.4}");
        }
        files::write(&files::curve(self.variant, self.opponent, "csv"), table.as_bytes())?;
        files::write(&files::curve(self.variant, self.opponent, "svg"), self.picture().as_bytes())
    }

    /// The curve with its axes: games to the right, the share won upwards.
    fn picture(&self) -> String {
        const WIDTH: f64 = 640.0;
        const HEIGHT: f64 = 300.0;
        const LEFT: f64 = 48.0;
        const BOTTOM: f64 = 36.0;
        const TOP: f64 = 28.0;
        const RIGHT: f64 = 16.0;
        // The second stage gains little, after many games of the first.
        let is_close = self.opponent == Opponent::FirstStage;
        let (lowest, highest) = if is_close { (0.4, 0.6) } else { (0.0, 1.0) };
        let first = self.points.first().filter(|_| is_close).map_or(0, |point| point.games) as f64;
        let last = self.points.last().map_or(1, |point| point.games) as f64;
        let games = (last - first).max(1.0);
        let x = |at: f64| LEFT + (at - first) / games * (WIDTH - LEFT - RIGHT);
        let y = |share: f64| TOP + (highest - share) / (highest - lowest) * (HEIGHT - TOP - BOTTOM);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
             font-family=\"sans-serif\" font-size=\"12\">\n\
             <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>\n\
             <text x=\"{LEFT}\" y=\"16\" fill=\"#222\">{}: games won against {} while learning</text>\n",
            files::name(self.variant),
            self.opponent
        );
        for quarter in 0..=4_u32 {
            let share = lowest + (highest - lowest) * f64::from(quarter) / 4.0;
            let (at, percent) = (y(share), (100.0 * share).round());
            let _ = writeln!(
                svg,
                "<path d=\"M{LEFT} {at:.1}H{}\" stroke=\"#ddd\"/>\
                 <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#555\">{percent} %</text>",
                WIDTH - RIGHT,
                LEFT - 6.0,
                at + 4.0
            );
        }
        for quarter in 0..=4_u32 {
            let at = first + games * f64::from(quarter) / 4.0;
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\" fill=\"#555\">{at:.0}</text>",
                x(at).min(WIDTH - RIGHT - 12.0),
                HEIGHT - 14.0
            );
        }
        let mut line = String::new();
        for (index, point) in self.points.iter().enumerate() {
            let letter = if index == 0 { 'M' } else { 'L' };
            let _ = write!(line, "{letter}{:.1} {:.1}", x(point.games as f64), y(f64::from(point.share)));
        }
        let _ =
            writeln!(svg, "<path d=\"{line}\" fill=\"none\" stroke=\"#a4442a\" stroke-width=\"2\"/>\n</svg>");
        svg
    }
}

fn point(line: &str) -> Option<Point> {
    let mut parts = line.split(',');
    let point = Point {
        games: parts.next()?.parse().ok()?,
        minutes: parts.next()?.parse().ok()?,
        share: parts.next()?.parse().ok()?,
    };
    parts.next().is_none().then_some(point)
}
