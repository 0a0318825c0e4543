//! Random matches compared with the model: for any commands in any order, both must give the same responses.

use lusoria_play::{
    Admission, Clock, Colours, Command, Event, Length, MatchId, Millis, PlayerId, Seat, SeedBrought, Terms,
    taken_back,
};
use lusoria_rules::{Game, Side, Step, Variant};
use proptest::{collection::vec, prelude::*};
use uuid::Uuid;

use crate::{
    bench::{BLITZ, Bench, CREATOR, DAYS, DELAY, JOINER, MINUTE, START, STRANGER, creation, player, seed},
    chance::{Foretold, hash, mix},
    model::{Act, Answers, Model, Who},
};

/// One action of a test; the numbers choose among what is possible at that point.
#[derive(Debug, Clone)]
enum Move {
    /// The side to play plays a legal turn.
    Play(u64),
    /// Time passes, but nothing runs out.
    Wait(Millis),
    /// Time passes until a millisecond before the deadline, or this much after it.
    RunOut { early: bool, after: Millis },
    /// A player requests something, sensible or not.
    Ask(Act),
    /// A turn that is cut short, continues for too long, or is illegal.
    Spoil { who: Who, how: u8, number: u64 },
    /// The server was not running in the latter part of the time since the last event.
    Outage { part: u8, again: bool },
}

fn who() -> impl Strategy<Value = Who> {
    prop_oneof![8 => Just(Who::Creator), 8 => Just(Who::Joiner), 1 => Just(Who::Stranger)]
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        3 => who().prop_map(Act::Join),
        3 => (who(), any::<bool>()).prop_map(|(who, right)| Act::Reveal(who, right)),
        2 => (who(), any::<bool>()).prop_map(|(who, whole)| Act::Resign(who, whole)),
        4 => who().prop_map(Act::OfferDraw),
        3 => (who(), any::<bool>()).prop_map(|(who, accept)| Act::AnswerDraw(who, accept)),
        5 => (who(), who()).prop_map(|(who, of)| Act::TakeBack(who, of)),
        5 => (who(), who(), any::<bool>()).prop_map(|(who, of, accept)| Act::AnswerTakeback(who, of, accept)),
        1 => who().prop_map(Act::Abort),
        1 => (who(), 0..20 * MINUTE).prop_map(|(who, gone)| Act::Claim(who, gone)),
        2 => who().prop_map(Act::OfferRematch),
        1 => who().prop_map(Act::DeclineRematch),
        1 => who().prop_map(Act::AcceptRematch),
    ]
}

fn some_move() -> impl Strategy<Value = Move> {
    prop_oneof![
        30 => any::<u64>().prop_map(Move::Play),
        12 => (0..4 * MINUTE).prop_map(Move::Wait),
        1 => (any::<bool>(), prop_oneof![Just(0), 0..10 * MINUTE])
            .prop_map(|(early, after)| Move::RunOut { early, after }),
        8 => act().prop_map(Move::Ask),
        4 => (who(), 0_u8..6, any::<u64>()).prop_map(|(who, how, number)| Move::Spoil { who, how, number }),
        2 => (any::<u8>(), any::<bool>()).prop_map(|(part, again)| Move::Outage { part, again }),
    ]
}

fn some_terms() -> impl Strategy<Value = Terms> {
    let variant = prop::sample::select(Game::ALL.to_vec()).prop_map(Variant::standard);
    let clock = prop::sample::select(vec![Clock::None {}, BLITZ, DELAY, DAYS]);
    let colours = prop::sample::select(vec![
        Colours::Lot,
        Colours::SeatOne(Side::White),
        Colours::SeatOne(Side::Black),
    ]);
    let admission = prop_oneof![
        4 => Just(Admission::Open),
        1 => Just(Admission::Invitation),
        1 => Just(Admission::BothSeats),
    ];
    let length = prop_oneof![3 => (1_u16..4).prop_map(Length::Points), 1 => Just(Length::Pair)];
    (variant, length, clock, colours, admission, any::<bool>()).prop_map(
        |(variant, length, clock, colours, admission, rated)| {
            let terms = Terms { variant, length, clock, colours, admission, rated };
            if terms.check().is_ok() { terms } else { Terms { rated: false, ..terms } }
        },
    )
}

