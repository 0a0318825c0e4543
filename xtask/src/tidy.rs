//! The part of the house style that a program can judge (CONTRIBUTING.md).

use std::path::{Path, PathBuf};

use crate::{
    Outcome, layers,
    source::{files, placed, read, shown, tokens, verdict},
};

/// The longest file, in lines: one idea, a few screens.
const LINES_MAX: usize = 600;

/// Programs that people copy as a single file and read from the top, and how long they may be.
const ALONE: [(&str, usize); 1] = [("examples/verify.py", 960)];

const FOLDERS: [&str; 10] =
    ["benches", "crates", "examples", "fuzz", "lab", "src", "tests", "trials", "web", "xtask"];

/// The folders whose Rust files are checked for plain English.
const PLAIN_FOLDERS: [&str; 8] =
    ["benches/", "crates/", "fuzz/", "lab/", "src/", "tests/", "trials/", "xtask/"];

/// Documents that are checked for plain English, and what is not: the rules of the games are literature,
/// and the changelog tells history.
const PLAIN_DOCUMENTS: [&str; 5] = ["docs/", "ARCHITECTURE.md", "CONTRIBUTING.md", "README.md", "api.md"];
const NOT_PLAIN_DOCUMENTS: [&str; 2] = ["docs/rules/", "docs/rules.md"];

/// This file names the phrases itself.
const THIS_FILE: &str = "xtask/src/tidy.rs";

/// Words and phrases that plain English does without, and what to write instead. People are "they"
/// (docs/glossary.md).
const NOT_PLAIN: [(&[&str], &str); 6] = [
    (&["whoever"], "say who: a client, a guest, the operator"),
    (&["he"], HE),
    (&["him"], HE),
    (&["his"], HE),
    (&["himself"], HE),
    (&["is", "said", "of"], "say it directly"),
];
const HE: &str = "write they, them, their or themselves";

/// Odd phrases, and what to write instead. A word with a capital letter is found only so, at the beginning of
/// a sentence. In a comment or a paragraph a phrase is found across the end of a line.
const ODD: [(&str, &str); 29] = [
    ("Who has", PERSON),
    ("Who does", PERSON),
    ("Who asks", PERSON),
    ("fn who has", PERSON),
    ("fn who is", PERSON),
    ("to who", PERSON),
    ("of who has", PERSON),
    ("somebody who", PERSON),
    ("anybody who", PERSON),
    ("nobody who", PERSON),
    ("those whom", PERSON),
    ("what is good", VALID),
    ("no longer good", VALID),
    ("still good", VALID),
    ("is good for", VALID),
    ("of before", "write earlier or previous"),
    ("by days", "write correspondence"),
    ("it is known to", "say who sees or receives it"),
    ("is told of", RECEIVES),
    ("are told of", RECEIVES),
    ("been told of", RECEIVES),
    ("is heard of", RECEIVES),
    ("Has a", VERB),
    ("Has the", VERB),
    ("as one may", "give the limit"),
    ("what lasts", "write what is stored"),
    ("can hope for", "write value or chances"),
    ("at a glance", "write without look-ahead, or a summary"),
    ("by lot", "write at random"),
];
const PERSON: &str = "name the person: a guest who, a player whom, a client that";
const VALID: &str = "write valid, and for how long";
const RECEIVES: &str = "say what is sent, or who receives it";
const VERB: &str = "begin with what it does: stores, sends, plays";

/// The king of a tafl game is "he" in the words of its rules.
const KING: &str = "king";

const ENDINGS: [&str; 6] = [".css", ".html", ".js", ".py", ".rs", ".sql"];

/// Checks every source file and names every line that breaks a rule.
pub(crate) fn check() -> Outcome {
    let mut faults = Vec::new();
    for folder in FOLDERS {
        for path in files(folder, &ENDINGS)? {
            let name = shown(&path);
            faults.extend(placed(&name, faults_of(&name, &read(&path)?)));
        }
    }
    for path in documents()? {
        let (name, text) = (shown(&path), read(&path)?);
        faults.extend(placed(&name, not_plain_lines(&text)));
        faults.extend(placed(&name, odd_lines(&name, &text)));
    }
    for path in layers::manifests()? {
        if !forbids_unsafe(&read(&path)?) {
            faults.push(format!("{}: [lints] must forbid unsafe code, as the workspace does", shown(&path)));
        }
    }
    verdict("tidy", "nothing to complain about", &faults)
}

