//! Files that programs request from any server: `robots.txt`, the sitemap, the icon of a tab.

use std::fmt::Write;

use axum::{
    extract::State,
    http::{HeaderMap, HeaderValue, header},
    response::{IntoResponse, Response},
};
use lusoria_protocol::{Code, Game};

use super::{document::Page, markdown::escaped, rules::Rules, site::Site, text::Text};
use crate::http::{Http, error::HandlerResult};

/// How long they may be cached: a day.
const KEPT: &str = "public, max-age=86400";

/// The icon of a tab among the files of the page.
const ICON: &str = "style/favicon.ico";

/// Addresses with nothing for programs. Documents of invitation-only matches say themselves that they are not to be
/// listed.
const NOT_FOR_ROBOTS: [&str; 7] =
    ["/api/v1/", "/account", "/devices", "/join", "/offline", "/sign-in", "/tournaments/new"];

/// The addresses that programs may visit.
pub(super) async fn robots(State(http): State<Http>) -> Response {
    let mut text = "User-agent: *\n".to_owned();
    for path in NOT_FOR_ROBOTS {
        let _ = writeln!(text, "Disallow: {path}");
    }
    if let Some(origin) = &http.documents.operator().origin {
        let _ = writeln!(text, "\nSitemap: {origin}/sitemap.xml");
    }
    ([(header::CONTENT_TYPE, "text/plain; charset=utf-8"), (header::CACHE_CONTROL, KEPT)], text)
        .into_response()
}

/// The sitemap. It must have absolute addresses, so there is none if the server does not know its own.
pub(super) async fn sitemap(State(http): State<Http>) -> HandlerResult<Response> {
    let origin = http.documents.operator().origin.as_deref().ok_or(Code::NotFound)?;
    let site = Site::now();
    let mut xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset \
                   xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
                   xmlns:xhtml=\"http://www.w3.org/1999/xhtml\">\n"
        .to_owned();
    for page in listed() {
        let Some(path) = page.path() else { continue };
        if !page.is_translated() {
            let _ = writeln!(xml, "<url><loc>{}</loc></url>", escaped(&format!("{origin}{path}")));
            continue;
        }
        let address = |language: &str| escaped(&format!("{origin}{path}?lang={language}"));
        for language in site.languages() {
            let _ = writeln!(xml, "<url><loc>{}</loc>", address(language));
            for other in site.languages() {
                let href = address(other);
                let _ = writeln!(xml, "<xhtml:link rel=\"alternate\" hreflang=\"{other}\" href=\"{href}\"/>");
            }
            xml.push_str("</url>\n");
        }
    }
    xml.push_str("</urlset>\n");
    let headers = [(header::CONTENT_TYPE, "application/xml"), (header::CACHE_CONTROL, KEPT)];
    Ok((headers, xml).into_response())
}

/// The documents for search engines: the public ones, except the exact rules and the decisions, to which the rules
/// lead.
fn listed() -> impl Iterator<Item = Page> {
    let of_games = Game::ALL.into_iter().flat_map(|game| {
        let id = game.id();
        [
            Page::Rules(Rules::Told(Some(id))),
            Page::Learn(id),
            Page::Editor(id),
            Page::Leaderboards(Some(id)),
            Page::Statistics(Some(id)),
            Page::Tv(Some(id)),
        ]
    });
    let all = [
        Page::Home,
        Page::Players,
        Page::Tournaments,
        Page::Leaderboards(None),
        Page::Rules(Rules::Told(None)),
        Page::Statistics(None),
        Page::Tv(None),
        Page::Text(Text::About),
        Page::Text(Text::Privacy),
        Page::Text(Text::Findings),
        Page::Text(Text::Tables),
        Page::Text(Text::Tournaments),
    ];
    all.into_iter().chain(of_games)
}

/// The icon of a tab, for browsers that do not read the document.
pub(super) async fn icon(headers: HeaderMap) -> HandlerResult<Response> {
    let site = Site::now();
    let mut answer = site.asset(ICON).ok_or(Code::NotFound)?.answer(&headers);
    answer.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static(KEPT));
    Ok(answer)
}
