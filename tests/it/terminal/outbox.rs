//! Requests that the client promises to send later, and sends.

use std::net::SocketAddr;

use lusoria_client::fetch;
use lusoria_terminal::{Ending, Goal, MatchReference, SessionError, Terms};

use super::{
    SHORT, both,
    busy_proxy::BusyProxy,
    create,
    person::{Person, all_leave},
    place::{Place, two_at_a_match},
    proxy::Proxy,
    word_after,
};

#[tokio::test]
async fn a_missing_match_does_not_replace_the_current_one() {
    let (_place, _proxy, [mut one, mut two]) = two_at_a_match(1).await;
    one.enters("watch 0190a6c2-7b1e-7cc3-98c4-dc0c0c07398f", "No: ").await;
    one.enters(SHORT[0], &format!("plays {}", SHORT[0])).await;
    two.sees("Your turn.").await;
    two.types(SHORT[1]).await;
    one.sees(&format!("plays {}", SHORT[1])).await;
    all_leave([one, two]).await;
}

#[tokio::test]
async fn a_match_named_without_a_connection_is_opened_later() {
    let (place, proxy, [mut one, two]) = two_at_a_match(1).await;
    let mut third = place.person("Theo", Goal::Lobby);
    third.types("create zeno --both").await;
    let id = word_after(&third.sees(" to play: ").await, ", match ");
    proxy.cuts_off(&mut one).await;
    one.enters(&format!("watch {id}"), "the match is opened as soon as there is one.").await;
    proxy.mend(place.address());
    one.sees("-- The connection is back.").await;
    one.sees(", match ").await;
    one.sees("you watch.").await;
    third.resigns().await;
    one.sees("the loser has resigned").await;
    for person in [one, two, third] {
        person.leaves().await;
    }
}

#[tokio::test]
async fn a_rematch_that_begins_while_the_connection_breaks_goes_on() {
    let (place, proxy, [mut one, mut two]) = two_at_a_match(1).await;
    one.resigns().await;
    one.sees("The match is over: rematch").await;
    one.has_seen("Checked: ").await;
    one.types("rematch").await;
    two.sees("Agathias offers another match").await;
    // The server shows the next match, and that does not arrive.
    proxy.deafen_at("\"your_seats\"");
    two.types("accept").await;
    one.sees("They play again: match ").await;
    proxy.cuts_off(&mut one).await;
    proxy.mend(place.address());
    one.sees("-- The connection is back.").await;
    one.sees("you have seat").await;
    one.sees("Game 1: ").await;
    all_leave([one, two]).await;
}

#[tokio::test]
async fn requests_promised_while_the_connection_was_lost_are_sent_in_order() {
    let (place, proxy, [mut one, mut two]) = two_at_a_match(1).await;
    proxy.cuts_off(&mut one).await;
    for (line, promise) in [
        ("draw", "It will be sent again as soon as there is a connection."),
        (SHORT[2], "it will be played when the connection is back."),
        ("undo", "What you typed last is not played."),
        (SHORT[0], "it will be played when the connection is back."),
        ("resign", "yes does it."),
        ("yes", "It will be sent again as soon as there is a connection."),
    ] {
        one.enters(line, promise).await;
    }
    proxy.mend(place.address());
    two.sees("Agathias offers a draw").await;
    two.sees(&format!("plays {}", SHORT[0])).await;
    two.sees("the loser has resigned").await;
    for person in [one, two] {
        person.has_seen("Checked: ").await;
        assert_eq!(person.leaves().await, Ending::Good);
    }
}

#[tokio::test]
async fn no_more_is_promised_than_can_be_kept() {
    let (place, proxy, [mut one, two]) = two_at_a_match(1).await;
    proxy.cuts_off(&mut one).await;
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
    proxy.mend(place.address());
    two.has_seen("Agathias offers a draw").await;
    for _ in 1..promised {
        one.sees("No: ").await;
    }
    all_leave([one, two]).await;
}

#[tokio::test]
async fn a_request_for_a_finished_game_does_not_hit_the_next_one() {
    let (place, proxy, [mut one, mut two]) = two_at_a_match(3).await;
    proxy.cuts_off(&mut one).await;
    one.resigns().await;
    one.sees("It will be sent again").await;
    two.resigns().await;
    two.sees("Game 2: ").await;
    proxy.mend(place.address());
    one.sees("about a game that is over: it is not sent again.").await;
    one.sees("Game 2: ").await;
    for person in [one, two] {
        assert!(!person.all().contains("Score 1-1"), "{}", person.all());
        assert_eq!(person.leaves().await, Ending::Good);
    }
}

