//! Challenges, which of them players take, and whom they follow, over HTTP.

use lusoria::server::Server;
use serde_json::{Value, json};

use crate::{
    http::{Stream, assert_problem, guest, post, send, server},
    support::http::{Answer, Request},
};

async fn asked(server: &Server, method: &str, token: &str, path: &str) -> Answer {
    send(server, Request::new(method, &format!("/api/v1{path}")).token(token)).await
}

async fn put(server: &Server, token: &str, path: &str, body: &Value) -> Answer {
    send(server, Request::new("PUT", &format!("/api/v1{path}")).token(token).json(body)).await
}

/// Somebody: their token and their id.
struct Somebody {
    token: String,
    id: String,
}

async fn somebody(server: &Server) -> Somebody {
    let token = guest(server).await;
    let id = asked(server, "GET", &token, "/me").await.json()["id"].as_str().expect("an id").to_owned();
    Somebody { token, id }
}

async fn challenged(server: &Server, by: &Somebody, to: &Somebody, more: &Value) -> Answer {
    let mut body = json!({"to": to.id, "game": "zeno"});
    body.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    post(server, &by.token, "/challenges", &body).await
}

/// The id of a challenge that waits.
async fn challenge(server: &Server, by: &Somebody, to: &Somebody, more: &Value) -> String {
    let answer = challenged(server, by, to, more).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    assert_eq!(answer.json()["state"], "waiting");
    answer.json()["id"].as_str().expect("an id").to_owned()
}

async fn answered(server: &Server, by: &Somebody, id: &str, how: &str, body: &Value) -> Answer {
    post(server, &by.token, &format!("/challenges/{id}/{how}"), body).await
}

async fn withdrawn(server: &Server, by: &Somebody, id: &str) -> Answer {
    asked(server, "DELETE", &by.token, &format!("/challenges/{id}")).await
}

async fn states(server: &Server, of: &Somebody) -> Vec<(String, String)> {
    let list = asked(server, "GET", &of.token, "/challenges").await.json();
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let all = list["challenges"].as_array().expect("a list").iter();
    all.map(|challenge| (text(&challenge["id"]), text(&challenge["state"]))).collect()
}

/// A tablut match in which the challenger defends: the attackers move first.
fn tablut() -> Value {
    json!({"game": "tablut", "side": "defenders"})
}

#[tokio::test]
async fn a_challenge_becomes_the_match_with_its_id() {
    let server = server().await;
    let (one, two, three) = (somebody(&server).await, somebody(&server).await, somebody(&server).await);
    let id = challenge(&server, &one, &two, &tablut()).await;
    let again = challenge(&server, &one, &two, &tablut()).await;
    assert_eq!(id, again, "the same again is the one that waits");
    assert_problem(&answered(&server, &one, &id, "accept", &json!({})).await, 404, "no_such_challenge");
    assert_problem(&answered(&server, &three, &id, "accept", &json!({})).await, 404, "no_such_challenge");
    for _ in 0..2 {
        let accepted = answered(&server, &two, &id, "accept", &json!({})).await;
        assert_eq!((accepted.status, &accepted.json()["state"]), (200, &json!("accepted")), "{accepted:?}");
    }
    let snapshot = asked(&server, "GET", &one.token, &format!("/matches/{id}")).await.json();
    assert_eq!(snapshot["your_seats"], json!([1]));
    assert_eq!((&snapshot["game"], &snapshot["state"]), (&json!("tablut"), &json!("playing")));
    let list = asked(&server, "GET", &two.token, "/me/matches").await.json();
    assert_eq!(list["matches"].as_array().map(Vec::len), Some(1), "there is one match: {list}");
    assert_problem(&answered(&server, &two, &id, "decline", &json!({})).await, 409, "challenge_ended");
    assert_problem(&withdrawn(&server, &one, &id).await, 409, "challenge_ended");
    assert_eq!(states(&server, &three).await, []);
    server.stop().await;
}

#[tokio::test]
async fn what_was_declined_or_withdrawn_is_over() {
    let server = server().await;
    let (one, two) = (somebody(&server).await, somebody(&server).await);
    let id = challenge(&server, &one, &two, &json!({})).await;
    assert_problem(&answered(&server, &one, &id, "decline", &json!({})).await, 404, "no_such_challenge");
    let unknown = answered(&server, &two, &id, "decline", &json!({"reason": "no"})).await;
    assert_problem(&unknown, 422, "invalid_body");
    for _ in 0..2 {
        let declined = answered(&server, &two, &id, "decline", &json!({"reason": "too_slow"})).await;
        assert_eq!(declined.status, 200, "{declined:?}");
        assert_eq!(declined.json()["reason"], "too_slow");
    }
    assert_problem(&answered(&server, &two, &id, "accept", &json!({})).await, 409, "challenge_ended");
    assert_problem(&withdrawn(&server, &one, &id).await, 409, "challenge_ended");

    let id = challenge(&server, &one, &two, &json!({"points": 3})).await;
    assert_problem(&withdrawn(&server, &two, &id).await, 404, "no_such_challenge");
    for _ in 0..2 {
        assert_eq!(withdrawn(&server, &one, &id).await.status, 204);
    }
    assert_problem(&answered(&server, &two, &id, "accept", &json!({})).await, 409, "challenge_ended");
    assert_problem(&withdrawn(&server, &one, "x").await, 404, "no_such_challenge");
    let matches = asked(&server, "GET", &two.token, "/me/matches").await.json();
    assert_eq!(matches["matches"], json!([]), "nothing is half done");
    server.stop().await;
}

