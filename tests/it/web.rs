//! The page as browsers get it: documents, the files that they name, what may be kept.

use std::{collections::BTreeSet, io::Read};

use lusoria::server::Server;
use serde_json::json;

use crate::{
    http::{assert_problem, get, post, send, server, tablut},
    limits::raw,
    support::http::{Answer, Request},
};

/// Every kind of document, but those that other sites may show in a frame (embed.rs).
pub(crate) async fn addresses(server: &Server) -> Vec<String> {
    let (id, _) = tablut(server).await;
    let of_match = [format!("/match/{id}"), format!("/match/{id}/dice")];
    let others = [
        "/",
        "/dice",
        "/kiosk",
        "/record",
        "/join",
        "/devices",
        "/account",
        "/sign-in",
        "/players",
        "/player/zeno",
        "/leaderboards",
        "/leaderboards/zeno",
        "/tournaments",
        "/tournaments/new",
        "/tournaments/rules",
        "/tournament/any",
        "/tournament/any/edit",
        "/tournament/any/wall",
        "/tv",
        "/tv/zeno",
        "/offline",
        "/learn/zeno",
        "/learn/tablut",
        "/rules",
        "/rules/zeno",
        "/about",
        "/privacy",
        "/findings",
        "/findings/tables",
        "/editor/zeno",
    ];
    of_match.into_iter().chain(others.map(str::to_owned)).collect()
}

/// On what an answer depends.
fn depends_on(answer: &Answer, name: &str) -> bool {
    let mut named =
        answer.headers.iter().filter(|(header, _)| header == "vary").flat_map(|(_, list)| list.split(','));
    named.any(|other| other.trim().eq_ignore_ascii_case(name))
}

/// Whether an element does something by an attribute, such as `onclick`.
fn has_handlers(document: &str) -> bool {
    document.split(" on").skip(1).any(|rest| {
        let end = rest.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(rest.len());
        end > 0 && rest[end..].starts_with('=')
    })
}

/// What stands in an attribute, everywhere in a document.
fn attributes<'a>(document: &'a str, name: &str) -> Vec<&'a str> {
    let parts = document.split(&format!(" {name}=\"")).skip(1).collect::<Vec<_>>();
    parts.into_iter().filter_map(|part| part.split('"').next()).collect()
}

fn assets_of(document: &str) -> BTreeSet<String> {
    let named = attributes(document, "href").into_iter().chain(attributes(document, "src"));
    named.filter(|address| address.starts_with("/assets/")).map(str::to_owned).collect()
}

#[tokio::test]
async fn a_document_holds_no_script_and_no_style_and_allows_none_but_ours() {
    let server = server().await;
    for address in addresses(&server).await {
        let answer = get(&server, &address).await;
        assert_eq!(answer.status, 200, "{address}");
        assert_eq!(answer.header("content-type"), Some("text/html; charset=utf-8"));
        assert_eq!(answer.header("cache-control"), Some("no-cache"));
        assert_eq!(answer.header("cross-origin-opener-policy"), Some("same-origin"));
        let policy = answer.header("content-security-policy").expect("a policy");
        for part in ["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"]
        {
            assert!(policy.contains(part), "{policy}");
        }
        assert!(!policy.contains("unsafe") && !policy.contains('*'), "{policy}");
        let text = &answer.body;
        assert!(!text.contains("{{") && !text.contains("}}"), "a place was not filled: {text}");
        assert!(!text.contains("<style") && !text.contains(" style=") && !has_handlers(text), "{text}");
        for script in text.split("<script").skip(1) {
            let (tag, inside) = script.split_once('>').expect("a tag ends");
            assert!(tag.contains(" src=\"/assets/") && inside.starts_with("</script>"), "{script}");
        }
    }
}

#[tokio::test]
async fn everything_that_a_document_names_can_be_kept_for_ever() {
    let server = server().await;
    let mut named = BTreeSet::new();
    for address in addresses(&server).await {
        named.extend(assets_of(&get(&server, &address).await.body));
    }
    assert!(named.iter().any(|name| name.ends_with("/text/en.json")), "{named:?}");
    for name in &named {
        let kind = match name.rsplit('.').next() {
            Some("js") => "text/javascript; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            Some("svg") => "image/svg+xml; charset=utf-8",
            Some("json") => "application/json",
            Some("png") => "image/png",
            Some("csv") => "text/csv; charset=utf-8",
            Some("woff2") => "font/woff2",
            other => panic!("{name}: {other:?}"),
        };
        let answer = get(&server, name).await;
        assert_eq!((answer.status, answer.header("content-type")), (200, Some(kind)), "{name}");
        assert_eq!(answer.header("cache-control"), Some("public, max-age=31536000, immutable"), "{name}");
        assert!(depends_on(&answer, "accept-encoding"), "{name}");
    }
}

