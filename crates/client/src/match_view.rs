//! A client's view of a match: a snapshot, kept up to date by the events that follow it.

use std::ops::Deref;

use lusoria_protocol::{
    BySeat, ClocksView, Die, Event, EventKind, MatchRatings, MatchState, PlayerView, Position, Problem,
    RematchView, ResultView, Seat, SeatSeed, SideName, Snapshot, Step, TablesPosition, TaflPosition,
    TakebackOffer, TakenStep, ToPlay,
};
use lusoria_rules::{self as rules, History, SetupError, Turn};
use lusoria_wire as wire;
use rand::{Rng, RngExt};

/// A match after the last event received.
///
/// It reads like a [`Snapshot`]. Some fields cannot be derived from events: after an event, `pips`, `tafl`,
/// `deadline_at`, `may_offer_draw` and `may_take_back` are absent, no clock counts as running, and
/// `first_turn` is false, until the next snapshot.
#[derive(Debug, Clone)]
pub struct MatchView(Snapshot);

/// A snapshot or an event that does not fit the match or the rules.
#[derive(Debug, thiserror::Error)]
pub enum ViewError {
    /// An event is missing.
    #[error("event {found} came where {expected} should")]
    Gap {
        /// The expected number.
        expected: u32,
        /// The number received.
        found: u32,
    },
    /// The options or a side do not fit the game.
    #[error("{}", .0.detail)]
    Problem(Box<Problem>),
    /// The position is impossible.
    #[error(transparent)]
    Position(#[from] SetupError),
    /// The steps of a turn without its position cannot be played in the known position.
    #[error("event {seq} does not fit the known position: {why}")]
    Unplayable {
        /// The number of the event.
        seq: u32,
        /// The reason.
        why: String,
    },
}

impl From<Problem> for ViewError {
    fn from(problem: Problem) -> Self {
        Self::Problem(Box::new(problem))
    }
}

impl From<Snapshot> for MatchView {
    fn from(snapshot: Snapshot) -> Self {
        Self(snapshot)
    }
}

impl Deref for MatchView {
    type Target = Snapshot;

    fn deref(&self) -> &Snapshot {
        &self.0
    }
}

impl MatchView {
    /// Whether the match has ended.
    pub fn has_ended(&self) -> bool {
        self.state == MatchState::Ended
    }

    /// The player in a seat, if it is taken.
    pub const fn player(&self, seat: Seat) -> Option<&PlayerView> {
        match seat {
            Seat::One => Some(&self.0.players.one),
            Seat::Two => self.0.players.two.as_ref(),
        }
    }

    /// The seed that a seat has brought or committed to; none if the seat is not taken.
    pub const fn seed(&self, seat: Seat) -> Option<&SeatSeed> {
        match seat {
            Seat::One => Some(&self.0.dice.seeds.one),
            Seat::Two => self.0.dice.seeds.two.as_ref(),
        }
    }

    /// Replaces the view by a snapshot at the same event, which has more fields. Ignores other snapshots.
    pub fn refresh(&mut self, snapshot: Snapshot) {
        if snapshot.id == self.id && snapshot.head == self.head {
            self.0 = snapshot;
        }
    }

    /// Sets whether a player is connected. Returns whether that has changed.
    pub fn set_connected(&mut self, seat: Seat, connected: bool) -> bool {
        let player = match seat {
            Seat::One => Some(&mut self.0.players.one),
            Seat::Two => self.0.players.two.as_mut(),
        };
        player.is_some_and(|player| std::mem::replace(&mut player.connected, connected) != connected)
    }

