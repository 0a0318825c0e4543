//! Lines that are lost, and come back.

use std::time::Duration;

use lusoria_client::{Link, LinkEvent, RequestError};
use lusoria_protocol::Code;
use lusoria_store::sqlite::{BackupOptions, back_up, restore};
use lusoria_terminal::{Goal, SessionError};

use super::{
    SHORT, both,
    person::all_leave,
    place::{Place, two_at_a_match},
    proxy::Proxy,
    word_after,
};

#[tokio::test]
async fn a_turn_that_was_not_acknowledged_is_sent_again_and_played_once() {
    let (place, proxy, [mut one, mut two]) = two_at_a_match(1).await;
    // The server plays it; its answer does not arrive.
    proxy.deafen_at("turned");
    one.types(SHORT[0]).await;
    two.sees(&format!("plays {}", SHORT[0])).await;
    two.sees("Your turn.").await;
    proxy.cuts_off(&mut one).await;
    two.enters(SHORT[1], &format!("plays {}", SHORT[1])).await;
    proxy.mend(place.address());
    one.sees("-- The connection is back.").await;
    one.sees("Your turn.").await;
    for (number, played) in (2..).zip(&SHORT[2..]) {
        let player = if number % 2 == 0 { &mut one } else { &mut two };
        player.types(played).await;
        for person in [&mut one, &mut two] {
            person.sees(&format!("plays {played}")).await;
        }
        if number < 7 {
            let next = if number % 2 == 0 { &mut two } else { &mut one };
            next.sees("Your turn.").await;
        }
    }
    for person in [&mut one, &mut two] {
        person.sees("Checked: 8 turns").await;
        let all = person.all();
        let is_move = |line: &&str| line.contains(" plays ") && !line.starts_with("Game ");
        let moves: Vec<&str> = all.lines().filter(is_move).collect();
        assert_eq!(moves.len(), SHORT.len(), "{all}");
    }
    all_leave([one, two]).await;
}

#[tokio::test]
async fn a_server_that_starts_again_finds_its_players_again() {
    let first = Place::new().await;
    let proxy = Proxy::to(first.address()).await;
    let [mut one, mut two] = first.two_at(&proxy.origin(), &proxy.origin(), 1).await;
    one.types(SHORT[0]).await;
    two.sees("Your turn.").await;
    let kept = first.stops().await;
    for person in [&mut one, &mut two] {
        person.sees("-- The connection is lost").await;
    }
    two.enters(SHORT[1], "it will be played when the connection is back.").await;
    two.types("board").await;
    let again = Place::over(kept, &[]).await;
    proxy.mend(again.address());
    two.sees(&format!("plays {}", SHORT[1])).await;
    one.sees(&format!("plays {}", SHORT[1])).await;
    one.sees("Your turn.").await;
    all_leave([one, two]).await;
}

#[tokio::test]
async fn a_server_that_was_put_back_shows_the_match_as_it_was_then() {
    let first = Place::new().await;
    let (database, backup) = (first.database(), first.folder().join("backup.db"));
    let proxy = Proxy::to(first.address()).await;
    let [mut one, mut two] = first.two_at(&proxy.origin(), &proxy.origin(), 1).await;
    let options = BackupOptions { replace: false, within: Duration::from_mins(1) };
    back_up(&database, &backup, options).await.expect("a sound database");
    one.types(SHORT[0]).await;
    two.sees("Your turn.").await;
    let kept = first.stops().await;
    restore(&backup, &database).await.expect("a sound backup");
    let again = Place::over(kept, &[]).await;
    proxy.mend(again.address());
    for person in [&mut one, &mut two] {
        person.sees("The server was put back to an earlier time").await;
    }
    one.sees("Your turn.").await;
    two.sees("Waiting for Attackers (Agathias).").await;
    one.enters(SHORT[2], "No: i7-i6").await;
    one.types(SHORT[0]).await;
    two.sees(&format!("plays {}", SHORT[0])).await;
    two.sees("Your turn.").await;
    all_leave([one, two]).await;
}

#[tokio::test]
async fn a_guest_that_the_server_no_longer_knows_is_told_so() {
    let first = Place::new().await;
    let proxy = Proxy::to(first.address()).await;
    let mut person = first.person_at(&proxy.origin(), "Zeno", Goal::Lobby);
    person.sees("At http://").await;
    // Another server, with another database, in its place.
    let stranger = Place::new().await;
    proxy.mend(stranger.address());
    person.sees("-- The connection is lost").await;
    assert!(matches!(person.ends().await, SessionError::UnknownGuest(_)));
    let person = first.person_at(&proxy.origin(), "Zeno", Goal::Lobby);
    assert!(matches!(person.ends().await, SessionError::UnknownGuest(_)));
}

#[tokio::test]
async fn a_client_limited_to_one_watch_moves_from_match_to_match() {
    let place = Place::with(&["--watches-per-socket", "1"]).await;
    let mut one = place.person("Agathias", both("tablut"));
    let first = word_after(&one.sees(" to play.").await, ", match ");
    let mut two = place.person("Zeno", both("tablut"));
    let second = word_after(&two.sees(" to play.").await, ", match ");
    let mut third = place.person("Theo", Goal::Lobby);
    for (player, id) in [(&mut one, &first), (&mut two, &second)] {
        third.enters(&format!("watch {id}"), "you watch.").await;
        player.types(SHORT[0]).await;
        third.sees(&format!("plays {}", SHORT[0])).await;
    }
    // One that is not there: what was watched is watched still.
    let (mut link, _) = Link::open(place.address().into(), None).await.expect("a line");
    let head = link.watch(first.parse().expect("an id")).await.expect("it is there").head;
    let nowhere = link.watch("0190a6c2-7b1e-7cc3-98c4-dc0c0c07398f".parse().expect("an id")).await;
    assert!(matches!(nowhere, Err(RequestError::Problem(problem)) if problem.code == Code::NoSuchMatch));
    one.types(SHORT[1]).await;
    let next = loop {
        match link.receive().await.expect("it is let in") {
            LinkEvent::Event(event) => break event.seq,
            LinkEvent::Notice(_) => {}
            news => panic!("{news:?}"),
        }
    };
    assert_eq!(next, head + 1);
    link.close().await;
    all_leave([one, two, third]).await;
}