#[tokio::test]
async fn a_document_loads_its_modules_in_a_few_bundles_which_find_each_other() {
    let server = server().await;
    let mut bundles = BTreeSet::new();
    for address in addresses(&server).await {
        let named = assets_of(&get(&server, &address).await.body);
        let named: Vec<_> = named.into_iter().filter(|name| name.rsplit('.').next() == Some("js")).collect();
        assert!(named.len() <= 3, "{address}: {named:?}");
        bundles.extend(named);
    }
    let mut open: Vec<_> = bundles.iter().cloned().collect();
    while let Some(bundle) = open.pop() {
        let answer = get(&server, &bundle).await;
        assert_eq!(answer.status, 200, "{bundle}");
        assert!(!answer.body.starts_with("throw"), "{}", answer.body);
        let (folder, _) = bundle.rsplit_once('/').expect("a folder");
        // Types are imported in comments, in braces.
        let imports = ["from \"./", "import \"./", " import(\"./"];
        for import in imports.into_iter().flat_map(|before| answer.body.split(before).skip(1)) {
            let other = format!("{folder}/{}", import.split('"').next().unwrap_or_default());
            if bundles.insert(other.clone()) {
                open.push(other);
            }
        }
    }
    assert!(bundles.iter().any(|bundle| bundle.ends_with("/qr.js")), "{bundles:?}");
}

#[tokio::test]
async fn a_browser_that_has_a_document_already_is_told_so() {
    let server = server().await;
    let first = get(&server, "/").await;
    let tag = first.header("etag").expect("a tag").to_owned();
    let strong = tag.trim_start_matches("W/");
    for known in [tag.as_str(), strong, "*", &format!("\"x\", {tag}")] {
        let again = send(&server, Request::new("GET", "/").header("if-none-match", known)).await;
        assert_eq!((again.status, again.body.as_str()), (304, ""), "{known}");
        assert_eq!(again.header("etag"), Some(tag.as_str()));
        assert!(
            again
                .header("content-security-policy")
                .is_some_and(|policy| policy.contains("script-src 'self'"))
        );
    }
    let other = send(&server, Request::new("GET", "/").header("if-none-match", "\"x\"")).await;
    assert_eq!(other.status, 200);
    let french = send(&server, Request::new("GET", "/?lang=fr").header("if-none-match", &tag)).await;
    assert_eq!(french.status, 200, "another language is another document");
}

#[tokio::test]
async fn the_worker_and_the_manifest_are_at_the_root_and_name_the_release() {
    let server = server().await;
    let document = get(&server, "/").await.body;
    let assets =
        attributes(&document, "src")[0].strip_suffix("/bundles/pages-home.js").expect("a module").to_owned();
    for (path, kind) in [
        ("/service-worker.js", "text/javascript; charset=utf-8"),
        ("/manifest.webmanifest", "application/manifest+json"),
    ] {
        let answer = get(&server, path).await;
        assert_eq!((answer.status, answer.header("content-type")), (200, Some(kind)), "{path}");
        assert_eq!(answer.header("cache-control"), Some("no-cache"), "{path}");
        let policy = "default-src 'none'; connect-src 'self'";
        assert_eq!(answer.header("content-security-policy"), Some(policy), "{path}");
        assert!(answer.body.contains(&assets) && !answer.body.contains("{{"), "{path}: {}", answer.body);
        let tag = answer.header("etag").expect("a tag");
        let again = send(&server, Request::new("GET", path).header("if-none-match", tag)).await;
        assert_eq!((again.status, again.body.as_str()), (304, ""), "{path}");
    }
    let manifest: serde_json::Value =
        serde_json::from_str(&get(&server, "/manifest.webmanifest").await.body).expect("JSON");
    let icons = manifest["icons"].as_array().expect("icons");
    assert!(icons.iter().any(|icon| icon["purpose"] == "maskable"), "{manifest}");
    for icon in icons {
        let path = icon["src"].as_str().expect("an address");
        let answer = get(&server, path).await;
        assert_eq!(
            (answer.status, answer.header("content-type")),
            (
                200,
                icon["type"].as_str().map(|kind| {
                    if kind == "image/svg+xml" { "image/svg+xml; charset=utf-8" } else { kind }
                })
            ),
            "{path}"
        );
    }
    assert!(attributes(&document, "href").contains(&"/manifest.webmanifest"));
}

