//! The kinds of files, by extension.

/// The kind of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::http) struct Kind {
    /// Its `Content-Type`.
    pub(in crate::http) name: &'static str,
    /// Whether compression makes it smaller: pictures and fonts are compressed already.
    pub(in crate::http) packs: bool,
}

impl Kind {
    /// A document.
    pub(in crate::http) const DOCUMENT: Self = Self::text("text/html; charset=utf-8");

    /// Plain data for programs.
    pub(in crate::http) const JSON: Self = Self::text("application/json");

    /// A table for programs.
    pub(in crate::http) const CSV: Self = Self::text("text/csv; charset=utf-8");

    /// Markdown.
    pub(in crate::http) const MARKDOWN: Self = Self::text("text/markdown; charset=utf-8");

    /// A module of the page.
    pub(in crate::http) const MODULE: Self = Self::text("text/javascript; charset=utf-8");

    const fn text(name: &'static str) -> Self {
        Self { name, packs: true }
    }

    const fn packed(name: &'static str) -> Self {
        Self { name, packs: false }
    }

    /// The kind of a file; none if the page may not have such a file.
    pub(in crate::http) fn of(name: &str) -> Option<Self> {
        let file = name.rsplit('/').next()?;
        Some(match file.rsplit_once('.').map_or(file, |(_, ending)| ending) {
            "css" => Self::text("text/css; charset=utf-8"),
            "js" => Self::MODULE,
            "json" => Self::JSON,
            "csv" => Self::CSV,
            "svg" => Self::text("image/svg+xml; charset=utf-8"),
            "md" => Self::MARKDOWN,
            "LICENSE" => Self::text("text/plain; charset=utf-8"),
            "webmanifest" => Self::text("application/manifest+json"),
            "png" => Self::packed("image/png"),
            "webp" => Self::packed("image/webp"),
            "ico" => Self::packed("image/x-icon"),
            "woff2" => Self::packed("font/woff2"),
            _ => return None,
        })
    }
}
