//! Constants of each game's ratings; docs/ratings.md says where they come from.

use lusoria_rating::{Advantage, Slope, System};
use lusoria_rules::{Game, Side};

/// Constants with which ratings are computed. Each rated match names its constants by number, so that it can
/// be computed again: numbered constants never change after a release, and new ones are added at the end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Constants {
    /// Their number: 1, 2, 3 …
    pub number: u16,
    games: [GameConstants; Game::ALL.len()],
}

/// The constants of one game.
#[derive(Debug, Clone, Copy, PartialEq)]
struct GameConstants {
    /// The advantage of White (in a tafl game the king's side), in points of rating.
    advantage: f64,
    /// The slope of a game that counts one point.
    slope: f64,
}

const fn game(advantage: f64, slope: f64) -> GameConstants {
    GameConstants { advantage, slope }
}

/// All constants, in the order of their numbers.
const ALL: [Constants; 1] = [
    // From self-play of the computer's levels, in the order of `Game::ALL`. In tavla, scripta and tabula no
    // advantage was found that predicts results better than none.
    Constants {
        number: 1,
        games: {
            let mut games = [game(0.0, 1.0); Game::ALL.len()];
            games[Game::Zeno as usize].advantage = 152.0;
            games[Game::Tablut as usize].advantage = 211.0;
            games
        },
    },
];

impl Constants {
    /// The constants for new matches.
    pub const PRESENT: &'static Self = &ALL[ALL.len() - 1];

    /// The constants with this number; none if this release does not know it.
    pub fn numbered(number: u16) -> Option<&'static Self> {
        ALL.get(usize::from(number).checked_sub(1)?)
    }

    /// The advantage of White (in a tafl game the king's side).
    pub(super) fn advantage_of_white(&self, game: Game) -> Advantage {
        Advantage::new(self.of(game).advantage).expect("constants are within their ranges")
    }

    /// The better side; none if they are even.
    pub(in crate::live) fn better_side(&self, game: Game) -> Option<Side> {
        match self.advantage_of_white(game).points() {
            white if white > 0.0 => Some(Side::White),
            black if black < 0.0 => Some(Side::Black),
            _ => None,
        }
    }

    /// The slope of a match to that many points.
    pub(super) fn slope(&self, game: Game, points: u16) -> Slope {
        let slope = self.of(game).slope * Slope::of_points(points).get();
        Slope::new(slope).expect("constants are within their ranges")
    }

    /// The rating system of a game.
    pub(super) const fn system(game: Game) -> System {
        match game.dice() {
            0 => System::WITHOUT_DICE,
            _ => System::WITH_DICE,
        }
    }

    const fn of(&self, game: Game) -> GameConstants {
        self.games[game as usize]
    }
}

#[cfg(test)]
mod tests {
    use lusoria_play::Length;

    use super::*;

    #[test]
    fn each_is_found_by_its_number() {
        for (place, constants) in (1..).zip(&ALL) {
            assert_eq!(constants.number, place);
            assert_eq!(Constants::numbered(place), Some(constants));
        }
        assert_eq!(Constants::numbered(0), None);
        assert_eq!(Constants::numbered(Constants::PRESENT.number + 1), None);
    }

    #[test]
    fn all_are_within_the_ranges_of_ratings() {
        for (constants, game) in ALL.iter().flat_map(|of| Game::ALL.map(|game| (of, game))) {
            let advantage = constants.advantage_of_white(game).points();
            assert!((0.0..=300.0).contains(&advantage), "{game:?}: {advantage}");
            for points in [1, Length::POINTS_MAX] {
                assert!((0.9..=20.0).contains(&constants.slope(game, points).get()), "{game:?}");
            }
        }
    }

    /// Released constants never change: a rating that is computed again has the same bits.
    #[test]
    fn the_first_are_those_of_docs_ratings() {
        let first = Constants::numbered(1).expect("there");
        let of = |game| (first.advantage_of_white(game).points(), first.slope(game, 3).get());
        assert_eq!(of(Game::Zeno), (152.0, 1.875));
        assert_eq!(of(Game::Tablut), (211.0, 1.875));
        for game in [Game::Tavla, Game::Scripta, Game::Tabula] {
            assert_eq!(of(game), (0.0, 1.875));
        }
    }
}
