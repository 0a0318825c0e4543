//! What a server says of a game and of a turn, made fit to be shown when it arrives: printable,
//! and no longer and no more than such things are.

use lusoria_protocol::{CatalogueEntry, Legal, OptionSetting, STEPS_MAX, Step};

use super::telling::clipped;

/// The longest name of a game, a side, an option or a clock, in characters.
pub(super) const NAME_CHARS_MAX: usize = 40;

/// The longest name of a place on a board, in characters: steps allow 16.
pub(super) const PLACE_CHARS_MAX: usize = 16;

/// The longest notation of a turn, in characters: sixteen steps of twelve.
pub(super) const NOTATION_CHARS_MAX: usize = 200;

/// How many sides, options, values of an option or clocks a game has, at most.
pub(super) const KINDS_MAX: usize = 16;

/// How many ways there are to go on, at most: tablut's attackers have less than 256.
pub(super) const WAYS_MAX: usize = 512;

/// The entry of a game as it may be shown.
pub(super) fn entry(mut entry: CatalogueEntry) -> CatalogueEntry {
    let name = |text: &mut String| *text = clipped(text, NAME_CHARS_MAX);
    name(&mut entry.name);
    entry.sides.truncate(KINDS_MAX);
    for side in &mut entry.sides {
        name(&mut side.name);
    }
    entry.options.truncate(KINDS_MAX);
    for option in &mut entry.options {
        name(&mut option.name);
        option.values.truncate(KINDS_MAX);
        for value in &mut option.values {
            if let OptionSetting::Word(word) = &mut value.value {
                name(word);
            }
        }
    }
    entry.clock_presets.truncate(KINDS_MAX);
    for preset in &mut entry.clock_presets {
        name(&mut preset.id);
        name(&mut preset.name);
    }
    entry
}

/// What can be played, as it may be shown.
pub(super) fn legal(mut legal: Legal) -> Legal {
    legal.notation = clipped(&legal.notation, NOTATION_CHARS_MAX);
    legal.steps.truncate(WAYS_MAX);
    steps(&mut legal.steps);
    legal.reach.truncate(WAYS_MAX);
    for reach in &mut legal.reach {
        place(&mut reach.from);
        place(&mut reach.to);
        reach.steps.truncate(STEPS_MAX);
        steps(&mut reach.steps);
    }
    if let Some(forced) = &mut legal.forced {
        forced.truncate(STEPS_MAX);
        steps(forced);
    }
    legal
}

fn steps(steps: &mut [Step]) {
    for step in steps {
        place(&mut step.from);
        place(&mut step.to);
    }
}

fn place(text: &mut String) {
    *text = clipped(text, PLACE_CHARS_MAX);
}
