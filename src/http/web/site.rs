//! The files of the page at one moment.

use std::{
    borrow::Cow,
    collections::BTreeMap,
    sync::Arc,
    time::{Duration, Instant},
};

use axum::body::Bytes;
use parking_lot::RwLock;
use rust_embed::RustEmbed;
use sha2::{Digest, Sha256};

use super::{
    bare::bare, bundles::Bundles, kind::Kind, module::bundle_of, packed::Packed, root, tagged::Tagged,
    words::Words,
};

/// The sources of the page: part of the binary in a release; a debug build reads the folder again ([`READ_EVERY`]).
#[derive(RustEmbed)]
#[folder = "web/"]
#[exclude = "*.d.ts"]
#[exclude = "tsconfig.json"]
struct Web;

/// The rules for people, their diagrams, the decisions of the server, the pages about the server, and the findings of
/// the computer about the games.
#[derive(RustEmbed)]
#[folder = "docs/"]
#[include = "rules.md"]
#[include = "rules/*.md"]
#[include = "rules/*.svg"]
#[include = "site/*.md"]
#[include = "findings.md"]
#[include = "findings/*.csv"]
#[include = "findings/*.svg"]
struct Told;

/// The exact rules.
#[derive(RustEmbed)]
#[folder = "rules/"]
#[include = "*.md"]
struct Exact;

type Files = BTreeMap<String, Cow<'static, [u8]>>;

/// The template of every document; it is not served to browsers.
const TEMPLATE: &str = "page.html";

/// The folder of the texts that only documents contain; they are not served to browsers either.
const SAID: (&str, &str) = ("documents/", ".json");

/// The folder of third-party code.
const VENDOR: &str = "vendor/";

/// The path of the texts of a language, before and after its name.
const TEXTS: (&str, &str) = ("text/", ".json");

/// The folder of the bundles.
const BUNDLES: &str = "bundles/";

/// The number of hexadecimal digits of the hash in addresses.
const HASH_DIGITS: usize = 16;

/// The interval at which a debug build checks for changed files: reading and hashing all of them takes longer than
/// most requests.
const READ_EVERY: Duration = Duration::from_secs(1);

/// The page at one moment.
pub(super) struct Site {
    /// The hash of the files from which the page was made.
    sources: String,
    hash: String,
    template: String,
    assets: BTreeMap<String, Packed>,
    /// The files at the root of the server, by their names.
    root: BTreeMap<&'static str, Tagged>,
    /// Other sources of documents: Markdown, by file name.
    texts: BTreeMap<String, String>,
    words: Words,
    /// The bundles. Their texts are among the files.
    bundles: Bundles,
}

impl Site {
    /// The present page; in a debug build, at most [`READ_EVERY`] old.
    pub(super) fn now() -> Arc<Self> {
        static KEPT: RwLock<Option<(Arc<Site>, Instant)>> = RwLock::new(None);
        let kept = KEPT.read().clone();
        if let Some((site, read)) = &kept
            && (!cfg!(debug_assertions) || read.elapsed() < READ_EVERY)
        {
            return Arc::clone(site);
        }
        let files = files();
        let kept = kept.map(|(site, _)| site).filter(|site| site.sources == hash(of_files(&files)));
        let site = kept.unwrap_or_else(|| Arc::new(Self::of(files)));
        *KEPT.write() = Some((Arc::clone(&site), Instant::now()));
        site
    }

    fn of(mut files: Files) -> Self {
        let sources = hash(of_files(&files));
        let text = |content: &[u8]| String::from_utf8_lossy(content).into_owned();
        let template = text(&files.remove(TEMPLATE).unwrap_or_default());
        let at_root = [root::WORKER, root::MANIFEST].map(|name| (name, files.remove(name)));
        let texts = files.extract_if(.., |name, _| Kind::of(name) == Some(Kind::MARKDOWN));
        let texts = texts.map(|(name, content)| (name, text(&content))).collect();
        let mut words = Words::default();
        for (name, content) in &files {
            if let Some(language) = language_of(name, TEXTS) {
                words.add(language, content);
            }
        }
        // The texts of documents come before those of their scripts.
        for (name, content) in files.extract_if(.., |name, _| language_of(name, SAID).is_some()) {
            words.add(language_of(&name, SAID).unwrap_or_default(), &content);
        }
        let packed = |(name, content): (String, Cow<'static, [u8]>)| {
            let kind = Kind::of(&name)?;
            let bytes = match content {
                // Third-party code has its licence.
                content if kind == Kind::MODULE && !name.starts_with(VENDOR) => bare(&text(&content)).into(),
                Cow::Borrowed(bytes) => Bytes::from_static(bytes),
                Cow::Owned(bytes) => Bytes::from(bytes),
            };
            Some((name, Packed::new(kind, bytes)))
        };
        let mut assets: BTreeMap<_, _> = files.into_iter().filter_map(packed).collect();
        let mut bundles = bundled(&assets);
        for (name, text) in std::mem::take(&mut bundles.files) {
            assets.insert(format!("{BUNDLES}{name}"), Packed::new(Kind::MODULE, text));
        }
        // Another release may make other files from the same modules: the served files count, too.
        let served = assets.iter().map(|(name, file)| (name.as_str(), file.plain()));
        let hash = hash([("", sources.as_bytes())].into_iter().chain(served));
        let made = |(name, content): (&'static str, Option<Cow<'static, [u8]>>)| {
            Some((name, root::made(name, &text(&content?), &assets_of(&hash))?))
        };
        let root = at_root.into_iter().filter_map(made).collect();
        Self { sources, hash, template, assets, root, texts, words, bundles }
    }

