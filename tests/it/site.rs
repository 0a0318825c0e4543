//! What others see of the server: heads of documents, pictures of boards, missing pages, and what
//! programs look for.

use lusoria::server::Server;
use serde_json::{Value, json};

use crate::{
    http::{assert_problem, get, post, send, server},
    limits::raw,
    players::play,
    support::{
        http::{Answer, Request},
        server::server_with,
    },
};

const UNKNOWN: &str = "/match/0190a6c2-7b1e-7cc3-98c4-dc0c0c07398f";
const BROWSER: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
const ORIGIN: &str = "https://games.example";

async fn browse(server: &Server, path: &str) -> Answer {
    send(server, Request::new("GET", path).header("accept", BROWSER)).await
}

async fn guest_named(server: &Server, name: &str) -> String {
    let answer = send(server, Request::new("POST", "/api/v1/guests").json(&json!({"name": name}))).await;
    answer.json()["token"].as_str().expect("a token").to_owned()
}

/// A match between two people with these names: its id, and the tokens of both.
async fn match_of(server: &Server, names: [&str; 2], terms: &Value) -> (String, [String; 2]) {
    let [one, two] = [guest_named(server, names[0]).await, guest_named(server, names[1]).await];
    let id = play(server, &one, &two, terms, false).await;
    (id, [one, two])
}

/// What an element in the head of a document says: `title`, `description`, `og:image`.
fn said(document: &Answer, name: &str) -> Option<String> {
    let between = |before: &str, after: &str| {
        let (_, rest) = document.body.split_once(before)?;
        Some(rest.split_once(after)?.0.to_owned())
    };
    match name {
        "title" => between("<title>", "</title>"),
        name if name.starts_with("og:") => between(&format!("property=\"{name}\" content=\""), "\""),
        name => between(&format!("name=\"{name}\" content=\""), "\""),
    }
}

fn title(document: &Answer) -> String {
    said(document, "title").expect("a title")
}

#[tokio::test]
async fn where_browsers_come_by_https_they_are_told_to_come_so_alone() {
    for (url, told) in [("https://games.example", Some("max-age=31536000")), ("http://games.example", None)] {
        let server = server_with(&["--public-url", url]).await;
        for path in ["/", "/api/v1/games", "/healthz", "/nothing"] {
            assert_eq!(get(&server, path).await.header("strict-transport-security"), told, "{url}{path}");
        }
    }
    assert_eq!(get(&server().await, "/").await.header("strict-transport-security"), None);
}

#[tokio::test]
async fn a_match_that_is_listed_says_who_plays_and_how_it_ended() {
    let server = server_with(&["--public-url", ORIGIN]).await;
    let (id, [one, _]) = match_of(&server, ["Ada", "Boris"], &json!({"game": "tablut"})).await;
    let path = format!("/match/{id}");
    let live = get(&server, &path).await;
    assert_eq!((live.status, title(&live).as_str()), (200, "Tablut: Ada against Boris – Lusoria"));
    assert_eq!(said(&live, "og:title").as_deref(), Some("Tablut: Ada against Boris"));
    let read = "<main class=\"text alone\"><h1>Tablut: Ada against Boris</h1></main>";
    assert!(live.body.contains(read), "there is something to read before any script has come");
    assert_eq!(said(&live, "og:url"), Some(format!("{ORIGIN}{path}")));
    assert!(said(&live, "description").expect("one").starts_with("Live now"), "{live:?}");
    let picture = said(&live, "og:image").expect("a picture");
    assert!(picture.starts_with(&format!("{ORIGIN}{path}/board.png?")), "{picture}");
    assert_eq!(said(&live, "twitter:card").as_deref(), Some("summary_large_image"));
    assert_eq!(said(&live, "robots"), None);
    let french = get(&server, &format!("{path}?lang=fr")).await;
    assert_eq!(title(&french), "Tablut\u{a0}: Ada contre Boris – Lusoria");

    post(&server, &one, &format!("/matches/{id}/resign"), &json!({})).await;
    let over = get(&server, &path).await;
    let told = "Boris won. Replay it turn by turn.";
    assert_eq!(said(&over, "description").as_deref(), Some(told), "a game without dice has none to check");
    assert_ne!(live.header("etag"), over.header("etag"));
    let dice = get(&server, &format!("{path}/dice")).await;
    assert_eq!(title(&dice), "The random sides of Tablut: Ada against Boris – Lusoria");
    assert_eq!(said(&dice, "robots").as_deref(), Some("noindex"));
}

