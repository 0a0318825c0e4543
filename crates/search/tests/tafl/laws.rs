//! Laws of every choice.

use lusoria_rules::{
    Position,
    tafl::{Kind, Turn},
};
use lusoria_search::{Budget, Level, Player, Stakes, appraise, choose, rank, review};
use proptest::prelude::*;

use crate::common::{CLOSED, Play, STRONGEST, TABLUT};

fn kinds() -> impl Strategy<Value = Kind> {
    prop_oneof![Just(TABLUT), Just(CLOSED)]
}

fn plays() -> impl Strategy<Value = Play> {
    (kinds(), any::<u64>(), 0..80_usize).prop_map(|(kind, seed, moves)| Play::random(kind, seed, moves))
}

impl std::fmt::Debug for Play {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{:?} to move", self.position.drawing(), self.position.to_move())
    }
}

proptest! {
    #[test]
    fn the_turn_is_legal_and_the_budget_kept(
        play in plays(), level in 1..=5_u8, nodes in 1..3000_u32, seed in any::<u64>(),
    ) {
        let player = Player::Level(Level::try_from(level).expect("a level"));
        let choice = play.choose(player, nodes, seed);
        prop_assert!(choice.nodes <= nodes, "{} of {nodes}", choice.nodes);
        prop_assert!(Turn::new(play.position).steps().contains(&choice.steps[0]));
        prop_assert_eq!(choice.steps.len(), 1);
        let value = choice.value;
        prop_assert!(value.win >= 0.0 && value.draw >= 0.0 && value.win + value.draw <= 1.0, "{value:?}");
        prop_assert_eq!(play.choose(player, nodes, seed), choice, "the same again");
    }

    #[test]
    fn the_ranked_are_different_turns_the_best_first(
        play in plays(), nodes in 1..3000_u32, most in 1..6_usize,
    ) {
        let ranked = rank(&play.decision(), Budget { nodes }, most);
        prop_assert!(!ranked.is_empty() && ranked.len() <= most);
        let legal = Turn::new(play.position).steps();
        for (index, choice) in ranked.iter().enumerate() {
            prop_assert!(choice.nodes <= nodes);
            prop_assert!(legal.contains(&choice.steps[0]));
            prop_assert!(ranked[..index].iter().all(|other| other.steps != choice.steps));
        }
        // A draw by rule may come before a turn of the same value that has some chance of both.
        prop_assert!(ranked.windows(2).all(|pair| pair[0].value.score() >= pair[1].value.score() - 1e-3));
        if nodes >= 400 {
            prop_assert_eq!(ranked.len(), most.min(legal.len()));
        }
    }

    #[test]
    fn a_position_is_worth_what_its_best_turn_is(play in plays(), nodes in 200..2000_u32) {
        let here = appraise(&Position::Tafl(play.position), &play.history, Stakes::Game, Budget { nodes });
        let best = &rank(&play.decision(), Budget { nodes }, 1)[0];
        prop_assert!((here.score() - best.value.score()).abs() < 0.02, "{here:?}, {best:?}");
    }

    #[test]
    fn the_best_turn_loses_nothing(play in plays(), nodes in 50..3000_u32, seed in any::<u64>()) {
        let (decision, budget) = (play.decision(), Budget { nodes });
        let best = &rank(&decision, budget.shared_by(2), 1)[0];
        let looked_back = review(&decision, &best.steps, budget).expect("legal");
        prop_assert_eq!(&looked_back.best.steps, &best.steps);
        prop_assert_eq!(looked_back.best.value, looked_back.played);
        let other = play.choose(Player::Random, 1, seed).steps;
        let review = review(&decision, &other, budget).expect("legal");
        if review.best.steps == other {
            prop_assert_eq!(review.best.value, review.played);
        }
        prop_assert!(review.best.value.score() >= review.played.score());
    }

    #[test]
    fn the_yardsticks_play_by_the_rules(play in plays(), seed in any::<u64>()) {
        for player in [Player::Greedy, Player::Random] {
            let choice = play.choose(player, 1, seed);
            prop_assert!(Turn::new(play.position).steps().contains(&choice.steps[0]));
            prop_assert_eq!(play.choose(player, 1, seed), choice);
        }
    }
}

#[test]
fn whole_games_are_played_and_the_stronger_wins() {
    for (kind, seed) in [(TABLUT, 1), (CLOSED, 2)] {
        let mut play = Play::from(lusoria_rules::tafl::Position::start(kind));
        let outcome = loop {
            let player = match play.position.to_move() {
                crate::common::DEFENDERS => STRONGEST,
                crate::common::ATTACKERS => Player::Random,
            };
            let choice = play.choose(player, 2000, seed);
            if let Some(outcome) = play.play(&choice.steps[0]) {
                break outcome;
            }
        };
        assert_eq!(outcome.winner, Some(crate::common::DEFENDERS));
    }
}

#[test]
fn more_positions_are_looked_at_if_more_are_allowed() {
    let play = Play::from(lusoria_rules::tafl::Position::start(TABLUT));
    for nodes in [1_000, 10_000, 50_000] {
        assert_eq!(choose(&play.decision(), STRONGEST, Budget { nodes }, 7).nodes, nodes);
    }
}