/// Whether a package takes the workspace's lints or forbids unsafe code by itself.
fn forbids_unsafe(manifest: &str) -> bool {
    let mut lines = manifest.lines();
    lines.any(|line| line == "[lints]" || line == "[lints.rust]")
        && lines
            .take_while(|line| !line.starts_with('['))
            .any(|line| ["workspace = true", "unsafe_code = \"forbid\""].contains(&line))
}

/// The documents that are written in plain English.
fn documents() -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    for path in files(".", &[".md"])? {
        let name = shown(&path);
        let starts = |names: &[&str]| names.iter().any(|start| name.starts_with(start));
        if starts(&PLAIN_DOCUMENTS) && !starts(&NOT_PLAIN_DOCUMENTS) {
            found.push(path);
        }
    }
    Ok(found)
}

/// The phrases of a text that are not plain English, with their lines.
fn not_plain_lines(text: &str) -> Vec<(usize, String)> {
    let lines = text.lines().enumerate();
    lines.flat_map(|(index, line)| not_plain(line).map(move |what| (index + 1, what))).collect()
}

/// The phrases of a line that are not plain English.
fn not_plain(line: &str) -> impl Iterator<Item = String> {
    let words: Vec<String> = line
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let names_the_king = words.iter().any(|word| word == KING);
    NOT_PLAIN.into_iter().filter_map(move |(phrase, instead)| {
        let has_it = words.windows(phrase.len()).any(|found| found.iter().eq(phrase));
        let is_of_the_king = names_the_king && instead == HE;
        (has_it && !is_of_the_king).then(|| format!("\"{}\": {instead}", phrase.join(" ")))
    })
}

/// The odd phrases of a text, with the lines where they begin.
fn odd_lines(name: &str, text: &str) -> Vec<(usize, String)> {
    let words = words(text, is_rust(name));
    let mut found = Vec::new();
    for (phrase, instead) in ODD {
        let phrase: Vec<&str> = phrase.split(' ').collect();
        for place in words.windows(phrase.len()) {
            let is_it = |(found, word): (&(usize, String), &&str)| {
                found.1 == **word || found.1.to_lowercase() == **word
            };
            if place.iter().zip(&phrase).all(is_it) {
                found.push((place[0].0, format!("\"{}\": {instead}", phrase.join(" "))));
            }
        }
    }
    found
}

/// The words of a text with their lines, and an empty word where no phrase goes on: at punctuation, an empty
/// line or a line of code. In the name of a function `_` counts as a space.
fn words(text: &str, is_rust: bool) -> Vec<(usize, String)> {
    let mut words = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim_start();
        let comment = line.strip_prefix("//").map(|comment| comment.trim_start_matches(['/', '!']));
        let content = comment.unwrap_or(line);
        let is_function = line.strip_prefix("async ").unwrap_or(line).starts_with("fn ");
        let stands_alone = (is_rust && comment.is_none()) || content.trim().is_empty();
        if stands_alone {
            words.push((number, String::new()));
        }
        let mut word = String::new();
        for c in content.chars().chain([' ']) {
            if c.is_alphanumeric() {
                word.push(c);
                continue;
            }
            if !word.is_empty() {
                words.push((number, std::mem::take(&mut word)));
            }
            if !(c.is_whitespace() || is_function && c == '_') {
                words.push((number, String::new()));
            }
        }
        if stands_alone {
            words.push((number, String::new()));
        }
    }
    words
}

fn is_rust(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|ending| ending == "rs")
}

/// Whether a file is checked for plain English.
fn is_plain(name: &str) -> bool {
    is_rust(name) && name != THIS_FILE && PLAIN_FOLDERS.iter().any(|folder| name.starts_with(folder))
}