/// The match and the model, side by side.
struct Pair {
    bench: Bench,
    model: Model,
}

impl Pair {
    fn new(terms: Terms, hashed: bool, number: u64) -> Self {
        let chance = Foretold::from(number);
        let brought = if hashed { SeedBrought::Hash(hash(&seed("mine"))) } else { SeedBrought::Nothing };
        let bench = Bench::create(creation(terms, brought), chance.clone());
        let model = Model::new(terms, hashed, START, chance);
        let pair = Self { bench, model };
        pair.compare();
        pair
    }

    fn compare(&self) {
        self.model.compare(&self.bench.state, self.bench.now);
    }

    fn ask(&mut self, act: &Act) {
        let command = self.command(act);
        let answer = self.bench.ask(command).map(drop).map_err(|refusal| refusal.code());
        assert_eq!(answer, self.model.ask(act, self.bench.now), "{act:?}");
        self.compare();
    }

    fn make(&mut self, some: &Move) {
        match some {
            Move::Play(number) => {
                if let Some(seat) = self.bench.state.to_play().map(|to_play| to_play.seat) {
                    let steps = self.bench.some_steps(*number);
                    self.ask(&Act::Turn(self.who(seat), Answers::Right, steps, some_lag_ms(*number)));
                } else if self.bench.state.end().is_none() {
                    self.ask(&Act::Join(Who::Joiner));
                    self.ask(&Act::Reveal(Who::Creator, true));
                }
            }
            Move::Wait(ms) => {
                let last = self.bench.state.next_deadline().map_or(Millis::MAX, |deadline| deadline - 1);
                self.bench.now = (self.bench.now + ms).min(last);
                self.compare();
            }
            Move::RunOut { early, after } => self.run_out(*early, *after),
            // The player who takes the seat is the joiner: a stranger can only be too late.
            Move::Ask(Act::Join(Who::Stranger)) if self.bench.state.player(Seat::Two).is_none() => {
                self.ask(&Act::Join(Who::Joiner));
            }
            Move::Ask(act) => self.ask(act),
            Move::Spoil { who, how, number } => self.spoil(*who, *how, *number),
            Move::Outage { part, again } => {
                let (last, now) = (self.bench.state.last_at(), self.bench.now);
                let from = now - (now - last) * u64::from(*part) / 255;
                self.ask(&Act::Credit(from, now));
                if *again {
                    self.ask(&Act::Credit(from, now));
                }
            }
        }
    }

    fn run_out(&mut self, early: bool, after: Millis) {
        let Some(deadline) = self.bench.state.next_deadline() else { return };
        self.bench.now = deadline - 1;
        assert_eq!(self.bench.on_deadline(), []);
        self.compare();
        if early {
            return;
        }
        self.bench.now = deadline + after;
        for act in [Act::OfferDraw(Who::Creator), Act::Join(Who::Joiner), Act::Resign(Who::Joiner, true)] {
            self.ask(&act);
        }
        assert_ne!(self.bench.on_deadline(), []);
        self.model.run_out(self.bench.now);
        self.compare();
    }

    fn spoil(&mut self, who: Who, how: u8, number: u64) {
        let legal = self.bench.state.to_play().map(|_| self.bench.some_steps(number));
        let mut steps = legal.unwrap_or_default();
        let nonsense = Step { die: None, from: "nowhere".to_owned(), to: "e5".to_owned() };
        let mut answers = Answers::Right;
        match how {
            0 => drop(steps.pop()),
            1 => steps.push(nonsense),
            2 => steps.insert(0, nonsense),
            3 => answers = Answers::Wrong,
            4 => answers = Answers::AgainLast,
            // A whole turn by any player.
            _ => {}
        }
        self.ask(&Act::Turn(who, answers, steps, some_lag_ms(number)));
    }

    fn who(&self, seat: Seat) -> Who {
        if self.bench.id_of(seat) == CREATOR { Who::Creator } else { Who::Joiner }
    }

