//! Servers that lie, and servers that do not answer.

use std::process::Command;

use lusoria_terminal::{Ending, Goal, Terms};
use serde_json::json;

use super::{
    SHORT, attackers, both,
    busy_proxy::BusyProxy,
    create,
    lying_proxy::{Lie, LyingProxy},
    person::{Person, all_leave},
    place::{Place, two_at_a_match},
    walk, word_after,
};

/// As if the match had been broken off before its first game.
fn nothing_happened(record: &mut serde_json::Value) {
    record["events"].as_array_mut().expect("events").truncate(2);
    record["dice"]["secrets"] = json!({});
}

/// As if something else had been thrown first.
pub(super) fn another_throw(record: &mut serde_json::Value) {
    let mut events = record["events"].as_array_mut().expect("events").iter_mut();
    let throw = events.find(|event| event["type"] == "opening_thrown").expect("tavla has one");
    let white = throw["white"].as_u64().expect("a die");
    throw["white"] = json!(7 - white);
}

/// As if the match were played still.
fn nothing_is_over(record: &mut serde_json::Value) {
    let events = record["events"].as_array_mut().expect("events");
    events.retain(|event| event["type"] != "game_ended" && event["type"] != "match_ended");
    record["dice"]["secrets"] = json!({});
    record.as_object_mut().expect("a record").remove("result");
}

/// A user who resigns a game of zeno, through a proxy that changes what the server says.
async fn resigns_behind(
    lie: Lie,
    comes: fn(&Place, &str, &str, Goal) -> Person,
) -> (Place, LyingProxy, Person) {
    let place = Place::new().await;
    let lying = LyingProxy::before(place.address(), lie).await;
    let mut person = comes(&place, &lying.origin(), "Zeno", both("zeno"));
    person.sees(" to play: ").await;
    person.resigns().await;
    (place, lying, person)
}

#[tokio::test]
async fn a_record_of_another_game_than_was_seen_is_found_out() {
    let place = Place::new().await;
    let unavailable = "HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n";
    let missing = "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n";
    for (called, lie, told, ending) in [
        ("honest", Lie::Nothing, "they are the same", Ending::Good),
        ("throw", Lie::Record(another_throw), " thrown, the record has ", Ending::NotSound),
        (
            "empty",
            Lie::Record(nothing_happened),
            "the record stops at event 2, but you saw ",
            Ending::NotSound,
        ),
        ("unended", Lie::Record(nothing_is_over), "the record stops at event ", Ending::NotSound),
        ("garbage", Lie::NoRecord("{}"), "NOT CHECKED: the record cannot be read", Ending::NotChecked),
        (
            "refused",
            Lie::NoRecord(unavailable),
            "NOT CHECKED: the record did not come: the server answers with status 503",
            Ending::NotChecked,
        ),
        ("gone", Lie::NoRecord(missing), "NOT CHECKED: the server has no record", Ending::NotChecked),
    ] {
        let lying = LyingProxy::before(place.address(), lie).await;
        let mut person = place.person_at(&lying.origin(), called, both("tavla"));
        person.sees(" to play: ").await;
        person.resigns().await;
        person.sees(told).await;
        assert_eq!(person.leaves().await, ending, "{called}");
    }
}

#[tokio::test]
async fn a_name_that_the_operator_changes_is_told_and_no_fault() {
    for (act, called) in [
        (&["rename", "Zeno", "Quintus", "--everywhere"][..], "Quintus"),
        (&["erase", "Zeno"], "Erased guest"),
    ] {
        let (place, _proxy, [mut one, two]) = two_at_a_match(1).await;
        // The erased guest has gone.
        two.leaves().await;
        let (database, is_rename) = (place.database(), called == "Quintus");
        let acted = tokio::task::spawn_blocking(move || {
            let mut admin = Command::new(env!("CARGO_BIN_EXE_lusoria"));
            admin.arg("admin").args(act).arg("--database").arg(database).output().expect("the binary runs")
        });
        let acted = acted.await.expect("nothing panics");
        assert!(acted.status.success(), "{acted:?}");
        if is_rename {
            one.resigns().await;
        }
        one.sees("Checked: ").await;
        one.sees("they are the same.").await;
        if is_rename {
            one.has_seen("A name has been changed since: Zeno is now Quintus.").await;
        }
        assert_eq!(one.leaves().await, Ending::Good, "{called}");
    }
}

#[tokio::test]
async fn other_throws_than_the_record_has_are_found_out() {
    let place = Place::new().await;
    let lying = LyingProxy::before(place.address(), Lie::Throws).await;
    let mut person = place.person_at(&lying.origin(), "Zeno", both("tavla"));
    person.sees("Opening throw: White ").await;
    person.sees(" to play: ").await;
    person.resigns().await;
    person.sees("THIS MATCH IS NOT SOUND:").await;
    person.sees("event ").await;
    assert_eq!(person.leaves().await, Ending::NotSound);
}

