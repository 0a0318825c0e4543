//! Turns as text, in both families of games.

use lusoria_rules::{Game, NotationError, Position, Turn, Variant};

use super::{board, bytes::Bytes, tafl};

/// The longest text that the server accepts (api.md).
const TEXT_CHARS_MAX: usize = 256;

/// The marks between the names in a written turn.
const MARKS: [&str; 12] = ["/", " ", "*", "^", "(2)", "(4)", ",", "-", "x", "(12)", "/off ", "supply/"];

/// A text is refused with a reason, or gives steps that can be played; writing them leads to the same
/// position, and writing that again gives the same text.
pub fn check(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    let variant = *bytes.one_of(Variant::ALL);
    let Some(position) = somewhere(&mut bytes, variant) else { return };
    let dice = board::dice(&mut bytes, variant.game());
    let mut turn = position.turn(&dice).expect("the game's number of dice");
    for _ in 0..bytes.below(3) {
        board::play_any(&mut turn, &mut bytes);
    }
    let text = if bytes.once_in(2) { bytes.text() } else { words(bytes, variant.game()) };
    let text: String = text.chars().take(TEXT_CHARS_MAX).collect();
    match turn.parse(&text) {
        Ok(steps) => {
            let mut after = turn.clone();
            for step in &steps {
                after.play(step).unwrap_or_else(|why| panic!("{text:?} was read, but {why}"));
            }
            writes_as_it_reads(&position, &dice, &after);
        }
        Err(NotationError::Tables(why)) => assert!(!why.to_string().is_empty()),
        Err(NotationError::Tafl(why)) => assert!(!why.to_string().is_empty()),
    }
}

fn somewhere(bytes: &mut Bytes<'_>, variant: Variant) -> Option<Position> {
    match variant {
        Variant::Tablut { .. } => tafl::position(bytes, variant),
        _ => board::position(bytes, variant),
    }
}

/// A text of names that the game knows.
fn words(mut bytes: Bytes<'_>, game: Game) -> String {
    let places = board::places(game);
    let mut text = String::new();
    while !bytes.is_empty() && text.len() < TEXT_CHARS_MAX {
        text.push_str(bytes.one_of::<String>(places));
        text.push_str(bytes.one_of::<&str>(&MARKS));
    }
    text
}

/// A played turn, when written and read, leads to the same position.
pub(crate) fn writes_as_it_reads(position: &Position, dice: &[lusoria_rules::Die], turn: &Turn) {
    let written = turn.write();
    if written.is_empty() {
        return;
    }
    let start = position.turn(dice).expect("the game's number of dice");
    let steps = start.parse(&written).unwrap_or_else(|why| panic!("{written:?} is ours, but {why}"));
    let mut again = start;
    for step in &steps {
        again.play(step).expect("what was read can be played");
    }
    assert_eq!(again.position(), turn.position(), "{written:?}");
    assert_eq!(again.write(), written);
}
