//! Requests that the client promises to send later, and sends.

use std::net::SocketAddr;

use lusoria_client::fetch;
use lusoria_terminal::{Ending, Goal, MatchReference, SessionError, Terms, game};

use super::{
    SHORT,
    busy_proxy::BusyProxy,
    lines::{two_at_a_match, two_by_two_ways},
    matches::word_after,
    origin,
    person::Person,
    proxy::Proxy,
    server,
};

#[tokio::test]
async fn a_missing_match_does_not_replace_the_current_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = server(folder.path()).await;
    let proxy = Proxy::to(server.address()).await;
    let [mut one, mut two] = two_at_a_match(&proxy, &proxy.origin(), folder.path(), 1).await;
    one.types("watch 0190a6c2-7b1e-7cc3-98c4-dc0c0c07398f").await;
    one.sees("No: ").await;
    one.types(SHORT[0]).await;
    one.sees(&format!("plays {}", SHORT[0])).await;
    two.sees("Your turn.").await;
    two.types(SHORT[1]).await;
    one.sees(&format!("plays {}", SHORT[1])).await;
    for person in [one, two] {
        assert_eq!(person.leaves().await, Ending::Good);
    }
    server.stop().await;
}

#[tokio::test]
async fn a_match_named_without_a_connection_is_opened_later() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = server(folder.path()).await;
    let proxy = Proxy::to(server.address()).await;
    let [mut one, two] = two_at_a_match(&proxy, &origin(server.address()), folder.path(), 1).await;
    let mut third = Person::comes(&origin(server.address()), folder.path(), "Theo", Goal::Lobby);
    third.types("create zeno --both").await;
    let id = word_after(&third.sees(" to play: ").await, ", match ");
    proxy.cut();
    one.sees("-- The connection is lost").await;
    one.types(&format!("watch {id}")).await;
    one.sees("the match is opened as soon as there is one.").await;
    proxy.mend(server.address());
    one.sees("-- The connection is back.").await;
    one.sees(", match ").await;
    one.sees("you watch.").await;
    third.types("resign").await;
    third.types("yes").await;
    one.sees("the loser has resigned").await;
    for person in [one, two, third] {
        person.leaves().await;
    }
    server.stop().await;
}

#[tokio::test]
async fn a_rematch_that_begins_while_the_line_breaks_is_gone_on_with() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = server(folder.path()).await;
    let proxy = Proxy::to(server.address()).await;
    let [mut one, mut two] = two_at_a_match(&proxy, &origin(server.address()), folder.path(), 1).await;
    one.types("resign").await;
    one.types("yes").await;
    one.sees("The match is over: rematch").await;
    one.has_seen("Checked: ").await;
    one.types("rematch").await;
    two.sees("Agathias offers another match").await;
    // The server shows the next match, and that does not arrive.
    proxy.deafen_at("\"your_seats\"");
    two.types("accept").await;
    one.sees("They play again: match ").await;
    proxy.cut();
    one.sees("-- The connection is lost").await;
    proxy.mend(server.address());
    one.sees("-- The connection is back.").await;
    one.sees("you have seat").await;
    one.sees("Game 1: ").await;
    for person in [one, two] {
        assert_eq!(person.leaves().await, Ending::Good);
    }
    server.stop().await;
}

#[tokio::test]
async fn whatever_was_promised_while_the_line_was_lost_is_sent_in_order() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = server(folder.path()).await;
    let proxy = Proxy::to(server.address()).await;
    let [mut one, mut two] = two_at_a_match(&proxy, &origin(server.address()), folder.path(), 1).await;
    proxy.cut();
    one.sees("-- The connection is lost").await;
    for (line, promise) in [
        ("draw", "It will be sent again as soon as there is a connection."),
        (SHORT[2], "it will be played when the connection is back."),
        ("undo", "What you typed last is not played."),
        (SHORT[0], "it will be played when the connection is back."),
        ("resign", "yes does it."),
        ("yes", "It will be sent again as soon as there is a connection."),
    ] {
        one.types(line).await;
        one.sees(promise).await;
    }
    proxy.mend(server.address());
    two.sees("Agathias offers a draw").await;
    two.sees(&format!("plays {}", SHORT[0])).await;
    two.sees("the loser has resigned").await;
    for person in [one, two] {
        person.has_seen("Checked: ").await;
        assert_eq!(person.leaves().await, Ending::Good);
    }
    server.stop().await;
}