    /// Applies the next event. A known event changes nothing. A turn without its position is played by the
    /// rules.
    ///
    /// # Errors
    /// [`ViewError::Gap`] if events are missing before it; for a turn without its position those of
    /// [`MatchView::turn`], and [`ViewError::Unplayable`]. The view is unchanged then.
    pub fn follow(&mut self, event: &Event) -> Result<(), ViewError> {
        if event.seq <= self.head {
            return Ok(());
        }
        if event.seq != self.head + 1 {
            return Err(ViewError::Gap { expected: self.head + 1, found: event.seq });
        }
        let position = self.position_after(event)?;
        let now = &mut self.0;
        now.head = event.seq;
        now.updated_at = event.at;
        // Only the next snapshot contains them again.
        (now.pips, now.tafl, now.deadline_at) = (None, None, None);
        (now.may_offer_draw, now.may_take_back) = (None, None);
        match &event.kind {
            EventKind::Joined { player, seed } => {
                now.players.two = Some(PlayerView {
                    id: player.id,
                    name: player.name.clone(),
                    kind: player.kind,
                    level: player.level,
                    connected: true,
                    gone_since_at: None,
                });
                now.dice.seeds.two = Some(seed.clone());
                now.state = MatchState::AwaitingSeeds;
            }
            EventKind::SeedRevealed { seat, seed } => {
                let brought = SeatSeed::Brought { seed: seed.clone() };
                match seat {
                    Seat::One => now.dice.seeds.one = brought,
                    Seat::Two => now.dice.seeds.two = Some(brought),
                }
            }
            EventKind::GameStarted { game_number, sides, clocks_ms, .. } => {
                now.state = MatchState::Playing;
                now.game_number = *game_number;
                now.sides = Some(*sides);
                self.stand(event, position, *clocks_ms);
            }
            EventKind::OpeningThrown { white, black, begins: Some(begins), .. } => {
                self.give_turn(event, *begins, vec![*white, *black]);
            }
            EventKind::Thrown { side, dice, .. } => self.give_turn(event, *side, dice.clone()),
            EventKind::Turned { seat, clocks_ms, .. } => {
                now.turns += 1;
                // A turn declines the other's offer.
                now.draw_offered_by = now.draw_offered_by.filter(|by| by == seat);
                now.takeback_offer = None;
                self.stand(event, position, *clocks_ms);
            }
            EventKind::Passed { .. } => now.to_play = None,
            EventKind::TakenBack { side, turns, dice, clocks_ms, .. } => {
                now.turns = *turns;
                now.takebacks = Some(now.takebacks.unwrap_or(0) + 1);
                (now.draw_offered_by, now.takeback_offer) = (None, None);
                self.stand(event, position, *clocks_ms);
                self.give_turn(event, *side, dice.clone());
            }
            EventKind::TakebackOffered { seat, turned } => {
                now.takeback_offer = Some(TakebackOffer { seat: *seat, turned: *turned });
            }
            EventKind::TakebackDeclined { .. } => now.takeback_offer = None,
            EventKind::DrawOffered { seat } => now.draw_offered_by = Some(*seat),
            EventKind::DrawDeclined { .. } => now.draw_offered_by = None,
            EventKind::GameEnded { score, .. } => {
                now.score = *score;
                (now.to_play, now.clocks) = (None, None);
                (now.draw_offered_by, now.takeback_offer) = (None, None);
            }
            EventKind::MatchEnded { result, winner_seat, reason, by_seat } => {
                now.state = MatchState::Ended;
                now.to_play = None;
                now.result = Some(ResultView {
                    result: *result,
                    winner_seat: *winner_seat,
                    reason: *reason,
                    by_seat: *by_seat,
                });
            }
            EventKind::Rated { constants, seats } => {
                let (constants, seats) = (*constants, *seats);
                now.ratings = Some(MatchRatings { constants, seats, taken_back: None });
            }
            EventKind::Unrated { reason } => {
                if let Some(ratings) = &mut now.ratings {
                    ratings.taken_back = Some(*reason);
                }
            }
            EventKind::RematchOffered { seat, .. } => {
                now.rematch = Some(RematchView { offered_by: Some(*seat), next: None });
            }
            EventKind::RematchDeclined { .. } => now.rematch = None,
            EventKind::RematchAgreed { next } => {
                now.rematch = Some(RematchView { offered_by: None, next: Some(*next) });
            }
            EventKind::Created { .. }
            | EventKind::Credited { .. }
            | EventKind::OpeningThrown { begins: None, .. } => {}
        }
        Ok(())
    }

