//! Lines that are lost, and come back.

use std::time::Duration;

use lusoria_client::{Link, LinkEvent, RequestError};
use lusoria_protocol::Code;
use lusoria_store::sqlite::{BackupOptions, back_up, restore};
use lusoria_terminal::{Ending, Goal, SessionError, Terms, game};

use super::{SHORT, matches::word_after, origin, person::Person, proxy::Proxy, server, server_with};

fn create(points: u16) -> Goal {
    let terms = Terms { side: Some("attackers".to_owned()), points, ..Terms::default() };
    Goal::Create(game("tablut").expect("a game"), terms)
}

/// Two at a board: the first one's line can be cut.
async fn two_at_a_board(proxy: &Proxy, at: &str, folder: &std::path::Path) -> [Person; 2] {
    two_at_a_match(proxy, at, folder, 1).await
}

/// Two at the first game of a match to so many points: the first one's line can be cut.
pub(super) async fn two_at_a_match(
    proxy: &Proxy,
    at: &str,
    folder: &std::path::Path,
    points: u16,
) -> [Person; 2] {
    two_by_two_ways(&proxy.origin(), at, folder, points).await
}

/// The same, where each player has an own address of the server.
pub(super) async fn two_by_two_ways(
    first: &str,
    at: &str,
    folder: &std::path::Path,
    points: u16,
) -> [Person; 2] {
    let mut one = Person::comes(first, folder, "Agathias", create(points));
    one.sees("It waits for somebody to join").await;
    let mut two = Person::comes(at, folder, "Zeno", Goal::Lobby);
    two.sees("  1  tablut").await;
    two.types("join 1").await;
    one.sees("Your turn.").await;
    two.sees("Waiting for Attackers (Agathias).").await;
    [one, two]
}

#[tokio::test]
async fn a_turn_that_was_not_acknowledged_is_sent_again_and_played_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = server(folder.path()).await;
    let proxy = Proxy::to(server.address()).await;
    let [mut one, mut two] = two_at_a_board(&proxy, &origin(server.address()), folder.path()).await;
    // The server plays it; its answer does not arrive.
    proxy.deafen_at("turned");
    one.types(SHORT[0]).await;
    two.sees(&format!("plays {}", SHORT[0])).await;
    two.sees("Your turn.").await;
    proxy.cut();
    one.sees("-- The connection is lost").await;
    two.types(SHORT[1]).await;
    two.sees(&format!("plays {}", SHORT[1])).await;
    proxy.mend(server.address());
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
    for person in [one, two] {
        assert_eq!(person.leaves().await, Ending::Good);
    }
    server.stop().await;
}

#[tokio::test]
async fn a_server_that_starts_again_finds_its_players_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let first = server(folder.path()).await;
    let proxy = Proxy::to(first.address()).await;
    let [mut one, mut two] = two_at_a_board(&proxy, &proxy.origin(), folder.path()).await;
    one.types(SHORT[0]).await;
    two.sees("Your turn.").await;
    first.stop().await;
    for person in [&mut one, &mut two] {
        person.sees("-- The connection is lost").await;
    }
    two.types(SHORT[1]).await;
    two.sees("it will be played when the connection is back.").await;
    two.types("board").await;
    let again = server(folder.path()).await;
    proxy.mend(again.address());
    two.sees(&format!("plays {}", SHORT[1])).await;
    one.sees(&format!("plays {}", SHORT[1])).await;
    one.sees("Your turn.").await;
    for person in [one, two] {
        assert_eq!(person.leaves().await, Ending::Good);
    }
    again.stop().await;
}

#[tokio::test]
async fn a_server_that_was_put_back_shows_the_match_as_it_was_then() {
    let folder = tempfile::tempdir().expect("a folder");
    let (database, backup) = (folder.path().join("lusoria.db"), folder.path().join("backup.db"));
    let first = server(folder.path()).await;
    let proxy = Proxy::to(first.address()).await;
    let [mut one, mut two] = two_at_a_board(&proxy, &proxy.origin(), folder.path()).await;
    let options = BackupOptions { replace: false, within: Duration::from_mins(1) };
    back_up(&database, &backup, options).await.expect("a sound database");
    one.types(SHORT[0]).await;
    two.sees("Your turn.").await;
    first.stop().await;
    restore(&backup, &database).await.expect("a sound backup");
    let again = server(folder.path()).await;
    proxy.mend(again.address());
    for person in [&mut one, &mut two] {
        person.sees("The server was put back to an earlier time").await;
    }
    one.sees("Your turn.").await;
    two.sees("Waiting for Attackers (Agathias).").await;
    one.types(SHORT[2]).await;
    one.sees("No: i7-i6").await;
    one.types(SHORT[0]).await;
    two.sees(&format!("plays {}", SHORT[0])).await;
    two.sees("Your turn.").await;
    for person in [one, two] {
        assert_eq!(person.leaves().await, Ending::Good);
    }
    again.stop().await;
}

#[tokio::test]
async fn a_guest_that_the_server_no_longer_knows_is_told_so() {
    let (folder, other) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let first = server(folder.path()).await;
    let proxy = Proxy::to(first.address()).await;
    let mut person = Person::comes(&proxy.origin(), folder.path(), "Zeno", Goal::Lobby);
    person.sees("At http://").await;
    // Another server, with another database, in its place.
    let stranger = server(other.path()).await;
    proxy.mend(stranger.address());
    person.sees("-- The connection is lost").await;
    assert!(matches!(person.ends().await, SessionError::UnknownGuest(_)));
    let person = Person::comes(&proxy.origin(), folder.path(), "Zeno", Goal::Lobby);
    assert!(matches!(person.ends().await, SessionError::UnknownGuest(_)));
    first.stop().await;
    stranger.stop().await;
}

#[tokio::test]
async fn a_client_limited_to_one_watch_moves_from_match_to_match() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = server_with(folder.path(), &["--watches-per-socket", "1"]).await;
    let at = origin(server.address());
    let both = |name| {
        let terms = Terms { both: true, points: 1, ..Terms::default() };
        Goal::Create(game(name).expect("a game"), terms)
    };
    let mut one = Person::comes(&at, folder.path(), "Agathias", both("tablut"));
    let first = word_after(&one.sees(" to play.").await, ", match ");
    let mut two = Person::comes(&at, folder.path(), "Zeno", both("tablut"));
    let second = word_after(&two.sees(" to play.").await, ", match ");
    let mut third = Person::comes(&at, folder.path(), "Theo", Goal::Lobby);
    for (player, id) in [(&mut one, &first), (&mut two, &second)] {
        third.types(&format!("watch {id}")).await;
        third.sees("you watch.").await;
        player.types(SHORT[0]).await;
        third.sees(&format!("plays {}", SHORT[0])).await;
    }
    // One that is not there: what was watched is watched still.
    let (mut link, _) = Link::open(server.address().into(), None).await.expect("a line");
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
    for person in [one, two, third] {
        assert_eq!(person.leaves().await, Ending::Good);
    }
    server.stop().await;
}
