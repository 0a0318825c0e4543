//! Conditional turns, on virtual time: played while nobody is there, once, and only in their lines.

use lusoria_play::{ConditionalTurns, SanctionId};
use lusoria_rules::Step;
use lusoria_store::{LogRow, Moderated, Moderating, ModeratorAct, Sanction, SanctionKind};

use super::*;
use crate::support::store::Fault;

const DAYS: Clock = Clock::Days { days: 3 };

fn step(text: &str) -> Step {
    let (from, to) = text.split_once('-').expect("a step");
    Step { die: None, from: from.to_owned(), to: to.to_owned() }
}

fn lines(texts: &[&str]) -> Vec<Vec<Step>> {
    texts.iter().map(|text| text.split_whitespace().map(step).collect()).collect()
}

impl World {
    /// A correspondence match in which the attackers are to play, with the players of the attackers and the defenders.
    async fn correspondence(&self) -> (MatchId, [PlayerId; 2]) {
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
    let (id, [attackers, defenders]) = world.correspondence().await;
    world.lay_down(id, defenders, lines(&["d1-c1 e4-f4 c1-c2 f4-f3", "d1-b1 e4-g4"]), false).await;
    tokio::time::sleep(Duration::from_hours(3)).await;
    world.move_by(id, attackers, "d1-c1").await;
    assert_eq!(world.turns(id).await, ["d1-c1", "e4-f4"]);
    let replied = world.journal(id).await.pop().expect("an event");
    assert!(replied.at < world.live.now() && replied.at >= START + 3 * 3_600_000, "at once");
    tokio::time::sleep(Duration::from_hours(1)).await;
    world.move_by(id, attackers, "c1-c2").await;
    assert_eq!(world.turns(id).await, ["d1-c1", "e4-f4", "c1-c2", "f4-f3"]);
    world.move_by(id, attackers, "c2-c1").await;
    assert_eq!(world.turns(id).await.len(), 5, "the line is at its end");
}

/// So that a page that shows their matches no longer says that it is their turn.
#[tokio::test(start_paused = true)]
async fn a_player_is_notified_of_turns_in_correspondence() {
    let world = World::new().await;
    let (id, [attackers, defenders]) = world.correspondence().await;
    let boxes = [attackers, defenders].map(|player| {
        let mailbox = Arc::new(Mailbox::default());
        let subscription = world.live.subscribe_personal(&mailbox, player);
        (mailbox, subscription)
    });
    world.lay_down(id, defenders, lines(&["d1-c1 e4-f4"]), false).await;
    let head = world.state(id).await.head();
    world.move_by(id, attackers, "d1-c1").await;
    assert_eq!(world.turns(id).await, ["d1-c1", "e4-f4"]);
    let mut told = Vec::new();
    for (mailbox, _) in &boxes {
        told.push(mailbox.take().await.notices);
    }
    let [first, second] = [head + 1, head + 2];
    assert_eq!(told[0], [format!("changed {first}"), format!("your turn {second}")]);
    assert_eq!(told[1], [format!("your turn {first}"), format!("changed {second}")]);
}

#[tokio::test(start_paused = true)]
async fn nothing_is_played_once_the_match_has_left_the_lines() {
    let world = World::new().await;
    let (id, [attackers, defenders]) = world.correspondence().await;
    world.lay_down(id, defenders, lines(&["d1-c1 e4-f4 c1-c2 f4-f3"]), false).await;
    world.move_by(id, attackers, "d1-b1").await;
    assert_eq!(world.turns(id).await, ["d1-b1"], "the opponent has played something else");

    let (id, [attackers, defenders]) = world.correspondence().await;
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

/// A turn would decline the offer, and only the player does that.
#[tokio::test(start_paused = true)]
async fn nothing_is_played_while_the_opponent_offers_a_draw() {
    let world = World::new().await;
    let (id, [attackers, defenders]) = world.correspondence().await;
    world.lay_down(id, defenders, lines(&["d1-c1 e4-f4 c1-c2 f4-f3"]), true).await;
    world.command(id, Command::OfferDraw { by: attackers }).await.expect("an offer");
    world.move_by(id, attackers, "d1-c1").await;
    assert_eq!(world.turns(id).await, ["d1-c1"]);
    assert!(world.state(id).await.draw_offer().is_some(), "it still stands");
    let declined = Command::AnswerDraw { by: defenders, accept: false };
    world.command(id, declined).await.expect("an answer");
    assert_eq!(world.turns(id).await, ["d1-c1", "e4-f4"], "then the line goes on");
    // Their own offer keeps nothing from being played.
    world.command(id, Command::OfferDraw { by: defenders }).await.expect("an offer");
    world.move_by(id, attackers, "c1-c2").await;
    assert_eq!(world.turns(id).await.len(), 4);
}

/// The same with an offer to take a turn back; what was prepared for that turn is gone with it.
#[tokio::test(start_paused = true)]
async fn nothing_is_played_while_a_takeback_is_offered() {
    for accept in [false, true] {
        let world = World::new().await;
        let (id, [attackers, defenders]) = world.correspondence().await;
        world.move_by(id, attackers, "d1-c1").await;
        let turned = world.state(id).await.may_take_back(attackers).expect("a turn");
        world.command(id, Command::TakeBack { by: attackers, turned }).await.expect("an offer");
        world.lay_down(id, defenders, Vec::new(), true).await;
        assert_eq!(world.turns(id).await, ["d1-c1"]);
        let answer = Command::AnswerTakeback { by: defenders, turned, accept };
        world.command(id, answer).await.expect("an answer");
        let to_play = world.state(id).await.to_play().expect("a turn").seat;
        let mover = world.state(id).await.player(to_play).expect("a player").id;
        assert_eq!(mover, if accept { attackers } else { defenders });
    }
}

#[tokio::test(start_paused = true)]
async fn what_has_become_illegal_is_not_played() {
    let world = World::new().await;
    let (id, [attackers, defenders]) = world.correspondence().await;
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
async fn no_turn_is_played_for_a_blocked_guest() {
    let world = World::new().await;
    let (id, [attackers, defenders]) = world.correspondence().await;
    world.lay_down(id, defenders, lines(&["d1-c1 e4-f4"]), false).await;
    assert!(world.store.set_blocked(defenders, Some(START)).await.expect("blocked"));
    world.move_by(id, attackers, "d1-c1").await;
    assert_eq!(world.turns(id).await, ["d1-c1"]);
}

#[tokio::test(start_paused = true)]
async fn no_turn_is_played_for_a_banned_guest_until_the_ban_ends() {
    let world = World::new().await;
    let (id, [attackers, defenders]) = world.correspondence().await;
    world.lay_down(id, defenders, lines(&["d1-c1 e4-f4 c1-c2 f4-f3"]), false).await;
    let imposed = |kind, for_ms: u64| Moderated {
        row: LogRow {
            id: Uuid::from_u128(for_ms.into()),
            done_at: START,
            act: ModeratorAct::Ban,
            guest: Some(defenders.0),
            of: None,
            tournament: None,
            report: None,
            until: None,
            note: None,
        },
        imposes: Some(Sanction {
            id: SanctionId(Uuid::from_u128(for_ms.into())),
            kind,
            imposed_at: START,
            until: Some(START + for_ms),
            words: None,
            read_at: None,
        }),
        lifts: None,
        closes_report: false,
        closes_flag: None,
    };
    for moderated in [imposed(SanctionKind::Mute, 86_400_000), imposed(SanctionKind::Ban, 3_600_000)] {
        assert_eq!(world.store.moderate(moderated).await.expect("asked"), Moderating::Done);
    }
    world.move_by(id, attackers, "d1-c1").await;
    assert_eq!(world.turns(id).await, ["d1-c1"]);
    tokio::time::sleep(Duration::from_hours(1)).await;
    world.live.play_conditional(id);
    assert_eq!(world.turns(id).await, ["d1-c1", "e4-f4"], "who is muted plays");
}

/// It was laid down as the turn that it answers was committed, or the server died between the two.
#[tokio::test(start_paused = true)]
async fn what_was_left_undone_is_played_at_the_next_start() {
    let world = World::new().await;
    let (id, [attackers, defenders]) = world.correspondence().await;
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
    let (id, [attackers, defenders]) = world.correspondence().await;
    let after = world.state(id).await.to_play().expect("a turn").given_by;
    world.move_by(id, attackers, "d1-c1").await;
    assert_eq!(world.turns(id).await, ["d1-c1"]);
    let turns = ConditionalTurns { after, lines: lines(&["d1-c1 e4-f4"]), forced: false };
    assert!(world.store.set_conditional_turns(id, defenders, turns).await.expect("stored"));
    tokio::time::sleep(Duration::from_secs(61)).await;
    assert_eq!(world.turns(id).await, ["d1-c1", "e4-f4"]);
}

#[tokio::test(start_paused = true)]
async fn what_could_not_be_played_at_the_start_is_tried_again() {
    let store = FailingStore::default();
    let world = World::on(store.clone(), START, 0).await;
    let (id, [attackers, defenders]) = world.correspondence().await;
    let after = world.state(id).await.to_play().expect("a turn").given_by;
    world.move_by(id, attackers, "d1-c1").await;
    assert_eq!(world.turns(id).await, ["d1-c1"]);
    let turns = ConditionalTurns { after, lines: lines(&["d1-c1 e4-f4"]), forced: false };
    assert!(world.store.set_conditional_turns(id, defenders, turns).await.expect("stored"));
    store.fail(id, Fault::Busy);
    let world = world.starts_again(3_600_000).await;
    assert_eq!(world.turns(id).await, ["d1-c1"]);
    store.heal();
    tokio::time::sleep(Duration::from_secs(61)).await;
    assert_eq!(world.turns(id).await, ["d1-c1", "e4-f4"], "although nothing has changed for an hour");
}

/// More than wait in an inbox.
#[tokio::test(start_paused = true)]
async fn however_many_have_laid_down_turns_each_match_is_looked_at_once_a_minute() {
    let store = FailingStore::default();
    let before = World::on(store.clone(), START, 0).await;
    let (id, [attackers, defenders]) = before.correspondence().await;
    let after = before.state(id).await.to_play().expect("a turn").given_by;
    before.move_by(id, attackers, "d1-c1").await;
    let turns = ConditionalTurns { after, lines: lines(&["d1-c1 e4-f4"]), forced: false };
    assert_eq!(before.turns(id).await, ["d1-c1"]);
    assert!(before.store.set_conditional_turns(id, defenders, turns).await.expect("stored"));
    // Ids of matches begin with when they were made: all of these come before that one.
    store.lay_down((1..=5_000).map(|n| MatchId(Uuid::from_u128(n))));
    let looks = store.conditional_looks();
    let world = before.starts_again(1_000).await;
    assert_eq!(world.turns(id).await, ["d1-c1", "e4-f4"]);
    let at_the_start = store.conditional_looks() - looks;
    assert!(at_the_start < 500, "{at_the_start}");
    tokio::time::sleep(Duration::from_secs(61)).await;
    assert!(store.conditional_looks() - looks <= 2 * at_the_start);
}

/// Entering leaves no choice at first: two players who both set that need not be there.
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
