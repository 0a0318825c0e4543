//! The meaning of a search's value in tablut: chances fitted to games of the highest level against itself.

use std::fmt::Write as _;

use lusoria_rules::Throne;
use lusoria_search::{
    Level, Player, Random,
    evaluation::{
        CURVE_EVEN, CURVE_VALUES, ChanceCurve, TAFL, Weights, chance, curve_shares, edition_of_values,
        is_certain, most_drawn, moves_left, outlook,
    },
};

use super::selfplay::Play;

/// How strongly neighbouring points of the curve are held together; it matters where games are few.
const CLOSENESS: f32 = 1e-4;
/// The number of gradient steps, and their size at first.
const STEPS: usize = 3_000;
const RATE: f32 = 0.1;
/// The least by which a point exceeds the one before, in the logarithm of the odds.
const RISE: f32 = 0.005;

/// The bytes have another form than [`fn@write`] writes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum NoGames {
    /// They are something else, or games whose values have another meaning.
    #[error("these are no games of tablut with the weights and the search of this program")]
    Head,
    /// A line is no game.
    #[error("line {line} is no game of tablut")]
    Game {
        /// From 1.
        line: usize,
    },
}

/// A game of the highest level against itself.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Game {
    /// The attackers' result: 0, ½ or 1.
    result: f32,
    /// The attackers' value by the search before each turn in which the end was not seen yet, with the number
    /// of moves after the last capture.
    turns: Vec<(i32, u16)>,
}

impl Game {
    /// Plays one from the start, with the default options.
    pub(super) fn play(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let budget = Player::Level(Level::HIGHEST).budget(TAFL.game());
        let mut play = Play::new(Throne::King);
        let mut turns = Vec::new();
        loop {
            if let Some(defenders) = play.result {
                return Self { result: 1.0 - defenders, turns };
            }
            let since_capture = play.history.since_capture();
            let (defenders, _) = play.turn(Weights::shipped(), budget, 0.0, &mut random);
            if !is_certain(defenders) {
                turns.push((-defenders, since_capture));
            }
        }
    }
}

/// The first line of a file of games.
fn head() -> String {
    format!("lusoria tablut games 1 {:016x}", edition_of_values(TAFL.variant()))
}

/// The games as text: after the first line one each, with the result, then the value and the moves after the
/// last capture of every turn.
pub(super) fn write(games: &[Game]) -> String {
    let mut text = head();
    for game in games {
        write!(text, "\n{}", game.result).expect("writing to a string does not fail");
        for (value, since_capture) in &game.turns {
            write!(text, " {value}/{since_capture}").expect("writing to a string does not fail");
        }
    }
    text
}

/// Reads what [`fn@write`] has written.
pub(super) fn read(bytes: &[u8]) -> Result<Vec<Game>, NoGames> {
    let game = |line: &str| {
        let mut words = line.split(' ');
        let result = words.next()?.parse().ok().filter(|result| [0.0, 0.5, 1.0].contains(result))?;
        let turn = |word: &str| {
            let (value, since_capture) = word.split_once('/')?;
            Some((value.parse().ok()?, since_capture.parse().ok()?))
        };
        Some(Game { result, turns: words.map(turn).collect::<Option<_>>()? })
    };
    let text = String::from_utf8_lossy(bytes);
    let mut lines = text.lines();
    if lines.next() != Some(&head()) {
        return Err(NoGames::Head);
    }
    let games = lines.zip(2..).map(|(text, line)| game(text).ok_or(NoGames::Game { line }));
    games.collect()
}

/// A turn: the points of the curve around its value, the rest in the logarithm of the odds, and the
/// attackers' result.
struct Turn {
    shares: [(usize, f32); 2],
    outlook: f32,
    result: f32,
}

type Curve = [f32; CURVE_VALUES.len()];

/// The chances that fit these games best: the attackers' score follows the gradient of the cross entropy
/// (logistic regression; Adam), neighbours held together, and is then made to rise with the value.
pub(super) fn fit(games: &[Game]) -> ChanceCurve {
    let turn = |game: &Game, (value, since_capture): (i32, u16)| Turn {
        shares: curve_shares(value),
        outlook: outlook(since_capture),
        result: game.result,
    };
    let turns: Vec<_> =
        games.iter().flat_map(|game| game.turns.iter().map(|&seen| turn(game, seen))).collect();
    let mut curve = ChanceCurve { scores: follow(&turns), draws: 0.0 };
    rise(&mut curve.scores, &turns);
    curve.draws = drawn(&curve, games);
    curve
}

/// The curve before it is made to rise.
fn follow(turns: &[Turn]) -> Curve {
    const NONE: Curve = [0.0; CURVE_VALUES.len()];
    let [mut scores, mut means, mut squares] = [NONE; 3];
    for step in 0..STEPS {
        let mut slopes = NONE;
        for Turn { shares, outlook, result } in turns {
            let odds: f32 = shares.iter().map(|&(point, share)| scores[point] * share).sum();
            let off = (chance(odds * outlook) - result) * outlook / turns.len() as f32;
            for &(point, share) in shares {
                slopes[point] += off * share;
            }
        }
        for point in 1..scores.len() {
            let pull = CLOSENESS * (scores[point] - scores[point - 1]);
            slopes[point] += pull;
            slopes[point - 1] -= pull;
        }
        slopes[CURVE_EVEN] = 0.0;
        let rate = RATE * (1.0 - step as f32 / STEPS as f32);
        for (point, slope) in slopes.into_iter().enumerate() {
            means[point] += 0.1 * (slope - means[point]);
            squares[point] += 0.01 * (slope * slope - squares[point]);
            scores[point] -= rate * means[point] / (squares[point].sqrt() + 1e-8);
        }
    }
    scores
}