fn faults_of(name: &str, text: &str) -> Vec<(usize, String)> {
    let mut faults = Vec::new();
    let lines = text.lines().count();
    let most = ALONE.iter().find(|(alone, _)| *alone == name).map_or(LINES_MAX, |(_, most)| *most);
    if lines > most {
        faults.push((most, format!("{lines} lines; a file is one idea, at most {most} lines")));
    }
    if is_plain(name) {
        faults.extend(not_plain_lines(text));
    }
    if is_plain(name) || name.starts_with("web/") {
        faults.extend(odd_lines(name, text));
    }
    for (index, line) in text.lines().enumerate() {
        if line.contains('\t') {
            faults.push((index + 1, "a tab".to_owned()));
        }
        if line.ends_with([' ', '\r']) {
            faults.push((index + 1, "white space at the end of the line".to_owned()));
        }
    }
    if !text.is_empty() && !text.ends_with('\n') {
        faults.push((lines, "no newline at the end of the file".to_owned()));
    }
    if Path::new(name).extension().is_some_and(|ending| ending == "rs") {
        let tokens = tokens(text);
        for pair in tokens.windows(2) {
            if ["todo", "unimplemented", "dbg"].contains(&pair[0].text.as_str()) && pair[1].text == "!" {
                faults.push((pair[0].line, format!("{}! is not for the main branch", pair[0].text)));
            }
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(name: &str, text: &str) -> Vec<usize> {
        faults_of(name, text).into_iter().map(|(line, _)| line).collect()
    }

    #[test]
    fn a_package_without_the_lints_is_found() {
        assert!(forbids_unsafe("[lints]\nworkspace = true\n"));
        assert!(forbids_unsafe(
            "[package]\n[lints.rust]\nmissing_docs = \"warn\"\nunsafe_code = \"forbid\"\n"
        ));
        for manifest in ["", "[package]\nworkspace = true\n", "[lints]\n\n[dependencies]\nworkspace = true\n"]
        {
            assert!(!forbids_unsafe(manifest), "{manifest}");
        }
    }

    #[test]
    fn odd_phrases_are_found_in_comments_documents_and_test_names() {
        for (phrase, _) in ODD.iter().filter(|(phrase, _)| !phrase.starts_with("fn ")) {
            assert_eq!(lines("src/a.rs", &format!("\n/// {phrase} it.\n")), [2], "{phrase}");
            assert_eq!(odd_lines("docs/a.md", &format!("- {phrase} it.\n")).len(), 1, "{phrase}");
        }
        assert_eq!(lines("src/a.rs", "/// The codes of\n/// before are refused.\n"), [1]);
        assert_eq!(lines("tests/it/a.rs", "    async fn who_has_left_is_skipped() {}\n"), [1]);
        assert_eq!(lines("src/a.rs", "log(\"it is told of it\");\n"), [1]);
        for plain in [
            "let rating = of.before;\n",
            "let old = of\n/// before\n",
            "/// A player who has left. Before it, has the player moved?\n",
            "let is_correspondence = true;\n",
        ] {
            assert!(lines("src/a.rs", plain).is_empty(), "{plain}");
        }
        assert!(odd_lines("docs/a.md", "The codes of\n\nbefore\n").is_empty());
        assert_eq!(lines("web/a.js", "// What lasts.\n"), [1]);
    }

    #[test]
    fn each_fault_is_named_with_its_line() {
        assert!(lines("a.rs", "fn f() {}\n// todo!()\n").is_empty());
        assert_eq!(lines("a.rs", "\n\ttodo!()\n"), [2, 2]);
        assert_eq!(lines("a.py", "x = 1 \n"), [1]);
        assert_eq!(lines("a.py", "x = 1"), [1]);
        assert_eq!(
            lines("src/a.rs", "// Whoever asks.\n// What the theme is.\n// It is said of him.\n"),
            [1, 3, 3]
        );
        assert_eq!(lines("tests/it/a.rs", "fn whoever_asks() {}\n// A guest and his token.\n"), [1, 2]);
        assert!(lines("crates/a.rs", "// The king leaves his throne.\n").is_empty());
        assert!(lines("web/a.js", "// Whoever asks.\n").is_empty());
        assert_eq!(lines("a.sql", &"--\n".repeat(601)), [600]);
        assert_eq!(lines("examples/verify.py", &"#\n".repeat(961)), [960]);
    }
}
