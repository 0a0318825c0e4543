//! Positions in written form, of all five games.

use lusoria_rules::{Die, History, Position, Setup, Side, Variant};

use super::{board, bytes::Bytes};

/// The most ends that are checked.
const ENDS_MAX: usize = 50;

/// An accepted position is written as it was read, has everything that a game has, and can be played on; one
/// that is only recorded can at least be shown and counted. The first byte chooses the game, the second
/// whether the rest is JSON or a constructed board.
pub fn check(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    let variant = *bytes.one_of(Variant::ALL);
    let setup = if variant.game().dice() > 0 && bytes.once_in(2) {
        board::setup(&mut bytes, variant)
    } else {
        let Ok(setup) = serde_json::from_str(&bytes.clone().text()) else { return };
        setup
    };
    let recorded = match Position::recorded(variant, &setup) {
        Ok(recorded) => recorded,
        Err(why) => {
            assert!(!why.to_string().is_empty());
            assert_eq!(Position::from_setup(variant, &setup).map_err(drop), Err(()), "{setup:?}");
            return;
        }
    };
    reads_as_itself(&recorded);
    can_be_shown(&recorded);
    let Ok(position) = Position::from_setup(variant, &setup) else { return };
    assert_eq!(position, recorded);
    assert_eq!(Position::from_setup(variant, &position.setup()), Ok(position));
    assert_eq!(
        position.outcome().filter(|outcome| outcome.reason != lusoria_rules::Reason::NoMove),
        None,
        "a game that is over was taken as going on"
    );
    if let Setup::Tables { sides, .. } = position.setup() {
        for side in Side::BOTH {
            assert_eq!(board::pieces(sides.get(side)), 15);
        }
    }
}

fn reads_as_itself(position: &Position) {
    let written = position.setup();
    assert_eq!(Position::recorded(position.variant(), &written), Ok(*position));
    let text = serde_json::to_string(&written).expect("a position is plain data");
    assert_eq!(serde_json::from_str::<Setup>(&text).ok(), Some(written));
    assert_eq!(position.to_move(), position.with_to_move(position.to_move()).to_move());
}

/// What a server does with any position in a journal: it never panics.
fn can_be_shown(position: &Position) {
    assert!(!position.drawing().is_empty());
    let _ = position.outcome();
    for side in Side::BOTH {
        let _ = (position.pips(side), position.off(side), position.loss_points(side));
    }
    let dice = &Die::ALL[..position.variant().game().dice()];
    let turn = position.turn(dice).expect("the game's number of dice");
    let _ = turn.ends(ENDS_MAX);
    let history = History::start(position);
    for step in turn.steps() {
        let mut turn = turn.clone();
        turn.play(&step).expect("a listed step is legal");
        assert!(!turn.write().is_empty());
        if turn.is_complete() {
            turn.end(&history).expect("a complete turn ends");
        }
    }
}