    /// The hash of all files, of the sources and of the served ones: of their names and contents.
    pub(super) fn hash(&self) -> &str {
        &self.hash
    }

    /// The address of the files.
    pub(super) fn assets(&self) -> String {
        assets_of(&self.hash)
    }

    /// A file at the root of the server.
    pub(super) fn root(&self, name: &str) -> Option<&Tagged> {
        self.root.get(name)
    }

    /// The template of documents.
    pub(super) fn template(&self) -> &str {
        &self.template
    }

    /// A file.
    pub(super) fn asset(&self, name: &str) -> Option<&Packed> {
        self.assets.get(name)
    }

    /// All files, by their names.
    pub(super) fn files(&self) -> impl Iterator<Item = (&str, &Packed)> {
        self.assets.iter().map(|(name, file)| (name.as_str(), file))
    }

    /// A text in Markdown.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.texts.get(name).map(String::as_str)
    }

    /// The texts of documents.
    pub(super) fn words(&self) -> &Words {
        &self.words
    }

    /// The languages with texts, sorted by name.
    pub(super) fn languages(&self) -> Vec<&str> {
        self.assets.keys().filter_map(|name| language_of(name, TEXTS)).collect()
    }

    /// The name of the file with the texts of a language.
    pub(super) fn texts(language: &str) -> String {
        let (before, after) = TEXTS;
        format!("{before}{language}{after}")
    }

    /// The bundle that starts a page, and those that it needs, by the names of their files.
    pub(super) fn bundles_of(&self, module: &str) -> (String, Vec<String>) {
        let name = bundle_of(module);
        let needs = self.bundles.needs_of(&name).iter().map(|needed| format!("{BUNDLES}{needed}"));
        (format!("{BUNDLES}{name}"), needs.collect())
    }
}

/// Bundles the modules among the files. Tests and the browser's console report modules that cannot be bundled.
fn bundled(assets: &BTreeMap<String, Packed>) -> Bundles {
    let modules = || {
        let texts = assets.iter().map(|(name, file)| (name.as_str(), std::str::from_utf8(file.plain())));
        texts.filter_map(|(name, text)| name.strip_suffix(".js").and(Some((name, text.ok()?))))
    };
    Bundles::of(modules()).unwrap_or_else(|fault| {
        tracing::error!(%fault, "A module of the page cannot be bundled; documents say so in the console");
        Bundles::broken(modules().map(|(name, _)| name), &fault)
    })
}

/// The language of a file of texts.
fn language_of<'a>(name: &'a str, (before, after): (&str, &str)) -> Option<&'a str> {
    name.strip_prefix(before)?.strip_suffix(after)
}

fn files() -> Files {
    let web = all::<Web>(str::to_owned);
    let told = all::<Told>(|name| format!("docs/{name}"));
    let exact = all::<Exact>(|name| format!("rules/{name}"));
    web.chain(told).chain(exact).collect()
}

fn all<E: RustEmbed>(named: fn(&str) -> String) -> impl Iterator<Item = (String, Cow<'static, [u8]>)> {
    E::iter().filter_map(move |name| Some((named(&name), E::get(&name)?.data)))
}

fn of_files(files: &Files) -> impl Iterator<Item = (&str, &[u8])> {
    files.iter().map(|(name, content)| (name.as_str(), content.as_ref()))
}

fn hash<'a>(files: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> String {
    let mut digest = Sha256::new();
    for (name, content) in files {
        for part in [name.as_bytes(), content] {
            digest.update((part.len() as u64).to_le_bytes());
            digest.update(part);
        }
    }
    short(digest)
}

/// The address of the files with this hash.
pub(super) fn assets_of(hash: &str) -> String {
    format!("/assets/{hash}")
}