#[tokio::test]
async fn a_match_to_which_nobody_came_has_nothing_to_replay() {
    let server = server().await;
    let ada = guest_named(&server, "Ada").await;
    let made = post(&server, &ada, "/matches", &json!({"game": "tavla"})).await;
    let id = made.json()["match"]["id"].as_str().expect("an id").to_owned();
    let says = async || {
        let document = get(&server, &format!("/match/{id}")).await;
        (title(&document), said(&document, "description").expect("a description"))
    };
    let told = |title: &str, description: &str| (format!("{title} – Lusoria"), description.to_owned());
    assert_eq!(says().await, told("Tavla: Ada is waiting for an opponent", "Join it, or watch."));
    let withdrawn = post(&server, &ada, &format!("/matches/{id}/abort"), &json!({})).await;
    assert_eq!(withdrawn.status, 200, "{withdrawn:?}");
    assert_eq!(says().await, told("Tavla: Ada", "The game was aborted."));
    assert_eq!(get(&server, &format!("/match/{id}/board.png")).await.status, 200);
}

#[tokio::test]
async fn a_match_by_invitation_says_what_game_it_is_and_no_more() {
    let server = server().await;
    let terms = json!({"game": "zeno", "admission": "invitation"});
    let (id, [one, _]) = match_of(&server, ["Ada", "Boris"], &terms).await;
    let of_start = get(&server, "/rules/zeno/board.png").await;
    for _ in ["live", "over"] {
        let document = get(&server, &format!("/match/{id}")).await;
        assert_eq!(title(&document), "Zeno’s Tavli – Lusoria");
        assert_eq!(said(&document, "robots").as_deref(), Some("noindex"));
        assert!(!document.body.contains("Ada") && !document.body.contains("Boris"), "{document:?}");
        assert!(said(&document, "og:image").expect("a picture").ends_with("head=0"));
        let picture = get(&server, &format!("/match/{id}/board.png")).await;
        assert_eq!(picture.header("etag"), of_start.header("etag"), "it shows the game at its start");
        post(&server, &one, &format!("/matches/{id}/resign"), &json!({})).await;
    }
}

#[tokio::test]
async fn names_of_players_stay_text() {
    let server = server().await;
    let (id, _) = match_of(&server, ["\"><script>{b}", "<b>&amp;"], &json!({"game": "tavla"})).await;
    let document = get(&server, &format!("/match/{id}")).await;
    assert!(!document.body.contains("<script>") && !document.body.contains("<b>"), "{document:?}");
    assert_eq!(title(&document), "Tavla: &quot;&gt;&lt;script&gt;{b} against &lt;b&gt;&amp;amp; – Lusoria");
}

#[tokio::test]
async fn a_document_of_a_match_that_has_not_changed_is_not_sent_again() {
    let server = server().await;
    let (id, _) = match_of(&server, ["Ada", "Boris"], &json!({"game": "tablut"})).await;
    let path = format!("/match/{id}");
    let tag = get(&server, &path).await.header("etag").expect("a tag").to_owned();
    let again = send(&server, Request::new("GET", &path).header("if-none-match", &tag)).await;
    assert_eq!((again.status, again.body.as_str()), (304, ""));
    let (other, _) = match_of(&server, ["Ada", "Boris"], &json!({"game": "tablut"})).await;
    let other =
        send(&server, Request::new("GET", &format!("/match/{other}")).header("if-none-match", &tag)).await;
    assert_eq!(other.status, 200, "another match is another document");
}

#[tokio::test]
async fn where_there_is_nothing_people_see_a_page_and_programs_a_problem() {
    let server = server().await;
    let dice = format!("{UNKNOWN}/dice");
    for (path, code, heading) in [
        ("/nothing", "not_found", "Nothing here"),
        ("/rules/chess", "no_such_game", "Nothing here"),
        ("/learn/chess", "no_such_game", "Nothing here"),
        ("/match/1", "no_such_match", "No such match"),
        (UNKNOWN, "no_such_match", "No such match"),
        (&dice, "no_such_match", "No such match"),
    ] {
        let page = browse(&server, path).await;
        assert_eq!(
            (page.status, page.header("content-type")),
            (404, Some("text/html; charset=utf-8")),
            "{path}"
        );
        assert!(page.body.contains(&format!(">{heading}</h1>")), "{path}: {page:?}");
        assert!(
            page.body.contains("/bundles/pages-text.js\"></script>"),
            "{path}: it has the head of the page"
        );
        assert_eq!(said(&page, "robots").as_deref(), Some("noindex"));
        for header in ["x-request-id", "x-content-type-options", "x-frame-options", "referrer-policy"] {
            assert!(page.header(header).is_some(), "{path}: {header}");
        }
        let policy = page.header("content-security-policy").expect("a policy");
        assert!(policy.contains("script-src 'self'"), "{path}: {policy}");
        for accept in ["application/json", "*/*"] {
            let program = send(&server, Request::new("GET", path).header("accept", accept)).await;
            assert_problem(&program, 404, code);
        }
        assert_problem(&get(&server, path).await, 404, code);
    }
    let french = browse(&server, "/nothing?lang=fr").await;
    assert!(french.body.contains(">Rien ici</h1>"), "{french:?}");
    for path in ["/api/v1/nothing", "/api/v1/matches/1", "/assets/0123456789abcdef/none.js"] {
        assert_problem(
            &browse(&server, path).await,
            404,
            if path.contains("matches") { "no_such_match" } else { "not_found" },
        );
    }
}

