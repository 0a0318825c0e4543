//! Checks which folder of `src/` may mention which, and which crates; and the same of the rooms of the store.

use crate::source::{Token, files, placed, read, shown, tokens};

/// A module at the root of the server's library, and what it may mention.
struct Folder {
    name: &'static str,
    folders: &'static [&'static str],
    crates: &'static [&'static str],
}

const RULES: &str = "lusoria_rules";
const PLAY: &str = "lusoria_play";
const TOURNAMENT: &str = "lusoria_tournament";
const DICE: &str = "lusoria_dice";
const SEARCH: &str = "lusoria_search";
const PROTOCOL: &str = "lusoria_protocol";
const WIRE: &str = "lusoria_wire";
const STORE: &str = "lusoria_store";
const RECORDS: &str = "lusoria_records";
const CLIENT: &str = "lusoria_client";
const TERMINAL: &str = "lusoria_terminal";

/// The folders of the server: `http` and `ws` call `app`, `app` calls `live`, `live` calls the store;
/// `config` is a plain value that is passed in, `bots` plays for the computer, `push` sends push messages,
/// `server` assembles everything, `cli` is the command. The manifests say which crates a package may use;
/// this table says which of them each folder may use.
const FOLDERS: [Folder; 9] = [
    Folder {
        name: "http",
        folders: &["app", "config", "live"],
        crates: &[
            PROTOCOL,
            WIRE,
            RECORDS,
            "axum",
            "utoipa",
            "flate2",
            "pulldown_cmark",
            "rawzip",
            "rust_embed",
        ],
    },
    Folder { name: "ws", folders: &["app", "config", "live"], crates: &[PROTOCOL, WIRE, "axum"] },
    Folder {
        name: "app",
        folders: &["config", "live"],
        crates: &[PROTOCOL, WIRE, STORE, PLAY, TOURNAMENT, RULES, SEARCH, DICE, "rand"],
    },
    Folder { name: "live", folders: &[], crates: &[STORE, PLAY, TOURNAMENT, RULES, DICE, "rand"] },
    Folder { name: "bots", folders: &["app", "config", "live"], crates: &[STORE, PLAY, RULES, SEARCH] },
    Folder {
        name: "push",
        folders: &["app", "live"],
        crates: &[PROTOCOL, STORE, PLAY, TOURNAMENT, CLIENT, "rand"],
    },
    Folder { name: "config", folders: &[], crates: &["clap"] },
    Folder {
        name: "server",
        folders: &["app", "bots", "config", "http", "live", "push", "ws"],
        crates: &[STORE, "axum", "metrics_exporter_prometheus", "rand"],
    },
    Folder {
        name: "cli",
        folders: &["app", "config", "server"],
        crates: &[PROTOCOL, WIRE, STORE, RECORDS, PLAY, RULES, CLIENT, TERMINAL, "clap"],
    },
];

/// The rooms of the store: `db` says what is kept, in SQL that both databases understand, and calls what one of them
/// alone needs; `sql` runs statements. The rest are types that all of them use.
const ROOMS: [Folder; 5] = [
    Folder { name: "sql", folders: &[], crates: &[] },
    Folder { name: "sqlite", folders: &["sql"], crates: &[] },
    Folder { name: "postgres", folders: &["sql"], crates: &[] },
    Folder { name: "db", folders: &["postgres", "sql", "sqlite"], crates: &[] },
    Folder { name: "moving", folders: &["postgres", "sql", "sqlite"], crates: &[] },
];

/// The crates that only some folders may use; every other one may be used anywhere.
const TIED: [&str; 20] = [
    RULES,
    TOURNAMENT,
    SEARCH,
    PLAY,
    DICE,
    PROTOCOL,
    WIRE,
    STORE,
    RECORDS,
    CLIENT,
    TERMINAL,
    "axum",
    "clap",
    "flate2",
    "metrics_exporter_prometheus",
    "pulldown_cmark",
    "rand",
    "rawzip",
    "rust_embed",
    "utoipa",
];

/// Names of things, not their state: every folder may use them for a match, a guest or a game.
const NAMES: [&str; 4] = ["Game", "MatchId", "PlayerId", "UnknownGame"];

/// All faults of the folders of `src/` and of the store.
pub(super) fn faults() -> Result<Vec<String>, String> {
    let mut faults = Vec::new();
    for path in files("src", &[".rs"])? {
        let name = shown(&path);
        faults.extend(placed(&name, faults_of(&name, &tokens(&read(&path)?))));
    }
    for path in files("crates/store/src", &[".rs"])? {
        let name = shown(&path);
        faults.extend(placed(&name, faults_of_store(&name, &tokens(&read(&path)?))));
    }
    Ok(faults)
}

fn faults_of_store(path: &str, tokens: &[Token]) -> Vec<(usize, String)> {
    let segments = segments(path, "crates/store/src/");
    let Some(room) = ROOMS.iter().find(|room| room.name == segments[0]) else { return Vec::new() };
    upward(room, &ROOMS, tokens, segments.len())
}

/// The names of a file's module, from the root of its library.
fn segments<'p>(path: &'p str, root: &str) -> Vec<&'p str> {
    let inside = path.trim_start_matches(root).trim_end_matches(".rs");
    inside.split('/').filter(|&segment| segment != "mod").collect()
}

/// The folders that a file of `folder`, `depth` below the root, mentions and may not.
fn upward(folder: &Folder, all: &[Folder], tokens: &[Token], depth: usize) -> Vec<(usize, String)> {
    let mut faults = Vec::new();
    for segment in root_segments(tokens, depth) {
        let mentioned = segment.text.as_str();
        let is_folder = all.iter().any(|folder| folder.name == mentioned);
        if is_folder && mentioned != folder.name && !folder.folders.contains(&mentioned) {
            faults.push((segment.line, format!("{} may not mention {mentioned}", folder.name)));
        }
    }
    faults
}