#[tokio::test]
async fn a_user_who_leaves_waits_until_their_turn_is_sent() {
    let (place, proxy, [mut one, mut two]) = two_at_a_match(1).await;
    proxy.cuts_off(&mut one).await;
    one.enters(SHORT[0], "it will be played when the connection is back.").await;
    one.enters("quit", "Something is not sent yet").await;
    one.enters("board", "You are leaving").await;
    proxy.mend(place.address());
    two.sees(&format!("plays {}", SHORT[0])).await;
    all_leave([one, two]).await;
}

#[tokio::test]
async fn a_user_who_leaves_at_once_is_told_what_was_not_sent() {
    for waits in [false, true] {
        let (_place, proxy, [mut one, two]) = two_at_a_match(1).await;
        proxy.cuts_off(&mut one).await;
        one.enters(SHORT[0], "it will be played when the connection is back.").await;
        one.enters("quit", "Something is not sent yet").await;
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
        person.enters("legal", "\n  ").await;
        let from = person.sees("/").await;
        let to = person.sees_one_of(&["  ", "\n"]).await.0;
        steps.push(format!("{from}{}", to.trim()));
        person.types(steps.last().expect("one")).await;
        person.sees_one_of(&["complete. Enter", " left."]).await;
        assert!(steps.len() < 5, "{}", person.all());
    }
    person.enters("reset", " to play: ").await;
    steps
}

#[tokio::test]
async fn steps_typed_without_a_connection_are_sent_with_the_next_enter_or_on_leaving() {
    for (enters, all, turns, ending) in
        [(true, true, 1, Ending::Good), (false, true, 1, Ending::Good), (false, false, 0, Ending::NotSent)]
    {
        let place = Place::new().await;
        let proxy = Proxy::to(place.address()).await;
        let mut one = place.person_at(&proxy.origin(), "Zeno", both("tavla"));
        one.sees(" to play: ").await;
        let steps = steps_of_a_turn(&mut one).await;
        assert!(steps.len() > 1, "{steps:?}");
        proxy.cuts_off(&mut one).await;
        for step in if all { &steps[..] } else { &steps[..1] } {
            one.enters(step, "it will be played when the connection is back.").await;
        }
        if enters {
            one.enters("", "The turn will be sent as soon as that can be done").await;
        }
        one.enters("quit", "Something is not sent yet").await;
        let shown = one.all();
        proxy.mend(place.address());
        assert_eq!(one.leaves().await, ending, "{steps:?}");
        assert_eq!(turns_at(place.address(), &shown).await, turns, "{steps:?}");
    }
}

#[tokio::test]
async fn undo_takes_back_the_last_steps_before_later_requests() {
    let (place, proxy, [mut one, mut two]) = two_at_a_match(1).await;
    proxy.cuts_off(&mut one).await;
    one.enters(SHORT[2], "it will be played when the connection is back.").await;
    one.enters("", "The turn will be sent").await;
    one.enters("draw", "It will be sent again").await;
    one.enters("undo", "What you typed last is not played.").await;
    proxy.mend(place.address());
    two.sees("Agathias offers a draw").await;
    one.sees("Your turn.").await;
    one.types(SHORT[0]).await;
    two.sees(&format!("plays {}", SHORT[0])).await;
    assert!(!one.all().contains("No: "), "{}", one.all());
    all_leave([one, two]).await;
}

#[tokio::test]
async fn refused_requests_are_repeated_in_order() {
    let place = Place::new().await;
    let busy = BusyProxy::before(place.address(), &["turn"]).await;
    let [mut one, mut two] = place.two_at(&busy.origin(), &place.origin(), 1).await;
    one.enters(SHORT[0], "Not now: come back. It is tried again.").await;
    for line in [SHORT[0], ""] {
        one.enters(line, "Your turn waits to be sent already.").await;
    }
    one.resigns().await;
    one.sees("It will be sent after what waits to be sent already.").await;
    one.enters("quit", "Something is not sent yet").await;
    busy.has_time();
    two.sees(&format!("plays {}", SHORT[0])).await;
    two.sees("the loser has resigned").await;
    two.sees("Checked: ").await;
    all_leave([one, two]).await;
}

#[tokio::test]
async fn a_user_who_leaves_a_busy_server_is_told_what_was_not_sent() {
    for (refused, line) in [(&["turn"][..], SHORT[0]), (&["legal"], SHORT[0]), (&["legal"], "")] {
        let place = Place::new().await;
        let busy = BusyProxy::before(place.address(), refused).await;
        let mut one = place.person_at(&busy.origin(), "Zeno", both("tablut"));
        one.sees(" to play.").await;
        one.enters(line, "Not now: come back.").await;
        one.enters("quit", "Something is not sent yet").await;
        one.enters("quit", "NOT SENT: ").await;
        assert_eq!(one.leaves().await, Ending::NotSent, "{refused:?} {line:?}");
    }
}

