//! The imports of a module. JavaScript is read only up to the first statement that is not an import: our modules and
//! those of our vendors have their imports there.

/// A statement by which a module takes something of another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Import<'a> {
    /// Whether it re-exports the names: `export … from`.
    pub(super) is_export: bool,
    /// The imported names as written: `{ a, b as c }`, `* as all`. Empty if the other module only has to run.
    pub(super) clause: &'a str,
    /// The other module, as named there.
    pub(super) from: &'a str,
}

/// The imports at the beginning of a module, in order, and the rest.
pub(super) fn head(module: &str) -> (Vec<Import<'_>>, &str) {
    let mut found = Vec::new();
    let mut rest = module;
    while let Some((import, after)) = import(after_space(rest)) {
        found.push(import);
        rest = after.trim_start_matches(';');
    }
    (found, rest)
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

/// The text after white space and comments.
pub(super) fn after_space(text: &str) -> &str {
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

/// The import at the beginning of the text, and the rest.
fn import(text: &str) -> Option<(Import<'_>, &str)> {
    let (text, is_export) = match text.strip_prefix("import") {
        Some(after) => (after, false),
        None => (text.strip_prefix("export")?, true),
    };
    let to_run = if is_export { None } else { quoted(after_space(text)) };
    let (clause, (from, after)) = to_run.map_or_else(|| source(text), |found| Some(("", found)))?;
    Some((Import { is_export, clause: clause.trim(), from }, after))
}

/// The names before a `from`, and the source after it with the rest: none if this is something else, such as
/// `import(…)` or `export const …`.
fn source(names: &str) -> Option<(&str, (&str, &str))> {
    let mut text = names;
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
                return Some((&names[..names.len() - text.len()], found));
            }
            if ["async", "class", "const", "default", "function", "let", "var"].contains(&word) {
                return None;
            }
            text = after;
        }
    }
}

/// The text in the quotes at the beginning, and the rest.
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
        let (imports, rest) = head(module);
        let found: Vec<_> =
            imports.iter().map(|&Import { is_export, clause, from }| (is_export, clause, from)).collect();
        let expected = [
            (false, "{ a }", "../a.js"),
            (false, "{\n  b, // from somewhere\n  c,\n}", "./b/c.js"),
            (false, "", "./effect.js"),
            (false, "* as all", "./all.js"),
            (true, "*", "./out.js"),
            (true, "{ d }", "./d.js"),
            (false, "lit", "lit"),
            (false, "{e}", "./e.js"),
            (true, "*", "./f.js"),
        ];
        assert_eq!(found, expected);
        assert!(rest.starts_with("\nconst later"), "{rest}");
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
            assert_eq!(head(module), (Vec::new(), module), "{module}");
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