    fn command(&self, act: &Act) -> Command {
        match act {
            Act::Join(who) => Command::Join { player: player(id(*who)), seed: None },
            Act::Reveal(who, right) => {
                Command::RevealSeed { by: id(*who), seed: seed(if *right { "mine" } else { "yours" }) }
            }
            Act::Turn(who, answers, steps, lag_ms) => Command::Turn {
                by: id(*who),
                answers: self.answers(*who, *answers),
                steps: steps.clone(),
                thought: None,
                lag_ms: *lag_ms,
            },
            Act::Resign(who, whole_match) => Command::Resign { by: id(*who), whole_match: *whole_match },
            Act::OfferDraw(who) => Command::OfferDraw { by: id(*who) },
            Act::AnswerDraw(who, accept) => Command::AnswerDraw { by: id(*who), accept: *accept },
            Act::TakeBack(who, of) => Command::TakeBack { by: id(*who), turned: self.last_turn(*of) },
            Act::AnswerTakeback(who, of, accept) => {
                Command::AnswerTakeback { by: id(*who), turned: self.last_turn(*of), accept: *accept }
            }
            Act::Abort(who) => Command::Abort { by: id(*who) },
            Act::Claim(who, gone_ms) => Command::Claim { by: id(*who), gone_ms: *gone_ms },
            Act::OfferRematch(who) => Command::OfferRematch { by: id(*who), seed_hash: None },
            Act::DeclineRematch(who) => Command::DeclineRematch { by: id(*who) },
            Act::AcceptRematch(who) => {
                Command::AcceptRematch { by: id(*who), next: MatchId(Uuid::from_u128(9)) }
            }
            Act::Credit(from, until) => Command::Credit { from: *from, until: *until },
        }
    }

    /// The event of a player's last turn that counts in this game; another event if there is none.
    fn last_turn(&self, who: Who) -> u32 {
        let journal = &self.bench.journal;
        let undone = taken_back(journal);
        let started = journal.iter().rfind(|recorded| matches!(recorded.event, Event::GameStarted { .. }));
        let first = started.map_or(0, |recorded| recorded.seq);
        let own = journal.iter().rfind(|recorded| {
            let counts = !undone.iter().any(|events| events.contains(&recorded.seq));
            let is_own =
                matches!(recorded.event, Event::Turned { seat, .. } if self.bench.id_of(seat) == id(who));
            recorded.seq > first && counts && is_own
        });
        own.map_or(1, |recorded| recorded.seq)
    }

    fn answers(&self, who: Who, answers: Answers) -> u32 {
        match answers {
            Answers::Right => self.bench.state.to_play().map_or(0, |to_play| to_play.given_by),
            Answers::Wrong => 1,
            Answers::AgainLast => {
                let own = self.bench.journal.iter().rev().find_map(|recorded| match recorded.event {
                    Event::Turned { seat, answers, .. } if self.bench.id_of(seat) == id(who) => Some(answers),
                    _ => None,
                });
                own.unwrap_or(1)
            }
        }
    }
}

/// Mostly an ordinary lag, sometimes none, a bad one or an absurd one.
fn some_lag_ms(number: u64) -> Millis {
    match mix(!number) % 8 {
        0 => 0,
        1 => Millis::MAX,
        2 => mix(number) % 3_000,
        _ => mix(number) % 400,
    }
}

fn id(who: Who) -> PlayerId {
    match who {
        Who::Creator => CREATOR,
        Who::Joiner => JOINER,
        Who::Stranger => STRANGER,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, failure_persistence: None, ..ProptestConfig::default() })]

    /// Anything may be requested at any time.
    #[test]
    fn a_match_agrees_with_the_model(
        terms in some_terms(),
        hashed in any::<bool>(),
        number in any::<u64>(),
        moves in vec(some_move(), 1..150),
    ) {
        let mut pair = Pair::new(terms, hashed, number);
        for some in &moves {
            pair.make(some);
        }
    }

    /// Two players who only play, each at their own pace, reach the end of the match.
    #[test]
    fn two_players_who_only_play_reach_the_end(terms in some_terms(), number in any::<u64>()) {
        let mut pair = Pair::new(terms, false, number);
        for i in 0..20_000 {
            if pair.bench.state.end().is_some() {
                break;
            }
            pair.make(&Move::Wait(mix(number ^ i) % 3_000));
            pair.make(&Move::Play(mix(i)));
        }
        prop_assert!(pair.bench.state.end().is_some());
    }
}