#[tokio::test]
async fn no_more_is_promised_than_can_be_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = server(folder.path()).await;
    let proxy = Proxy::to(server.address()).await;
    let [mut one, two] = two_at_a_match(&proxy, &origin(server.address()), folder.path(), 1).await;
    proxy.cut();
    one.sees("-- The connection is lost").await;
    let told = ["It will be sent again", "Too much waits to be sent already"];
    let mut promised = 0;
    loop {
        one.types("draw").await;
        match one.sees_one_of(&told).await.1 {
            0 => promised += 1,
            _ => break,
        }
        assert!(promised < 100);
    }
    proxy.mend(server.address());
    two.has_seen("Agathias offers a draw").await;
    for _ in 1..promised {
        one.sees("No: ").await;
    }
    for person in [one, two] {
        assert_eq!(person.leaves().await, Ending::Good);
    }
    server.stop().await;
}

#[tokio::test]
async fn a_request_for_a_finished_game_does_not_hit_the_next_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = server(folder.path()).await;
    let proxy = Proxy::to(server.address()).await;
    let [mut one, mut two] = two_at_a_match(&proxy, &origin(server.address()), folder.path(), 3).await;
    proxy.cut();
    one.sees("-- The connection is lost").await;
    one.types("resign").await;
    one.types("yes").await;
    one.sees("It will be sent again").await;
    two.types("resign").await;
    two.types("yes").await;
    two.sees("Game 2: ").await;
    proxy.mend(server.address());
    one.sees("about a game that is over: it is not sent again.").await;
    one.sees("Game 2: ").await;
    for person in [one, two] {
        assert!(!person.all().contains("Score 1-1"), "{}", person.all());
        assert_eq!(person.leaves().await, Ending::Good);
    }
    server.stop().await;
}

#[tokio::test]
async fn a_user_who_leaves_waits_until_their_turn_is_sent() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = server(folder.path()).await;
    let proxy = Proxy::to(server.address()).await;
    let [mut one, mut two] = two_at_a_match(&proxy, &origin(server.address()), folder.path(), 1).await;
    proxy.cut();
    one.sees("-- The connection is lost").await;
    one.types(SHORT[0]).await;
    one.sees("it will be played when the connection is back.").await;
    one.types("quit").await;
    one.sees("Something is not sent yet").await;
    one.types("board").await;
    one.sees("You are leaving").await;
    proxy.mend(server.address());
    two.sees(&format!("plays {}", SHORT[0])).await;
    assert_eq!(one.leaves().await, Ending::Good);
    assert_eq!(two.leaves().await, Ending::Good);
    server.stop().await;
}

#[tokio::test]
async fn a_user_who_leaves_at_once_is_told_what_was_not_sent() {
    for waits in [false, true] {
        let folder = tempfile::tempdir().expect("a folder");
        let server = server(folder.path()).await;
        let proxy = Proxy::to(server.address()).await;
        let [mut one, two] = two_at_a_match(&proxy, &origin(server.address()), folder.path(), 1).await;
        proxy.cut();
        one.sees("-- The connection is lost").await;
        one.types(SHORT[0]).await;
        one.sees("it will be played when the connection is back.").await;
        one.types("quit").await;
        one.sees("Something is not sent yet").await;
        if waits {
            tokio::time::pause();
        } else {
            one.types("quit").await;
        }
        one.sees("NOT SENT: ").await;
        assert_eq!(one.leaves().await, Ending::NotSent);
        if waits {
            tokio::time::resume();
        }
        assert_eq!(two.leaves().await, Ending::Good);
        server.stop().await;
    }
}

