//! Opponents found by seeks and challenges.

use lusoria_terminal::Goal;

use super::{person::all_leave, place::Place, word_after};

#[tokio::test]
async fn two_who_seek_the_same_meet() {
    let place = Place::new().await;
    let mut one = place.person("Agathias", Goal::Lobby);
    let mut two = place.person("Zeno", Goal::Lobby);
    one.enters("seek senet", "there is no game \"senet\"").await;
    one.enters("seek tavla,tablut --clock none", "You seek an opponent").await;
    one.enters("challenges", "1  you seek an opponent at tavla, tablut, no clock").await;
    two.enters("seek tablut", "There is an opponent.").await;
    two.sees("Tablut, match").await;
    one.sees("There is an opponent.").await;
    for (person, seat) in [(&mut one, "you have seat 1"), (&mut two, "you have seat 2")] {
        person.sees(seat).await;
        person.sees("Game 1: ").await;
    }
    all_leave([one, two]).await;
}

#[tokio::test]
async fn a_seek_is_withdrawn() {
    let place = Place::new().await;
    let mut one = place.person("Agathias", Goal::Lobby);
    one.enters("withdraw", "Which one?").await;
    one.enters("seek zeno", "You seek an opponent").await;
    one.enters("withdraw", "Withdrawn.").await;
    one.enters("challenges", "You seek nobody, and nobody challenges you.").await;
    all_leave([one]).await;
}

#[tokio::test]
async fn a_challenge_is_declined_withdrawn_and_accepted() {
    let place = Place::new().await;
    let mut one = place.person("Agathias", Goal::Lobby);
    let mut two = place.person("Zeno", Goal::Lobby);
    let id = word_after(&two.enters("me", "kept in").await, "Zeno (").trim_end_matches(')').to_owned();
    two.enters("challenges", "nobody challenges you").await;
    one.enters("challenge x tablut", "invalid value").await;
    one.enters(&format!("challenge {id} tablut --both"), "without a challenge").await;
    one.enters(&format!("challenge {id} tablut --side defenders --points 3"), "You have challenged Zeno")
        .await;
    two.sees(
        "Agathias challenges you: tablut, no clock, to 3 points, the challenger takes defenders. accept 1",
    )
    .await;
    two.enters("decline 1", "Declined.").await;
    one.sees("Zeno declines.").await;
    one.enters(&format!("challenge {id} tavla"), "You have challenged Zeno").await;
    two.sees("Agathias challenges you: tavla").await;
    one.enters("challenges", "1  you have challenged Zeno: tavla").await;
    one.enters("withdraw 1", "Withdrawn.").await;
    two.sees("Agathias has withdrawn the challenge.").await;
    two.enters("accept 7", "No challenge to you has the number 7.").await;
    one.enters(&format!("challenge {id} tablut --side attackers"), "You have challenged Zeno").await;
    two.sees("Agathias challenges you: tablut").await;
    two.enters("challenges", "1  Agathias challenges you").await;
    two.enters("accept 1", "Accepted.").await;
    one.sees("Zeno accepts.").await;
    one.sees("you have seat 1").await;
    one.sees("Your turn.").await;
    two.sees("you have seat 2").await;
    all_leave([one, two]).await;
}
