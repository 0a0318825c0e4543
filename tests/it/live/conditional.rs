//! Conditional turns, on virtual time: played while nobody is there, once, and only in their lines.

use lusoria_play::ConditionalTurns;
use lusoria_rules::Step;

use super::*;

const DAYS: Clock = Clock::Days { days: 3 };

fn step(text: &str) -> Step {
    let (from, to) = text.split_once('-').expect("a step");
    Step { die: None, from: from.to_owned(), to: to.to_owned() }
}

fn lines(texts: &[&str]) -> Vec<Vec<Step>> {
    texts.iter().map(|text| text.split_whitespace().map(step).collect()).collect()
}

impl World {
    /// A match by days in which the attackers are to play, with who plays them and who defends.
    async fn by_days(&self) -> (MatchId, [PlayerId; 2]) {
        let id = self.start(terms(Game::Tablut, DAYS)).await;
        let state = self.state(id).await;
        let attackers = state.to_play().expect("a turn").seat;
        (id, [attackers, attackers.other()].map(|seat| state.player(seat).expect("a player").id))
    }

    async fn lay_down(&self, id: MatchId, by: PlayerId, lines: Vec<Vec<Step>>, forced: bool) {
        let after = self.state(id).await.to_play().expect("a turn").given_by;
        let turns = ConditionalTurns { after, lines, forced };
        assert!(self.store.set_conditional_turns(id, by, turns).await.expect("stored"));
        self.live.play_conditional(id);
    }

    async fn move_by(&self, id: MatchId, by: PlayerId, text: &str) {
        let answers = self.state(id).await.to_play().expect("a turn").given_by;
        let steps = vec![step(text)];
        let turn = Command::Turn { by, answers, steps, thought: None, lag_ms: 0 };
        self.command(id, turn).await.expect("a legal turn");
    }

    /// The turns that were played, once nothing more is to come of itself.
    async fn turns(&self, id: MatchId) -> Vec<String> {
        tokio::time::sleep(Duration::from_secs(1)).await;
        let turned = |recorded: Recorded| match recorded.event {
            Event::Turned { steps, .. } => Some(format!("{}-{}", steps[0].from, steps[0].to)),
            _ => None,
        };
        self.journal(id).await.into_iter().filter_map(turned).collect()
    }
}

#[tokio::test(start_paused = true)]
async fn a_line_is_played_while_its_owner_is_away() {
    let world = World::new().await;
    let (id, [attackers, defenders]) = world.by_days().await;
    world.lay_down(id, defenders, lines(&["d1-c1 e4-f4 c1-c2 f4-f3", "d1-b1 e4-g4"]), false).await;
    tokio::time::sleep(Duration::from_hours(40)).await;
    world.move_by(id, attackers, "d1-c1").await;
    assert_eq!(world.turns(id).await, ["d1-c1", "e4-f4"]);
    let replied = world.journal(id).await.pop().expect("an event");
    assert!(replied.at < world.live.now() && replied.at >= START + 40 * 3_600_000, "at once");
    tokio::time::sleep(Duration::from_hours(10)).await;
    world.move_by(id, attackers, "c1-c2").await;
    assert_eq!(world.turns(id).await, ["d1-c1", "e4-f4", "c1-c2", "f4-f3"]);
    world.move_by(id, attackers, "c2-c1").await;
    assert_eq!(world.turns(id).await.len(), 5, "the line is at its end");
}

#[tokio::test(start_paused = true)]
async fn nothing_is_played_once_the_match_has_left_the_lines() {
    let world = World::new().await;
    let (id, [attackers, defenders]) = world.by_days().await;
    world.lay_down(id, defenders, lines(&["d1-c1 e4-f4 c1-c2 f4-f3"]), false).await;
    world.move_by(id, attackers, "d1-b1").await;
    assert_eq!(world.turns(id).await, ["d1-b1"], "the opponent has played something else");

    let (id, [attackers, defenders]) = world.by_days().await;
    world.lay_down(id, defenders, lines(&["d1-c1 e4-f4 c1-c2 f4-f3"]), false).await;
    world.move_by(id, attackers, "d1-c1").await;
    assert_eq!(world.turns(id).await, ["d1-c1", "e4-f4"]);
    world.move_by(id, attackers, "c1-b1").await;
    world.move_by(id, defenders, "e3-f3").await;
    world.move_by(id, attackers, "b1-c1").await;
    world.move_by(id, defenders, "f3-e3").await;
    world.move_by(id, attackers, "c1-c2").await;
    assert_eq!(world.turns(id).await.len(), 7, "it does not come back to them");
}

