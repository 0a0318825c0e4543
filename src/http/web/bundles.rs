//! The modules of the page, bundled into few files, as documents load them.
//!
//! A document starts one module, which needs up to a hundred others. Each would be a request, and small files
//! compress badly. So browsers get bundles: one with the modules of every document, one with those that home and
//! matches share, and for each document the rest. A module that is imported later has a bundle, too. All are made
//! from the plain modules when the files of the page are read, so that an edited module is served at once.
//!
//! In a bundle a module is a function that `base.js` stores under the name of its file. It runs once, when it is
//! first needed. So a module may be in two bundles that a document loads: it is still one module.
//!
//! On a slow phone bundles halve the loading time of a match over HTTP/2, and more over HTTP/1.1. A bundler in
//! `build.rs` would add dozens of crates; one from npm would need Node.js to build the server.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
};

use super::module::{Export, Fault, Module, Need, Renamed, Taken, bundle_of};

/// The folder of the modules that documents start.
const PAGES: &str = "pages/";

/// The bundle with the modules of every document, and the functions that link modules.
const BASE: &str = "base.js";

/// The bundle of the modules that home and matches share: most people go from one to the other.
const BOARDS: &str = "boards.js";
const HOME_AND_MATCH: [&str; 2] = ["pages/home.js", "pages/match.js"];

/// The modules for frames of other sites: they have none of the parts around all other pages, and import nothing
/// later. The shared bundles do not depend on them.
const IN_FRAMES: [&str; 2] = ["pages/embed.js", "pages/wall.js"];

/// The beginning of `base.js`: it defines modules, finds them, and runs them in portions, so that the browser can do
/// other work every 8 ms. No name in a module begins with a `$`.
const REGISTRY: &str = "\
const modules = new Map();
export const $define = (name, make) => modules.has(name) || modules.set(name, { make });
export const $need = (name) => {
  const module = modules.get(name);
  if (!module) throw new Error(`${name} has not been loaded`);
  return (module.exports ??= module.make());
};
export const $run = async (names) => {
  let until = performance.now() + 8;
  for (const name of names) {
    $need(name);
    if (performance.now() < until) continue;
    await (globalThis.scheduler?.yield?.() ?? new Promise((resolve) => setTimeout(resolve)));
    until = performance.now() + 8;
  }
};
";

/// The bundles of a page.
#[derive(Default)]
pub(super) struct Bundles {
    /// Their texts, by their names.
    pub(super) files: BTreeMap<String, String>,
    /// The bundles that a bundle imports, by its name.
    needs: BTreeMap<String, Vec<&'static str>>,
}

impl Bundles {
    /// Bundles modules, given by the names of their files.
    pub(super) fn of<'a>(modules: impl Iterator<Item = (&'a str, &'a str)>) -> Result<Self, Fault> {
        let apart = modules.map(|(name, text)| Ok((name.to_owned(), Module::of(name, text)?)));
        Ok(Graph::of(apart.collect::<Result<_, _>>()?)?.bundles())
    }

    /// Bundles that report an error in a module on the browser's console, whatever a document starts.
    pub(super) fn broken<'a>(modules: impl Iterator<Item = &'a str>, fault: &Fault) -> Self {
        let text = format!("throw new SyntaxError({:?});\n", fault.to_string());
        let pages = modules.filter(|name| name.starts_with(PAGES));
        Self { files: pages.map(|name| (bundle_of(name), text.clone())).collect(), needs: BTreeMap::new() }
    }

    /// The names of the bundles that a bundle imports.
    pub(super) fn needs_of(&self, bundle: &str) -> &[&'static str] {
        self.needs.get(bundle).map_or(&[], Vec::as_slice)
    }

    fn add(&mut self, name: &str, needs: Vec<&'static str>, text: String) {
        self.files.insert(name.to_owned(), text);
        self.needs.insert(name.to_owned(), needs);
    }
}

/// Names of modules' files.
type Names<'a> = BTreeSet<&'a str>;

/// All modules by the names of their files. All their imports exist.
struct Graph(BTreeMap<String, Module>);

impl Graph {
    fn of(modules: BTreeMap<String, Module>) -> Result<Self, Fault> {
        let graph = Self(modules);
        graph.check_all(Self::check_needs)?;
        // Names are re-exported from module to module; without circles this ends.
        graph.check_all(Self::check_names)?;
        let pages = graph.pages();
        graph.check_all(|_, name, module| {
            let is_function = !pages.contains(name);
            if module.awaits && is_function {
                Err("only what a document starts may await".to_owned())
            } else {
                Ok(())
            }
        })?;
        Ok(graph)
    }

