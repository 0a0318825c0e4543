//! Checks that every direct dependency has its reason in ARCHITECTURE.md, and every reason its dependency.

use std::collections::BTreeMap;

use crate::{
    commands::root,
    source::{files, read, shown},
};

const PAGE: &str = "ARCHITECTURE.md";
const HEADING: &str = "## Dependencies";

/// Dependencies that are in only one of the two places.
pub(super) fn faults() -> Result<Vec<String>, String> {
    let rows = rows(&read(&root().join(PAGE))?);
    let mut needed = BTreeMap::new();
    for path in manifests()? {
        for name in direct(&read(&path)?) {
            needed.entry(name).or_insert_with(|| shown(&path));
        }
    }
    Ok(compare(&rows, &needed))
}

/// All our manifests.
pub(crate) fn manifests() -> Result<Vec<std::path::PathBuf>, String> {
    files("", &["Cargo.toml"])
}

fn compare(rows: &[(String, String)], needed: &BTreeMap<String, String>) -> Vec<String> {
    let mut faults = Vec::new();
    for (name, manifest) in needed {
        match rows.iter().filter(|(row, _)| row == name).count() {
            0 => faults.push(format!("{manifest}: {name} has no reason in {PAGE}")),
            1 => {}
            _ => faults.push(format!("{PAGE}: {name} has more than one row")),
        }
    }
    for (name, reason) in rows {
        if !needed.contains_key(name) {
            faults.push(format!("{PAGE}: nothing needs {name} any more"));
        }
        if reason.is_empty() {
            faults.push(format!("{PAGE}: {name} without a reason"));
        }
    }
    faults
}

/// The third-party crates in a manifest.
fn direct(manifest: &str) -> Vec<String> {
    let mut section = String::new();
    let mut names = Vec::new();
    for line in manifest.lines() {
        if let Some(header) = line.strip_prefix('[') {
            header.trim_end_matches(']').clone_into(&mut section);
            continue;
        }
        let is_dependencies = section.ends_with("dependencies") && section != "workspace.dependencies";
        let key = line.split_once('=').map(|(key, _)| key.trim().split('.').next().unwrap_or_default());
        if let Some(name) = key.filter(|name| is_dependencies && !name.starts_with(['#', ' '])) {
            names.push(name.to_owned());
        }
    }
    names.retain(|name| name != "lusoria" && !name.starts_with("lusoria-"));
    names
}

/// The rows of the page's table: names with reasons.
fn rows(page: &str) -> Vec<(String, String)> {
    let section = page.split(HEADING).nth(1).unwrap_or_default();
    let section = section.split("\n## ").next().unwrap_or_default();
    let mut rows = Vec::new();
    for line in section.lines().filter(|line| line.starts_with("| `")) {
        let mut cells = line.trim_matches('|').split('|').map(str::trim);
        let (names, reason) = (cells.next().unwrap_or_default(), cells.next().unwrap_or_default());
        let quoted = names.split('`').skip(1).step_by(2);
        rows.extend(quoted.map(|name| (name.to_owned(), reason.to_owned())));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_third_party_crates_are_named() {
        let manifest = "[package]\nname = \"x\"\n[dependencies]\nserde.workspace = true\n# a = 1\n\
            lusoria-rules = { path = \"y\" }\nbytes = \"1\"\n[dev-dependencies]\ntempfile = \"3\"\n\
            [workspace.dependencies]\nuuid = \"1\"\n[profile.dev]\ndebug = false\n";
        assert_eq!(direct(manifest), ["serde", "bytes", "tempfile"]);
    }

    #[test]
    fn a_dependency_in_one_place_only_is_named() {
        let page = "| `x` | no |\n## Dependencies\n\n| crate | for |\n| --- | --- |\n| `a`, `b` | both |\n\
            | `c` |  |\n\n## Else\n| `d` | no |\n";
        let rows = rows(page);
        assert_eq!(rows.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["a", "b", "c"]);
        let needed = |names: &[&str]| {
            names.iter().map(|&name| (name.to_owned(), "Cargo.toml".to_owned())).collect::<BTreeMap<_, _>>()
        };
        assert_eq!(compare(&rows, &needed(&["a", "b", "c"])), ["ARCHITECTURE.md: c without a reason"]);
        assert_eq!(compare(&rows[..2], &needed(&["a"])), ["ARCHITECTURE.md: nothing needs b any more"]);
        assert_eq!(
            compare(&rows[..1], &needed(&["a", "z"])),
            ["Cargo.toml: z has no reason in ARCHITECTURE.md"]
        );
    }
}
