//! A module prepared for a bundle: its imports, its exports, and the rest, without `import` and `export`.
//!
//! This is no parser. It reads JavaScript as we and our vendors write it: imports before everything else, `export` at
//! the beginning of a line or, in minified files, at the end of the last one.
//!
//! It refuses everything else, such as `export let` and `export default`. A test bundles all of `web/`.

use super::imports;

/// The reason why a module cannot be bundled.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{module}: {why}")]
pub(super) struct Fault {
    /// The name of its file.
    pub(super) module: String,
    pub(super) why: String,
}

/// A name in one module, and in another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Renamed {
    pub(super) theirs: String,
    pub(super) ours: String,
}

/// An import of a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Taken {
    /// Only runs the other module.
    Nothing,
    /// All exports, as an object with this name.
    All(String),
    Some(Vec<Renamed>),
}

/// A module that another one needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Need {
    /// The name of its file.
    pub(super) from: String,
    pub(super) taken: Taken,
}

/// An export of a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Export {
    /// A name of its own: `theirs` is the exported name.
    Own(Renamed),
    /// A re-exported name of another module: `ours` is the name there.
    HandedOn { from: String, name: Renamed },
    /// All exports of another module.
    All { from: String },
}

/// A module taken apart.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Module {
    /// In the order in which they have to run.
    pub(super) needs: Vec<Need>,
    pub(super) exports: Vec<Export>,
    /// The files of the modules that it imports later, with `import(…)`.
    pub(super) later: Vec<String>,
    /// Whether it awaits something while it runs for the first time.
    pub(super) awaits: bool,
    pub(super) body: String,
}

impl Module {
    /// Parses the module in the file with this name.
    pub(super) fn of(name: &str, text: &str) -> Result<Self, Fault> {
        let mut module = Self::default();
        module.read(name, text).map_err(|why| Fault { module: name.to_owned(), why })?;
        Ok(module)
    }

    fn read(&mut self, name: &str, text: &str) -> Result<(), String> {
        let (head, rest) = imports::head(text);
        for import in head {
            let from = imports::resolved(name, import.from);
            if import.is_export {
                self.hand_on(&from, import.clause)?;
            } else {
                self.needs.push(Need { from, taken: taken(import.clause)? });
            }
        }
        let body = self.without_exports(rest)?;
        self.awaits = body.lines().any(awaits);
        self.body = self.as_bundled(name, &body)?;
        Ok(())
    }

    /// `export … from`.
    fn hand_on(&mut self, from: &str, clause: &str) -> Result<(), String> {
        if clause == "*" {
            self.exports.push(Export::All { from: from.to_owned() });
        } else {
            let names = renamed(clause)?.into_iter();
            let handed_on = names.map(|Renamed { theirs, ours }| {
                // Written `inside as outside`, as in an import.
                let name = Renamed { theirs: ours, ours: theirs };
                Export::HandedOn { from: from.to_owned(), name }
            });
            self.exports.extend(handed_on);
        }
        self.needs.push(Need { from: from.to_owned(), taken: Taken::Nothing });
        Ok(())
    }

    /// Notes the exports, and removes the keyword.
    fn without_exports(&mut self, text: &str) -> Result<String, String> {
        let mut body = String::with_capacity(text.len());
        let mut rest = text;
        let mut begins_line = true;
        while !rest.is_empty() {
            let exported = rest.strip_prefix("export").filter(|_| begins_line);
            if let Some(after) = exported.filter(|after| after.starts_with([' ', '{'])) {
                rest = self.export(after.trim_start())?;
            }
            let end = rest.find('\n').map_or(rest.len(), |end| end + 1);
            let (line, after) = rest.split_at(end);
            match line.rsplit_once("export{").filter(|(_, list)| is_last(list, after)) {
                Some((before, list)) => {
                    body.push_str(before);
                    self.export(&["{", list].concat())?;
                }
                None => body.push_str(line),
            }
            rest = after;
            begins_line = true;
        }
        Ok(body)
    }