    fn check_all(&self, check: impl Fn(&Self, &str, &Module) -> Result<(), String>) -> Result<(), Fault> {
        self.0.iter().try_for_each(|(name, module)| {
            check(self, name, module).map_err(|why| Fault { module: name.clone(), why })
        })
    }

    /// Checks that all modules that a module needs exist, and that there is no circle.
    fn check_needs(&self, name: &str, module: &Module) -> Result<(), String> {
        for needed in module.needs.iter().map(|need| &need.from).chain(&module.later) {
            if !self.0.contains_key(needed) {
                return Err(format!("there is no {needed}"));
            }
        }
        for need in &module.needs {
            if self.all_of(&need.from).contains(name) {
                return Err(format!("{} needs it, too", need.from));
            }
        }
        Ok(())
    }

    /// Checks that the modules that a module needs export all names that it imports.
    fn check_names(&self, _: &str, module: &Module) -> Result<(), String> {
        for need in &module.needs {
            let Taken::Some(names) = &need.taken else { continue };
            for Renamed { theirs, .. } in names {
                self.check_export(&need.from, theirs)?;
            }
        }
        for export in &module.exports {
            if let Export::HandedOn { from, name } = export {
                self.check_export(from, &name.ours)?;
            }
        }
        Ok(())
    }

    fn check_export(&self, module: &str, name: &str) -> Result<(), String> {
        if self.names_of(module).contains(name) { Ok(()) } else { Err(format!("{module} has no {name}")) }
    }

    /// All names that a module exports.
    fn names_of<'a>(&'a self, module: &str) -> Names<'a> {
        let names = |export: &'a Export| match export {
            Export::Own(name) | Export::HandedOn { name, .. } => Names::from([name.theirs.as_str()]),
            Export::All { from } => self.names_of(from),
        };
        self.0.get(module).map_or(&[][..], |module| &module.exports).iter().flat_map(names).collect()
    }

    /// A module and all that it needs.
    fn all_of<'a>(&'a self, module: &'a str) -> Names<'a> {
        let mut found = Names::new();
        let mut open = vec![module];
        while let Some(name) = open.pop() {
            if found.insert(name) {
                let needs = self.0.get(name).map_or(&[][..], |module| &module.needs);
                open.extend(needs.iter().map(|need| need.from.as_str()));
            }
        }
        found
    }

    /// All modules that a module needs, each after its own needs.
    fn in_order<'a>(&'a self, module: &'a str) -> Vec<&'a str> {
        let mut found = Names::new();
        let mut order = Vec::new();
        // Each with the number of its needs that have been visited.
        let mut open = vec![(module, 0)];
        while let Some((name, looked_at)) = open.pop() {
            let needs = self.0.get(name).map_or(&[][..], |module| &module.needs);
            if let Some(need) = needs.get(looked_at) {
                open.push((name, looked_at + 1));
                if found.insert(&need.from) {
                    open.push((&need.from, 0));
                }
            } else {
                order.push(name);
            }
        }
        order.pop();
        order
    }

    /// The modules that documents start: those of pages that no other module needs.
    fn pages(&self) -> Names<'_> {
        let needs = self.0.values().flat_map(|module| &module.needs);
        let needed: Names = needs.map(|need| need.from.as_str()).collect();
        let pages = self.0.keys().map(String::as_str).filter(|name| name.starts_with(PAGES));
        pages.filter(|name| !needed.contains(name)).collect()
    }

    fn bundles(&self) -> Bundles {
        let pages = self.pages();
        let later: Names = self.0.values().flat_map(|module| &module.later).map(String::as_str).collect();
        let around = pages.iter().filter(|page| !IN_FRAMES.contains(*page));
        let base = in_all(around.map(|page| self.all_of(page)));
        let [home, of_match] = HOME_AND_MATCH.map(|name| self.all_of(name));
        let both: Names = home.intersection(&of_match).copied().collect();
        let boards: Names = both.difference(&base).copied().collect();

        let mut bundles = Bundles::default();
        bundles.add(BASE, Vec::new(), REGISTRY.to_owned() + &self.defined(&base));
        bundles.add(BOARDS, vec![BASE], imports_of(&[BASE]) + &self.defined(&boards));
        for &page in &pages {
            let all = self.all_of(page);
            let mut rest: Names = all.difference(&base).copied().filter(|name| *name != page).collect();
            let mut needs = vec![BASE];
            if uses(&all, &boards) {
                needs.push(BOARDS);
                rest = rest.difference(&boards).copied().collect();
            }
            let text = imports_of(&needs) + &self.defined(&rest) + &self.started(page);
            bundles.add(&bundle_of(page), needs, text);
        }
        for &name in &later {
            let loaded = self.loaded_before(name, &pages, &later);
            let all = self.all_of(name);
            let rest =
                all.into_iter().filter(|it| *it == name || !(loaded.contains(it) || base.contains(it)));
            let text = imports_of(&[BASE]) + &self.defined(&rest.collect()) + &self.handed_out(name);
            bundles.add(&bundle_of(name), vec![BASE], text);
        }
        bundles
    }

    /// The modules that every document with a late import of this module has loaded.
    fn loaded_before<'a>(&'a self, later: &str, pages: &Names<'a>, others: &Names<'a>) -> Names<'a> {
        let imports_it = |name: &&str| self.0[*name].later.iter().any(|imported| imported == later);
        let entries = pages.union(others).filter(|entry| !IN_FRAMES.contains(*entry));
        let entries = entries.map(|entry| self.all_of(entry));
        in_all(entries.filter(|all| all.iter().any(&imports_it)))
    }

    /// Modules, each as a function that returns what it exports.
    fn defined(&self, names: &Names) -> String {
        let mut text = String::new();
        for &name in names {
            let module = &self.0[name];
            let (needs, body, exports) = (needs(module), module.body.trim(), exports(module));
            let _ =
                writeln!(text, "$define(\"{name}\", () => {{\n{needs}{body}\nreturn {{ {exports} }};\n}});");
        }
        text
    }

    /// A module that runs after everything it needs, and whose exports nobody imports.
    fn started(&self, name: &str) -> String {
        let module = &self.0[name];
        let needed = self.in_order(name);
        let run = if needed.is_empty() { String::new() } else { format!("await $run({needed:?});\n") };
        run + &needs(module) + module.body.trim() + "\n"
    }

    /// The exports of a module, for late imports.
    fn handed_out(&self, name: &str) -> String {
        let names: Vec<_> = self.names_of(name).into_iter().collect();
        format!("export const {{ {} }} = $need(\"{name}\");\n", names.join(", "))
    }
}