#[tokio::test(start_paused = true)]
async fn what_has_become_illegal_is_not_played() {
    let world = World::new().await;
    let (id, [attackers, defenders]) = world.by_days().await;
    // Nobody has checked this one.
    world.lay_down(id, defenders, lines(&["d1-c1 e4-a4"]), false).await;
    world.move_by(id, attackers, "d1-c1").await;
    assert_eq!(world.turns(id).await, ["d1-c1"]);
    assert_eq!(world.state(id).await.phase(), Phase::Playing);
}

#[tokio::test(start_paused = true)]
async fn a_match_with_another_clock_knows_none() {
    let world = World::new().await;
    let id = world.start(terms(Game::Tablut, Clock::None {})).await;
    let state = world.state(id).await;
    let seat = state.to_play().expect("a turn").seat;
    let [attackers, defenders] = [seat, seat.other()].map(|seat| state.player(seat).expect("a player").id);
    world.lay_down(id, defenders, lines(&["d1-c1 e4-f4"]), false).await;
    world.move_by(id, attackers, "d1-c1").await;
    assert_eq!(world.turns(id).await, ["d1-c1"]);
}

#[tokio::test(start_paused = true)]
async fn who_is_blocked_plays_nothing() {
    let world = World::new().await;
    let (id, [attackers, defenders]) = world.by_days().await;
    world.lay_down(id, defenders, lines(&["d1-c1 e4-f4"]), false).await;
    assert!(world.store.set_blocked(defenders, Some(START)).await.expect("blocked"));
    world.move_by(id, attackers, "d1-c1").await;
    assert_eq!(world.turns(id).await, ["d1-c1"]);
}

/// It was laid down as the turn that it answers was committed, or the server died between the two.
#[tokio::test(start_paused = true)]
async fn what_was_left_undone_is_played_at_the_next_start() {
    let world = World::new().await;
    let (id, [attackers, defenders]) = world.by_days().await;
    let after = world.state(id).await.to_play().expect("a turn").given_by;
    world.move_by(id, attackers, "d1-c1").await;
    assert_eq!(world.turns(id).await, ["d1-c1"]);
    let turns = ConditionalTurns { after, lines: lines(&["d1-c1 e4-f4"]), forced: false };
    assert!(world.store.set_conditional_turns(id, defenders, turns).await.expect("stored"));
    let world = world.starts_again(3_600_000).await;
    assert_eq!(world.turns(id).await, ["d1-c1", "e4-f4"]);
}

#[tokio::test(start_paused = true)]
async fn what_another_node_left_undone_is_played_within_a_minute() {
    let world = World::new().await;
    let (id, [attackers, defenders]) = world.by_days().await;
    let after = world.state(id).await.to_play().expect("a turn").given_by;
    world.move_by(id, attackers, "d1-c1").await;
    assert_eq!(world.turns(id).await, ["d1-c1"]);
    let turns = ConditionalTurns { after, lines: lines(&["d1-c1 e4-f4"]), forced: false };
    assert!(world.store.set_conditional_turns(id, defenders, turns).await.expect("stored"));
    tokio::time::sleep(Duration::from_secs(61)).await;
    assert_eq!(world.turns(id).await, ["d1-c1", "e4-f4"]);
}

/// Entering leaves no choice at first: two who have both laid that down need not be there.
#[tokio::test(start_paused = true)]
async fn forced_turns_are_played_for_those_who_wish() {
    let world = World::new().await;
    let id = world.start(terms(Game::Zeno, DAYS)).await;
    let seat = world.state(id).await.to_play().expect("a turn").seat;
    let state = world.state(id).await;
    let [first, second] = [seat, seat.other()].map(|seat| state.player(seat).expect("a player").id);
    world.lay_down(id, first, Vec::new(), true).await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    let played = world.state(id).await;
    let waits = played.to_play().expect("a turn");
    let is_free = |state: &Match| state.turn().and_then(|turn| turn.forced()).is_none();
    assert!(played.head() > state.head(), "the first turn of zeno leaves no choice");
    assert!(waits.seat == seat.other() || is_free(&played), "only the turns of one are played");
    world.lay_down(id, second, Vec::new(), true).await;
    tokio::time::sleep(Duration::from_secs(10)).await;
    let after = world.state(id).await;
    assert!(after.head() > played.head());
    assert!(after.phase() != Phase::Playing || is_free(&after), "a turn without a choice waits for nobody");
}