    /// Parses the text after `export`, and returns the part of it that stays.
    fn export<'a>(&mut self, text: &'a str) -> Result<&'a str, String> {
        if text.starts_with('{') {
            let (list, after) = text.split_at(text.find('}').ok_or("a list of exports has no end")? + 1);
            for Renamed { theirs, ours } in renamed(list)? {
                self.exports.push(Export::Own(Renamed { theirs: ours, ours: theirs }));
            }
            return Ok(after.strip_prefix(';').unwrap_or(after));
        }
        let declared = text.strip_prefix("async ").unwrap_or(text);
        let name = ["const ", "class ", "function* ", "function "]
            .into_iter()
            .find_map(|word| declared.strip_prefix(word))
            .map(|rest| rest.split(|c| !is_of_name(c)).next().unwrap_or_default())
            .filter(|name| !name.is_empty())
            .ok_or_else(|| format!("an export that is not understood: {}", first_line(text)))?;
        self.exports.push(Export::Own(Renamed { theirs: name.to_owned(), ours: name.to_owned() }));
        Ok(text)
    }

    /// Replaces the addresses relative to a module by addresses relative to the bundles.
    fn as_bundled(&mut self, name: &str, body: &str) -> Result<String, String> {
        const LATER: &str = "import(";
        let own = format!("new URL(\"../{name}\", import.meta.url).href");
        let body = body.replace("import.meta.url", &own);
        let mut bundled = String::with_capacity(body.len());
        let mut rest = body.as_str();
        while let Some(at) = rest.find(LATER) {
            let (before, import) = rest.split_at(at);
            bundled.push_str(before);
            bundled.push_str(LATER);
            rest = &import[LATER.len()..];
            // Types are imported in comments.
            if bundled.rfind("/*") > bundled.rfind("*/") {
                continue;
            }
            let (file, after) = rest
                .strip_prefix('"')
                .and_then(|quoted| quoted.split_once("\")"))
                .ok_or_else(|| format!("a later import that is not understood: {}", first_line(rest)))?;
            let file = imports::resolved(name, file);
            bundled.push_str(&["\"./", &bundle_of(&file), "\")"].concat());
            self.later.push(file);
            rest = after;
        }
        bundled.push_str(rest);
        Ok(bundled)
    }
}

/// The name of the bundle of a module that is started or imported later, from the name of its file.
pub(super) fn bundle_of(module: &str) -> String {
    module.replace('/', "-")
}

/// The names of an import: `{ a, b as c }`, `* as all`, or nothing.
fn taken(clause: &str) -> Result<Taken, String> {
    if clause.is_empty() {
        return Ok(Taken::Nothing);
    }
    if let Some(all) = clause.strip_prefix('*') {
        let name = all.trim_start().strip_prefix("as ").map(str::trim).filter(|name| is_name(name));
        return Ok(Taken::All(name.ok_or_else(|| not_understood(clause))?.to_owned()));
    }
    Ok(Taken::Some(renamed(clause)?))
}

/// The names in braces: `{ theirs, theirs as ours }`.
fn renamed(list: &str) -> Result<Vec<Renamed>, String> {
    let inside = list.strip_prefix('{').and_then(|list| list.split_once('}')).map(|(inside, _)| inside);
    let parts = inside.ok_or_else(|| not_understood(list))?.split(',');
    // A comment beside a name stands before the next one.
    let parts = parts.map(|part| imports::after_space(part).trim_end()).filter(|part| !part.is_empty());
    parts
        .map(|part| {
            let (theirs, ours) = part.split_once(" as ").unwrap_or((part, part));
            let (theirs, ours) = (theirs.trim(), ours.trim());
            let is_plain = is_name(theirs) && is_name(ours);
            if is_plain {
                Ok(Renamed { theirs: theirs.to_owned(), ours: ours.to_owned() })
            } else {
                Err(not_understood(list))
            }
        })
        .collect()
}

/// Whether a line outside any block awaits something: `await it;`, `const it = await …`.
fn awaits(line: &str) -> bool {
    let declared = |words: &str| words.starts_with("const ") || words.starts_with("let ");
    let value = line.split_once(" = ").filter(|(words, _)| declared(words)).map_or(line, |(_, value)| value);
    ["await ", "await(", "for await "].iter().any(|begin| value.starts_with(begin))
}