/// Makes the curve rise by at least [`RISE`] from point to point: where it does not, neighbours become their
/// mean, weighted by their numbers of turns, plus the rise (isotonic regression: pool adjacent violators).
fn rise(scores: &mut Curve, turns: &[Turn]) {
    let mut weights = [1.0; CURVE_VALUES.len()];
    for (point, share) in turns.iter().flat_map(|turn| turn.shares) {
        weights[point] += share;
    }
    // The even point stays fixed.
    weights[CURVE_EVEN] = 1e12;
    // Mean, weight, points.
    let mut pools: Vec<(f32, f32, usize)> = Vec::new();
    for (point, (score, weight)) in scores.iter().zip(weights).enumerate() {
        let mut pool = (score - RISE * point as f32, weight, 1);
        while let Some(before) = pools.pop_if(|before| before.0 >= pool.0) {
            let sum = before.1 + pool.1;
            pool = ((before.0 * before.1 + pool.0 * pool.1) / sum, sum, before.2 + pool.2);
        }
        pools.push(pool);
    }
    let risen = pools.iter().flat_map(|&(mean, _, points)| std::iter::repeat_n(mean, points));
    for (point, (score, mean)) in scores.iter_mut().zip(risen).enumerate() {
        *score = mean + RISE * point as f32;
    }
    scores[CURVE_EVEN] = 0.0;
}

/// The probability of a draw right after a capture, such that the expected number of draws is the observed
/// one.
fn drawn(curve: &ChanceCurve, games: &[Game]) -> f32 {
    let (mut drawn, mut dry, mut rest) = (0.0, 0.0, 0.0);
    for game in games {
        for &(value, since_capture) in &game.turns {
            let (most, left) = (most_drawn(curve.score(value, since_capture)), moves_left(since_capture));
            drawn += if (game.result - 0.5).abs() < 0.25 { 1.0 } else { 0.0 };
            dry += most * (1.0 - left);
            rest += most * left;
        }
    }
    ((drawn - dry) / f32::max(rest, 1.0)).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use lusoria_rules::History;

    use super::*;

    /// Games of one turn, at each point of the curve and after many moves without a capture or none, whose
    /// attackers have that score, with that part of the greatest possible number of draws.
    fn games(score: impl Fn(i32, u16) -> f32, drawn: f32) -> Vec<Game> {
        let mut random = Random::new(5);
        let mut game = |index: usize| {
            let value = i32::from(CURVE_VALUES[index % CURVE_VALUES.len()]);
            let since_capture = if random.below(2) == 0 { 0 } else { History::DROUGHT / 2 };
            let score = score(value, since_capture);
            let part = 1.0 - (1.0 - drawn) * moves_left(since_capture);
            let draw = part * most_drawn(score);
            let lot = random.unit();
            let result = if lot < draw {
                0.5
            } else if lot < draw + score - draw / 2.0 {
                1.0
            } else {
                0.0
            };
            Game { result, turns: vec![(value, since_capture)] }
        };
        (0..80_000).map(&mut game).collect()
    }

    #[test]
    fn a_fit_recovers_the_chances_of_the_games() {
        let score = |value: i32, since_capture| chance(value as f32 / 100.0 * outlook(since_capture));
        let curve = fit(&games(score, 0.3));
        for value in CURVE_VALUES.map(i32::from) {
            for since_capture in [0, History::DROUGHT / 2] {
                let (found, is) = (curve.score(value, since_capture), score(value, since_capture));
                assert!((found - is).abs() < 0.05, "{value}, {since_capture}: {found}, not {is}");
            }
        }
        assert!((curve.draws - 0.3).abs() < 0.03, "{}", curve.draws);
    }

    #[test]
    fn chances_rise_with_the_value_even_against_the_games() {
        let score = |value, _| if (1..200).contains(&value) { 0.4 } else { 0.5 };
        let curve = fit(&games(score, 0.0));
        assert!(curve.scores.is_sorted_by(|one, next| one < next), "{:?}", curve.scores);
        assert!(curve.scores[CURVE_EVEN].abs() <= f32::EPSILON);
        // The written curve has fewer digits, and is still valid.
        assert!(ChanceCurve::read(&curve.write("")).is_ok());
    }

    #[test]
    fn the_side_ahead_by_the_search_wins_the_game() {
        let games: Vec<_> =
            (0..40).map(Game::play).filter(|game| (game.result - 0.5).abs() > 0.25).take(3).collect();
        assert!(!games.is_empty());
        for Game { result, turns } in games {
            let (last, _) = *turns.last().expect("no game is decided at the start");
            assert_eq!(last > 0, result > 0.5, "{turns:?}");
        }
    }

    #[test]
    fn games_are_read_as_they_were_written() {
        let games = [
            Game { result: 0.5, turns: vec![(-31, 0), (17, 12)] },
            Game { result: 1.0, turns: Vec::new() },
            Game { result: 0.0, turns: vec![(1, 199)] },
        ];
        let text = write(&games);
        assert_eq!(read(text.as_bytes()).as_deref(), Ok(&games[..]));
        for (game, line) in [("0.5 3/1\n0.7 3/1", 3), ("1 3", 2), ("1 3/-1", 2), ("1  3/1", 2)] {
            let text = format!("{}\n{game}", head());
            assert_eq!(read(text.as_bytes()), Err(NoGames::Game { line }), "{game:?}");
        }
        assert_eq!(read(text.replace("games 1 ", "games 1 f").as_bytes()), Err(NoGames::Head));
        assert_eq!(read(b""), Err(NoGames::Head));
    }
}