/// How many turns were played in the match that somebody sees.
async fn turns_at(server: SocketAddr, shown: &str) -> usize {
    let id = word_after(shown, ", match ");
    let events = fetch(&server.into(), &format!("/api/v1/matches/{id}/events")).await.expect("the events");
    String::from_utf8(events).expect("text").matches("\"turned\"").count()
}

/// Steps of a turn that can be played one after the other; the turn stands at its beginning again.
async fn steps_of_a_turn(person: &mut Person) -> Vec<String> {
    let mut steps = Vec::new();
    while !person.all().contains("complete. Enter") {
        person.types("legal").await;
        person.sees("\n  ").await;
        let from = person.sees("/").await;
        let to = person.sees_one_of(&["  ", "\n"]).await.0;
        steps.push(format!("{from}{}", to.trim()));
        person.types(steps.last().expect("one")).await;
        person.sees_one_of(&["complete. Enter", " left."]).await;
        assert!(steps.len() < 5, "{}", person.all());
    }
    person.types("reset").await;
    person.sees(" to play: ").await;
    steps
}

#[tokio::test]
async fn steps_typed_while_the_line_was_lost_are_sent_with_the_enter_after_them_or_before_one_leaves() {
    for (enters, all, turns, ending) in
        [(true, true, 1, Ending::Good), (false, true, 1, Ending::Good), (false, false, 0, Ending::NotSent)]
    {
        let folder = tempfile::tempdir().expect("a folder");
        let server = server(folder.path()).await;
        let proxy = Proxy::to(server.address()).await;
        let terms = Terms { both: true, points: 1, ..Terms::default() };
        let goal = Goal::Create(game("tavla").expect("a game"), terms);
        let mut one = Person::comes(&proxy.origin(), folder.path(), "Zeno", goal);
        one.sees(" to play: ").await;
        let steps = steps_of_a_turn(&mut one).await;
        assert!(steps.len() > 1, "{steps:?}");
        proxy.cut();
        one.sees("-- The connection is lost").await;
        for step in if all { &steps[..] } else { &steps[..1] } {
            one.types(step).await;
            one.sees("it will be played when the connection is back.").await;
        }
        if enters {
            one.types("").await;
            one.sees("The turn will be sent as soon as that can be done").await;
        }
        one.types("quit").await;
        one.sees("Something is not sent yet").await;
        let shown = one.all();
        proxy.mend(server.address());
        assert_eq!(one.leaves().await, ending, "{steps:?}");
        assert_eq!(turns_at(server.address(), &shown).await, turns, "{steps:?}");
        server.stop().await;
    }
}

#[tokio::test]
async fn undo_takes_back_the_last_steps_before_later_requests() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = server(folder.path()).await;
    let proxy = Proxy::to(server.address()).await;
    let [mut one, mut two] = two_at_a_match(&proxy, &origin(server.address()), folder.path(), 1).await;
    proxy.cut();
    one.sees("-- The connection is lost").await;
    one.types(SHORT[2]).await;
    one.sees("it will be played when the connection is back.").await;
    one.types("").await;
    one.sees("The turn will be sent").await;
    one.types("draw").await;
    one.sees("It will be sent again").await;
    one.types("undo").await;
    one.sees("What you typed last is not played.").await;
    proxy.mend(server.address());
    two.sees("Agathias offers a draw").await;
    one.sees("Your turn.").await;
    one.types(SHORT[0]).await;
    two.sees(&format!("plays {}", SHORT[0])).await;
    assert!(!one.all().contains("No: "), "{}", one.all());
    for person in [one, two] {
        assert_eq!(person.leaves().await, Ending::Good);
    }
    server.stop().await;
}