#[tokio::test]
async fn two_devices_that_accept_at_once_get_one_match() {
    let server = server().await;
    let (one, two) = (somebody(&server).await, somebody(&server).await);
    let id = challenge(&server, &one, &two, &tablut()).await;
    let body = json!({});
    let accept = || answered(&server, &two, &id, "accept", &body);
    let (first, second, withdrawn) = tokio::join!(accept(), accept(), withdrawn(&server, &one, &id));
    if withdrawn.status == 204 {
        for answer in [first, second] {
            assert_problem(&answer, 409, "challenge_ended");
        }
    } else {
        assert_problem(&withdrawn, 409, "challenge_ended");
        assert_eq!((first.status, second.status), (200, 200), "{first:?} {second:?}");
    }
    let matches = asked(&server, "GET", &one.token, "/me/matches").await.json();
    let count = matches["matches"].as_array().map(Vec::len);
    assert_eq!(count, Some(usize::from(withdrawn.status != 204)), "{matches}");
    server.stop().await;
}

#[tokio::test]
async fn a_live_match_ends_what_both_wait_for_besides() {
    let server = server().await;
    let (one, two, three) = (somebody(&server).await, somebody(&server).await, somebody(&server).await);
    let days = json!({"clock": {"kind": "days", "days": 3}});
    let live = challenge(&server, &one, &three, &json!({})).await;
    let to_them = challenge(&server, &three, &two, &json!({})).await;
    let correspondence = challenge(&server, &one, &three, &days).await;
    let seek = json!({"games": ["tavla"], "clocks": [{"kind": "none"}]});
    assert_eq!(post(&server, &two.token, "/seeks", &seek).await.status, 201);
    let id = challenge(&server, &one, &two, &tablut()).await;
    assert_eq!(answered(&server, &two, &id, "accept", &json!({})).await.status, 200);
    let of_three = states(&server, &three).await;
    let state = |id: &str| of_three.iter().find(|(of, _)| of == id).map(|(_, state)| state.as_str());
    assert_eq!((state(&live), state(&correspondence)), (Some("withdrawn"), Some("waiting")), "{of_three:?}");
    assert_eq!(state(&to_them), Some("waiting"), "who challenged them decides about that");
    let seeks = asked(&server, "GET", &two.token, "/seeks").await.json();
    assert_eq!(seeks, json!({"seeks": []}));
    server.stop().await;
}

#[tokio::test]
async fn players_say_whose_challenges_they_take_and_to_which_games() {
    let server = server().await;
    let (one, two) = (somebody(&server).await, somebody(&server).await);
    let settings = "/me/challenge-settings";
    let usual = asked(&server, "GET", &two.token, settings).await.json();
    assert_eq!(usual, json!({"from": "everyone", "games": []}));
    for (body, what) in [
        (json!({"from": "friends"}), "from"),
        (json!({"games": []}), "from"),
        (json!({"from": "nobody", "games": ["zeno", "zeno"]}), "games"),
        (json!({"from": "nobody", "games": ["senet"]}), "games"),
        (json!({"from": "nobody", "since": 1}), "since"),
    ] {
        let answer = put(&server, &two.token, settings, &body).await;
        assert_problem(&answer, 422, "invalid_body");
        let detail = answer.json()["detail"].as_str().expect("a text").to_owned();
        assert!(detail.contains(what), "{body}: {detail}");
    }
    assert_eq!(asked(&server, "GET", &two.token, settings).await.json(), usual, "nothing is half done");

    let set = async |body: Value| {
        let answer = put(&server, &two.token, settings, &body).await;
        assert_eq!((answer.status, answer.json()), (200, body));
    };
    set(json!({"from": "nobody", "games": []})).await;
    assert_problem(&challenged(&server, &one, &two, &json!({})).await, 403, "challenge_not_taken");
    set(json!({"from": "followed", "games": []})).await;
    assert_problem(&challenged(&server, &one, &two, &json!({})).await, 403, "challenge_not_taken");
    for _ in 0..2 {
        let followed = asked(&server, "PUT", &two.token, &format!("/me/follows/{}", one.id)).await;
        assert_eq!(followed.status, 204);
    }
    let follows = asked(&server, "GET", &two.token, "/me/follows").await.json();
    assert_eq!(follows["followed"].as_array().map(Vec::len), Some(1), "{follows}");
    assert_eq!(follows["followed"][0]["id"], json!(one.id));
    challenge(&server, &one, &two, &json!({})).await;
    set(json!({"from": "everyone", "games": ["tavla", "tabula"]})).await;
    assert_problem(&challenged(&server, &one, &two, &tablut()).await, 409, "other_games");
    challenge(&server, &one, &two, &json!({"game": "tavla"})).await;
    let unfollowed = asked(&server, "DELETE", &two.token, &format!("/me/follows/{}", one.id)).await;
    assert_eq!(unfollowed.status, 204);
    assert_eq!(asked(&server, "GET", &two.token, "/me/follows").await.json(), json!({"followed": []}));
    assert_eq!(asked(&server, "GET", &one.token, "/me/follows").await.json(), json!({"followed": []}));
    server.stop().await;
}

