//! What holds in every position.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use lusoria_rules::{
    History, Position as Any, Reason, Setup, Side, Step,
    tafl::{Kind, Position, Turn},
};
use proptest::prelude::*;

use crate::{
    common::{ATTACKERS, CLOSED, DEFENDERS, TABLUT, board},
    naive::{Naive, name},
};

fn cells() -> Vec<String> {
    (0..81).map(|index| name((index % 9, index / 9))).collect()
}

fn kinds() -> impl Strategy<Value = Kind> {
    prop_oneof![Just(TABLUT), Just(CLOSED)]
}

fn sides() -> impl Strategy<Value = Side> {
    prop_oneof![Just(ATTACKERS), Just(DEFENDERS)]
}

/// Pieces anywhere.
fn scattered() -> impl Strategy<Value = Position> {
    let placed = (Just(cells()).prop_shuffle(), 0..17_usize, 0..9_usize, any::<bool>());
    (kinds(), sides(), placed).prop_filter_map("impossible", |(kind, to_move, placed)| {
        let (mut cells, attackers, defenders, on_throne) = placed;
        // The throne and what surrounds it would else be rare.
        if on_throne {
            let throne = cells.iter().position(|cell| cell == "e5")?;
            cells.swap(0, throne);
        }
        let (king, men) = cells.split_first()?;
        let (attackers, rest) = men.split_at(attackers);
        let pieces = [('K', king.as_str()), ('t', &attackers.join(" ")), ('T', &rest[..defenders].join(" "))];
        Position::from_setup(kind, &board(&pieces), to_move).ok()
    })
}

/// The king and many pieces in the middle, where the rules of the throne speak.
fn crowded() -> impl Strategy<Value = Position> {
    let middle = ["e5", "e6", "e4", "d5", "f5", "e7", "e3", "c5", "g5", "d6", "f6", "d4", "f4"];
    let letters =
        prop::collection::vec(prop_oneof![Just('t'), Just('t'), Just('T'), Just('.')], middle.len());
    let outside = prop::sample::subsequence(vec!["a6", "b4", "d9", "e9", "f1", "i5", "h7", "c1"], 1..7);
    (kinds(), sides(), letters, 0..5_usize, outside).prop_filter_map(
        "impossible",
        move |(kind, to_move, mut letters, king, outside)| {
            letters[0] = '.';
            letters[king] = 'K';
            let of = |piece| -> Vec<&str> {
                middle
                    .iter()
                    .zip(&letters)
                    .filter(|&(_, &letter)| letter == piece)
                    .map(|(cell, _)| *cell)
                    .collect()
            };
            let attackers = [of('t'), outside].concat().join(" ");
            let pieces = [('K', of('K').concat()), ('T', of('T').join(" ")), ('t', attackers)];
            let pieces = pieces.each_ref().map(|(piece, cells)| (*piece, cells.as_str()));
            Position::from_setup(kind, &board(&pieces), to_move).ok()
        },
    )
}

/// A position of a game played at random.
fn played() -> impl Strategy<Value = Position> {
    (kinds(), prop::collection::vec(any::<prop::sample::Index>(), 0..60)).prop_map(|(kind, choices)| {
        let mut position = Position::start(kind);
        for choice in choices {
            let mut turn = Turn::new(position);
            let steps = turn.steps();
            turn.play(choice.get(&steps)).expect("a listed step is legal");
            let end = turn.end().expect("one move");
            if end.outcome.is_some() {
                break;
            }
            position = end.position;
        }
        position
    })
}

fn positions() -> impl Strategy<Value = Position> {
    prop_oneof![scattered(), crowded(), played()]
}

/// Every move with what it captures, as the engine sees it.
fn moves(position: &Position) -> BTreeMap<(String, String), Vec<String>> {
    let with_captures = |step: Step| {
        let played = Turn::new(*position).play(&step).expect("a listed step is legal");
        ((step.from, step.to), played.captures)
    };
    Turn::new(*position).steps().into_iter().map(with_captures).collect()
}

/// The board turned and mirrored: bit 0 files, bit 1 ranks, bit 2 files for ranks.
fn turned(text: &str, symmetry: u8) -> String {
    let size = 9;
    let (mut file, mut rank) = (text.as_bytes()[0] - b'a', text.as_bytes()[1] - b'1');
    if symmetry & 1 != 0 {
        file = size - 1 - file;
    }
    if symmetry & 2 != 0 {
        rank = size - 1 - rank;
    }
    if symmetry & 4 != 0 {
        (file, rank) = (rank, file);
    }
    name((file.into(), rank.into()))
}

fn turned_position(position: &Position, symmetry: u8) -> Position {
    let mut found = BTreeMap::<char, Vec<String>>::new();
    for (&cell, &piece) in &Naive::of(position).pieces {
        found.entry(piece).or_default().push(turned(&name(cell), symmetry));
    }
    let pieces: Vec<_> = found.iter().map(|(&piece, cells)| (piece, cells.join(" "))).collect();
    let pieces: Vec<_> = pieces.iter().map(|(piece, cells)| (*piece, cells.as_str())).collect();
    Position::from_setup(position.kind(), &board(&pieces), position.to_move())
        .expect("a turned board is as possible")
}

