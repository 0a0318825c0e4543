//! Converts our Markdown to HTML.

use std::collections::BTreeSet;

use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, html::push_html};

/// A text as HTML.
pub(super) struct Rendered {
    /// Its first heading, as plain text.
    pub(super) title: String,
    /// The whole text.
    pub(super) html: String,
}

/// Renders a text. `address` maps links and `picture` maps pictures; of a picture without an address only the
/// description is left. HTML in the text is shown as text, except comments.
pub(super) fn rendered(
    markdown: &str,
    address: impl Fn(&str) -> String,
    picture: impl Fn(&str) -> Option<String>,
) -> Rendered {
    let mut events: Vec<Event<'_>> = Parser::new_ext(markdown, Options::ENABLE_TABLES).collect();
    let titles = name_headings(&mut events);
    let mut missing = false;
    let shown = events.into_iter().filter_map(|event| match event {
        Event::Html(text) | Event::InlineHtml(text) if is_comment(&text) => None,
        Event::Html(text) | Event::InlineHtml(text) => Some(Event::Text(text)),
        // Alignment would be an inline style of every cell, which documents must not have.
        Event::Start(Tag::Table(_)) => Some(Event::Start(Tag::Table(Vec::new()))),
        Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
            Some(Event::Start(Tag::Link { link_type, dest_url: address(&dest_url).into(), title, id }))
        }
        Event::Start(Tag::Image { link_type, dest_url, title, id }) => {
            let found = picture(&dest_url);
            missing = found.is_none();
            Some(Event::Start(Tag::Image { link_type, dest_url: found?.into(), title, id }))
        }
        Event::End(TagEnd::Image) if missing => None,
        other => Some(other),
    });
    let mut html = String::with_capacity(markdown.len() * 2);
    push_html(&mut html, shown.flat_map(in_a_frame));
    Rendered { title: titles.into_iter().next().unwrap_or_default(), html }
}

/// Whether HTML is a comment, for authors.
fn is_comment(html: &str) -> bool {
    let html = html.trim();
    html.starts_with("<!--") && html.ends_with("-->")
}

/// Gives every heading an id made of its words, so that links can lead there. Returns the headings as plain text.
fn name_headings(events: &mut [Event<'_>]) -> Vec<String> {
    let (mut titles, mut names) = (Vec::new(), BTreeSet::new());
    for at in 0..events.len() {
        let Event::Start(Tag::Heading { .. }) = events[at] else { continue };
        let inside = events[at..].iter().take_while(|event| !matches!(event, Event::End(TagEnd::Heading(_))));
        let title: String = inside.filter_map(said).collect();
        let mut name = slug(&title);
        while !names.insert(name.clone()) {
            name.push('-');
        }
        if let Event::Start(Tag::Heading { id, .. }) = &mut events[at] {
            *id = Some(CowStr::from(name));
        }
        titles.push(title);
    }
    titles
}

fn said<'a>(event: &'a Event<'_>) -> Option<&'a str> {
    match event {
        Event::Text(text) | Event::Code(text) => Some(text),
        _ => None,
    }
}

/// `the-middle-row` for "The middle row".
fn slug(title: &str) -> String {
    let words = title.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join("-")
}

/// A table is in a frame of its own, which scrolls where the table is too wide.
fn in_a_frame(event: Event<'_>) -> impl Iterator<Item = Event<'_>> {
    let raw = |text: &'static str| Some(Event::Html(text.into()));
    let (before, after) = match event {
        Event::Start(Tag::Table(_)) => (raw("<div class=\"wide\">"), None),
        Event::End(TagEnd::Table) => (None, raw("</div>")),
        _ => (None, None),
    };
    before.into_iter().chain([event]).chain(after)
}

/// Text escaped for an element or an attribute.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn html(markdown: &str) -> String {
        let picture = |name: &str| name.strip_suffix(".svg").map(|stem| format!("/there/{stem}.svg"));
        rendered(markdown, |to| format!("/to/{to}"), picture).html
    }

    #[test]
    fn headings_can_be_linked_to() {
        let page = rendered("# Le *plateau*, `code`\n\n## Le dé\n\n## Le dé\n", str::to_owned, |_| None);
        assert_eq!(page.title, "Le plateau, code");
        for heading in ["<h1 id=\"le-plateau-code\">", "<h2 id=\"le-dé\">", "<h2 id=\"le-dé-\">"] {
            assert!(page.html.contains(heading), "{}", page.html);
        }
    }

    #[test]
    fn html_is_shown_and_not_followed() {
        for markdown in ["<script>alert(1)</script>", "a <b onclick=\"x\">b</b>", "# <img src=x>"] {
            let html = html(markdown);
            assert!(!html.contains("<script") && !html.contains("<b ") && !html.contains("<img"), "{html}");
            assert!(html.contains("&lt;"), "{html}");
        }
    }

    #[test]
    fn comments_are_for_those_who_write_the_text() {
        assert_eq!(html("a\n\n<!-- written by a program -->\n\nb <!-- c -->\n"), "<p>a</p>\n<p>b </p>\n");
    }

    #[test]
    fn links_pictures_and_tables() {
        assert!(html("[a](b.md)").contains("<a href=\"/to/b.md\">a</a>"));
        assert!(html("![a board](b.svg)").contains("<img src=\"/there/b.svg\" alt=\"a board\""));
        assert_eq!(html("![a board](b.png)").trim(), "<p>a board</p>");
        let table = html("| a |\n| ---: |\n| b |\n");
        assert!(
            table.contains("<div class=\"wide\"><table>") && table.contains("</table>\n</div>"),
            "{table}"
        );
        assert!(!table.contains("style"), "{table}");
    }

    #[test]
    fn nothing_gets_out_of_its_element() {
        assert_eq!(escaped("\"<a>\" & b"), "&quot;&lt;a&gt;&quot; &amp; b");
    }
}