fn faults_of(path: &str, tokens: &[Token]) -> Vec<(usize, String)> {
    let segments = segments(path, "src/");
    let name = segments[0];
    // A test of a folder may start the whole server.
    if name == "lib" || name == "main" || segments.contains(&"tests") {
        return Vec::new();
    }
    let Some(folder) = FOLDERS.iter().find(|folder| folder.name == name) else {
        return vec![(
            1,
            format!("src/{name} has no rule yet: write down what it may mention in xtask/src/layers"),
        )];
    };
    let mut faults = upward(folder, &FOLDERS, tokens, segments.len());
    let ties = |token: &Token| TIED.contains(&token.text.as_str());
    for (index, token) in tokens.iter().enumerate().filter(|(_, token)| ties(token)) {
        let names_only = tokens.get(index + 1).is_some_and(|mark| mark.text == "::")
            && first_segments(&tokens[index + 2..]).iter().all(|item| NAMES.contains(&item.text.as_str()));
        if !folder.crates.contains(&token.text.as_str()) && !names_only {
            faults.push((token.line, format!("{name} may not mention {}", token.text)));
        }
    }
    faults
}

/// The first names of all paths that begin at the library's root, in a file whose module is `depth` below it:
/// `crate::x`, `lusoria::x`, and enough `super::`.
fn root_segments(tokens: &[Token], depth: usize) -> Vec<&Token> {
    let text = |index: usize| tokens.get(index).map_or("", |token: &Token| token.text.as_str());
    let mut found = Vec::new();
    let mut index = 0;
    while index < tokens.len() {
        let starts_path = index == 0 || text(index - 1) != "::";
        let mut after = index;
        if starts_path && ["crate", "lusoria"].contains(&text(index)) && text(index + 1) == "::" {
            after = index + 2;
        } else if starts_path && text(index) == "super" {
            let mut ups = 0;
            while text(after) == "super" && text(after + 1) == "::" {
                (ups, after) = (ups + 1, after + 2);
            }
            if ups < depth {
                index = after.max(index + 1);
                continue;
            }
        }
        if after > index {
            found.extend(first_segments(&tokens[after..]));
        }
        index = after.max(index + 1);
    }
    found
}

/// The names right after a `::`: one, or those of a group `{a::b, c}`.
pub(super) fn first_segments(tokens: &[Token]) -> Vec<&Token> {
    if tokens.first().is_none_or(|token| token.text != "{") {
        return tokens.first().into_iter().collect();
    }
    let mut found = Vec::new();
    let mut depth = 0_usize;
    let mut before = "";
    for token in tokens {
        match token.text.as_str() {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ if depth == 1 && ["{", ","].contains(&before) => found.push(token),
            _ => {}
        }
        if depth == 0 {
            break;
        }
        before = &token.text;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(path: &str, rust: &str) -> Vec<String> {
        faults_of(path, &tokens(rust)).into_iter().map(|(_, what)| what).collect()
    }

    #[test]
    fn arrows_point_one_way() {
        assert!(faults("src/app/matches/turn.rs", "use crate::live::Live; use crate::app::App;").is_empty());
        assert_eq!(faults("src/live/mod.rs", "use crate::app::App;"), ["live may not mention app"]);
        assert_eq!(faults("src/http/mod.rs", "use crate::{app::App, ws};"), ["http may not mention ws"]);
        assert_eq!(faults("src/http/mod.rs", "fn f(x: crate::ws::Socket) {}"), ["http may not mention ws"]);
    }

    #[test]
    fn the_databases_do_not_know_what_is_kept() {
        let faults = |path: &str, rust: &str| faults_of_store(path, &tokens(rust));
        assert_eq!(faults("crates/store/src/sqlite/writer.rs", "use crate::{db::Store, sql::Tx};").len(), 1);
        assert!(faults("crates/store/src/db/mod.rs", "use crate::{postgres, sqlite, sql::Tx};").is_empty());
        assert!(faults("crates/store/src/card.rs", "use crate::sqlite::packed;").is_empty());
    }

    #[test]
    fn super_counts_when_it_reaches_the_root() {
        assert_eq!(
            faults("src/live/a/b.rs", "use super::super::super::app::X;"),
            ["live may not mention app"]
        );
        assert_eq!(faults("src/live/mod.rs", "use super::app::X;"), ["live may not mention app"]);
        assert!(faults("src/live/a.rs", "use super::app::X;").is_empty());
    }

    #[test]
    fn crates_are_tied_to_folders() {
        assert_eq!(
            faults("src/http/turn.rs", "use lusoria_store::Store;"),
            ["http may not mention lusoria_store"]
        );
        assert_eq!(
            faults("src/http/turn.rs", "use lusoria_play::Match;"),
            ["http may not mention lusoria_play"]
        );
        assert!(faults("src/http/turn.rs", "use lusoria_play::{MatchId, PlayerId};").is_empty());
        assert!(faults("src/http/turn.rs", "//! lusoria_play\nuse lusoria_protocol::PlayTurn;").is_empty());
    }

    #[test]
    fn tests_may_build_the_whole_server_around_a_folder() {
        assert!(faults("src/ws/tests/world.rs", "use crate::server::Server;").is_empty());
    }

    #[test]
    fn a_new_folder_needs_a_rule() {
        assert_eq!(faults("src/lounge/mod.rs", "").len(), 1);
    }
}