#[tokio::test]
async fn refused_requests_are_repeated_in_order() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = server(folder.path()).await;
    let busy = BusyProxy::before(server.address(), &["turn"]).await;
    let at = origin(server.address());
    let [mut one, mut two] = two_by_two_ways(&busy.origin(), &at, folder.path(), 1).await;
    one.types(SHORT[0]).await;
    one.sees("Not now: come back. It is tried again.").await;
    for line in [SHORT[0], ""] {
        one.types(line).await;
        one.sees("Your turn waits to be sent already.").await;
    }
    one.types("resign").await;
    one.types("yes").await;
    one.sees("It will be sent after what waits to be sent already.").await;
    one.types("quit").await;
    one.sees("Something is not sent yet").await;
    busy.has_time();
    two.sees(&format!("plays {}", SHORT[0])).await;
    two.sees("the loser has resigned").await;
    two.sees("Checked: ").await;
    for person in [one, two] {
        assert_eq!(person.leaves().await, Ending::Good);
    }
    server.stop().await;
}

#[tokio::test]
async fn a_user_who_leaves_a_busy_server_is_told_what_was_not_sent() {
    for (refused, line) in [(&["turn"][..], SHORT[0]), (&["legal"], SHORT[0]), (&["legal"], "")] {
        let folder = tempfile::tempdir().expect("a folder");
        let server = server(folder.path()).await;
        let busy = BusyProxy::before(server.address(), refused).await;
        let terms = Terms { both: true, points: 1, ..Terms::default() };
        let goal = Goal::Create(game("tablut").expect("a game"), terms);
        let mut one = Person::comes(&busy.origin(), folder.path(), "Zeno", goal);
        one.sees(" to play.").await;
        one.types(line).await;
        one.sees("Not now: come back.").await;
        one.types("quit").await;
        one.sees("Something is not sent yet").await;
        one.types("quit").await;
        one.sees("NOT SENT: ").await;
        assert_eq!(one.leaves().await, Ending::NotSent, "{refused:?} {line:?}");
        server.stop().await;
    }
}

#[tokio::test]
async fn a_seat_taken_by_another_guest_does_not_end_the_current_match() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = server(folder.path()).await;
    let (busy, at) = (BusyProxy::before(server.address(), &["join"]).await, origin(server.address()));
    let [mut one, two] = two_by_two_ways(&busy.origin(), &at, folder.path(), 1).await;
    let mut third = Person::comes(&at, folder.path(), "Theo", Goal::Lobby);
    third.types("create tavla").await;
    let id = word_after(&third.sees("It waits for somebody to join").await, ", match ");
    one.types(&format!("join {id}")).await;
    one.sees("Not now: come back.").await;
    let fourth = Person::comes(&at, folder.path(), "Cato", Goal::Lobby);
    fourth.types(&format!("join {id}")).await;
    third.sees("Cato joins.").await;
    busy.has_time();
    one.sees("No: ").await;
    one.types(SHORT[0]).await;
    one.sees(&format!("plays {}", SHORT[0])).await;
    for person in [one, two, third, fourth] {
        assert_eq!(person.leaves().await, Ending::Good);
    }
    server.stop().await;
}

#[tokio::test]
async fn a_seat_that_is_got_when_the_server_has_time_again_is_sat_down_at() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = server(folder.path()).await;
    let (busy, at) = (BusyProxy::before(server.address(), &["join"]).await, origin(server.address()));
    let goal = Goal::Create(game("tablut").expect("a game"), Terms { points: 1, ..Terms::default() });
    let mut one = Person::comes(&at, folder.path(), "Agathias", goal);
    one.sees("It waits for somebody to join").await;
    let mut two = Person::comes(&busy.origin(), folder.path(), "Zeno", Goal::Lobby);
    two.types("join 1").await;
    two.sees("Not now: come back.").await;
    busy.has_time();
    two.sees("you have seat 2.").await;
    one.sees("Zeno joins.").await;
    for person in [one, two] {
        assert_eq!(person.leaves().await, Ending::Good);
    }
    server.stop().await;
}