#[tokio::test]
async fn a_document_speaks_the_language_of_its_reader() {
    let server = server().await;
    let lang = async |path: &str, accepted: &str| {
        let answer = send(&server, Request::new("GET", path).header("accept-language", accepted)).await;
        assert!(depends_on(&answer, "accept-language"));
        let lang = attributes(&answer.body, "lang")[0].to_owned();
        assert!(
            answer.body.contains(&format!("/text/{lang}.json\" as=\"fetch\" crossorigin")),
            "{}",
            answer.body
        );
        lang
    };
    assert_eq!(lang("/", "fr-CH, en;q=0.5").await, "fr");
    assert_eq!(lang("/", "de").await, "en");
    assert_eq!(lang("/?at=3&lang=fr", "en").await, "fr");
    assert_eq!(lang("/?lang=tlh", "fr").await, "fr");
    assert_eq!(attributes(&get(&server, "/").await.body, "data-languages"), ["en fr"]);
}

#[tokio::test]
async fn what_cannot_be_a_match_is_not_found() {
    let server = server().await;
    for path in ["/match/1", "/match/1/dice", "/match/%ff"] {
        let browser = Request::new("GET", path).header("accept", "text/html,application/xml;q=0.9,*/*;q=0.8");
        let answer = send(&server, browser).await;
        assert_eq!((answer.status, answer.header("content-type")), (404, Some("text/html; charset=utf-8")));
        let program = send(&server, Request::new("GET", path).header("accept", "application/json")).await;
        assert!([400, 404].contains(&program.status), "{program:?}");
        assert_eq!(program.header("content-type"), Some("application/problem+json"));
    }
    assert_problem(&get(&server, "/learn/chess").await, 404, "no_such_game");
}

#[tokio::test]
async fn a_page_from_before_an_upgrade_gets_what_there_is_now() {
    let server = server().await;
    let now = get(&server, "/").await;
    let texts = assets_of(&now.body).into_iter().find(|name| name.ends_with("en.json")).expect("texts");
    let (fresh, old) =
        (get(&server, &texts).await, get(&server, "/assets/0123456789abcdef/text/en.json").await);
    assert_eq!((old.status, old.header("cache-control")), (200, Some("no-store")));
    assert_eq!(old.body, fresh.body);
    for nothing in [
        "/assets/0123456789abcdef/text/de.json",
        "/assets/0123456789abcdef/page.html",
        "/assets/0123456789abcdef/api/wire.d.ts",
        "/assets/0123456789abcdef/../Cargo.toml",
        "/assets/0123456789abcdef/%2e%2e/Cargo.toml",
        "/assets/0123456789abcdef/%ff",
        "/assets/0123456789ABCDEF/text/en.json",
        "/assets/x/text/en.json",
        "/assets/",
    ] {
        assert_problem(&get(&server, nothing).await, 404, "not_found");
    }
}

/// The whole answer: its head, and its body as it was sent.
async fn parts(server: &Server, method: &str, path: &str, accepted: &str) -> (String, Vec<u8>) {
    let head = format!(
        "{method} {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\naccept-encoding: {accepted}\r\n\r\n"
    );
    let mut answer = raw(server, head.as_bytes()).await;
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n").expect("a head");
    let body = answer.split_off(end + 4);
    (String::from_utf8(answer).expect("text"), body)
}

/// The head of what is sent packed, and how many bytes its body has, which unpacked is what it was.
async fn packed(server: &Server, path: &str) -> (String, usize) {
    let (head, packed) = parts(server, "GET", path, "gzip").await;
    assert!(head.contains("content-encoding: gzip\r\n"), "{head}");
    let mut text = String::new();
    flate2::read::GzDecoder::new(&*packed).read_to_string(&mut text).expect("gzip");
    assert_eq!(text, get(server, path).await.body);
    (head, packed.len())
}