/// The intersection of these sets; empty if there are none.
fn in_all<'a>(mut sets: impl Iterator<Item = Names<'a>>) -> Names<'a> {
    let first = sets.next().unwrap_or_default();
    sets.fold(first, |all, set| all.intersection(&set).copied().collect())
}

/// Whether it is worth loading a bundle: at least half of it is needed.
fn uses(needed: &Names, bundle: &Names) -> bool {
    2 * needed.intersection(bundle).count() >= bundle.len()
}

/// The beginning of a bundle that imports others.
fn imports_of(bundles: &[&str]) -> String {
    let others = bundles.iter().filter(|bundle| **bundle != BASE);
    let others: Vec<_> = others.map(|bundle| format!("import \"./{bundle}\";\n")).collect();
    format!("import {{ $define, $need, $run }} from \"./{BASE}\";\n{}", others.concat())
}

/// The lines with which a module in a bundle gets its imports.
fn needs(module: &Module) -> String {
    let need = |need: &Need| {
        let from = format!("$need(\"{}\");\n", need.from);
        match &need.taken {
            Taken::Nothing => from,
            Taken::All(name) => format!("const {name} = {from}"),
            Taken::Some(names) => {
                let names: Vec<_> = names.iter().map(|name| pair(&name.theirs, &name.ours)).collect();
                format!("const {{ {} }} = {from}", names.join(", "))
            }
        }
    };
    module.needs.iter().map(need).collect()
}

/// The object that a module in a bundle returns.
fn exports(module: &Module) -> String {
    let export = |export: &Export| match export {
        Export::Own(Renamed { theirs, ours }) => pair(theirs, ours),
        Export::HandedOn { from, name } => format!("{}: $need(\"{from}\").{}", name.theirs, name.ours),
        Export::All { from } => format!("...$need(\"{from}\")"),
    };
    module.exports.iter().map(export).collect::<Vec<_>>().join(", ")
}