#[tokio::test]
async fn no_catalogue_and_no_step_steers_the_terminal() {
    let place = Place::new().await;
    // A side, and a field of the board: to erase the screen, and to begin a sequence.
    let hostile = Lie::Says(&[("Attackers", "\\u001b[2J"), ("\"i6\"", "\"\u{9b}\"")]);
    let lying = LyingProxy::before(place.address(), hostile).await;
    let mut person = place.person_at(&lying.origin(), "Zeno", both("tablut"));
    person.sees("Game 1: Zeno plays ").await;
    person.sees(" to play.").await;
    for (line, seen) in [("legal", "-"), ("help", "take the last step back"), ("board", " to play.")] {
        person.enters(line, seen).await;
    }
    let all = person.all();
    assert!(all.contains("\\u{1b}[2J") && all.contains("\\u{9b}-"), "{all}");
    assert!(!all.contains(['\u{1b}', '\u{9b}']), "{all:?}");
    assert_eq!(person.leaves().await, Ending::Good);
}

#[tokio::test]
async fn a_failed_check_is_repeated_on_request() {
    let (_place, lying, mut person) = resigns_behind(Lie::NoRecord("{}"), Place::person_at).await;
    person.sees("NOT CHECKED: ").await;
    lying.tells(Lie::Nothing);
    person.enters("dice", "Checked: ").await;
    assert_eq!(person.leaves().await, Ending::Good);
}

#[tokio::test]
async fn a_match_that_nobody_joined_leaves_nothing_to_check() {
    let place = Place::new().await;
    let mut person = place.person("Zeno", create("tavla", Terms::default()));
    person.sees("It waits for somebody to join").await;
    person.types("abort").await;
    person.enters("yes", "Nobody had joined").await;
    assert_eq!(person.leaves().await, Ending::Good);
}

#[tokio::test]
async fn a_match_without_a_game_is_not_called_checked() {
    let place = Place::new().await;
    // One whose seed never comes.
    let busy = BusyProxy::before(place.address(), &["seed"]).await;
    let mut one = place.person_at(&busy.origin(), "Agathias", create("tavla", Terms::default()));
    one.sees("It waits for somebody to join").await;
    let mut two = place.person("Zeno", Goal::Lobby);
    two.enters("join 1", "The dice wait for a seed.").await;
    two.types("abort").await;
    two.enters("yes", "NOT CHECKED: ").await;
    assert_eq!(two.leaves().await, Ending::NotChecked);
    one.has_seen("Not now: come back.").await;
    one.leaves().await;
}

#[tokio::test]
async fn a_client_does_not_join_after_the_commitment_has_changed() {
    let place = Place::new().await;
    let mut one = place.person("Agathias", create("tavla", Terms::default()));
    one.sees("It waits for somebody to join").await;
    let lying = LyingProxy::before(place.address(), Lie::Nothing).await;
    let mut two = place.person_at(&lying.origin(), "Zeno", Goal::Lobby);
    two.sees("open  ").await;
    two.enters("watch 1", "you watch.").await;
    two.sees("Nobody has joined yet.").await;
    let kept = || -> Vec<String> {
        let files = walk(&place.folder().join("dice"));
        files.into_iter().map(|file| std::fs::read_to_string(file).expect("it is there")).collect()
    };
    let before = kept();
    lying.tells(Lie::Commitment);
    two.enters("join", "the server binds itself to other dice than before").await;
    assert_eq!(kept(), before);
    two.enters("list", "open  ").await;
    assert_eq!(two.leaves().await, Ending::NotSound);
    assert_eq!(one.leaves().await, Ending::Good);
}

#[tokio::test]
async fn a_user_who_leaves_waits_neither_for_a_check_nor_for_their_turn() {
    let (place, lying, mut person) = resigns_behind(Lie::Silence, Place::person_at).await;
    person.sees("The match is over").await;
    let shown = person.shown();
    assert_eq!(person.leaves().await, Ending::NotChecked);
    let told = shown.borrow().clone();
    assert!(told.contains("NOT CHECKED: you leave before the record"), "{told}");
    let mut person = place.editor_at(&lying.origin(), "Theo", create("tavla", Terms::default()));
    person.sees("Nobody has joined yet.").await;
    person.types("wait").await;
    person.interrupts().await;
    person.sees("nothing is waited for any more").await;
    person.types("wait").await;
    person.types("24/18").await;
    let shown = person.shown();
    assert_eq!(person.leaves().await, Ending::Good);
    let told = shown.borrow().clone();
    assert!(told.contains("Not done, because it was to wait: 1 line."), "{told}");
}