#[tokio::test]
async fn who_cannot_be_challenged_or_followed() {
    let server = server().await;
    let (one, two) = (somebody(&server).await, somebody(&server).await);
    let nobody = Somebody { token: String::new(), id: "0190a6c2-7b1e-7cc3-98c4-dc0c0c07398f".to_owned() };
    assert_problem(&challenged(&server, &one, &one, &json!({})).await, 409, "yourself");
    assert_problem(&challenged(&server, &one, &nobody, &json!({})).await, 404, "no_such_guest");
    let follow = async |who: &str| asked(&server, "PUT", &one.token, &format!("/me/follows/{who}")).await;
    assert_problem(&follow(&one.id).await, 409, "yourself");
    assert_problem(&follow(&nobody.id).await, 404, "no_such_guest");
    assert_problem(&follow("x").await, 404, "no_such_guest");
    for (body, code) in [
        (json!({"game": "senet"}), "invalid_body"),
        (json!({"points": 0}), "invalid_body"),
        (json!({"side": "defenders"}), "unknown_side"),
        (json!({"options": {"throne": "weak"}}), "invalid_body"),
        (json!({"clock": {"kind": "days", "days": 0}}), "invalid_body"),
        (json!({"luck": true}), "invalid_body"),
    ] {
        let answer = challenged(&server, &one, &two, &body).await;
        assert_eq!(answer.json()["code"], code, "{body}: {answer:?}");
    }
    assert_eq!(states(&server, &two).await, [], "nothing is half done");

    let mine = challenge(&server, &one, &two, &json!({})).await;
    let theirs = challenge(&server, &two, &one, &tablut()).await;
    let block = format!("/me/blocks/{}", two.id);
    assert_eq!(asked(&server, "PUT", &one.token, &block).await.status, 204);
    assert_problem(&challenged(&server, &two, &one, &json!({})).await, 403, "not_welcome");
    assert_problem(&challenged(&server, &one, &two, &json!({})).await, 403, "not_welcome");
    let mut ended = [(theirs, "declined".to_owned()), (mine.clone(), "withdrawn".to_owned())];
    let mut told = states(&server, &two).await;
    // They may have been made in the same millisecond.
    ended.sort();
    told.sort();
    assert_eq!(told, ended, "a block ends what waits between them");
    assert_problem(&answered(&server, &two, &mine, "accept", &json!({})).await, 409, "challenge_ended");
    server.stop().await;
}

#[tokio::test]
async fn so_many_challenges_wait() {
    let server = server().await;
    let (one, two) = (somebody(&server).await, somebody(&server).await);
    let with_points = |points: u16| json!({"points": points});
    let first = challenge(&server, &one, &two, &with_points(1)).await;
    for points in 2..=10 {
        challenge(&server, &one, &two, &with_points(points)).await;
    }
    let refused = challenged(&server, &one, &two, &with_points(11)).await;
    assert_problem(&refused, 409, "too_many_challenges");
    assert_eq!(refused.json()["limit"], 10);
    assert_eq!(withdrawn(&server, &one, &first).await.status, 204);
    challenge(&server, &one, &two, &with_points(11)).await;
    server.stop().await;
}

#[tokio::test]
async fn both_sides_hear_of_a_challenge_in_their_streams() {
    let server = server().await;
    let (one, two) = (somebody(&server).await, somebody(&server).await);
    let stream =
        async |of: &Somebody| Stream::open(server.address(), "/api/v1/me/events", Some(&of.token)).await;
    let early = challenge(&server, &one, &two, &json!({})).await;
    let (mut of_one, mut of_two) = (stream(&one).await, stream(&two).await);
    let told = async |stream: &mut Stream| loop {
        let line = stream.next().await.expect("a notice");
        if line["notice"] == "challenge" {
            let text = |value: &Value| value.as_str().expect("a text").to_owned();
            return (text(&line["challenge"]["id"]), text(&line["challenge"]["state"]));
        }
    };
    let expect = |id: &str, state: &str| (id.to_owned(), state.to_owned());
    for stream in [&mut of_one, &mut of_two] {
        assert_eq!(told(stream).await, expect(&early, "waiting"), "at its beginning");
    }
    let late = challenge(&server, &two, &one, &tablut()).await;
    answered(&server, &two, &early, "decline", &json!({})).await;
    answered(&server, &one, &late, "accept", &json!({})).await;
    for stream in [&mut of_one, &mut of_two] {
        assert_eq!(told(stream).await, expect(&late, "waiting"));
        assert_eq!(told(stream).await, expect(&early, "declined"));
        assert_eq!(told(stream).await, expect(&late, "accepted"));
    }
    server.stop().await;
}