fn not_understood(clause: &str) -> String {
    format!("names that are not understood: {}", first_line(clause))
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// Whether the list of exports without its brace ends the module.
fn is_last(list: &str, after: &str) -> bool {
    let end = list.split_once('}').map_or("…", |(_, end)| end);
    end.trim_matches([';', '\n']).is_empty() && after.trim().is_empty()
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| is_of_name(c) && !c.is_ascii_digit()) && text.chars().all(is_of_name)
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(name: &str) -> Renamed {
        renamed_to(name, name)
    }

    fn renamed_to(theirs: &str, ours: &str) -> Renamed {
        Renamed { theirs: theirs.to_owned(), ours: ours.to_owned() }
    }

    fn need(from: &str, taken: Taken) -> Need {
        Need { from: from.to_owned(), taken }
    }

    #[test]
    fn a_module_comes_apart_however_it_is_written() {
        let text = r#"
import { a, b as c } from "../a.js";
import * as all from "./all.js";
import "./effect.js";
export { d as e } from "./d.js"; export * from "./f.js";

export const g = `
  export is a word, too: ${a}`;
export async function h() {}
export class I extends c {}
const inside = 1, more = 2;
export { inside, more as outside };
"#;
        let module = Module::of("parts/x.js", text).unwrap();
        let expected = [
            need("a.js", Taken::Some(vec![same("a"), renamed_to("b", "c")])),
            need("parts/all.js", Taken::All("all".to_owned())),
            need("parts/effect.js", Taken::Nothing),
            need("parts/d.js", Taken::Nothing),
            need("parts/f.js", Taken::Nothing),
        ];
        assert_eq!(module.needs, expected);
        let exports = [
            Export::HandedOn { from: "parts/d.js".to_owned(), name: renamed_to("e", "d") },
            Export::All { from: "parts/f.js".to_owned() },
            Export::Own(same("g")),
            Export::Own(same("h")),
            Export::Own(same("I")),
            Export::Own(same("inside")),
            Export::Own(renamed_to("outside", "more")),
        ];
        assert_eq!(module.exports, exports);
        let body = r"
const g = `
  export is a word, too: ${a}`;
async function h() {}
class I extends c {}
const inside = 1, more = 2;
";
        assert_eq!(module.body.trim(), body.trim());
    }

    #[test]
    fn a_module_that_was_made_small_keeps_its_licence() {
        let text = "import{a as t}from\"./a.js\";\n/** licence */const e=t;class i{}export{e as b,i as C};\n";
        let module = Module::of("vendor/x.js", text).unwrap();
        assert_eq!(module.body, "\n/** licence */const e=t;class i{}");
        assert_eq!(module.exports, [Export::Own(renamed_to("b", "e")), Export::Own(renamed_to("C", "i"))]);
    }

    #[test]
    fn what_a_module_finds_by_its_address_it_finds_from_its_bundle() {
        let text = "const texts = new URL(`./${l}.json`, import.meta.url);\n\
                    const load = async () => import(\"../qr.js\"); /** @type {import(\"./a.js\").A} */\n";
        let module = Module::of("text/text.js", text).unwrap();
        let body = "const texts = new URL(`./${l}.json`, new URL(\"../text/text.js\", import.meta.url).href);\n\
                    const load = async () => import(\"./qr.js\"); /** @type {import(\"./a.js\").A} */\n";
        assert_eq!(module.body, body);
        assert_eq!(module.later, ["qr.js"]);
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for text in [
            "export default 1;",
            "export let a = 1;",
            "export var a = 1;",
            "export const { a } = b;",
            "import lit from \"./lit.js\";",
            "import lit, { css } from \"./lit.js\";",
            "import { default as lit, \"a b\" as c } from \"./lit.js\";",
            "const a = await import(name);",
            "const a = await import(`./${name}.js`);",
        ] {
            let fault = Module::of("a.js", text).expect_err(text);
            assert!(fault.to_string().starts_with("a.js: "), "{fault}");
        }
    }
}