#[tokio::test]
async fn a_long_check_does_not_block_typing() {
    let (_place, lying, mut person) = resigns_behind(Lie::Silence, Place::editor_at).await;
    person.sees("The match is over").await;
    person.enters("create tablut --both --side attackers", "Attackers to play.").await;
    person.enters(SHORT[0], &format!("plays {}", SHORT[0])).await;
    person.sees("Defenders to play.").await;
    person.interrupts().await;
    person.sees("(quit or Ctrl-D leaves)").await;
    lying.tells(Lie::Nothing);
    person.sees("Checked: ").await;
    assert_eq!(person.leaves().await, Ending::Good);
}

#[tokio::test]
async fn a_user_who_leaves_waits_for_the_record_or_is_told_that_it_is_not_saved() {
    for waits in [true, false] {
        let (place, lying, mut person) = resigns_behind(Lie::Nothing, Place::editor_at).await;
        person.sees("Checked: ").await;
        // The board is drawn then.
        person.enters("legal", "It is not your turn.").await;
        lying.tells(Lie::Silence);
        let record = place.folder().join("record.json");
        person.types(&format!("record {}", record.display())).await;
        person.enters("quit", "Something is not done yet").await;
        if waits {
            lying.tells(Lie::Nothing);
            person.sees(" bytes").await;
            assert_eq!(person.leaves().await, Ending::Good);
        } else {
            person.enters("quit", "NOT SAVED: ").await;
            assert_eq!(person.leaves().await, Ending::NotSent);
        }
        assert_eq!(record.exists(), waits);
    }
}

#[tokio::test]
async fn an_unreadable_match_does_not_replace_the_current_one() {
    let place = Place::new().await;
    let mut other = place.person("Theo", both("scripta"));
    let id = word_after(&other.sees(" to play: ").await, ", match ");
    // As if the match were one of a kind that only a newer server knows.
    let newer = Lie::Says(&[("\"scripta\"", "\"scriptb\"")]);
    let lying = LyingProxy::before(place.address(), newer).await;
    let mut person = place.person_at(&lying.origin(), "Zeno", both("tablut"));
    person.sees(" to play.").await;
    for line in [&format!("watch {id}"), "wait", SHORT[0]] {
        person.types(line).await;
    }
    person.sees("The server's answer cannot be read: ").await;
    person.sees(&format!("plays {}", SHORT[0])).await;
    assert!(!person.all().contains("-- The connection is lost"), "{}", person.all());
    all_leave([person, other]).await;
}

/// Stops the clock for all timers until this is dropped.
struct Standstill {
    _until: std::sync::mpsc::Sender<()>,
}

impl Standstill {
    fn now() -> Self {
        tokio::time::pause();
        let (until, dropped) = std::sync::mpsc::channel();
        // While somebody works a clock that is stopped is not put on.
        tokio::task::spawn_blocking(move || dropped.recv());
        Self { _until: until }
    }
}

impl Drop for Standstill {
    fn drop(&mut self) {
        tokio::time::resume();
    }
}

#[tokio::test]
async fn lines_typed_before_the_board_is_drawn_are_done_before_leaving() {
    let place = Place::new().await;
    let mut one = place.person("Agathias", attackers(1));
    one.sees("It waits for somebody to join").await;
    let mut two = place.editor_at(&place.origin(), "Zeno", Goal::Lobby);
    two.types("join 1").await;
    one.sees("Your turn.").await;
    two.sees("Waiting for Attackers (Agathias).").await;
    let standstill = Standstill::now();
    one.types(SHORT[0]).await;
    two.sees(&format!("plays {}", SHORT[0])).await;
    two.types(SHORT[1]).await;
    two.enters("quit", "Something is not done yet").await;
    drop(standstill);
    one.sees(&format!("plays {}", SHORT[1])).await;
    all_leave([one, two]).await;
}

#[tokio::test]
async fn a_yes_gives_up_no_other_game_than_the_one_asked_about() {
    let place = Place::new().await;
    let [mut one, mut two] = place.two_at(&place.origin(), &place.origin(), 3).await;
    one.enters("resign", "Give up this game?").await;
    two.enters("resign", "Give up this game?").await;
    two.types("yes").await;
    one.sees("Game 2: ").await;
    one.enters("yes", "That was asked about another game").await;
    for person in [one, two] {
        assert!(!person.all().contains("Score 1-1"), "{}", person.all());
        assert_eq!(person.leaves().await, Ending::Good);
    }
}
