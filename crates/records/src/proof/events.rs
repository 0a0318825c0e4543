//! The claims that each event of a record adds, if the event may come then.

use lusoria_dice::GAMES_MAX;
use lusoria_protocol::{EventKind, Hash, PlayAs, PlayerSeed, Seat, SeatSeed, SideName};

use super::{
    Reason,
    claims::{Claims, GameClaim, SeedClaim, Stage},
};
use crate::replay::white_seat;

impl Claims {
    /// Adds the next event.
    pub(crate) fn take(&mut self, seq: u32, kind: &EventKind) {
        if let EventKind::Created { game, side, commitment, seed, .. } = kind {
            return self.made(seq, (*game, *side), commitment, seed);
        }
        let comes_after = matches!(
            kind,
            EventKind::Rated { .. }
                | EventKind::Unrated { .. }
                | EventKind::RematchOffered { .. }
                | EventKind::RematchDeclined { .. }
                | EventKind::RematchAgreed { .. }
        );
        if !self.may_happen(seq, comes_after) {
            return;
        }
        match kind {
            EventKind::Joined { seed, .. } => self.joined(seq, seed),
            EventKind::SeedRevealed { seat, seed } => self.reveal(seq, *seat, seed),
            EventKind::GameStarted { game_number, sides, .. } => {
                if is_white(sides.one) == is_white(sides.two) {
                    self.fault(Reason::Lot, format!("event {seq}: both seats play the same side"));
                }
                self.start(seq, *game_number, white_seat(*sides));
            }
            EventKind::OpeningThrown { throw, white, black, .. } => {
                self.threw(seq, *throw, vec![(*white).into(), (*black).into()]);
            }
            EventKind::Thrown { throw, dice, .. } => {
                self.threw(seq, *throw, dice.iter().map(|&die| die.into()).collect());
            }
            EventKind::TakenBack { to, dice, .. } => {
                let dice: Vec<u8> = dice.iter().map(|&die| die.into()).collect();
                self.taken_back(seq, *to, Some(&dice));
            }
            EventKind::GameEnded { game_number, secret, .. } => self.end(seq, *game_number, secret),
            EventKind::MatchEnded { .. } => self.match_ended(seq),
            EventKind::Created { .. }
            | EventKind::Turned { .. }
            | EventKind::Passed { .. }
            | EventKind::TakebackOffered { .. }
            | EventKind::TakebackDeclined { .. }
            | EventKind::DrawOffered { .. }
            | EventKind::DrawDeclined { .. }
            | EventKind::Credited { .. }
            | EventKind::Rated { .. }
            | EventKind::Unrated { .. }
            | EventKind::RematchOffered { .. }
            | EventKind::RematchDeclined { .. }
            | EventKind::RematchAgreed { .. } => {}
        }
    }

    /// Whether an event other than the first may come now. After the end of the match only events with
    /// `comes_after` may: ratings, and a rematch.
    pub(crate) fn may_happen(&mut self, seq: u32, comes_after: bool) -> bool {
        match self.stage {
            Stage::Unmade => {
                self.fault(Reason::Order, format!("event {seq}: a match begins with its making"));
                // Reported once.
                self.stage = Stage::Between;
                true
            }
            Stage::Over if !comes_after => {
                self.fault(Reason::Order, format!("event {seq}: the match has ended before"));
                false
            }
            Stage::Between | Stage::Playing | Stage::Over => true,
        }
    }

    fn made(
        &mut self,
        seq: u32,
        (game, side): (lusoria_protocol::Game, PlayAs),
        commitment: &Hash,
        seed: &SeatSeed,
    ) {
        if self.stage != Stage::Unmade {
            return self.fault(Reason::Order, format!("event {seq}: the match is made a second time"));
        }
        self.stage = Stage::Between;
        if *commitment != self.commitment {
            self.fault(Reason::Commitment, "the record names two commitments");
        }
        if game != self.game {
            self.fault(Reason::Order, "the record names two games");
        }
        if side != self.side {
            self.fault(Reason::Lot, "the record names two sides that were asked for");
        }
        self.seeds[0] = Some(SeedClaim::of(seed));
    }

    fn joined(&mut self, seq: u32, seed: &SeatSeed) {
        if self.seeds[1].is_some() {
            return self.fault(Reason::Seed, format!("event {seq}: seat 2 joins a second time"));
        }
        self.seeds[1] = Some(SeedClaim::of(seed));
    }