/// A picture: its head, and its file.
async fn picture(server: &Server, path: &str) -> (Answer, Vec<u8>) {
    let request = format!("GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
    let bytes = raw(server, request.as_bytes()).await;
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("a head") + 4;
    (Answer::read(&bytes).expect("an answer"), bytes[end..].to_vec())
}

#[tokio::test]
async fn the_picture_of_a_match_shows_it_as_it_stands() {
    let server = server().await;
    let (id, [one, two]) =
        match_of(&server, ["Ada", "Boris"], &json!({"game": "tablut", "side": "attackers"})).await;
    let path = format!("/match/{id}/board.png");
    let (head, png) = picture(&server, &path).await;
    assert_eq!((head.status, head.header("content-type")), (200, Some("image/png")));
    assert_eq!(head.header("cache-control"), Some("public, max-age=60"));
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"));
    let size = [&png[16..20], &png[20..24]].map(|bytes| u32::from_be_bytes(bytes.try_into().expect("four")));
    assert_eq!(size, [1200, 630]);
    let (again, same) = picture(&server, &path).await;
    assert_eq!((again.header("etag"), &same), (head.header("etag"), &png));
    let tag = head.header("etag").expect("a tag");
    let known = send(&server, Request::new("GET", &path).header("if-none-match", tag)).await;
    assert_eq!((known.status, known.body.as_str()), (304, ""));

    let seq = get(&server, &format!("/api/v1/matches/{id}")).await.json()["to_play"]["seq"].clone();
    let turn = json!({"seq": seq, "steps": [{"from": "d1", "to": "d4"}]});
    let played = post(&server, &one, &format!("/matches/{id}/turn"), &turn).await;
    assert_eq!(played.status, 200, "{played:?}");
    let (moved, other) = picture(&server, &path).await;
    assert_ne!((moved.header("etag"), &other), (head.header("etag"), &png));
    post(&server, &two, &format!("/matches/{id}/resign"), &json!({})).await;
    assert_ne!(picture(&server, &path).await.1, other, "the winner has a crown");
}

#[tokio::test]
async fn every_game_has_a_picture_and_so_has_the_server() {
    let server = server().await;
    let mut tags = std::collections::BTreeSet::new();
    for game in ["zeno", "tavla", "scripta", "tabula", "tablut"] {
        let (head, png) = picture(&server, &format!("/rules/{game}/board.png")).await;
        assert_eq!((head.status, &png[1..4]), (200, &b"PNG"[..]), "{game}");
        tags.insert(head.header("etag").expect("a tag").to_owned());
    }
    tags.insert(get(&server, "/board.png").await.header("etag").expect("a tag").to_owned());
    assert_eq!(tags.len(), 6, "{tags:?}");
    let named = said(&get(&server, "/rules/zeno").await, "og:image");
    assert_eq!(named.as_deref(), Some("/rules/zeno/board.png?lang=en"));
    assert_problem(&get(&server, "/rules/chess/board.png").await, 404, "no_such_game");
    assert_problem(&get(&server, &format!("{UNKNOWN}/board.png")).await, 404, "no_such_match");
}

#[tokio::test]
async fn every_page_says_what_it_is_in_the_language_of_its_reader() {
    let server = server_with(&["--public-url", ORIGIN]).await;
    for path in [
        "/",
        "/dice",
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
        "/tv",
        "/tv/zeno",
        "/offline",
        "/learn/zeno",
        "/rules",
        "/rules/zeno",
        "/about",
        "/privacy",
        "/findings",
        "/findings/tables",
        "/editor/zeno",
    ] {
        let [english, french] = [get(&server, path).await, get(&server, &format!("{path}?lang=fr")).await];
        for document in [&english, &french] {
            assert_eq!(document.status, 200, "{path}");
            let description =
                said(document, "description").unwrap_or_else(|| panic!("{path} describes itself"));
            assert!(description.len() > 30 && !description.contains('{'), "{path}: {description}");
            assert!(title(document).contains("Lusoria") && title(document) != "Lusoria", "{path}");
        }
        assert_ne!(said(&english, "description"), said(&french, "description"), "{path}");
        let by_address = [
            "/dice",
            "/record",
            "/join",
            "/devices",
            "/account",
            "/sign-in",
            "/player/zeno",
            "/tournaments/new",
            "/offline",
        ];
        let is_for_everybody = !by_address.contains(&path);
        assert_eq!(said(&english, "robots").is_none(), is_for_everybody, "{path}");
        let own = if path == "/findings/tables" { "" } else { "?lang=fr" };
        let canonical = format!("rel=\"canonical\" href=\"{ORIGIN}{path}{own}\"");
        assert_eq!(french.body.contains(&canonical), is_for_everybody, "{path}");
    }
}

#[tokio::test]
async fn pages_that_are_read_have_a_footer_and_boards_have_none() {
    let flags = ["--contact", "board@games.example", "--source-url", "https://code.example/lusoria?a=1&b=2"];
    let (server, plain) = (server_with(&flags).await, server().await);
    let contact = "<a href=\"mailto:board@games.example\">";
    let source = "<a href=\"https://code.example/lusoria?a=1&amp;b=2\">";
    let read =
        ["/", "/rules/zeno", "/devices", "/account", "/sign-in", "/players", "/player/zeno", "/leaderboards"];
    for path in read.into_iter().chain(["/about", "/privacy", "/findings"]) {
        let document = get(&server, path).await;
        for link in [
            "<a href=\"/about?lang=en\">",
            "<a href=\"/findings?lang=en\">",
            "<a href=\"/privacy?lang=en\">",
            "<a href=\"/api\">",
            contact,
            source,
        ] {
            assert!(document.body.contains(link), "{path}: {link}");
        }
        let document = get(&plain, path).await;
        assert!(document.body.contains("/privacy?lang=en"), "{path}");
        assert!(!document.body.contains("mailto:") && !document.body.contains(">Source<"), "{path}");
    }
    let (id, _) = match_of(&server, ["Ada", "Boris"], &json!({"game": "tablut"})).await;
    for path in [&format!("/match/{id}"), "/learn/zeno", "/offline"] {
        assert!(!get(&server, path).await.body.contains("<footer"), "{path}");
    }
}

#[tokio::test]
async fn links_about_the_server_lead_somewhere() {
    let server = server().await;
    for path in [
        "/about",
        "/privacy",
        "/about?lang=fr",
        "/privacy?lang=fr",
        "/findings",
        "/findings?lang=fr",
        "/findings/tables",
    ] {
        let document = browse(&server, path).await;
        let links = document.body.split(" href=\"/").skip(1).filter_map(|rest| rest.split('"').next());
        for link in links {
            assert_eq!(get(&server, &format!("/{link}")).await.status, 200, "{path}: /{link}");
        }
    }
}

#[tokio::test]
async fn programs_find_what_they_look_for_on_any_server() {
    let (server, nameless) = (server_with(&["--public-url", ORIGIN]).await, server().await);
    let robots = get(&server, "/robots.txt").await;
    assert_eq!(robots.header("content-type"), Some("text/plain; charset=utf-8"));
    for line in ["User-agent: *", "Disallow: /api/v1/", "Sitemap: https://games.example/sitemap.xml"] {
        assert!(robots.body.lines().any(|other| other == line), "{robots:?}");
    }
    assert!(!get(&nameless, "/robots.txt").await.body.contains("Sitemap"), "it would have to be whole");
    assert_problem(&get(&nameless, "/sitemap.xml").await, 404, "not_found");

    let sitemap = get(&server, "/sitemap.xml").await;
    assert_eq!(sitemap.header("content-type"), Some("application/xml"));
    let listed: Vec<&str> =
        sitemap.body.split("<loc>").skip(1).filter_map(|rest| rest.split('<').next()).collect();
    // Home, players, tournaments, leaderboards, statistics, TV, all rules, four texts; the rules, the first turns, the editor, the
    // leaderboard, the statistics and the channel of five games; each in two languages. And the tables of the findings.
    assert_eq!(listed.len(), 83, "{listed:?}");
    for address in listed {
        let document = get(&server, address.strip_prefix(ORIGIN).expect("a whole address")).await;
        assert_eq!((document.status, said(&document, "robots")), (200, None), "{address}");
        assert!(document.body.contains(&format!("rel=\"canonical\" href=\"{address}\"")), "{address}");
    }
    let (head, icon) = picture(&server, "/favicon.ico").await;
    assert_eq!((head.status, head.header("content-type")), (200, Some("image/x-icon")));
    assert!(icon.starts_with(&[0, 0, 1, 0]) && icon.len() < 8_000, "{} bytes", icon.len());
}