#[tokio::test]
async fn a_seat_taken_by_another_guest_does_not_end_the_current_match() {
    let place = Place::new().await;
    let busy = BusyProxy::before(place.address(), &["join"]).await;
    let [mut one, two] = place.two_at(&busy.origin(), &place.origin(), 1).await;
    let mut third = place.person("Theo", Goal::Lobby);
    third.types("create tavla").await;
    let id = word_after(&third.sees("It waits for somebody to join").await, ", match ");
    one.enters(&format!("join {id}"), "Not now: come back.").await;
    let fourth = place.person("Cato", Goal::Lobby);
    fourth.types(&format!("join {id}")).await;
    third.sees("Cato joins.").await;
    busy.has_time();
    one.sees("No: ").await;
    one.enters(SHORT[0], &format!("plays {}", SHORT[0])).await;
    all_leave([one, two, third, fourth]).await;
}

#[tokio::test]
async fn a_match_is_opened_when_a_busy_server_gives_the_seat_later() {
    let place = Place::new().await;
    let busy = BusyProxy::before(place.address(), &["join"]).await;
    let mut one = place.person("Agathias", create("tablut", Terms::default()));
    one.sees("It waits for somebody to join").await;
    let mut two = place.person_at(&busy.origin(), "Zeno", Goal::Lobby);
    two.enters("join 1", "Not now: come back.").await;
    busy.has_time();
    two.sees("you have seat 2.").await;
    one.sees("Zeno joins.").await;
    all_leave([one, two]).await;
}

#[tokio::test]
async fn a_script_whose_input_has_ended_stays_until_it_sees_what_it_came_for() {
    let place = Place::new().await;
    let busy = BusyProxy::before(place.address(), &["snapshot"]).await;
    let mut one = place.person("Agathias", create("tablut", Terms::default()));
    let id: MatchReference =
        word_after(&one.sees("It waits for somebody to join").await, ", match ").parse().expect("an id");
    let mut two = place.person_at(&busy.origin(), "Zeno", Goal::Watch(id.destination));
    two.sees("Not now: come back.").await;
    two.ends_input().await;
    two.sees("Something is not done yet").await;
    busy.has_time();
    two.sees("you watch.").await;
    all_leave([two, one]).await;
}

#[tokio::test]
async fn a_user_refused_by_the_server_is_told_what_was_not_sent() {
    let (_place, proxy, [mut one, two]) = two_at_a_match(1).await;
    proxy.cuts_off(&mut one).await;
    one.enters(SHORT[0], "it will be played when the connection is back.").await;
    // Another server, with another database, in its place.
    let stranger = Place::new().await;
    proxy.mend(stranger.address());
    one.sees("NOT SENT: ").await;
    assert!(matches!(one.ends().await, SessionError::UnknownGuest(_)));
    all_leave([two]).await;
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
    let place = Place::new().await;
    let proxy = Proxy::to(place.address()).await;
    let mut one = place.person_at(&proxy.origin(), "Agathias", Goal::Lobby);
    one.sees("No match waits for somebody to join.").await;
    let mut two = place.person("Zeno", Goal::Lobby);
    two.sees("help lists the commands.\n").await;
    // The server makes it; its answer does not arrive.
    proxy.deafen_at("\"match\":{");
    one.types("create tavla").await;
    looks_until(&mut two, "Agathias - ?").await;
    proxy.cut();
    one.sees("It will be sent again").await;
    proxy.mend(place.address());
    one.sees("-- The connection is back.").await;
    one.sees("It waits for somebody to join").await;
    one.types("leave").await;
    one.enters("list", "  1  tavla").await;
    one.types("me").await;
    let listed = one.sees("You are Agathias").await;
    assert!(!listed.contains("  2  tavla"), "{listed}");
    all_leave([one, two]).await;
}

#[tokio::test]
async fn a_seat_whose_taking_was_not_acknowledged_is_taken() {
    let place = Place::new().await;
    let proxy = Proxy::to(place.address()).await;
    let mut one = place.person("Agathias", Goal::Lobby);
    one.enters("create tablut --side attackers", "It waits for somebody to join").await;
    let mut two = place.person_at(&proxy.origin(), "Zeno", Goal::Lobby);
    two.sees("  1  tablut").await;
    proxy.deafen_at("\"joined\"");
    two.types("join 1").await;
    one.sees("Zeno joins.").await;
    proxy.cut();
    two.sees("It will be sent again").await;
    proxy.mend(place.address());
    two.sees("-- The connection is back.").await;
    two.sees("you have seat 2.").await;
    one.sees("Your turn.").await;
    one.types(SHORT[0]).await;
    two.sees(&format!("plays {}", SHORT[0])).await;
    all_leave([one, two]).await;
}