proptest! {
    #[test]
    fn bitboards_agree_with_the_naive_rules(position in positions()) {
        prop_assert_eq!(moves(&position), Naive::of(&position).moves());
        prop_assert_eq!(position.exits() as usize, Naive::of(&position).exits());
    }

    #[test]
    fn listed_is_accepted_and_nothing_else(position in positions()) {
        let turn = Turn::new(position);
        let listed: HashSet<_> = turn.steps().into_iter().collect();
        prop_assert_eq!(listed.len(), turn.steps().len());
        let cells = cells();
        for from in &cells {
            for to in &cells {
                let step = Step { die: None, from: from.clone(), to: to.clone() };
                prop_assert_eq!(turn.clone().play(&step).is_ok(), listed.contains(&step), "{}-{}", from, to);
            }
        }
    }

    #[test]
    fn pieces_go_only_by_capture(position in positions()) {
        for step in Turn::new(position).steps() {
            let mut turn = Turn::new(position);
            let captured = turn.play(&step).expect("a listed step is legal").captures;
            let after = turn.position();
            let (mover, enemy) = (position.to_move(), position.to_move().other());
            prop_assert_eq!(after.pieces(mover), position.pieces(mover));
            prop_assert_eq!(after.pieces(enemy) as usize + captured.len(), position.pieces(enemy) as usize);
            prop_assert!(captured.len() <= 3);
            prop_assert!(captured.is_sorted());
            prop_assert_eq!(turn.end().expect("one move").captured, !captured.is_empty());
        }
    }

    #[test]
    fn the_board_has_no_preferred_side(position in positions(), symmetry in 1..8_u8) {
        let other = turned_position(&position, symmetry);
        let turn_names = |names: &[String]| -> BTreeSet<String> {
            names.iter().map(|name| turned(name, symmetry)).collect()
        };
        let here: BTreeMap<_, _> = moves(&position)
            .into_iter()
            .map(|((from, to), taken)| ((turned(&from, symmetry), turned(&to, symmetry)), turn_names(&taken)))
            .collect();
        let there: BTreeMap<_, _> =
            moves(&other).into_iter().map(|(way, taken)| (way, taken.into_iter().collect())).collect();
        prop_assert_eq!(here, there);
        prop_assert_eq!(position.exits(), other.exits());
        prop_assert_eq!(position.outcome(), other.outcome());
        prop_assert_eq!(position.perft(2), other.perft(2));
    }

    #[test]
    fn counting_is_listing(position in positions()) {
        let turn = Turn::new(position);
        let steps = turn.steps();
        prop_assert_eq!(position.count_moves(), steps.len() as u64);
        prop_assert_eq!(turn.is_complete(), steps.is_empty());
        let (ends, truncated) = turn.ends(usize::MAX);
        prop_assert!(!truncated);
        let distinct: HashSet<_> = ends.iter().copied().collect();
        prop_assert_eq!(distinct.len(), steps.len().max(1));
        prop_assert_eq!(ends.len(), distinct.len());
        let below: u64 = ends.iter().map(|end| if end.outcome().is_some() { 1 } else { end.count_moves() }).sum();
        if !steps.is_empty() {
            prop_assert_eq!(position.perft(2), below);
            for step in &steps {
                let mut turn = turn.clone();
                turn.play(step).expect("a listed step is legal");
                prop_assert!(distinct.contains(&turn.end().expect("one move").position));
            }
            prop_assert_eq!(turn.ends(1), (ends[..1].to_vec(), ends.len() > 1));
        }
    }

    #[test]
    fn a_written_position_is_read_again(position in positions()) {
        let Setup::Tafl { board, to_move } = position.setup() else { panic!("tablut is tafl") };
        prop_assert_eq!(Position::from_setup(position.kind(), &board, to_move), Ok(position));
        prop_assert_eq!(Position::recorded(position.kind(), &board, to_move), Ok(position));
        for step in Turn::new(position).steps() {
            let mut turn = Turn::new(position);
            turn.play(&step).expect("a listed step is legal");
            let text = turn.write();
            prop_assert_eq!(Turn::new(position).parse(&text), Ok(step.clone()), "{}", text);
            prop_assert_eq!(turn.played(), Some(step));
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in ".{0,12}", cells in "[a-k0-9x -]{0,12}") {
        for text in [text, cells] {
            let turn = Turn::new(Position::start(TABLUT));
            let _ = turn.parse(&text);
            let _ = Position::from_setup(TABLUT, &text, ATTACKERS);
            let step = Step { die: None, from: text.clone(), to: text };
            prop_assert!(turn.clone().play(&step).is_err());
        }
    }

    #[test]
    fn history_counts_what_stood_since_the_last_capture(
        position in positions(),
        choices in prop::collection::vec(0..4_usize, 0..80),
    ) {
        let mut position = Any::Tafl(position);
        let mut history = History::start(&position);
        let mut stood = vec![position];
        let mut quiet = 0;
        for choice in choices {
            let mut turn = position.turn(&[]).expect("no dice");
            let steps = turn.steps();
            let Some(step) = steps.get(choice % steps.len().max(1)) else { break };
            let captured = !turn.play(step).expect("a listed step is legal").captures.is_empty();
            let end = turn.end(&history).expect("one move");
            if captured {
                stood.clear();
            }
            stood.push(end.position);
            let times = stood.iter().filter(|&&before| before == end.position).count();
            match end.outcome.map(|outcome| outcome.reason) {
                Some(Reason::Repetition) => prop_assert_eq!(times, 3),
                Some(_) => {}
                None => prop_assert!(times < 3),
            }
            position = end.position;
            history.record(&position, end.captured);
            prop_assert_eq!(usize::from(history.repetitions(&position)), times);
            quiet = if captured { 0 } else { quiet + 1 };
            prop_assert_eq!(history.since_capture(), quiet);
            if end.outcome.is_some() {
                break;
            }
        }
    }
}
