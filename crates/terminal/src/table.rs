//! A match as it is after each event.

use lusoria_protocol::{
    BySeat, CatalogueEntry, ClocksView, Event, EventKind, MatchState, PlayerView, Position, RematchView,
    ResultView, Seat, SeatSeed, SideName, Snapshot, TablesPosition, ToPlay,
};

use super::board::Of;

/// A match that one sits at: what is known of it, and as whom one does.
pub(super) struct Table {
    /// What game it is.
    pub(super) entry: CatalogueEntry,
    /// How it stands.
    pub(super) now: Snapshot,
    /// Whether the board is turned by a half.
    pub(super) turned: bool,
}

impl Table {
    pub(super) const fn new(entry: CatalogueEntry, now: Snapshot) -> Self {
        Self { entry, now, turned: false }
    }

    /// One's own seats; none for who only watches.
    pub(super) fn mine(&self) -> &[Seat] {
        self.now.your_seats.as_deref().unwrap_or_default()
    }

    /// Whose turn it is, if it is one's own.
    pub(super) fn my_turn(&self) -> Option<&ToPlay> {
        self.now.to_play.as_ref().filter(|to_play| self.mine().contains(&to_play.seat))
    }

    /// Whether one plays both sides.
    pub(super) fn both_mine(&self) -> bool {
        self.mine().len() > 1
    }

    /// The seat that one speaks for.
    pub(super) fn my_seat(&self) -> Option<Seat> {
        let to_play = self.my_turn().map(|to_play| to_play.seat);
        to_play.or_else(|| self.mine().first().copied())
    }

    pub(super) fn player(&self, seat: Seat) -> Option<&PlayerView> {
        match seat {
            Seat::One => Some(&self.now.players.one),
            Seat::Two => self.now.players.two.as_ref(),
        }
    }

    pub(super) fn side(&self, seat: Seat) -> Option<SideName> {
        self.now.sides.map(|sides| *of_seat(&sides, seat))
    }

    /// What a side is called.
    pub(super) fn side_name(&self, side: SideName) -> &str {
        let entry = self.entry.sides.iter().find(|entry| entry.id == side);
        entry.map_or("?", |entry| entry.name.as_str())
    }

    /// The side below on the board: one's own; who watches sees it as the first side does.
    pub(super) fn viewer(&self) -> Of {
        let seat = if self.both_mine() { None } else { self.my_seat() };
        seat.and_then(|seat| self.side(seat)).map_or(Of::First, Of::side)
    }

    /// What the dice of a seat must still add up to, in a game of dice.
    pub(super) fn pips(&self, seat: Seat) -> Option<u32> {
        self.now.pips.as_ref().map(|pips| *of_seat(pips, seat))
    }

    /// What has just happened.
    pub(super) fn follow(&mut self, event: &Event) {
        let now = &mut self.now;
        now.head = event.seq;
        now.updated_at = event.at;
        // These are told anew with the next snapshot.
        (now.pips, now.tafl) = (None, None);
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
            EventKind::GameStarted { game_number, sides, position, clocks_ms } => {
                now.state = MatchState::Playing;
                now.game_number = *game_number;
                now.sides = Some(*sides);
                now.position = Some(position.clone());
                self.set_clocks(*clocks_ms);
                self.give_without_dice(event);
            }
            EventKind::OpeningThrown { white, black, begins: Some(begins), .. } => {
                self.give(event, *begins, vec![*white, *black]);
            }
            EventKind::Created { .. }
            | EventKind::Credited { .. }
            | EventKind::OpeningThrown { begins: None, .. } => {}
            EventKind::Thrown { side, dice, .. } => self.give(event, *side, dice.clone()),
            EventKind::Turned { seat, position, clocks_ms, .. } => {
                now.turns += 1;
                now.position = Some(position.clone());
                if now.draw_offered_by.is_some_and(|by| by != *seat) {
                    now.draw_offered_by = None;
                }
                self.set_clocks(*clocks_ms);
                self.give_without_dice(event);
            }
            EventKind::Passed { .. } => {
                now.turns += 1;
                now.to_play = None;
            }
            EventKind::DrawOffered { seat } => now.draw_offered_by = Some(*seat),
            EventKind::DrawDeclined { .. } => now.draw_offered_by = None,
            EventKind::GameEnded { score, .. } => {
                now.score = *score;
                (now.to_play, now.clocks, now.draw_offered_by) = (None, None, None);
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
            EventKind::RematchOffered { seat, .. } => {
                now.rematch = Some(RematchView { offered_by: Some(*seat), next: None });
            }
            EventKind::RematchDeclined { .. } => now.rematch = None,
            EventKind::RematchAgreed { next } => {
                now.rematch = Some(RematchView { offered_by: None, next: Some(*next) });
            }
        }
    }

    /// Takes over what a newer snapshot tells, if it is of the same moment.
    pub(super) fn refresh(&mut self, snapshot: Snapshot) {
        if snapshot.id == self.now.id && snapshot.head == self.now.head {
            self.now = snapshot;
        }
    }

    fn set_clocks(&mut self, clocks_ms: Option<BySeat<u64>>) {
        self.now.clocks =
            clocks_ms.map(|remaining_ms| ClocksView { remaining_ms, running_seat: None, deadline_at: None });
    }

    /// Tablut: who is to move has the turn.
    fn give_without_dice(&mut self, event: &Event) {
        self.now.to_play = None;
        if self.entry.dice == 0
            && let Some(position) = &self.now.position
        {
            self.give(event, to_move(position), Vec::new());
        }
    }

    fn give(&mut self, event: &Event, side: SideName, dice: Vec<lusoria_protocol::Die>) {
        let seat = match &self.now.sides {
            Some(sides) if sides.two == side => Seat::Two,
            Some(_) | None => Seat::One,
        };
        self.now.to_play =
            Some(ToPlay { seat, side, seq: event.seq, dice, since_at: event.at, first_turn: false });
        if let Some(Position::Tables(TablesPosition { to_move, .. })) = &mut self.now.position {
            *to_move = side;
        }
    }
}

const fn to_move(position: &Position) -> SideName {
    match position {
        Position::Tables(position) => position.to_move,
        Position::Tafl(position) => position.to_move,
    }
}

/// What is a seat's.
pub(super) const fn of_seat<T>(both: &BySeat<T>, seat: Seat) -> &T {
    match seat {
        Seat::One => &both.one,
        Seat::Two => &both.two,
    }
}
