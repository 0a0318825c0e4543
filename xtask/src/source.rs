//! The project's source files, and tokens of Rust files.

use std::path::{Path, PathBuf};

use crate::{Outcome, commands::root};

/// Folders with generated or third-party files.
const OTHERS: [&str; 4] = ["__pycache__", "node_modules", "target", "vendor"];

/// The files below a folder of the repository whose names end with one of `endings`,
/// in order; none if there is no such folder.
pub(crate) fn files(folder: &str, endings: &[&str]) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    let top = root().join(folder);
    if top.is_dir() {
        walk(&top, endings, &mut found)?;
    }
    found.sort();
    Ok(found)
}

fn walk(folder: &Path, endings: &[&str], found: &mut Vec<PathBuf>) -> Result<(), String> {
    let unreadable = |error: std::io::Error| format!("cannot read {}: {error}", folder.display());
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            if !name.starts_with('.') && !OTHERS.contains(&name.as_str()) {
                walk(&path, endings, found)?;
            }
        } else if endings.iter().any(|ending| name.ends_with(ending)) {
            found.push(path);
        }
    }
    Ok(())
}

/// The text of a file.
pub(crate) fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))
}

/// Faults of a file, with their places.
pub(crate) fn placed(name: &str, faults: Vec<(usize, String)>) -> impl Iterator<Item = String> {
    faults.into_iter().map(move |(line, what)| format!("{name}:{line}: {what}"))
}

/// Succeeds if there are no faults; otherwise lists them all.
pub(crate) fn verdict(check: &str, good: &str, faults: &[String]) -> Outcome {
    if faults.is_empty() {
        eprintln!("{check}: {good}");
        return Ok(());
    }
    Err(format!("{check}:\n  {}", faults.join("\n  ")))
}

/// A path as the repository names it, with `/`.
pub(crate) fn shown(path: &Path) -> String {
    let inside = path.strip_prefix(root()).unwrap_or(path);
    inside.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

/// A word or punctuation mark of a Rust file, with its line. Comments and literals are left out: they
/// mention, but do not use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) text: String,
    pub(crate) line: usize,
}

/// Cuts a Rust file into tokens: enough to find paths, no more.
pub(crate) fn tokens(rust: &str) -> Vec<Token> {
    let text: Vec<char> = rust.chars().collect();
    let mut found = Vec::new();
    let (mut at, mut line) = (0, 1);
    while at < text.len() {
        let end = token_end(&text, at);
        let first = text[at];
        let is_word = text[at..end].iter().all(|&c| is_word_part(c));
        let is_mark = !is_word && end == at + 1 && !first.is_whitespace();
        if is_word || is_mark || text[at..end] == [':', ':'] {
            found.push(Token { text: text[at..end].iter().collect(), line });
        }
        line += text[at..end].iter().filter(|&&c| c == '\n').count();
        at = end;
    }
    found
}

/// The end of what begins at `at`: a comment, a literal, a word, or a single mark.
fn token_end(text: &[char], at: usize) -> usize {
    let rest = &text[at..];
    match *rest {
        ['/', '/', ..] => at + rest.iter().position(|&c| c == '\n').unwrap_or(rest.len()),
        ['/', '*', ..] => block_comment_end(text, at),
        ['"', ..] => string_end(text, at + 1),
        ['r', '"' | '#', ..] => raw_string_end(text, at).unwrap_or_else(|| word_end(text, at)),
        ['\'', '\\', ..] => at + 3 + text[at + 3..].iter().position(|&c| c == '\'').map_or(0, |n| n + 1),
        ['\'', _, '\'', ..] => at + 3,
        [':', ':', ..] => at + 2,
        [c, ..] if is_word_part(c) => word_end(text, at),
        _ => at + 1,
    }
}

fn is_word_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn word_end(text: &[char], at: usize) -> usize {
    at + text[at..].iter().position(|&c| !is_word_part(c)).unwrap_or(text.len() - at)
}

fn string_end(text: &[char], mut at: usize) -> usize {
    while at < text.len() {
        match text[at] {
            '\\' => at += 2,
            '"' => return at + 1,
            _ => at += 1,
        }
    }
    text.len()
}

fn raw_string_end(text: &[char], at: usize) -> Option<usize> {
    let hashes = text[at + 1..].iter().take_while(|&&c| c == '#').count();
    let start = at + 1 + hashes;
    if text.get(start) != Some(&'"') {
        return None;
    }
    let closes = |&end: &usize| {
        text[end] == '"' && text[end + 1..].iter().take(hashes).filter(|&&c| c == '#').count() == hashes
    };
    Some((start + 1..text.len()).find(closes).map_or(text.len(), |end| end + 1 + hashes))
}

fn block_comment_end(text: &[char], at: usize) -> usize {
    let mut depth = 0_usize;
    let mut now = at;
    while now < text.len() {
        match text[now..] {
            ['/', '*', ..] => (depth, now) = (depth + 1, now + 2),
            ['*', '/', ..] => (depth, now) = (depth - 1, now + 2),
            _ => now += 1,
        }
        if depth == 0 {
            return now;
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(rust: &str) -> Vec<String> {
        tokens(rust).into_iter().map(|token| token.text).collect()
    }

    #[test]
    fn comments_and_literals_are_left_out() {
        assert_eq!(words("a // crate::x\n/* b /* c */ d */ e"), ["a", "e"]);
        assert_eq!(words(r#""crate::\"x" f 'g' '\'' '\u{41}' h"#), ["f", "h"]);
        assert_eq!(words("r\"x\" r#\"y\"z\"# r k"), ["r", "k"]);
    }

    #[test]
    fn lifetimes_and_paths_are_kept() {
        assert_eq!(words("&'a crate::b"), ["&", "'", "a", "crate", "::", "b"]);
    }

    #[test]
    fn lines_are_counted_through_everything() {
        let lines: Vec<usize> =
            tokens("a\n\"x\n\"\n/*\n*/ b\n").into_iter().map(|token| token.line).collect();
        assert_eq!(lines, [1, 5]);
    }
}
