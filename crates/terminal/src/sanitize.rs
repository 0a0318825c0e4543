//! Makes the server's texts about games and turns safe to print: only printable characters, with limits on
//! lengths and counts.

use lusoria_protocol::{CatalogueEntry, Legal, OptionSetting, STEPS_MAX, Step};

use super::event_text::clipped;

/// The longest name of a game, a side, an option or a clock, in characters.
pub(super) const NAME_CHARS_MAX: usize = 40;

/// The longest name of a place on a board, in characters: steps allow 16.
pub(super) const PLACE_CHARS_MAX: usize = 16;

/// The longest notation of a turn, in characters: sixteen steps of twelve.
pub(super) const NOTATION_CHARS_MAX: usize = 200;

/// The most sides, options, values of an option, or clocks of a game.
pub(super) const KINDS_MAX: usize = 16;

/// The most legal steps: the attackers of a tafl game have fewer than 256.
pub(super) const WAYS_MAX: usize = 512;

/// A game's entry that is safe to print.
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

/// Legal steps that are safe to print.
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
