//! Drawings of the five boards, compared with text files: `boards/`.

mod sanitize;
mod tournaments;

use std::path::PathBuf;

use lusoria_protocol::{CatalogueEntry, Game, Position};
use serde_json::json;

use super::board::{BoardSide, Orientation, Style, draw};
use lusoria_wire::catalogue;

const PLAIN: Style = Style { colour: false, unicode: true };
const ASCII: Style = Style { colour: false, unicode: false };
const COLOURED: Style = Style { colour: true, unicode: true };

const UPRIGHT: Orientation = Orientation { viewer: BoardSide::First, turned: false };

fn entry(game: Game) -> CatalogueEntry {
    catalogue::catalogue()
        .games
        .iter()
        .find(|entry| entry.id == game)
        .expect("all games are in the catalogue")
        .clone()
}

fn drawn(game: Game, position: &Position, orientation: Orientation, style: Style) -> String {
    let lines = draw(&entry(game), position, orientation, style).expect("a board that can be drawn");
    lines.join("\n") + "\n"
}

fn position(value: serde_json::Value) -> Position {
    serde_json::from_value(value).expect("a position")
}

/// A position in the middle of each game, with everything that can be drawn.
fn middle(game: Game) -> Position {
    position(match game {
        Game::Zeno => json!({
            "white": {"points": {"6": 7, "9": 1, "10": 2, "19": 2, "m3": 2}, "supply": 1, "exposed": true},
            "black": {"points": {"8": 2, "11": 12, "m3": 1}, "exposed": true},
            "to_move": "white"}),
        Game::Tavla => json!({
            "white": {"points": {"24": 7, "17": 1, "13": 2, "6": 1, "3": 3}, "off": 1, "pinned": ["6"]},
            "black": {"points": {"24": 9, "19": 3, "4": 3}, "pinned": []},
            "to_move": "black"}),
        Game::Scripta => json!({
            "white": {"points": {"A1": 3, "A12": 1, "B1": 4, "C6": 2, "E1": 1}, "supply": 3, "bar": 1},
            "black": {"points": {"A3": 2, "D1": 5, "D6": 1, "E6": 4}, "supply": 0, "off": 3},
            "to_move": "white"}),
        Game::Tabula => json!({
            "white": {"points": {"1": 6, "12": 2, "13": 1, "24": 4}, "supply": 1, "bar": 1},
            "black": {"points": {"1": 3, "7": 5, "20": 6}, "supply": 1},
            "to_move": "black"}),
        Game::Tablut => {
            json!({"board": "3ttt3/9/4T4/t3T3t/ttTT1TTtt/t3T3t/2K1T4/4t4/3ttt3", "to_move": "attackers"})
        }
    })
}

/// Compares a drawing with its file. With `LUSORIA_DRAW_ANEW` the files are rewritten, for people to check.
fn hold(name: &str, drawing: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/tests/boards").join(name);
    if std::env::var_os("LUSORIA_DRAW_ANEW").is_some() {
        std::fs::write(&path, drawing).expect("room for a drawing");
    }
    let orientation = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(drawing, orientation, "{name} is drawn otherwise:\n{drawing}");
}

#[test]
fn every_board_at_the_start() {
    for (game, name) in Game::ALL.map(|game| (game, game.id())) {
        hold(&format!("{name}-start.txt"), &drawn(game, &entry(game).start, UPRIGHT, PLAIN));
    }
}

#[test]
fn every_board_in_the_middle_of_a_game() {
    for (game, name) in Game::ALL.map(|game| (game, game.id())) {
        hold(&format!("{name}.txt"), &drawn(game, &middle(game), UPRIGHT, PLAIN));
        hold(&format!("{name}-ascii.txt"), &drawn(game, &middle(game), UPRIGHT, ASCII));
    }
}

#[test]
fn every_board_as_the_other_side_sees_it_and_turned() {
    for (game, name) in Game::ALL.map(|game| (game, game.id())) {
        let other = Orientation { viewer: BoardSide::Second, turned: false };
        hold(&format!("{name}-other.txt"), &drawn(game, &middle(game), other, PLAIN));
        let turned = Orientation { viewer: BoardSide::First, turned: true };
        hold(&format!("{name}-turned.txt"), &drawn(game, &middle(game), turned, PLAIN));
    }
}

#[test]
fn every_board_fits_a_terminal_and_plain_ones_are_ascii() {
    for (game, name) in Game::ALL.map(|game| (game, game.id())) {
        for style in [PLAIN, ASCII] {
            let drawing = drawn(game, &middle(game), UPRIGHT, style);
            assert!(drawing.lines().count() <= 19, "{name}: room for players, a line to say and one to type");
            assert!(drawing.lines().all(|line| line.chars().count() <= 79), "{name}");
            assert!(style.unicode || drawing.is_ascii(), "{name}");
        }
    }
}

#[test]
fn colours_change_nothing_else() {
    for (game, name) in Game::ALL.map(|game| (game, game.id())) {
        let mut bare = String::new();
        let coloured = drawn(game, &middle(game), UPRIGHT, COLOURED);
        let mut rest = coloured.as_str();
        while let Some((before, after)) = rest.split_once('\u{1b}') {
            bare.push_str(before);
            rest = after.split_once('m').expect("a code ends").1;
        }
        bare.push_str(rest);
        assert_eq!(bare, drawn(game, &middle(game), UPRIGHT, PLAIN), "{name}");
        assert!(coloured.contains('\u{1b}'), "{name}");
    }
}

#[test]
fn an_unknown_board_is_not_drawn() {
    let (tavla, tablut) = (entry(Game::Tavla), entry(Game::Tablut));
    assert!(draw(&tavla, &middle(Game::Tablut), UPRIGHT, PLAIN).is_none());
    assert!(draw(&tablut, &middle(Game::Tavla), UPRIGHT, PLAIN).is_none());
    for board in ["", "9/9", "x8/9/9/9/9/9/9/9/9", "99999999/9/9/9/9/9/9/9/9"] {
        let position = position(json!({"board": board, "to_move": "attackers"}));
        assert!(draw(&tablut, &position, UPRIGHT, PLAIN).is_none(), "{board}");
    }
    let mut odd = entry(Game::Tavla);
    odd.board.cells.pop();
    assert!(draw(&odd, &middle(Game::Tavla), UPRIGHT, PLAIN).is_none());
    odd.board.cells.clear();
    assert!(draw(&odd, &middle(Game::Tavla), UPRIGHT, PLAIN).is_none());
    let mut wild = entry(Game::Zeno);
    wild.board.cells[0].x = f64::NAN;
    assert!(draw(&wild, &middle(Game::Zeno), UPRIGHT, PLAIN).is_none());
}

#[test]
fn names_on_a_board_cannot_steer_the_terminal() {
    let mut entry = entry(Game::Zeno);
    entry.board.cells[0].names.white = "\u{1b}[2J".to_owned();
    let lines = draw(&entry, &middle(Game::Zeno), UPRIGHT, PLAIN).expect("a board").join("\n");
    assert!(!lines.contains('\u{1b}') && lines.contains("\\u{1b"), "{lines}");
}
