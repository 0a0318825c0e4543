//! The texts of documents outside their scripts: titles, descriptions, names of games.
//!
//! The page's own texts (`web/text`) name games and levels; texts that only documents contain are in `web/documents`,
//! which is not served to browsers.

use std::collections::BTreeMap;

use serde_json::Value;

use super::language;

/// Texts by language and key: `games.zeno`.
#[derive(Default)]
pub(super) struct Words(BTreeMap<(String, String), String>);

impl Words {
    /// Adds the texts of a file.
    pub(super) fn add(&mut self, language: &str, file: &[u8]) {
        let Ok(Value::Object(sections)) = serde_json::from_slice(file) else { return };
        for (section, texts) in sections {
            let Value::Object(texts) = texts else { continue };
            for (name, text) in texts {
                if let Value::String(text) = text {
                    self.0.insert((language.to_owned(), format!("{section}.{name}")), text);
                }
            }
        }
    }

    /// A text; in English where it has not been translated.
    pub(super) fn find(&self, language: &str, key: &str) -> Option<&str> {
        let of = |language: &str| self.0.get(&(language.to_owned(), key.to_owned()));
        of(language).or_else(|| of(language::USUAL)).map(String::as_str)
    }

    /// The keys of a language.
    #[cfg(test)]
    pub(super) fn keys(&self, language: &str) -> Vec<&str> {
        self.0.keys().filter(|(of, _)| of == language).map(|(_, key)| key.as_str()).collect()
    }

    /// A text with `{name}` replaced; none if there is no such text.
    pub(super) fn with(&self, language: &str, key: &str, values: &[(&str, &str)]) -> String {
        let text = self.find(language, key).unwrap_or_default();
        filled(text, ("{", "}"), |name| {
            let value = values.iter().find(|(known, _)| *known == name);
            value.map(|(_, value)| (*value).to_owned()).unwrap_or_default()
        })
    }
}

/// Fills the places of a template. Filled-in texts are not filled again.
pub(super) fn filled(
    template: &str,
    (open, close): (&str, &str),
    mut with: impl FnMut(&str) -> String,
) -> String {
    let mut parts = template.split(open);
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (place, after) = part.split_once(close).unwrap_or(("", part));
        text.push_str(&with(place));
        text.push_str(after);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words() -> Words {
        let mut words = Words::default();
        words.add(
            "en",
            br#"{"match": {"title": "{a} against {b}", "only": "English"}, "language": "English"}"#,
        );
        words.add("fr", br#"{"match": {"title": "{a} contre {b}"}}"#);
        words
    }

    #[test]
    fn texts_are_found_in_the_language_or_in_english() {
        let words = words();
        for (language, key, expected) in [
            ("en", "match.title", Some("{a} against {b}")),
            ("fr", "match.title", Some("{a} contre {b}")),
            ("fr", "match.only", Some("English")),
            ("en", "language", None),
            ("en", "match.none", None),
        ] {
            assert_eq!(words.find(language, key), expected, "{language} {key}");
        }
    }

    #[test]
    fn names_that_look_like_places_stay_names() {
        let filled = words().with("fr", "match.title", &[("a", "{b}"), ("b", "Ada")]);
        assert_eq!(filled, "{b} contre Ada");
    }
}
