//! Matches made, joined, watched and played to the end.

use lusoria_terminal::{Ending, Goal, MatchReference, Terms};

use super::{SHORT, both, create, person::all_leave, place::Place, walk, word_after};

#[tokio::test]
async fn two_play_by_invitation_to_the_end_while_a_third_watches() {
    let place = Place::new().await;
    let terms = Terms { invite: true, side: Some("attackers".to_owned()), ..Terms::default() };
    let mut one = place.person("Agathias", create("tablut", terms));
    let seen = one.sees("It waits for somebody to join").await;
    let (link, id) = (word_after(&seen, "your opponent: "), word_after(&seen, "match "));

    let link: MatchReference = link.parse().expect("a link");
    let mut two = place.person("Zeno", Goal::Join(link.destination));
    let id: MatchReference = id.parse().expect("an id");
    let mut third = place.person("Theo", Goal::Watch(id.destination));
    third.sees("you watch.").await;
    one.sees("Zeno joins.").await;
    for (number, played) in (0..).zip(SHORT) {
        let (player, other) = if number % 2 == 0 { (&mut one, &mut two) } else { (&mut two, &mut one) };
        player.sees("Your turn.").await;
        player.enters(played, &format!("plays {played}")).await;
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
    third.enters("d3-a3", "You only watch this match.").await;
    all_leave([one, two, third]).await;
}

#[tokio::test]
async fn both_seats_are_played_to_the_end_in_every_game_of_dice() {
    let place = Place::new().await;
    for name in ["zeno", "tavla", "scripta", "tabula"] {
        let mut person = place.person("Zeno", both(name));
        // No other game is as long as scripta.
        for step in 0..20_000 {
            if name == "scripta" && step == 100 {
                person.resigns().await;
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
}

#[tokio::test]
async fn an_illegal_step_is_explained_and_a_turn_can_be_taken_back() {
    let place = Place::new().await;
    let mut person = place.person("Zeno", both("zeno"));
    let seen = person.sees(" to play: ").await;
    assert!(seen.contains("Game 1: Zeno plays "), "{seen}");
    for (line, why) in [
        ("7/9", "No: 7/9: you have no piece on 7"),
        ("supply/9", "No: supply/9: "),
        ("fly/off/", "\"fly/off/\" is not a step"),
        ("dance", "\"dance\" is not a command here"),
        ("undo", "There is nothing to take back"),
    ] {
        person.enters(line, why).await;
    }
    person.enters("hint", "loses 0.000").await;
    person.enters("legal", "\n  supply/").await;
    let to = person.sees_one_of(&["  ", "\n"]).await.0;
    person.types(&format!("supply/{}", to.trim())).await;
    person.sees(" left.").await;
    person.enters("undo", "White to play: ").await;
    // With nothing typed, a turn that can go only one way is played.
    person.sees("There is no choice: Enter plays supply/").await;
    person.enters("", "White (Zeno) plays supply/").await;
    person.types("undo").await;
    person.enters("resign", "Give up this game? yes does it.").await;
    person.types("board").await;
    person.enters("yes", "Yes to what?").await;
    person.resigns().await;
    person.sees("the loser has resigned").await;
    person.sees("Checked: ").await;
    assert_eq!(person.leaves().await, Ending::Good);
}

#[tokio::test]
async fn the_computer_plays_and_offers_another_match() {
    let place = Place::new().await;
    let terms = Terms { computer: Some(1), side: Some("attackers".to_owned()), ..Terms::default() };
    let mut person = place.person("Zeno", create("tablut", terms));
    person.sees("Your turn.").await;
    person.enters("i6-i7", "(Computer 1) plays ").await;
    person.sees("Your turn.").await;
    person.enters("i7-i6", "(Computer 1) plays ").await;
    person.sees("Your turn.").await;
    person.resigns().await;
    person.sees("Computer 1 has won the match.").await;
    person.sees("Checked: ").await;
    let record = place.folder().join("record.json");
    person.types(&format!("record {}", record.display())).await;
    person.sees(" bytes").await;
    let record = std::fs::read(&record).expect("it was written");
    let record: lusoria_protocol::Record = serde_json::from_slice(&record).expect("a record");
    assert!(lusoria_records::replay::judge(&record).is_sound());
    person.has_seen("Computer 1 offers another match").await;
    person.enters("accept", "you have seat").await;
    person.sees("Game 1: ").await;
    assert_eq!(person.leaves().await, Ending::Good);
}

#[tokio::test]
async fn matches_are_found_in_lists_and_resumed() {
    let place = Place::new().await;
    let mut one = place.person("Agathias", Goal::Lobby);
    one.sees("No match waits for somebody to join.").await;
    for (line, why) in [
        ("create chess", "there is no game \"chess\""),
        ("create tavla --side defenders", "has no side \"defenders\": it has white and black"),
        ("create tavla --clock soon", "\"soon\" is not a clock"),
        ("create tavla --computer 9", "levels of the computer are 1 to 5"),
        ("create tavla --points 100", "1 to 99 points"),
        ("create tavla --option shift=die", "has no option \"shift=die\": it has mother="),
        ("create tavla --loud", "--loud"),
        ("join 3", "No match has the number 3."),
        ("join me", "No: "),
        ("join http://elsewhere.example/join#q7Zb3xkP0mXh5V2r8tWc1A", "start lusoria play with that link"),
        (format!("watch {}/rules", place.origin()).as_str(), "after the server's address comes"),
        ("24/18", "You are in the lobby"),
    ] {
        one.enters(line, why).await;
    }
    one.enters(
        "create tablut --side attackers --clock 10+5 --option throne=closed",
        "It waits for somebody to join",
    )
    .await;
    let mut two = place.person("Zeno", Goal::Lobby);
    two.sees("tablut   Agathias - ?, open").await;
    two.enters("join 1", "Waiting for Attackers (Agathias).").await;
    one.sees("10:00").await;
    one.types("i6-i7").await;
    two.sees("Your turn.").await;
    assert_eq!(two.leaves().await, Ending::Good);
    one.sees("(Zeno has gone)").await;
    let mut again = place.person("Zeno", Goal::Resume);
    again.sees("you have seat 2").await;
    again.sees("Your turn.").await;
    again.enters("leave", "You are in the lobby.").await;
    again.enters("mine", "1 turns, your turn").await;
    again.enters("name Zeno the Isaurian", "From your next match on you are Zeno the Isaurian.").await;
    all_leave([one, again]).await;
}

#[tokio::test]
async fn a_server_that_changes_its_mind_about_the_dice_is_found_out() {
    let place = Place::new().await;
    for (field, told) in [
        ("commitment", "not the one that you saw"),
        ("seed", "neither seat brought the seed that you brought"),
    ] {
        let mut person = place.person(field, both("tavla"));
        let id = word_after(&person.sees(" to play: ").await, "match ");
        // As if the server had told something else when the match was made.
        let file =
            walk(&place.folder().join("dice")).into_iter().find(|path| path.ends_with(format!("{id}.json")));
        let file = file.expect("what is needed to check the dice is kept");
        let kept = std::fs::read_to_string(&file).expect("it is there");
        let mut kept: serde_json::Value = serde_json::from_str(&kept).expect("JSON");
        kept[field] = "ab".repeat(32).into();
        std::fs::write(&file, kept.to_string()).expect("room");
        person.resigns().await;
        person.sees("THIS MATCH IS NOT SOUND:").await;
        person.sees(told).await;
        assert_eq!(person.leaves().await, Ending::NotSound, "{field}");
    }
}