#[tokio::test]
async fn events_come_packed_and_what_is_short_does_not() {
    let server = server().await;
    let (id, tokens) = tablut(&server).await;
    let path = format!("/api/v1/matches/{id}/events");
    let turns = [("d1", "c1"), ("e4", "f4"), ("c1", "d1"), ("f4", "e4"), ("d1", "c1"), ("e4", "f4")];
    for ((seq, token), (from, to)) in (3..).zip(tokens.iter().cycle()).zip(turns) {
        let turn = json!({"seq": seq, "steps": [{"from": from, "to": to}]});
        let played = post(&server, token, &format!("/matches/{id}/turn"), &turn).await;
        assert_eq!(played.status, 200, "{played:?}");
    }
    let (head, length) = packed(&server, &path).await;
    assert!(head.contains("vary: accept-encoding\r\n"), "{head}");
    assert!(length < get(&server, &path).await.body.len() / 3, "{length} bytes");
    packed(&server, "/api/openapi.json").await;
    let (head, body) = parts(&server, "GET", &path, "identity").await;
    assert!(head.contains("vary: accept-encoding\r\n") && !head.contains("content-encoding"), "{head}");
    assert_eq!(String::from_utf8(body).expect("text"), get(&server, &path).await.body);
    let (head, _) = parts(&server, "GET", "/api/v1/me/standing", "gzip").await;
    assert!(!head.contains("content-encoding"), "{head}");
}

#[tokio::test]
async fn pages_and_the_catalogue_come_packed_and_unpack_to_what_they_were() {
    let server = server().await;
    packed(&server, "/").await;
    let (head, length) = packed(&server, "/api/v1/games").await;
    assert!(head.contains("max-age=3600"), "{head}");
    assert!(length < get(&server, "/api/v1/games").await.body.len() / 4);
    let (head, body) = parts(&server, "GET", "/", "identity").await;
    assert!(!head.contains("content-encoding"), "{head}");
    assert_eq!(body, get(&server, "/").await.body.as_bytes());
}

#[tokio::test]
async fn a_head_request_gets_the_head_alone() {
    let server = server().await;
    let texts = assets_of(&get(&server, "/").await.body).into_iter().find(|name| name.ends_with("en.json"));
    for path in ["/", &texts.expect("texts")] {
        let ((head, none), (_, body)) =
            (parts(&server, "HEAD", path, "identity").await, parts(&server, "GET", path, "identity").await);
        assert!(head.starts_with("HTTP/1.1 200 ") && none.is_empty(), "{head}");
        assert!(head.contains(&format!("content-length: {}\r\n", body.len())), "{head}");
    }
}

#[tokio::test]
async fn texts_are_pages_whose_links_and_pictures_lead_somewhere() {
    let server = server().await;
    let games = ["zeno", "tavla", "scripta", "tabula", "tablut"];
    let texts =
        ["/rules", "/rules/exact", "/rules/decisions", "/findings", "/findings/tables", "/about", "/privacy"];
    let mut addresses = texts.map(str::to_owned).to_vec();
    for game in games {
        addresses.extend([
            format!("/rules/{game}"),
            format!("/rules/{game}?lang=fr"),
            format!("/rules/{game}/exact"),
        ]);
    }
    let mut leads_to = BTreeSet::new();
    for address in &addresses {
        let answer = get(&server, address).await;
        assert_eq!((answer.status, answer.header("content-type")), (200, Some("text/html; charset=utf-8")));
        let text = &answer.body;
        let title =
            text.split("<title>").nth(1).and_then(|rest| rest.split("</title>").next()).expect("a title");
        assert!(title.contains("Lusoria"), "{address}: {title}");
        assert!(text.contains("<main class=\"text\" lang=\"") && text.contains("<h1 id=\""), "{address}");
        assert!(!text.contains(" style=") && !text.contains("{{"), "{address}");
        let named = attributes(text, "href").into_iter().chain(attributes(text, "src"));
        leads_to.extend(named.filter(|to| to.starts_with('/')).map(str::to_owned));
        let relative = attributes(text, "href")
            .into_iter()
            .find(|to| to.rsplit_once(".md").is_some_and(|(_, after)| after.is_empty()));
        assert_eq!(relative, None, "{address}: a link between files is no link between pages");
    }
    for address in leads_to {
        assert_eq!(get(&server, &address).await.status, 200, "{address}");
    }
    assert_problem(&get(&server, "/rules/chess").await, 404, "no_such_game");
}

#[tokio::test]
async fn the_rules_can_be_had_as_they_were_written() {
    let server = server().await;
    for (path, begins) in [
        ("/rules/exact", include_str!("../../rules/README.md")),
        ("/rules/zeno/exact", include_str!("../../rules/zeno.md")),
    ] {
        let answer = send(&server, Request::new("GET", path).header("accept", "text/markdown")).await;
        assert_eq!(answer.header("content-type"), Some("text/markdown; charset=utf-8"));
        assert_eq!(answer.body, begins);
        assert!(depends_on(&answer, "accept"));
    }
}