/// The first digits of a hash.
pub(super) fn short(digest: Sha256) -> String {
    let bytes: [u8; 32] = digest.finalize().into();
    let first = bytes[..HASH_DIGITS / 2].iter().fold(0, |number, &byte| number << 8 | u64::from(byte));
    format!("{first:0HASH_DIGITS$x}")
}

/// Whether this could be the hash of some version of the page.
pub(super) fn may_be_hash(text: &str) -> bool {
    text.len() == HASH_DIGITS
        && text.bytes().all(|digit| digit.is_ascii_digit() || (b'a'..=b'f').contains(&digit))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files_of(files: &[(&str, &'static str)]) -> Files {
        files.iter().map(|(name, text)| ((*name).to_owned(), Cow::Borrowed(text.as_bytes()))).collect()
    }

    #[test]
    fn the_hash_changes_with_every_name_and_every_content() {
        let hashes = [
            files_of(&[("a.js", "1"), ("b.js", "2")]),
            files_of(&[("a.js", "1"), ("b.js", "3")]),
            files_of(&[("a.js", "1"), ("c.js", "2")]),
            files_of(&[("a.js", "1")]),
            files_of(&[("a.js", "1b.js2")]),
            files_of(&[("a.js", ""), ("b.js", "12")]),
        ]
        .map(|files| hash(of_files(&files)));
        for (at, hash) in hashes.iter().enumerate() {
            assert!(may_be_hash(hash), "{hash}");
            assert!(!hashes[..at].contains(hash));
        }
        assert_eq!(hashes[0], hash(of_files(&files_of(&[("b.js", "2"), ("a.js", "1")]))));
    }

    #[test]
    fn every_module_of_the_page_stands_in_a_bundle() {
        let files = files();
        let modules = || {
            let texts =
                files.iter().filter(|(name, _)| name.strip_suffix(".js").is_some() && *name != root::WORKER);
            texts.map(|(name, content)| (name.as_str(), bare(&String::from_utf8_lossy(content))))
        };
        let texts: Vec<_> = modules().collect();
        let bundles = Bundles::of(texts.iter().map(|(name, text)| (*name, text.as_str())));
        let bundles = bundles.unwrap_or_else(|fault| panic!("{fault}"));
        for (name, _) in &texts {
            let is_there = bundles.files.iter().any(|(bundle, text)| {
                *bundle == bundle_of(name) || text.contains(&format!("$define(\"{name}\""))
            });
            assert!(is_there, "no document needs {name}");
        }
        for (name, text) in &bundles.files {
            let stray =
                text.lines().find(|line| line.starts_with("export ") && !line.starts_with("export const { "));
            let is_base = bundles.needs_of(name).is_empty();
            assert!(is_base || stray.is_none(), "{name}: {stray:?}");
        }
    }

    #[test]
    fn a_module_that_cannot_be_bundled_is_reported_in_the_console() {
        let files =
            files_of(&[("pages/home.js", "import { a } from \"../a.js\";"), ("a.js", "const a = 1;")]);
        let site = Site::of(files);
        let told = site.asset("bundles/pages-home.js").map(|file| String::from_utf8_lossy(file.plain()));
        assert_eq!(told.as_deref(), Some("throw new SyntaxError(\"pages/home.js: a.js has no a\");\n"));
        assert_eq!(site.bundles_of("pages/home.js"), ("bundles/pages-home.js".to_owned(), Vec::new()));
    }

    #[test]
    fn only_what_browsers_need_is_served() {
        let site = Site::of(files());
        for name in [
            "page.html",
            "service-worker.js",
            "documents/en.json",
            "tsconfig.json",
            "lit.d.ts",
            "api/wire.d.ts",
        ] {
            assert!(site.asset(name).is_none(), "{name}");
        }
        assert!(site.asset("vendor/lit/LICENSE").is_some(), "licences go with what they are for");
        assert!(site.template().contains("{{entry}}"));
    }

    #[test]
    fn documents_say_the_same_in_every_language() {
        let files = files();
        let keys = |language: &str| {
            let mut words = Words::default();
            words.add(language, &files[&format!("{}{language}{}", SAID.0, SAID.1)]);
            words.keys(language).into_iter().map(str::to_owned).collect::<Vec<_>>()
        };
        let site = Site::of(files.clone());
        let english = keys("en");
        assert!(english.iter().any(|key| key == "home.description"), "{english:?}");
        for language in site.languages() {
            assert_eq!(keys(language), english, "{language}");
            assert!(site.words.find(language, "games.zeno.line").is_some(), "{language}");
        }
    }

    #[test]
    fn the_languages_are_the_files_of_texts() {
        let site = Site::of(files_of(&[("text/fr.json", ""), ("text/en.json", ""), ("text/text.js", "")]));
        assert_eq!(site.languages(), ["en", "fr"]);
    }
}