#[tokio::test]
async fn a_script_whose_input_has_ended_stays_until_it_sees_what_it_came_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = server(folder.path()).await;
    let (busy, at) = (BusyProxy::before(server.address(), &["snapshot"]).await, origin(server.address()));
    let goal = Goal::Create(game("tablut").expect("a game"), Terms { points: 1, ..Terms::default() });
    let mut one = Person::comes(&at, folder.path(), "Agathias", goal);
    let id: MatchReference =
        word_after(&one.sees("It waits for somebody to join").await, ", match ").parse().expect("an id");
    let mut two = Person::comes(&busy.origin(), folder.path(), "Zeno", Goal::Watch(id.destination));
    two.sees("Not now: come back.").await;
    two.ends_input().await;
    two.sees("Something is not done yet").await;
    busy.has_time();
    two.sees("you watch.").await;
    assert_eq!(two.leaves().await, Ending::Good);
    assert_eq!(one.leaves().await, Ending::Good);
    server.stop().await;
}

#[tokio::test]
async fn a_user_refused_by_the_server_is_told_what_was_not_sent() {
    let (folder, other) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let first = server(folder.path()).await;
    let proxy = Proxy::to(first.address()).await;
    let [mut one, two] = two_at_a_match(&proxy, &origin(first.address()), folder.path(), 1).await;
    proxy.cut();
    one.sees("-- The connection is lost").await;
    one.types(SHORT[0]).await;
    one.sees("it will be played when the connection is back.").await;
    // Another server, with another database, in its place.
    let stranger = server(other.path()).await;
    proxy.mend(stranger.address());
    one.sees("NOT SENT: ").await;
    assert!(matches!(one.ends().await, SessionError::UnknownGuest(_)));
    assert_eq!(two.leaves().await, Ending::Good);
    first.stop().await;
    stranger.stop().await;
}

/// Asks for the open matches until that is among them.
async fn looks_until(person: &mut Person, text: &str) {
    loop {
        person.types("list").await;
        if person.sees_one_of(&[text, "No match waits for somebody to join."]).await.1 == 0 {
            return;
        }
    }
}

#[tokio::test]
async fn a_match_whose_making_was_not_acknowledged_is_made_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = server(folder.path()).await;
    let proxy = Proxy::to(server.address()).await;
    let mut one = Person::comes(&proxy.origin(), folder.path(), "Agathias", Goal::Lobby);
    one.sees("No match waits for somebody to join.").await;
    let mut two = Person::comes(&origin(server.address()), folder.path(), "Zeno", Goal::Lobby);
    two.sees("help tells what can be done.\n").await;
    // The server makes it; its answer does not arrive.
    proxy.deafen_at("\"your_seats\"");
    one.types("create tavla").await;
    looks_until(&mut two, "Agathias - ?").await;
    proxy.cut();
    one.sees("It will be sent again").await;
    proxy.mend(server.address());
    one.sees("-- The connection is back.").await;
    one.sees("It waits for somebody to join").await;
    one.types("leave").await;
    one.types("list").await;
    one.sees("  1  tavla").await;
    one.types("me").await;
    let listed = one.sees("You are Agathias").await;
    assert!(!listed.contains("  2  tavla"), "{listed}");
    for person in [one, two] {
        assert_eq!(person.leaves().await, Ending::Good);
    }
    server.stop().await;
}

#[tokio::test]
async fn a_seat_whose_taking_was_not_acknowledged_is_taken() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = server(folder.path()).await;
    let proxy = Proxy::to(server.address()).await;
    let mut one = Person::comes(&origin(server.address()), folder.path(), "Agathias", Goal::Lobby);
    one.types("create tablut --side attackers").await;
    one.sees("It waits for somebody to join").await;
    let mut two = Person::comes(&proxy.origin(), folder.path(), "Zeno", Goal::Lobby);
    two.sees("  1  tablut").await;
    proxy.deafen_at("\"joined\"");
    two.types("join 1").await;
    one.sees("Zeno joins.").await;
    proxy.cut();
    two.sees("It will be sent again").await;
    proxy.mend(server.address());
    two.sees("-- The connection is back.").await;
    two.sees("you have seat 2.").await;
    one.sees("Your turn.").await;
    one.types(SHORT[0]).await;
    two.sees(&format!("plays {}", SHORT[0])).await;
    for person in [one, two] {
        assert_eq!(person.leaves().await, Ending::Good);
    }
    server.stop().await;
}
