//! Texts of servers that try to control the terminal.

use lusoria_protocol::{Game, Legal, OptionSetting, STEPS_MAX};
use serde_json::json;

use super::entry as known;
use crate::sanitize::{
    KINDS_MAX, NAME_CHARS_MAX, NOTATION_CHARS_MAX, PLACE_CHARS_MAX, WAYS_MAX, entry, legal,
};
use lusoria_wire::catalogue;

const HOSTILE: &str = "\u{1b}]0;x\u{7}\u{202e}\u{9b}2J";

fn is_plain(text: &str) -> bool {
    !text.contains(['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}'])
}

#[test]
fn valid_entries_stay_unchanged() {
    for known in &catalogue::catalogue().games {
        assert_eq!(entry(known.clone()), *known);
    }
}

#[test]
fn no_entry_of_a_catalogue_steers_the_terminal() {
    let mut hostile = known(Game::Scripta);
    let text = HOSTILE.repeat(100);
    hostile.name.clone_from(&text);
    hostile.sides[0].name.clone_from(&text);
    let mut option = known(Game::Tavla).options[0].clone();
    option.name.clone_from(&text);
    option.values[0].value = OptionSetting::Word(text.clone());
    hostile.options = vec![option; 1_000];
    hostile.clock_presets[0].id.clone_from(&text);
    let shown = entry(hostile);
    assert!(shown.options.len() <= KINDS_MAX);
    let OptionSetting::Word(word) = &shown.options[0].values[0].value else { panic!("it is a word") };
    let option = &shown.options[0].name;
    for text in [&shown.name, &shown.sides[0].name, option, word, &shown.clock_presets[0].id] {
        assert!(is_plain(text) && text.chars().count() <= NAME_CHARS_MAX, "{text:?}");
    }
}

#[test]
fn no_step_steers_the_terminal() {
    let step = json!({"die": 3, "from": HOSTILE.repeat(100), "to": HOSTILE});
    let hostile: Legal = serde_json::from_value(json!({
        "seq": 4, "to_play": "white", "dice_left": [3], "complete": false,
        "steps": vec![step.clone(); 10_000],
        "reach": [{"from": HOSTILE, "to": HOSTILE, "steps": vec![step.clone(); 10_000]}],
        "forced": vec![step; 10_000],
        "position": known(Game::Zeno).start,
        "notation": HOSTILE.repeat(1_000),
    }))
    .expect("it is in the protocol");
    let shown = legal(hostile);
    let Legal { steps, reach, forced, notation, .. } = &shown;
    let forced = forced.as_ref().expect("it was there");
    assert!(steps.len() <= WAYS_MAX && forced.len() <= STEPS_MAX && reach[0].steps.len() <= STEPS_MAX);
    assert!(is_plain(notation) && notation.chars().count() <= NOTATION_CHARS_MAX);
    let all = steps.iter().chain(forced).chain(&reach[0].steps);
    let named = all.flat_map(|step| [&step.from, &step.to]).chain([&reach[0].from, &reach[0].to]);
    for place in named {
        assert!(is_plain(place) && place.chars().count() <= PLACE_CHARS_MAX, "{place:?}");
    }
}
