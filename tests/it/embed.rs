//! What other sites may show in a frame: a match that is listed, a channel of TV, a tournament, and nothing else.

use lusoria::server::Server;
use serde_json::json;

use crate::{
    http::{assert_problem, get, guest, post, send, server, tablut},
    players::play,
    support::http::{Answer, Request},
    web::addresses,
};

const UNKNOWN: &str = "0190a6c2-7b1e-7cc3-98c4-dc0c0c07398f";
const BROWSER: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

async fn browse(server: &Server, path: &str) -> Answer {
    send(server, Request::new("GET", path).header("accept", BROWSER)).await
}

/// Whether pages of any site may show it in a frame.
fn may_be_framed(answer: &Answer) -> bool {
    let policy = answer.header("content-security-policy").unwrap_or_default();
    let in_frames = policy.ends_with("frame-ancestors *");
    assert!(in_frames || policy.contains("frame-ancestors 'none'"), "{answer:?}");
    assert_eq!(answer.header("x-frame-options").is_none(), in_frames, "both say the same: {answer:?}");
    in_frames
}

#[tokio::test]
async fn a_listed_match_may_be_framed_by_any_site_even_an_isolated_one() {
    let server = server().await;
    let (id, [one, _]) = tablut(&server).await;
    for _ in ["live", "over"] {
        let document = get(&server, &format!("/embed/match/{id}?theme=dark&lang=fr")).await;
        assert_eq!(document.status, 200, "{document:?}");
        assert!(may_be_framed(&document));
        assert_eq!(document.header("cross-origin-resource-policy"), Some("cross-origin"));
        assert_eq!(document.header("cross-origin-embedder-policy"), Some("require-corp"));
        let policy = document.header("content-security-policy").expect("a policy");
        assert!(policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self'"), "{policy}");
        assert!(document.body.contains("<meta name=\"robots\" content=\"noindex\">"), "{document:?}");
        assert!(document.body.contains("<html lang=\"fr\""), "{document:?}");
        assert!(document.header("set-cookie").is_none());
        post(&server, &one, &format!("/matches/{id}/resign"), &json!({})).await;
    }
}

#[tokio::test]
async fn a_tournament_may_be_framed_by_its_view_without_controls() {
    let server = server().await;
    let document = get(&server, &format!("/embed/tournament/{UNKNOWN}")).await;
    assert_eq!(document.status, 200, "{document:?}");
    assert!(may_be_framed(&document));
    assert!(document.body.contains("<meta name=\"robots\" content=\"noindex\">"), "{document:?}");
    assert!(document.body.contains("/bundles/pages-wall.js\"></script>"), "{document:?}");
    for path in ["", "/wall", "/edit"] {
        assert!(!may_be_framed(&get(&server, &format!("/tournament/{UNKNOWN}{path}")).await), "{path}");
    }
}

#[tokio::test]
async fn a_channel_may_be_framed_by_any_site_whatever_it_shows() {
    let server = server().await;
    for game in ["zeno", "tavla", "scripta", "tabula", "tablut"] {
        let document = get(&server, &format!("/embed/tv/{game}?theme=dark&lang=fr")).await;
        assert_eq!(document.status, 200, "{document:?}");
        assert!(may_be_framed(&document), "{game}");
        assert_eq!(document.header("cross-origin-resource-policy"), Some("cross-origin"));
        assert!(document.body.contains("<meta name=\"robots\" content=\"noindex\">"), "{document:?}");
        assert!(document.body.contains("<html lang=\"fr\""), "{document:?}");
        assert!(document.body.contains("/bundles/pages-embed.js\"></script>"), "{game}");
        assert!(!may_be_framed(&get(&server, &format!("/tv/{game}")).await), "{game}");
    }
    let page = browse(&server, "/embed/tv/chess").await;
    assert_eq!((page.status, may_be_framed(&page)), (404, false), "there is no such channel");
}

#[tokio::test]
async fn a_frame_that_the_browser_has_already_keeps_its_policy() {
    let server = server().await;
    let (id, _) = tablut(&server).await;
    let path = format!("/embed/match/{id}");
    let tag = get(&server, &path).await.header("etag").expect("a tag").to_owned();
    let again = send(&server, Request::new("GET", &path).header("if-none-match", &tag)).await;
    assert_eq!((again.status, may_be_framed(&again)), (304, true));
}

#[tokio::test]
async fn nothing_else_may_be_framed() {
    let server = server().await;
    let (id, _) = tablut(&server).await;
    let others = [
        "/kiosk",
        "/nothing",
        "/embed",
        "/embed/",
        "/embed/match",
        "/embed/tv",
        "/embed/tv/",
        "/match/1",
        "/api",
        "/api/v1/games",
        "/board.png",
        "/healthz",
    ];
    let of_match = [
        format!("/match/{id}/board.png"),
        format!("/api/v1/matches/{id}"),
        format!("/api/v1/matches/{id}/record"),
        format!("/embed/match/{id}/dice"),
    ];
    let others = others.map(str::to_owned).into_iter().chain(of_match);
    for path in addresses(&server).await.into_iter().chain(others) {
        for answer in [get(&server, &path).await, browse(&server, &path).await] {
            assert!(!may_be_framed(&answer), "{path}");
        }
    }
}

#[tokio::test]
async fn a_match_that_is_not_listed_is_not_shown_any_more_than_one_that_there_is_not() {
    let server = server().await;
    let [one, two] = [guest(&server).await, guest(&server).await];
    let terms = json!({"game": "zeno", "admission": "invitation"});
    let by_invitation = play(&server, &one, &two, &terms, false).await;
    let both = json!({"game": "zeno", "admission": "both_seats"});
    let both = post(&server, &one, "/matches", &both).await.json()["match"]["id"].as_str().map(str::to_owned);
    for id in [by_invitation.as_str(), &both.expect("an id"), UNKNOWN, "1"] {
        let path = format!("/embed/match/{id}");
        assert_problem(&get(&server, &path).await, 404, "no_such_match");
        let page = browse(&server, &path).await;
        assert_eq!(
            (page.status, page.header("content-type")),
            (404, Some("text/html; charset=utf-8")),
            "{id}"
        );
        assert!(may_be_framed(&page), "the frame that was to show it says so");
        assert!(page.body.contains("<title>A match – Lusoria</title>"), "{id}: it names nobody: {page:?}");
        assert!(page.body.contains("/bundles/pages-embed.js\"></script>"), "{id}");
    }
}
