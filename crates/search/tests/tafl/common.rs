//! Shared code of the tests of tablut.

use lusoria_rules::{
    History, Position, Side, Step, Throne, Turn,
    tafl::{self, Kind},
};
use lusoria_search::{Budget, Choice, Decision, Level, Player, Random, Stakes, choose};

pub(crate) const ATTACKERS: Side = Side::Black;
pub(crate) const DEFENDERS: Side = Side::White;
pub(crate) const TABLUT: Kind = Kind::Tablut { throne: Throne::King };
pub(crate) const CLOSED: Kind = Kind::Tablut { throne: Throne::Closed };
pub(crate) const STRONGEST: Player = Player::Level(Level::HIGHEST);

/// A position by its pieces: `t` attackers, `T` defenders, `K` the king.
pub(crate) fn position(kind: Kind, to_move: Side, pieces: &[(char, &str)]) -> tafl::Position {
    let cell = |file: char, rank: char| {
        let here = |&&(_, cells): &&(char, &str)| cells.split(' ').any(|cell| cell.chars().eq([file, rank]));
        pieces.iter().find(here).map_or('1', |&(piece, _)| piece)
    };
    let ranks = ('1'..='9').rev().map(|rank| {
        let letters: String = ('a'..='i').map(|file| cell(file, rank)).collect();
        (1..=9).rev().fold(letters, |text, run| text.replace(&"1".repeat(run), &run.to_string()))
    });
    let board = ranks.collect::<Vec<_>>().join("/");
    tafl::Position::from_setup(kind, &board, to_move).expect("the test's position is possible")
}

/// `e8-e6` as a step.
pub(crate) fn step(text: &str) -> Step {
    let (from, to) = text.split_once('-').expect("a move has a from and a to");
    Step { die: None, from: from.to_owned(), to: to.to_owned() }
}

pub(crate) fn written(choice: &Choice) -> String {
    let [Step { from, to, .. }] = &choice.steps[..] else { panic!("one move a turn") };
    format!("{from}-{to}")
}

/// A game with its history.
pub(crate) struct Play {
    pub(crate) position: tafl::Position,
    pub(crate) history: History,
}

impl Play {
    pub(crate) fn from(position: tafl::Position) -> Self {
        Self { position, history: History::start(&Position::Tafl(position)) }
    }

    pub(crate) fn decision(&self) -> Decision<'_> {
        let position = Position::Tafl(self.position);
        Decision { position, dice: &[], history: &self.history, stakes: Stakes::Game }
    }

    pub(crate) fn choose(&self, player: Player, nodes: u32, seed: u64) -> Choice {
        choose(&self.decision(), player, Budget { nodes }, seed)
    }

    /// Plays a step. Returns the end of the game, if it ends.
    pub(crate) fn play(&mut self, step: &Step) -> Option<lusoria_rules::Outcome> {
        let mut turn = Turn::Tafl(tafl::Turn::new(self.position));
        turn.play(step).expect("the move is legal");
        let end = turn.end(&self.history).expect("one move");
        self.history.record(&end.position, end.captured);
        let Position::Tafl(position) = end.position else { panic!("tablut is tafl") };
        self.position = position;
        end.outcome
    }

    /// A random game of at most this many moves, which is not over.
    pub(crate) fn random(kind: Kind, seed: u64, moves: usize) -> Self {
        let mut random = Random::new(seed);
        let mut play = Self::from(tafl::Position::start(kind));
        for _ in 0..moves {
            let steps = tafl::Turn::new(play.position).steps();
            let mut next = Self { position: play.position, history: play.history.clone() };
            if next.play(&steps[random.below(steps.len())]).is_some() {
                break;
            }
            play = next;
        }
        play
    }
}
