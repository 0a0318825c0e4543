//! The foot of the pages to read.

use super::{markdown::escaped, operator::Operator, site::Site};

/// The links at the foot of a page. The page's scripts put them below their content (`web/parts/head.js`).
pub(super) fn html(site: &Site, operator: &Operator, language: &str) -> String {
    let said = |name: &str| site.words().find(language, &format!("foot.{name}")).unwrap_or_default();
    let own = |path: &str| format!("{path}?lang={language}");
    let mut links = vec![
        ("about", own("/about")),
        ("statistics", own("/statistics")),
        ("findings", own("/findings")),
        ("privacy", own("/privacy")),
        ("api", "/api".to_owned()),
    ];
    links.extend(operator.source_url.iter().map(|url| ("source", url.clone())));
    links.extend(operator.contact.iter().map(|contact| ("contact", contact.link())));
    let link = |(name, address): (&str, String)| {
        format!("<li><a href=\"{}\">{}</a></li>", escaped(&address), escaped(said(name)))
    };
    let links: String = links.into_iter().map(link).collect();
    format!(
        "<footer class=\"foot\"><nav aria-label=\"{}\"><ul>{links}</ul></nav></footer>",
        escaped(said("label"))
    )
}