    /// The position after an event; none if it does not change.
    fn position_after(&self, event: &Event) -> Result<Option<Position>, ViewError> {
        match &event.kind {
            EventKind::GameStarted { position, .. }
            | EventKind::TakenBack { position, .. }
            | EventKind::Turned { position: Some(position), .. } => Ok(Some(position.clone())),
            EventKind::Turned { position: None, answers, steps, .. } => {
                self.position_played(event.seq, *answers, steps).map(Some)
            }
            EventKind::Created { .. }
            | EventKind::Joined { .. }
            | EventKind::SeedRevealed { .. }
            | EventKind::OpeningThrown { .. }
            | EventKind::Thrown { .. }
            | EventKind::Passed { .. }
            | EventKind::TakebackOffered { .. }
            | EventKind::TakebackDeclined { .. }
            | EventKind::DrawOffered { .. }
            | EventKind::DrawDeclined { .. }
            | EventKind::Credited { .. }
            | EventKind::GameEnded { .. }
            | EventKind::MatchEnded { .. }
            | EventKind::Rated { .. }
            | EventKind::Unrated { .. }
            | EventKind::RematchOffered { .. }
            | EventKind::RematchDeclined { .. }
            | EventKind::RematchAgreed { .. } => Ok(None),
        }
    }

    /// The position after the present turn, played with these steps.
    fn position_played(&self, seq: u32, answers: u32, steps: &[TakenStep]) -> Result<Position, ViewError> {
        let unplayable = |why: String| ViewError::Unplayable { seq, why };
        if self.to_play.as_ref().is_none_or(|to_play| to_play.seq != answers) {
            return Err(unplayable(format!("no turn was given by event {answers}")));
        }
        let mut turn = self.turn()?.ok_or_else(|| unplayable("no turn is to be played".to_owned()))?;
        for step in steps {
            turn.play(&step.step()).map_err(|why| unplayable(why.to_string()))?;
        }
        // The history decides only whether the game is drawn, not the position.
        let end = turn.end(&History::default()).map_err(|why| unplayable(why.to_string()))?;
        Ok(wire::position(&end.position.setup(), self.game))
    }

    /// Sets the position. In a game without dice the side to move has the turn at once.
    fn stand(&mut self, event: &Event, position: Option<Position>, clocks_ms: Option<BySeat<u64>>) {
        self.0.clocks =
            clocks_ms.map(|remaining_ms| ClocksView { remaining_ms, running_seat: None, deadline_at: None });
        self.0.position = position;
        self.0.to_play = None;
        let to_move = self.0.position.as_ref().map(|position| match position {
            Position::Tables(TablesPosition { to_move, .. })
            | Position::Tafl(TaflPosition { to_move, .. }) => *to_move,
        });
        if let (0, Some(to_move)) = (self.game.dice(), to_move) {
            self.give_turn(event, to_move, Vec::new());
        }
    }

    fn give_turn(&mut self, event: &Event, side: SideName, dice: Vec<Die>) {
        let seat = match &self.sides {
            Some(sides) if sides.two == side => Seat::Two,
            Some(_) | None => Seat::One,
        };
        self.0.to_play =
            Some(ToPlay { seat, side, seq: event.seq, dice, since_at: event.at, first_turn: false });
        if let Some(Position::Tables(TablesPosition { to_move, .. })) = &mut self.0.position {
            *to_move = side;
        }
    }

    /// The present turn, for the rules; none if it is nobody's turn.
    ///
    /// # Errors
    /// If the rules do not allow the game or position.
    pub fn turn(&self) -> Result<Option<Turn>, ViewError> {
        let (Some(to_play), Some(position)) = (&self.to_play, &self.position) else { return Ok(None) };
        let variant = wire::variant(self.game, &self.options)?;
        let position = rules::Position::recorded(variant, &wire::setup(variant.game(), position)?)?;
        Ok(position.turn(&to_play.dice).ok())
    }

