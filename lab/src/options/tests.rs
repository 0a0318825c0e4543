//! Options on the command line, and errors about them.

use lusoria_rules::{Shift, Throne};

use super::*;

fn read(game: Game, options: &[&str]) -> Result<Variant, String> {
    let options: Vec<String> = options.iter().map(|&option| option.to_owned()).collect();
    variant(game, &options).map_err(|failure| failure.to_string())
}

#[test]
fn options_change_the_variant() {
    assert_eq!(read(Game::Zeno, &[]), Ok(Variant::standard(Game::Zeno)));
    assert_eq!(read(Game::Zeno, &["shift=die"]), Ok(Variant::Zeno { shift: Shift::Die }));
    assert_eq!(read(Game::Scripta, &["row_a_gate=false"]), Ok(Variant::Scripta { row_a_gate: false }));
    assert_eq!(read(Game::Tablut, &["throne=closed"]), Ok(Variant::Tablut { throne: Throne::Closed }));
}

#[test]
fn an_unknown_option_is_named() {
    for (game, option, why) in [
        (Game::Zeno, "shift", "an option is written name=value, not \"shift\""),
        (Game::Zeno, "throne=king", "zeno has no option \"throne\"; it has shift"),
        (Game::Tabula, "game=zeno", "tabula has no option \"game\"; it has none"),
        (Game::Zeno, "shift=true", "zeno's option shift cannot be \"true\""),
        (Game::Scripta, "row_a_gate=no", "scripta's option row_a_gate cannot be \"no\""),
    ] {
        assert_eq!(read(game, &[option]), Err(why.to_owned()));
    }
}

#[test]
fn an_option_is_given_once() {
    for twice in [["shift=die", "shift=throw"], ["shift=die", "shift=die"]] {
        assert_eq!(read(Game::Zeno, &twice), Err("zeno's option shift is given twice".to_owned()));
    }
}
