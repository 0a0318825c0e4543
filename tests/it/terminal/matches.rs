//! Matches made, joined, watched and played to the end.

use lusoria_terminal::{Ending, Goal, MatchReference, Terms, game};

use super::{SHORT, origin, person::Person, server, walk};

fn create(name: &str, terms: Terms) -> Goal {
    Goal::Create(game(name).expect("a game"), Terms { points: 1, ..terms })
}

/// The word after that text.
pub(super) fn word_after(seen: &str, text: &str) -> String {
    let (_, rest) = seen.split_once(text).expect("it was seen");
    rest.split_whitespace().next().expect("a word").trim_end_matches([':', '.', ',']).to_owned()
}

#[tokio::test]
async fn two_play_by_invitation_to_the_end_while_a_third_watches() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = server(folder.path()).await;
    let at = origin(server.address());
    let terms = Terms { invite: true, side: Some("attackers".to_owned()), ..Terms::default() };
    let mut one = Person::comes(&at, folder.path(), "Agathias", create("tablut", terms));
    let seen = one.sees("It waits for somebody to join").await;
    let (link, id) = (word_after(&seen, "your opponent: "), word_after(&seen, "match "));

    let link: MatchReference = link.parse().expect("a link");
    let mut two = Person::comes(&at, folder.path(), "Zeno", Goal::Join(link.destination));
    let id: MatchReference = id.parse().expect("an id");
    let mut third = Person::comes(&at, folder.path(), "Theo", Goal::Watch(id.destination));
    third.sees("you watch.").await;
    one.sees("Zeno joins.").await;
    for (number, played) in (0..).zip(SHORT) {
        let (player, other) = if number % 2 == 0 { (&mut one, &mut two) } else { (&mut two, &mut one) };
        player.sees("Your turn.").await;
        player.types(played).await;
        player.sees(&format!("plays {played}")).await;
        other.sees(&format!("plays {played}")).await;
        third.sees(&format!("plays {played}")).await;
    }
    for person in [&mut one, &mut two, &mut third] {
        person.sees("Defenders (Zeno) wins: the king has escaped.").await;
        person.sees("Zeno has won the match.").await;
        person.sees("Checked: 8 turns and the lot for the sides are as they must be").await;
    }
    for player in [&one, &two] {
        assert!(player.all().contains("with your own seed in them"), "{}", player.all());
    }
    third.types("d3-a3").await;
    third.sees("You only watch this match.").await;
    for person in [one, two, third] {
        assert_eq!(person.leaves().await, Ending::Good);
    }
    server.stop().await;
}

#[tokio::test]
async fn both_seats_are_played_to_the_end_in_every_game_of_dice() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = server(folder.path()).await;
    let at = origin(server.address());
    for name in ["zeno", "tavla", "scripta", "tabula"] {
        let mut person =
            Person::comes(&at, folder.path(), "Zeno", create(name, Terms { both: true, ..Terms::default() }));
        // No other game is as long as scripta.
        for step in 0..20_000 {
            if name == "scripta" && step == 100 {
                person.types("resign").await;
                person.types("yes").await;
                break;
            }
            let ways = [" to play: ", " left.", "has won the match.", "The match is drawn."];
            let (_, which) = person.sees_one_of(&ways).await;
            if which >= 2 {
                break;
            }
            person.types("legal").await;
            let (seen, which) = person.sees_one_of(&["\n  ", "Nothing is left to play"]).await;
            assert_eq!(which, 0, "{seen}");
            let word = word_after(&person.sees("/").await, "");
            let to = person.sees_one_of(&["  ", "\n"]).await.0;
            person.types(&format!("{}{}", word, to.trim())).await;
            let (seen, which) = person.sees_one_of(&[" plays ", " left", "complete. Enter", "No: "]).await;
            match which {
                0 => {}
                1 => person.types("board").await,
                2 => person.types("").await,
                _ => panic!("{seen}"),
            }
        }
        person.sees("Checked: ").await;
        assert_eq!(person.leaves().await, Ending::Good, "{name}");
    }
    server.stop().await;
}

#[tokio::test]
async fn an_illegal_step_is_explained_and_a_turn_can_be_taken_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = server(folder.path()).await;
    let terms = Terms { both: true, ..Terms::default() };
    let mut person = Person::comes(&origin(server.address()), folder.path(), "Zeno", create("zeno", terms));
    let seen = person.sees(" to play: ").await;
    assert!(seen.contains("Game 1: Zeno plays "), "{seen}");
    for (line, why) in [
        ("7/9", "No: 7/9: you have no piece on 7"),
        ("supply/9", "No: supply/9: "),
        ("fly/off/", "\"fly/off/\" is no step"),
        ("dance", "\"dance\" is no command here"),
        ("undo", "There is nothing to take back"),
    ] {
        person.types(line).await;
        person.sees(why).await;
    }
    person.types("hint").await;
    person.sees("loses 0.000").await;
    person.types("legal").await;
    person.sees("\n  supply/").await;
    let to = person.sees_one_of(&["  ", "\n"]).await.0;
    person.types(&format!("supply/{}", to.trim())).await;
    person.sees(" left.").await;
    person.types("undo").await;
    person.sees("White to play: ").await;
    // With nothing typed, a turn that can go only one way is played.
    person.sees("There is no choice: Enter plays supply/").await;
    person.types("").await;
    person.sees("White (Zeno) plays supply/").await;
    person.types("undo").await;
    person.types("resign").await;
    person.sees("Give up this game? yes does it.").await;
    person.types("board").await;
    person.types("yes").await;
    person.sees("Yes to what?").await;
    person.types("resign").await;
    person.types("yes").await;
    person.sees("the loser has resigned").await;
    person.sees("Checked: ").await;
    assert_eq!(person.leaves().await, Ending::Good);
    server.stop().await;
}