    fn reveal(&mut self, seq: u32, seat: Seat, seed: &PlayerSeed) {
        let number = u8::from(seat);
        let promised = &mut self.seeds[usize::from(number - 1)];
        if let Some(SeedClaim { hash: Some(_), seed: known @ None, .. }) = promised {
            *known = Some(seed.clone());
        } else {
            let why = format!("event {seq}: seat {number} reveals a seed that was not awaited");
            self.fault(Reason::Seed, why);
        }
    }

    pub(crate) fn start(&mut self, seq: u32, number: u16, white: Seat) {
        if let (Stage::Playing, Some(GameClaim { number: before, .. })) = (self.stage, self.games.last()) {
            let why = format!("event {seq}: game {number} begins before game {before} has ended");
            self.fault(Reason::Order, why);
        }
        self.stage = Stage::Between;
        if self.games.len() >= usize::from(GAMES_MAX) {
            return self.fault(Reason::Order, format!("event {seq}: more than {GAMES_MAX} games"));
        }
        let expected = self.games.len() + 1;
        if usize::from(number) != expected {
            let why = format!("event {seq}: game {number} begins where game {expected} must");
            self.fault(Reason::Order, why);
        }
        if !self.seeds.iter().all(|seed| seed.as_ref().is_some_and(|seed| seed.seed.is_some())) {
            let why = format!("event {seq}: game {number} begins before both seeds are revealed");
            self.fault(Reason::Seed, why);
        }
        let chosen = match self.side {
            PlayAs::Lot => None,
            PlayAs::White | PlayAs::Defenders => Some(Seat::One),
            PlayAs::Black | PlayAs::Attackers => Some(Seat::Two),
        };
        if self.games.is_empty() && chosen.is_some_and(|chosen| chosen != white) {
            let why = format!("event {seq}: seat 1 does not play the side that it had asked for");
            self.fault(Reason::Lot, why);
        }
        self.games.push(GameClaim {
            number,
            white,
            secret: None,
            throws: Vec::new(),
            seqs: Vec::new(),
            given: Vec::new(),
            again: None,
        });
        self.stage = Stage::Playing;
    }

    pub(crate) fn threw(&mut self, seq: u32, index: u32, dice: Vec<u8>) {
        let count = self.game.dice();
        if dice.len() != count {
            let why = format!("event {seq}: a throw of this game has {count} dice, not {}", dice.len());
            return self.fault(Reason::Die, why);
        }
        let threw = match self.games.last_mut().filter(|_| self.stage == Stage::Playing) {
            Some(game) => game.threw(seq, index, dice),
            None => Err((Reason::Order, "a throw outside any game".to_owned())),
        };
        self.note(seq, threw);
    }

    /// The throws after the turn given by event `to` come again. A text does not repeat the dice.
    pub(crate) fn taken_back(&mut self, seq: u32, to: u32, dice: Option<&[u8]>) {
        if self.game.dice() == 0 {
            return;
        }
        let taken_back = match self.games.last_mut().filter(|_| self.stage == Stage::Playing) {
            Some(game) => game.take_back(seq, to, dice),
            None => Err((Reason::Order, "a turn is taken back outside any game".to_owned())),
        };
        self.note(seq, taken_back);
    }

    fn note(&mut self, seq: u32, done: Result<(), (Reason, String)>) {
        if let Err((reason, why)) = done {
            self.fault(reason, format!("event {seq}: {why}"));
        }
    }

    fn end(&mut self, seq: u32, number: u16, secret: &Hash) {
        match self.games.last_mut().filter(|_| self.stage == Stage::Playing) {
            Some(game) if game.number == number => {
                game.secret = Some(*secret);
                self.stage = Stage::Between;
            }
            Some(_) | None => {
                let why = format!("event {seq}: game {number} ends, but it is not the one being played");
                self.fault(Reason::Order, why);
            }
        }
    }

    fn match_ended(&mut self, seq: u32) {
        if let (Stage::Playing, Some(GameClaim { number, .. })) = (self.stage, self.games.last()) {
            let why = format!("event {seq}: the match ends before game {number} has ended");
            self.fault(Reason::Order, why);
        }
        self.stage = Stage::Over;
    }
}

/// Whether the side is White, or in a tafl game the king's side.
const fn is_white(side: SideName) -> bool {
    match side {
        SideName::White | SideName::Defenders => true,
        SideName::Black | SideName::Attackers => false,
    }
}
