//! The cost of evaluating and choosing in the dice games.

use divan::{Bencher, black_box};
use lusoria_rules::{Die, Game, History, Position, Variant};
use lusoria_search::{Budget, Decision, Level, Player, Random, Stakes, choose};

/// The dice games.
fn games() -> impl Iterator<Item = Game> {
    Game::ALL.into_iter().filter(|game| game.dice() > 0)
}

fn main() {
    divan::main();
}

/// Positions in the middle of games between equals.
fn met(game: Game) -> Vec<(Position, Vec<Die>)> {
    let mut random = Random::new(1);
    let mut throw = || (0..game.dice()).map(|_| Die::ALL[random.below(6)]).collect::<Vec<_>>();
    let mut position = Position::start(Variant::standard(game));
    let mut met = Vec::new();
    for seed in 0..40 {
        let dice = throw();
        let history = History::start(&position);
        let decision = Decision { position, dice: &dice, history: &history, stakes: Stakes::Game };
        let choice = choose(&decision, Player::Level(Level::ALL[3]), Budget { nodes: 5_000 }, seed);
        let mut turn = position.turn(&dice).expect("a throw of the game");
        choice.steps.iter().for_each(|step| drop(turn.play(step).expect("a legal turn")));
        let end = turn.end(&history).expect("a whole turn");
        met.push((position, dice));
        position = end.position;
        if end.outcome.is_some() {
            break;
        }
    }
    met
}

/// Forty turns without look-ahead, and forty that look one throw ahead.
#[divan::bench(args = games(), consts = [4, 5])]
fn turns<const LEVEL: usize>(bencher: Bencher, game: Game) {
    let met = met(game);
    let player = Player::Level(Level::ALL[LEVEL - 1]);
    let budget = player.budget(game);
    bencher.bench(|| {
        for (position, dice) in &met {
            let history = History::start(position);
            let decision = Decision { position: *position, dice, history: &history, stakes: Stakes::Game };
            black_box(choose(&decision, player, budget, 1));
        }
    });
}