    /// A legal turn, each of its steps chosen by `random`; none if it is nobody's turn, or if nothing can be
    /// played: such a turn passes automatically.
    ///
    /// # Errors
    /// If the rules do not allow the game or position.
    pub fn choose(&self, random: &mut impl Rng) -> Result<Option<Vec<Step>>, ViewError> {
        let Some(mut turn) = self.turn()? else { return Ok(None) };
        let mut chosen = Vec::new();
        loop {
            let mut steps = turn.steps();
            if steps.is_empty() {
                return Ok((!chosen.is_empty()).then_some(chosen));
            }
            let step = steps.swap_remove(random.random_range(..steps.len()));
            turn.play(&step).expect("a step that is listed is legal");
            chosen.push(step);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    const ID: &str = "0190a6c2-7b1e-7cc3-98c4-dc0c0c07398f";

    fn made() -> MatchView {
        let player = json!({"id": ID, "name": "Agathias", "kind": "person", "connected": true});
        let snapshot: Snapshot = serde_json::from_value(json!({
            "id": ID, "head": 2, "created_at": 1, "updated_at": 2, "server_time": 3, "game": "tavla",
            "options": {}, "points": 1, "clock": {"kind": "none"}, "admission": "open", "side": "lot",
            "state": "playing", "players": {"1": player, "2": player}, "score": {"1": 0, "2": 0},
            "game_number": 0, "turns": 0,
            "dice": {"scheme": "lusoria-dice-v1", "commitment": "00".repeat(32),
                "seeds": {"1": {"kind": "drawn", "seed": "a"}, "2": {"kind": "drawn", "seed": "b"}}},
        }))
        .expect("a snapshot");
        snapshot.into()
    }

    fn follow(view: &mut MatchView, mut event: Value) -> Result<(), ViewError> {
        event["match"] = json!(ID);
        if event["seq"].is_null() {
            event["seq"] = json!(view.head + 1);
        }
        event["at"] = json!(4);
        view.follow(&serde_json::from_value(event).expect("an event"))
    }

    fn position(to_move: &str) -> Value {
        let start = rules::Position::start(wire::variant(made().game, &made().options).expect("a variant"));
        let mut position = json!(wire::position(&start.setup(), rules::Game::Tavla));
        position["to_move"] = json!(to_move);
        position
    }

    fn turned(seat: u8, side: &str, next: &str) -> Value {
        json!({"type": "turned", "seat": seat, "side": side, "answers": 4, "steps": [],
            "notation": "24/18", "position": position(next)})
    }

    #[test]
    fn turns_are_counted_without_passes_and_events_come_in_order() {
        let mut view = made();
        let started = json!({"type": "game_started", "game_number": 1, "position": position("white"),
            "sides": {"1": "black", "2": "white"}});
        let thrown = json!({"type": "thrown", "seat": 2, "side": "white", "throw": 0, "dice": [6, 1]});
        follow(&mut view, started).unwrap();
        assert!(view.to_play.is_none() && view.turn().unwrap().is_none(), "nothing is thrown yet");
        follow(&mut view, thrown).unwrap();
        let to_play = view.to_play.clone().expect("it is white's turn");
        assert_eq!((to_play.seat, to_play.seq), (Seat::Two, 4));
        assert!(view.turn().unwrap().is_some());
        follow(&mut view, turned(2, "white", "black")).unwrap();
        follow(&mut view, json!({"type": "passed", "seat": 1, "side": "black"})).unwrap();
        assert_eq!((view.turns, view.head, &view.to_play), (1, 6, &None));
        follow(&mut view, json!({"type": "draw_declined", "seat": 1, "seq": 6})).unwrap();
        assert_eq!(view.head, 6, "an event that is known changes nothing");
        let gap = follow(&mut view, json!({"type": "draw_declined", "seat": 1, "seq": 8}));
        assert!(matches!(gap, Err(ViewError::Gap { expected: 7, found: 8 })));
    }

    #[test]
    fn playing_on_declines_an_offer_of_the_other_side_alone() {
        let mut view = made();
        follow(&mut view, json!({"type": "draw_offered", "seat": 2})).unwrap();
        follow(&mut view, turned(2, "white", "black")).unwrap();
        assert_eq!(view.draw_offered_by, Some(Seat::Two), "the offer is the mover's own");
        follow(&mut view, turned(1, "black", "white")).unwrap();
        assert_eq!(view.draw_offered_by, None);
    }
}
