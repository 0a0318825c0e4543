//! Every game can be drawn, at its start and during a match.

use lusoria_picture::{HEIGHT_PX, Picture, Player, WIDTH_PX};
use lusoria_protocol::{Game, Position};
use lusoria_wire::catalogue;

const GAMES: [Game; 5] = [Game::Zeno, Game::Tavla, Game::Scripta, Game::Tabula, Game::Tablut];

fn picture(game: Game, position: Option<&str>, names: [&str; 2]) -> Picture {
    let entry = catalogue::entry(game);
    let position = match position {
        None => entry.start.clone(),
        Some(text) => serde_json::from_str::<Position>(text).expect("a position"),
    };
    let players =
        [0, 1].map(|at| Player { side: entry.sides[at].id, name: names[at].to_owned(), has_won: at == 0 });
    Picture { entry, position, title: entry.name.clone(), players: players.to_vec() }
}

/// The width and height in a file's header.
fn size(png: &[u8]) -> (u32, u32) {
    let header = png.strip_prefix(b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR").expect("a PNG file");
    let number = |at: usize| u32::from_be_bytes(header[at..at + 4].try_into().expect("four bytes"));
    (number(0), number(4))
}

fn middle_games() -> [(Game, &'static str); 5] {
    [
        (
            Game::Zeno,
            r#"{"white": {"points": {"7": 3, "12": 2, "15": 1, "20": 5, "m3": 1}, "supply": 1, "off": 2, "exposed": false},
                "black": {"points": {"3": 2, "9": 1, "24": 7, "m3": 1}, "supply": 4, "off": 0, "exposed": true}, "to_move": "black"}"#,
        ),
        (
            Game::Tavla,
            r#"{"white": {"points": {"24": 8, "20": 3, "6": 1}, "off": 3, "pinned": ["6"]},
                "black": {"points": {"19": 3, "24": 9, "1": 1, "2": 2}, "off": 0}, "to_move": "white"}"#,
        ),
        (
            Game::Scripta,
            r#"{"white": {"points": {"A1": 3, "A12": 2, "B4": 5, "E6": 1}, "supply": 1, "bar": 1, "off": 2},
                "black": {"points": {"A3": 2, "C2": 6}, "supply": 4, "bar": 2, "off": 1}, "to_move": "black"}"#,
        ),
        (
            Game::Tabula,
            r#"{"white": {"points": {"1": 2, "7": 5, "13": 1}, "supply": 4, "bar": 1, "off": 2},
                "black": {"points": {"1": 4, "20": 6}, "supply": 2, "bar": 3, "off": 0}, "to_move": "black"}"#,
        ),
        (
            Game::Tablut,
            r#"{"board": "3ttt3/4t4/4T4/t3T3t/ttT1KTT1t/t6t/9/4t2T1/3tt4", "to_move": "attackers"}"#,
        ),
    ]
}

#[test]
fn every_game_is_drawn_as_it_stands() {
    for (game, position) in middle_games() {
        let start = picture(game, None, ["Ada", "Boris"]).png();
        let later = picture(game, Some(position), ["Ada", "Boris"]).png();
        for png in [&start, &later] {
            assert_eq!(size(png), (WIDTH_PX, HEIGHT_PX), "{game}");
            assert!(png.len() > 20_000 && png.len() < 600_000, "{game}: {} bytes", png.len());
        }
        assert_ne!(start, later, "{game}: the pieces lie elsewhere");
    }
}

#[test]
fn a_picture_is_the_same_each_time() {
    for game in GAMES {
        let drawn = || picture(game, None, ["Ada", "Boris"]).png();
        assert_eq!(drawn(), drawn(), "{game}");
    }
}

#[test]
fn any_name_can_be_drawn_and_none_runs_over_the_board() {
    let long = "W".repeat(24);
    for game in GAMES {
        let nameless = picture(game, None, ["", ""]).png();
        for names in [[long.as_str(), "王"], ["Αγαθίας", "Владимир"], ["\u{202e}x", "a\u{0301}"]]
        {
            let png = picture(game, None, names).png();
            assert_eq!(size(&png), (WIDTH_PX, HEIGHT_PX), "{game}: {names:?}");
        }
        assert_ne!(nameless, picture(game, None, ["Ada", ""]).png(), "{game}: names are written");
    }
}

#[test]
fn pictures_that_look_the_same_have_one_fingerprint() {
    let of = |game, names| picture(game, None, names).fingerprint();
    assert_eq!(of(Game::Zeno, ["Ada", "Boris"]), of(Game::Zeno, ["Ada", "Boris"]));
    let all = [
        of(Game::Zeno, ["Ada", "Boris"]),
        of(Game::Zeno, ["Boris", "Ada"]),
        of(Game::Tavla, ["Ada", "Boris"]),
        picture(Game::Zeno, Some(middle_games()[0].1), ["Ada", "Boris"]).fingerprint(),
    ];
    let different: std::collections::BTreeSet<_> = all.iter().collect();
    assert_eq!(different.len(), all.len(), "{all:?}");
}

/// Writes the pictures to the folder `LUSORIA_PICTURES`, for people to look at.
#[test]
#[ignore = "for people who change the drawing"]
fn look_at_them() {
    let folder = std::path::PathBuf::from(std::env::var_os("LUSORIA_PICTURES").expect("LUSORIA_PICTURES"));
    for (game, position) in middle_games() {
        let start = picture(game, None, ["Ada", "Agathias Scholasticus"]);
        let later = picture(game, Some(position), ["WWWWWWWWWWWWWWWWWWWWWWWW", "Владимир"]);
        for (name, picture) in [("start", start), ("later", later)] {
            let began = std::time::Instant::now();
            let png = picture.png();
            println!("{game} {name}: {} bytes, {:?}", png.len(), began.elapsed());
            std::fs::write(folder.join(format!("{game}-{name}.png")), png).expect("a file");
        }
    }
}
