use std::collections::{BTreeMap, BTreeSet};

use lusoria_protocol::{Cell, Clock, PlaceKind};
use lusoria_rules::{BySide, DiceSide, Game, Position, Setup, SetupError, Side, Variant};

use super::entry;

const DICE_GAMES: [Game; 4] = [Game::Zeno, Game::Tavla, Game::Scripta, Game::Tabula];

fn blot(game: Game, cell: &str) -> DiceSide {
    let rest = 14;
    let supply = if game == Game::Tavla { 0 } else { rest };
    let off = if game == Game::Tavla { rest } else { 0 };
    DiceSide { points: BTreeMap::from([(cell.to_owned().into(), 1)]), supply, off, ..DiceSide::default() }
}

fn both(game: Game, white: &str, black: &str) -> Setup {
    let sides = BySide { white: blot(game, white), black: blot(game, black) };
    Setup::Tables { sides, to_move: Side::White }
}

#[test]
fn every_cell_is_a_cell_of_the_rules_by_both_names() {
    for game in DICE_GAMES {
        let cells = &entry(game).board.cells;
        assert_eq!(
            cells.len(),
            if game.dice() == 3 && game == Game::Tabula || game == Game::Tavla { 24 } else { 36 }
        );
        for Cell { names, .. } in cells {
            let setup = both(game, &names.white, &names.black);
            Position::recorded(Variant::standard(game), &setup).unwrap_or_else(|why| panic!("{game}: {why}"));
        }
    }
    let cells = &entry(Game::Tablut).board.cells;
    assert_eq!(cells.len(), 81);
}

/// Two blots on one cell are too many for it.
#[test]
fn a_cell_is_the_same_cell_by_both_names() {
    for game in [Game::Tabula, Game::Scripta] {
        for Cell { names, order, .. } in &entry(game).board.cells {
            // In scripta nothing has left row A while pieces wait.
            if game == Game::Scripta && order.is_none_or(|order| order.white > 12) {
                continue;
            }
            let setup = both(game, &names.white, &names.black);
            let judged = Position::from_setup(Variant::standard(game), &setup);
            assert!(matches!(judged, Err(SetupError::Shared { .. })), "{game} {}: {judged:?}", names.white);
        }
    }
}

#[test]
fn no_two_cells_overlap_and_all_lie_on_the_board() {
    for game in Game::ALL {
        let board = &entry(game).board;
        for (index, a) in board.cells.iter().enumerate() {
            assert!(
                a.x >= 0.0 && a.y >= 0.0 && a.x + a.w <= board.width && a.y + a.h <= board.height,
                "{a:?}"
            );
            for b in &board.cells[index + 1..] {
                let apart = a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y;
                assert!(apart, "{game}: {} and {}", a.id, b.id);
                assert_ne!(a.id, b.id);
            }
            for place in &board.places {
                let apart = a.x + a.w <= place.x
                    || place.x + place.w <= a.x
                    || a.y + a.h <= place.y
                    || place.y + place.h <= a.y;
                assert!(apart, "{game}: {} and {place:?}", a.id);
            }
        }
    }
}

#[test]
fn paths_are_the_routes_of_the_rules() {
    let path = |game| entry(game).board.paths.as_ref().unwrap();
    let up: Vec<String> = (1..=24).map(|cell: u8| cell.to_string()).collect();
    let down: Vec<String> = up.iter().rev().cloned().collect();
    assert_eq!((&path(Game::Zeno).white, &path(Game::Zeno).black), (&up, &up));
    // By White's names: White goes down in tavla and Black comes up.
    assert_eq!((&path(Game::Tavla).white, &path(Game::Tavla).black), (&down, &up));
    assert_eq!((&path(Game::Tabula).white, &path(Game::Tabula).black), (&up, &down));
    let scripta = &path(Game::Scripta).white;
    assert_eq!(scripta.len(), 36);
    let stations: Vec<_> =
        [0, 11, 12, 17, 18, 24, 30, 35].map(|index: usize| scripta[index].as_str()).to_vec();
    assert_eq!(stations, ["A1", "A12", "B1", "B6", "C1", "D1", "E6", "E1"]);
    assert!(entry(Game::Tablut).board.paths.is_none());
}

/// rules/zeno.md: middle cell m lies between outer cells m and 25 − m.
#[test]
fn zenos_middle_row_lies_between_the_outer_rows() {
    let board = &entry(Game::Zeno).board;
    let cell = |name: String| board.cells.iter().find(|cell| cell.id == name).unwrap();
    for m in 1..=12 {
        let (upper, middle, lower) = (cell(m.to_string()), cell(format!("m{m}")), cell((25 - m).to_string()));
        assert!((upper.x - middle.x).abs() < f64::EPSILON && (lower.x - middle.x).abs() < f64::EPSILON);
        assert!(upper.y < middle.y && middle.y < lower.y);
    }
}

#[test]
fn each_side_has_the_places_that_its_game_uses() {
    let kinds = |game: Game| -> BTreeSet<String> {
        let places = &entry(game).board.places;
        places.iter().map(|place| format!("{:?} {:?}", place.kind, place.side)).collect()
    };
    let expected = |kinds: &[PlaceKind], sides: [&str; 2]| -> BTreeSet<String> {
        kinds.iter().flat_map(|kind| sides.map(|side| format!("{kind:?} {side}"))).collect()
    };
    let colours = ["White", "Black"];
    assert_eq!(kinds(Game::Zeno), expected(&[PlaceKind::Supply, PlaceKind::Off], colours));
    assert_eq!(kinds(Game::Tavla), expected(&[PlaceKind::Off], colours));
    for game in [Game::Scripta, Game::Tabula] {
        assert_eq!(kinds(game), expected(&[PlaceKind::Supply, PlaceKind::Bar, PlaceKind::Off], colours));
    }
    assert_eq!(kinds(Game::Tablut), expected(&[PlaceKind::Captured], ["Defenders", "Attackers"]));
}

#[test]
fn presets_are_clocks_that_a_match_can_have() {
    for game in Game::ALL {
        let presets = &entry(game).clock_presets;
        let ids: BTreeSet<_> = presets.iter().map(|preset| &preset.id).collect();
        assert_eq!(ids.len(), presets.len());
        for preset in presets {
            let clock = match preset.clock {
                Clock::None {} => lusoria_play::Clock::None {},
                Clock::Fischer { base_ms, increment_ms } => {
                    lusoria_play::Clock::Fischer { base_ms, increment_ms }
                }
                Clock::Delay { base_ms, delay_ms } => lusoria_play::Clock::Delay { base_ms, delay_ms },
                Clock::Days { days } => lusoria_play::Clock::Days { days },
            };
            clock.check().unwrap();
            assert!(preset.lasts_ms.is_none_or(|lasts_ms| lasts_ms < 4 * 3_600_000), "{game} {}", preset.id);
        }
    }
}

/// A match accepts all options of the catalogue, and the defaults agree.
#[test]
fn every_value_of_every_option_is_accepted() {
    use crate as wire;
    for game in Game::ALL {
        let variant = |options: serde_json::Value| {
            let options = serde_json::from_value(options).unwrap();
            wire::variant(game, &options).unwrap()
        };
        for option in &entry(game).options {
            for value in &option.values {
                let options = serde_json::json!({ &option.name: value.value });
                let variant = variant(options);
                assert!(Variant::ALL.contains(&variant), "{game} {}", option.name);
                let is_default = variant == Variant::standard(game);
                assert_eq!(is_default, value.value == option.default, "{game} {}", option.name);
            }
        }
    }
}
