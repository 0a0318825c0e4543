//! What a module imports. Only as much of JavaScript is read as stands before its first
//! statement that is no import: that is where ours and those of our vendors have them.

/// The modules beside it that a module imports statically, as it names them, in its order.
pub(super) fn of(module: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = after_space(module);
    while let Some((name, after)) = import(rest) {
        found.extend(Some(name).filter(|name| name.starts_with('.')));
        rest = after_space(after.trim_start_matches(';'));
    }
    found
}

/// The file that a module means by `./x.js` or `../x.js`.
pub(super) fn resolved(from: &str, name: &str) -> String {
    let mut path: Vec<&str> = from.split('/').collect();
    path.pop();
    for step in name.split('/') {
        match step {
            "." => {}
            ".." => {
                path.pop();
            }
            step => path.push(step),
        }
    }
    path.join("/")
}

/// What is left after white space and comments.
fn after_space(text: &str) -> &str {
    let mut rest = text.trim_start();
    loop {
        let after = if let Some(comment) = rest.strip_prefix("//") {
            comment.split_once('\n').map_or("", |(_, after)| after)
        } else if let Some(comment) = rest.strip_prefix("/*") {
            comment.split_once("*/").map_or("", |(_, after)| after)
        } else {
            return rest;
        };
        rest = after.trim_start();
    }
}

/// What is imported by the statement that the text begins with, and what follows it.
fn import(text: &str) -> Option<(&str, &str)> {
    if let Some(after) = text.strip_prefix("import") {
        return quoted(after_space(after)).or_else(|| source(after));
    }
    source(text.strip_prefix("export")?)
}

/// The source that follows names and a `from`: none if this is something else, such as
/// `import(…)` or `export const …`.
fn source(mut text: &str) -> Option<(&str, &str)> {
    loop {
        text = after_space(text);
        let mark = text.chars().next()?;
        if mark == '{' {
            (_, text) = text.split_once('}')?;
        } else if mark == '*' || mark == ',' {
            text = &text[1..];
        } else {
            let word =
                text.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '$').filter(|&end| end > 0)?;
            let (word, after) = text.split_at(word);
            if word == "from"
                && let Some(found) = quoted(after_space(after))
            {
                return Some(found);
            }
            if ["async", "class", "const", "default", "function", "let", "var"].contains(&word) {
                return None;
            }
            text = after;
        }
    }
}

/// What stands in the quotes with which the text begins, and what follows them.
fn quoted(text: &str) -> Option<(&str, &str)> {
    let quote = text.chars().next().filter(|quote| ['"', '\''].contains(quote))?;
    text[1..].split_once(quote)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_are_found_however_they_are_written() {
        let module = r#"// What it does: import "./comment.js";

/** @typedef {import("../api/wire").Game} Game */
import { a } from "../a.js";
import {
  b, // from somewhere
  c,
} from './b/c.js'
import "./effect.js";
import * as all from "./all.js"; export * from "./out.js"
export { d } from "./d.js";
import lit from "lit";
import{e}from"./e.js";export*from"./f.js";
const later = () => import("./later.js");
import { late } from "./late.js";
"#;
        let expected =
            ["../a.js", "./b/c.js", "./effect.js", "./all.js", "./out.js", "./d.js", "./e.js", "./f.js"];
        assert_eq!(of(module), expected);
    }

    #[test]
    fn what_only_looks_like_an_import_is_none() {
        for module in [
            "",
            "import(\"./a.js\")",
            "import.meta.url",
            "export const from = \"./a.js\";",
            "export function f() { return \"from './a.js'\"; }",
            "/* import \"./a.js\"",
            "export { a };\nconst b = 'from \"./b.js\"';",
        ] {
            assert_eq!(of(module), [""; 0], "{module}");
        }
    }

    #[test]
    fn names_are_relative_to_the_module() {
        for (from, name, file) in [
            ("pages/match.js", "../lit.js", "lit.js"),
            ("pages/match.js", "./home.js", "pages/home.js"),
            ("lit.js", "./vendor/lit/live.js", "vendor/lit/live.js"),
            ("a/b/c.js", "../../../d.js", "d.js"),
        ] {
            assert_eq!(resolved(from, name), file);
        }
    }
}