/// An exported name and the local one, as in an object: `a`, or `a: b`.
fn pair(outside: &str, inside: &str) -> String {
    if outside == inside { outside.to_owned() } else { format!("{outside}: {inside}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODULES: [(&str, &str); 13] = [
        (
            "pages/home.js",
            "import { lit } from \"../lit.js\";\nimport \"../board.js\";\nawait lit();\nimport(\"../late.js\");",
        ),
        (
            "pages/match.js",
            "import { lit as l } from \"../lit.js\";\nimport * as b from \"../board.js\";\nimport \"../dice.js\";\nawait l(b);",
        ),
        ("pages/text.js", "import { lit } from \"../lit.js\";\nimport \"./text-style.js\";\nawait lit();"),
        ("pages/text-style.js", ""),
        ("pages/embed.js", "import { b } from \"../board.js\";"),
        ("lit.js", "export { made as lit } from \"./vendor.js\";"),
        ("vendor.js", "const a=1;export{a as made};"),
        ("board.js", "export * from \"./board/a.js\";\nexport const b = 2;"),
        ("board/a.js", "export const a = 1;"),
        ("dice.js", "import { a } from \"./board.js\";"),
        ("late.js", "import { a } from \"./board.js\";\nimport \"./alone.js\";\nexport const late = 1;"),
        ("alone.js", ""),
        ("other.js", ""),
    ];

    fn bundles_of(changed: &[(&str, &str)]) -> Result<Bundles, Fault> {
        let mut modules = BTreeMap::from(MODULES);
        modules.extend(changed.iter().copied());
        Bundles::of(modules.into_iter())
    }

    /// The modules in a bundle.
    fn defined(text: &str) -> Vec<&str> {
        text.split("$define(\"").skip(1).filter_map(|rest| rest.split('"').next()).collect()
    }

    #[test]
    fn each_bundle_has_what_the_others_have_not() {
        let bundles = bundles_of(&[]).unwrap();
        for (name, modules, needs) in [
            ("base.js", &["lit.js", "vendor.js"][..], &[][..]),
            ("boards.js", &["board.js", "board/a.js"], &[BASE]),
            ("pages-home.js", &[], &[BASE, BOARDS]),
            ("pages-match.js", &["dice.js"], &[BASE, BOARDS]),
            ("pages-text.js", &["pages/text-style.js"], &[BASE]),
            ("pages-embed.js", &[], &[BASE, BOARDS]),
            ("late.js", &["alone.js", "late.js"], &[BASE]),
        ] {
            assert_eq!(defined(&bundles.files[name]), modules, "{name}");
            assert_eq!(bundles.needs_of(name), needs, "{name}");
        }
        assert_eq!(bundles.files.len(), 7, "{:?}", bundles.files.keys());
    }

    #[test]
    fn a_module_in_a_bundle_gets_and_returns_what_it_says() {
        let bundles = bundles_of(&[]).unwrap();
        for (name, part) in [
            ("base.js", "$define(\"vendor.js\", () => {\nconst a=1;\nreturn { made: a };\n});\n"),
            ("base.js", "$need(\"vendor.js\");\n\nreturn { lit: $need(\"vendor.js\").made };\n});\n"),
            (
                "boards.js",
                "$need(\"board/a.js\");\nconst b = 2;\nreturn { ...$need(\"board/a.js\"), b };\n});\n",
            ),
            ("boards.js", "import { $define, $need, $run } from \"./base.js\";\n"),
            (
                "pages-home.js",
                "import { $define, $need, $run } from \"./base.js\";\nimport \"./boards.js\";\nawait $run([\"vendor.js\", \"lit.js\", \"board/a.js\", \"board.js\"]);\nconst { lit } = $need(\"lit.js\");\n$need(\"board.js\");\nawait lit();\nimport(\"./late.js\");\n",
            ),
            ("pages-match.js", "const { lit: l } = $need(\"lit.js\");\nconst b = $need(\"board.js\");\n"),
            ("late.js", "export const { late } = $need(\"late.js\");\n"),
        ] {
            assert!(bundles.files[name].contains(part), "{name}: {}", bundles.files[name]);
        }
    }

    #[test]
    fn modules_that_do_not_fit_together_are_refused() {
        let circle = ("board/a.js", "import \"../board.js\";\nexport const a = 1;");
        let fault = bundles_of(&[circle]).err().map(|fault| fault.to_string());
        assert_eq!(fault.as_deref(), Some("board.js: board/a.js needs it, too"));
        let in_circles = [
            ("board/a.js", "export * from \"./b.js\";"),
            ("board/b.js", "export * from \"./a.js\";"),
            ("a.js", "import { a } from \"./board/a.js\";"),
        ];
        let fault = bundles_of(&in_circles).err().map(|fault| fault.to_string());
        assert_eq!(fault.as_deref(), Some("board/a.js: board/b.js needs it, too"));
        for (name, text, why) in [
            ("other.js", "await 1;", "only what a document starts may await"),
            ("late.js", "export const late = await 1;", "only what a document starts may await"),
            ("dice.js", "import { c } from \"./board.js\";", "board.js has no c"),
            ("lit.js", "export { b as lit } from \"./vendor.js\";", "vendor.js has no b"),
            ("dice.js", "import \"./none.js\";", "there is no none.js"),
            ("dice.js", "import(\"./none.js\");", "there is no none.js"),
        ] {
            let Err(fault) = bundles_of(&[(name, text)]) else { panic!("{name}: {text}") };
            assert_eq!(fault.to_string(), format!("{name}: {why}"));
        }
    }
}