#[tokio::test]
async fn the_computer_plays_and_offers_another_match() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = server(folder.path()).await;
    let terms = Terms { computer: Some(1), side: Some("attackers".to_owned()), ..Terms::default() };
    let mut person = Person::comes(&origin(server.address()), folder.path(), "Zeno", create("tablut", terms));
    person.sees("Your turn.").await;
    person.types("i6-i7").await;
    person.sees("(Computer 1) plays ").await;
    person.sees("Your turn.").await;
    person.types("i7-i6").await;
    person.sees("(Computer 1) plays ").await;
    person.sees("Your turn.").await;
    person.types("resign").await;
    person.types("yes").await;
    person.sees("Computer 1 has won the match.").await;
    person.sees("Checked: ").await;
    let record = folder.path().join("record.json");
    person.types(&format!("record {}", record.display())).await;
    person.sees(" bytes").await;
    let record = std::fs::read(&record).expect("it was written");
    let record: lusoria_protocol::Record = serde_json::from_slice(&record).expect("a record");
    assert!(lusoria_records::replay::judge(&record).is_sound());
    person.has_seen("Computer 1 offers another match").await;
    person.types("accept").await;
    person.sees("you have seat").await;
    person.sees("Game 1: ").await;
    assert_eq!(person.leaves().await, Ending::Good);
    server.stop().await;
}

#[tokio::test]
async fn matches_are_found_in_lists_and_gone_on_with() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = server(folder.path()).await;
    let at = origin(server.address());
    let mut one = Person::comes(&at, folder.path(), "Agathias", Goal::Lobby);
    one.sees("No match waits for somebody to join.").await;
    for (line, why) in [
        ("create chess", "there is no game \"chess\""),
        ("create tavla --side defenders", "has no side \"defenders\": it has white and black"),
        ("create tavla --clock soon", "\"soon\" is no clock"),
        ("create tavla --computer 9", "levels of the computer are 1 to 5"),
        ("create tavla --points 100", "1 to 99 points"),
        ("create tavla --option shift=die", "has no option \"shift=die\": it has mother="),
        ("create tavla --loud", "--loud"),
        ("join 3", "No match has the number 3."),
        ("join me", "No: "),
        ("join http://elsewhere.example/join#q7Zb3xkP0mXh5V2r8tWc1A", "start lusoria play with that link"),
        (format!("watch {at}/rules").as_str(), "after the server's address comes"),
        ("24/18", "You are in the lobby"),
    ] {
        one.types(line).await;
        one.sees(why).await;
    }
    one.types("create tablut --side attackers --clock 10+5 --option throne=closed").await;
    one.sees("It waits for somebody to join").await;
    let mut two = Person::comes(&at, folder.path(), "Zeno", Goal::Lobby);
    two.sees("tablut   Agathias - ?, open").await;
    two.types("join 1").await;
    two.sees("Waiting for Attackers (Agathias).").await;
    one.sees("10:00").await;
    one.types("i6-i7").await;
    two.sees("Your turn.").await;
    assert_eq!(two.leaves().await, Ending::Good);
    one.sees("(Zeno has gone)").await;
    let mut again = Person::comes(&at, folder.path(), "Zeno", Goal::Resume);
    again.sees("you have seat 2").await;
    again.sees("Your turn.").await;
    again.types("leave").await;
    again.sees("You are in the lobby.").await;
    again.types("mine").await;
    again.sees("1 turns, your turn").await;
    again.types("name Zeno the Isaurian").await;
    again.sees("From your next match on you are Zeno the Isaurian.").await;
    for person in [one, again] {
        assert_eq!(person.leaves().await, Ending::Good);
    }
    server.stop().await;
}

#[tokio::test]
async fn a_server_that_changes_its_mind_about_the_dice_is_found_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = server(folder.path()).await;
    let at = origin(server.address());
    for (field, told) in [
        ("commitment", "not the one that you saw"),
        ("seed", "neither seat brought the seed that you brought"),
    ] {
        let terms = Terms { both: true, ..Terms::default() };
        let mut person = Person::comes(&at, folder.path(), field, create("tavla", terms));
        let id = word_after(&person.sees(" to play: ").await, "match ");
        // As if the server had told something else when the match was made.
        let file =
            walk(&folder.path().join("dice")).into_iter().find(|path| path.ends_with(format!("{id}.json")));
        let file = file.expect("what is needed to check the dice is kept");
        let kept = std::fs::read_to_string(&file).expect("it is there");
        let mut kept: serde_json::Value = serde_json::from_str(&kept).expect("JSON");
        kept[field] = "ab".repeat(32).into();
        std::fs::write(&file, kept.to_string()).expect("room");
        person.types("resign").await;
        person.types("yes").await;
        person.sees("THIS MATCH IS NOT SOUND:").await;
        person.sees(told).await;
        assert_eq!(person.leaves().await, Ending::NotSound, "{field}");
    }
    server.stop().await;
}
