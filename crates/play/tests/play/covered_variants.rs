//! The variants of events that the golden journals cover.
//!
//! The names of the variants are beside the patterns that recognise them, and no pattern is a wildcard: the
//! compiler leads a new variant here, and the test of golden journals requires a journal with it.

use std::collections::BTreeSet;

use lusoria_play::{
    AbortReason, Admission, Clock, Colours, Event, GameEnd, Length, MatchEnd, Player, PlayerKind, SeatSeed,
    TakenStep, Terms, UnratedReason,
};
use lusoria_rules::{Call, Mother, Reason, Setup, Shift, Throne, Variant};

/// The variants found.
#[derive(Default)]
pub(crate) struct CoveredVariants(BTreeSet<&'static str>);

macro_rules! variants {
    ($($function:ident: $type:ty { $($pattern:pat $(if $guard:expr)? => $name:literal,)+ })+) => {
        impl CoveredVariants {
            $(fn $function(&mut self, value: &$type) {
                self.0.insert(match value { $($pattern $(if $guard)? => $name,)+ });
            })+
        }

        /// All of them.
        const ALL: &[&str] = &[$($($name,)+)+];
    };
}

variants! {
    event: Event {
        Event::Created { tournament: Some(_), .. } => "created for a tournament",
        Event::Created { .. } => "created",
        Event::Joined { .. } => "joined",
        Event::SeedRevealed { .. } => "seed_revealed",
        Event::GameStarted { .. } => "game_started",
        Event::OpeningThrown { begins: None, .. } => "opening_thrown, equal dice",
        Event::OpeningThrown { begins: Some(_), .. } => "opening_thrown",
        Event::Thrown { .. } => "thrown",
        Event::Turned { lag_ms: None, .. } => "turned",
        Event::Turned { lag_ms: Some(_), .. } => "turned over a line",
        Event::Passed { .. } => "passed",
        Event::TakenBack { dice, .. } if dice.is_empty() => "taken_back without dice",
        Event::TakenBack { .. } => "taken_back",
        Event::TakebackOffered { .. } => "takeback_offered",
        Event::TakebackDeclined { .. } => "takeback_declined",
        Event::DrawOffered { .. } => "draw_offered",
        Event::DrawDeclined { .. } => "draw_declined",
        Event::Credited { .. } => "credited",
        Event::GameEnded { .. } => "game_ended",
        Event::MatchEnded { .. } => "match_ended",
        Event::Rated { .. } => "rated",
        Event::Unrated { .. } => "unrated",
        Event::RematchOffered { seed_hash: None, .. } => "rematch_offered",
        Event::RematchOffered { seed_hash: Some(_), .. } => "rematch_offered with a seed",
        Event::RematchDeclined { .. } => "rematch_declined",
        Event::RematchAgreed { .. } => "rematch_agreed",
    }
    game_end: GameEnd {
        GameEnd::Rules(_) => "game by the rules",
        GameEnd::Resigned => "game resigned",
        GameEnd::Agreed => "game agreed",
        GameEnd::Time => "game on time",
        GameEnd::NoShow => "game by no-show",
        GameEnd::Claimed => "game claimed",
        GameEnd::Aborted => "game aborted",
    }
    reason: Reason {
        Reason::BorneOff => "borne_off",
        Reason::Mars => "mars",
        Reason::Mother => "mother",
        Reason::DeadDraw => "dead_draw",
        Reason::DeadPosition => "dead_position",
        Reason::KingEscaped => "king_escaped",
        Reason::KingCaptured => "king_captured",
        Reason::NoMove => "no_move",
        Reason::Repetition => "repetition",
        Reason::Drought => "drought",
    }
    match_end: MatchEnd {
        MatchEnd::Won(_) => "match won",
        MatchEnd::Drawn => "match drawn",
        MatchEnd::Aborted(_) => "match aborted",
    }
    abort_reason: AbortReason {
        AbortReason::Withdrawn => "withdrawn",
        AbortReason::Expired => "expired",
        AbortReason::Player(_) => "aborted by a player",
        AbortReason::SeedNotRevealed(_) => "seed not revealed",
        AbortReason::NoShow(_) => "match by no-show",
        AbortReason::Abandoned => "abandoned",
        AbortReason::Operator => "ended by the operator",
    }
    unrated_reason: UnratedReason {
        UnratedReason::Leaving => "unrated for leaving",
        UnratedReason::Help => "unrated for help",
        UnratedReason::TwoAccounts => "unrated for two accounts",
        UnratedReason::Arranged => "unrated because arranged",
        UnratedReason::Mistake => "unrated by mistake",
    }
    seed: SeatSeed {
        SeatSeed::Brought(_) => "seed brought",
        SeatSeed::Drawn(_) => "seed drawn",
        SeatSeed::Hash(_) => "seed hashed",
    }
    kind: PlayerKind {
        PlayerKind::Person => "person",
        PlayerKind::Bot => "bot",
        PlayerKind::Computer(_) => "computer",
    }
    clock: Clock {
        Clock::None {} => "no clock",
        Clock::Fischer { .. } => "fischer",
        Clock::Delay { .. } => "delay",
        Clock::Days { .. } => "days",
    }
    length: Length {
        Length::Points(1) => "single",
        Length::Points(_) => "series",
        Length::Pair => "pair",
    }
    stake: bool {
        false => "casual",
        true => "terms rated",
    }
    colours: Colours {
        Colours::Lot => "lot",
        Colours::SeatOne(_) => "colour of seat 1",
    }
    admission: Admission {
        Admission::Open => "open",
        Admission::Invitation => "by invitation",
        Admission::BothSeats => "both seats",
    }
    variant: Variant {
        Variant::Zeno { shift: Shift::Throw } => "zeno",
        Variant::Zeno { shift: Shift::Die } => "zeno, shift by die",
        Variant::Tavla { mother: Mother::PlayOn } => "tavla",
        Variant::Tavla { mother: Mother::DoubleLoss } => "tavla, double loss",
        Variant::Scripta { row_a_gate: true } => "scripta",
        Variant::Scripta { row_a_gate: false } => "scripta without gate",
        Variant::Tabula => "tabula",
        Variant::Tablut { throne: Throne::King } => "tablut",
        Variant::Tablut { throne: Throne::Closed } => "tablut, closed throne",
    }
    call: Call {
        Call::Raichi => "raichi",
        Call::Tuichu => "tuichu",
    }
    position: Setup {
        Setup::Tables { .. } => "position of tables",
        Setup::Tafl { .. } => "position of tafl",
    }
    taken: TakenStep {
        TakenStep { hit: true, .. } => "hit",
        TakenStep { hit: false, pin: true, .. } => "pin",
        TakenStep { hit: false, pin: false, captures, .. } if captures.is_empty() => "nothing done to the enemy",
        TakenStep { hit: false, pin: false, .. } => "captures",
    }
}

impl CoveredVariants {
    /// Notes an event's variant, and everything in it.
    pub(crate) fn note_event(&mut self, event: &Event) {
        self.event(event);
        match event {
            Event::Created { terms, creator, seed, made_by, .. } => {
                self.terms(terms);
                self.player(creator);
                self.seed(seed);
                if let Some(maker) = made_by {
                    self.player(maker);
                }
            }
            Event::Joined { player, seed } => {
                self.player(player);
                self.seed(seed);
            }
            Event::GameStarted { position, .. } | Event::TakenBack { position, .. } => {
                self.position(position);
            }
            Event::Turned { steps, position, call, .. } => {
                for taken in steps {
                    self.taken(taken);
                }
                self.position(position);
                if let Some(call) = call {
                    self.call(call);
                }
            }
            Event::GameEnded { reason, .. } => {
                self.game_end(reason);
                if let GameEnd::Rules(reason) = reason {
                    self.reason(reason);
                }
            }
            Event::MatchEnded { end } => {
                self.match_end(end);
                if let MatchEnd::Aborted(reason) = end {
                    self.abort_reason(reason);
                }
            }
            Event::Unrated { reason } => self.unrated_reason(reason),
            Event::SeedRevealed { .. }
            | Event::OpeningThrown { .. }
            | Event::Thrown { .. }
            | Event::Passed { .. }
            | Event::TakebackOffered { .. }
            | Event::TakebackDeclined { .. }
            | Event::DrawOffered { .. }
            | Event::DrawDeclined { .. }
            | Event::Credited { .. }
            | Event::Rated { .. }
            | Event::RematchOffered { .. }
            | Event::RematchDeclined { .. }
            | Event::RematchAgreed { .. } => {}
        }
    }

    fn terms(&mut self, Terms { variant, length, clock, colours, admission, rated }: &Terms) {
        self.length(length);
        self.stake(rated);
        self.variant(variant);
        self.clock(clock);
        self.colours(colours);
        self.admission(admission);
    }

    fn player(&mut self, player: &Player) {
        self.kind(&player.kind);
    }

    /// The variants not found.
    pub(crate) fn missing(&self) -> Vec<&'static str> {
        ALL.iter().copied().filter(|name| !self.0.contains(name)).collect()
    }
}
