//! The usual loss, for servers that know few players yet.

use lusoria_rules::Game;

/// The loss of the computer's levels 1 to 4 in a turn with a choice, in chances of winning, and their ratings
/// among themselves and level 5: measured in the arena (docs/fair-play.md, docs/ratings.md). They lose on
/// purpose what people lose by mistake.
const fn levels(game: Game) -> [(f64, f64); 4] {
    match game {
        Game::Zeno => [(1_197.0, 0.037), (1_358.0, 0.030), (1_489.0, 0.021), (1_653.0, 0.010)],
        Game::Tavla => [(1_177.0, 0.034), (1_342.0, 0.026), (1_478.0, 0.016), (1_641.0, 0.0076)],
        Game::Scripta => [(1_105.0, 0.0095), (1_331.0, 0.0067), (1_542.0, 0.0043), (1_662.0, 0.0026)],
        Game::Tabula => [(1_185.0, 0.035), (1_330.0, 0.027), (1_500.0, 0.019), (1_650.0, 0.011)],
        Game::Tablut => [(340.0, 0.073), (823.0, 0.049), (1_253.0, 0.035), (2_192.0, 0.015)],
    }
}

/// The loss of players of that rating in a turn with a choice, if they play like the computer's levels 1 to
/// 4: linear between the levels, constant beyond them.
pub fn usual_loss(game: Game, points: f64) -> f64 {
    let levels = levels(game);
    let above = levels.partition_point(|(of, _)| *of <= points);
    match (above.checked_sub(1).map(|below| levels[below]), levels.get(above)) {
        (None, _) => levels[0].1,
        (Some((_, loss)), None) => loss,
        (Some((from, more)), Some(&(to, less))) => more + (less - more) * (points - from) / (to - from),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn better_players_lose_less() {
        for game in Game::ALL {
            let losses: Vec<f64> = (0..30).map(|n| usual_loss(game, f64::from(n) * 100.0)).collect();
            assert!(losses.is_sorted_by(|worse, better| worse >= better), "{game}: {losses:?}");
            assert!(losses.iter().all(|loss| *loss > 0.0), "{game}: {losses:?}");
            let [(lowest, most), .., (highest, least)] = levels(game);
            for (points, loss) in [(lowest, most), (0.0, most), (highest, least), (9_000.0, least)] {
                assert!((usual_loss(game, points) - loss).abs() < 1e-12, "{game} at {points}");
            }
        }
    }
}
