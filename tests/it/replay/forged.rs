//! Records in which something was changed afterwards.

use lusoria_play::{Clock, Seat as PlaySeat, Terms};
use lusoria_protocol::{
    Die, Event, EventKind, GameEnd, Hash, PlayerSeed, Position, Record, Seat, SeatSeed, SideName,
};
use lusoria_records::replay::{Fault, FaultKind, judge};
use lusoria_rules::{Game, Variant};

use lusoria_testkit::{Table, finished, terms};

/// Something that a forger does, with the number of the event at which it must be found,
/// and the beginning of what must be said.
type Forgery = (&'static str, fn(&mut Record) -> u32, &'static str);

/// Something that a forger does outside the events.
type Change = fn(&mut Record);

fn first_fault(record: &Record) -> Fault {
    judge(record).faults.into_iter().next().expect("a fault")
}

fn check(record: &Record, forgeries: &[Forgery]) {
    for (what, forge, says) in forgeries {
        let mut forged = record.clone();
        let seq = forge(&mut forged);
        assert_ne!(forged, *record, "{what}: nothing was changed");
        let fault = first_fault(&forged);
        assert_eq!(fault.seq, Some(seq), "{what}: {fault}");
        assert!(fault.kind.to_string().starts_with(says), "{what}: {fault}");
    }
}

/// The events of a kind, with their numbers.
fn all(record: &mut Record, is: impl Fn(&EventKind) -> bool) -> Vec<(u32, &mut EventKind)> {
    let fitting = record.events.iter_mut().filter(|event| is(&event.kind));
    fitting.map(|event| (event.seq, &mut event.kind)).collect()
}

/// One of them, from the midst of the record.
pub(crate) fn middle(record: &mut Record, is: impl Fn(&EventKind) -> bool) -> (u32, &mut EventKind) {
    let mut found = all(record, is);
    let middle = found.len() / 2;
    found.swap_remove(middle)
}

/// Changes an event that fits the pattern, from the midst of the record; the number of the event.
macro_rules! change {
    ($record:expr, $pattern:pat $(if $guard:expr)? => $change:expr) => {{
        #[allow(unused_variables, reason = "the guard may need them, and the change does")]
        let fits = |kind: &EventKind| matches!(kind, $pattern $(if $guard)?);
        let (seq, kind) = $crate::replay::forged::middle($record, fits);
        if let $pattern = kind {
            $change;
        }
        seq
    }};
}

pub(crate) use change;

/// Another number than the die shows.
pub(crate) fn other(die: Die) -> Die {
    Die::try_from(u8::from(die) % 6 + 1).unwrap()
}

pub(crate) fn number_afresh(events: &mut [Event]) {
    for (seq, event) in (1..).zip(events) {
        event.seq = seq;
    }
}

/// Changes a die in the midst of a record; the number of the event.
pub(crate) fn change_a_die(record: &mut Record) -> u32 {
    change!(record, EventKind::Thrown { dice, .. } => dice[1] = other(dice[1]))
}

/// Forgeries that change one event each.
macro_rules! changes {
    ($($name:ident: $pattern:pat $(if $guard:expr)? => $change:expr;)*) => {
        $(fn $name(record: &mut Record) -> u32 {
            change!(record, $pattern $(if $guard)? => $change)
        })*
    };
}

changes! {
    change_a_step: EventKind::Turned { steps, .. } => steps[0].from = "1000".into();
    drop_a_step: EventKind::Turned { steps, .. } => steps.pop();
    deny_a_hit: EventKind::Turned { steps, .. } if steps.iter().any(|step| step.hit) => {
        for step in steps {
            step.hit = false;
        }
    };
    deny_a_pin: EventKind::Turned { steps, .. } if steps.iter().any(|step| step.pin) => {
        for step in steps {
            step.pin = false;
        }
    };
    invent_a_capture: EventKind::Turned { steps, .. } => steps[0].captures.push("a1".to_owned());
    change_the_notation: EventKind::Turned { notation, .. } => notation.push('!');
    change_a_position: EventKind::Turned { position: Some(position), .. } => match position {
        Position::Tables(position) => position.black.off += 1,
        Position::Tafl(position) => position.board = "9/9/9/9/4K4/9/9/9/9".into(),
    };
    play_for_the_other_side: EventKind::Turned { seat, .. } => *seat = seat.other();
    answer_another_throw: EventKind::Turned { answers, .. } => *answers -= 1;
    change_the_secret: EventKind::GameEnded { secret, .. } => *secret = Hash::try_from("0".repeat(64)).unwrap();
    change_the_points: EventKind::GameEnded { points, .. } => *points += 1;
    change_the_score: EventKind::GameEnded { score, .. } => score.one += 1;
    change_the_winner: EventKind::GameEnded { winner_side: Some(side), .. } => {
        *side = if *side == SideName::White { SideName::Black } else { SideName::White };
    };
    change_the_reason: EventKind::GameEnded { reason, .. } => *reason = GameEnd::Resigned;
    swap_the_sides: EventKind::GameStarted { sides, .. } => std::mem::swap(&mut sides.one, &mut sides.two);
    reveal_another_seed: EventKind::SeedRevealed { seed, .. } => *seed = "alea".parse().unwrap();
    change_an_opening_throw: EventKind::OpeningThrown { white, .. } => *white = other(*white);
    put_time_on_a_clock: EventKind::Turned { clocks_ms: Some(clocks), .. } => clocks.two += 1;
    give_more_back: EventKind::Turned { lag_ms: Some(lag_ms), .. } => *lag_ms += 1;
    hide_what_was_given_back: EventKind::Turned { lag_ms, .. } if lag_ms.is_some() => *lag_ms = None;
    give_nothing_back: EventKind::Turned { lag_ms, .. } if lag_ms.is_none() => *lag_ms = Some(0);
    give_back_more_than_it_took: EventKind::Turned { seat, lag_ms: Some(lag_ms), clocks_ms: Some(clocks), .. } => {
        *(if *seat == Seat::One { &mut clocks.one } else { &mut clocks.two }) += 100 - *lag_ms;
        *lag_ms = 101;
    };
    take_another_turn_back: EventKind::TakenBack { to, .. } => *to -= 1;
    count_a_turn_that_was_taken_back: EventKind::TakenBack { turn, .. } => *turn += 1;
    put_time_on_after_a_takeback: EventKind::TakenBack { clocks_ms: Some(clocks), .. } => clocks.one += 1;
    take_back_for_the_computer: EventKind::TakenBack { seat, .. } => *seat = seat.other();
    take_back_with_other_dice: EventKind::TakenBack { dice, .. } => dice[0] = other(dice[0]);
    win_for_the_other: EventKind::GameEnded { winner_seat, .. } => *winner_seat = Some(Seat::Two);
}

/// A turn, or a pass, that is left out with its throw while the numbers are mended.
fn leave_out_a_turn(record: &mut Record) -> u32 {
    let (seq, _) = middle(record, |kind| matches!(kind, EventKind::Turned { .. }));
    record.events.remove(seq as usize - 1);
    number_afresh(&mut record.events);
    seq
}

fn leave_out_an_event(record: &mut Record) -> u32 {
    let seq = u32::try_from(record.events.len() / 2).unwrap();
    record.events.remove(seq as usize - 1);
    seq
}

fn tell_an_event_twice(record: &mut Record) -> u32 {
    let index = record.events.len() / 2;
    record.events.insert(index, record.events[index].clone());
    u32::try_from(index).unwrap() + 2
}

/// A side that could play does not.
fn pass_a_turn_that_was_not_forced(record: &mut Record) -> u32 {
    let (seq, kind) = middle(record, |kind| matches!(kind, EventKind::Turned { .. }));
    if let EventKind::Turned { seat, side, .. } = kind {
        *kind = EventKind::Passed { seat: *seat, side: *side };
    }
    seq
}

fn end_before_the_end(record: &mut Record) -> u32 {
    let (seq, _) = middle(record, |kind| matches!(kind, EventKind::Turned { .. }));
    let ending = record.events.split_off(record.events.len() - 2);
    record.events.truncate(seq as usize);
    record.events.extend(ending);
    number_afresh(&mut record.events);
    seq + 1
}

fn stop_before_the_end(record: &mut Record) -> u32 {
    record.events.truncate(record.events.len() - 2);
    u32::try_from(record.events.len()).unwrap() + 1
}

fn run_out_of_time_too_early(record: &mut Record) -> u32 {
    let (seq, _) = middle(record, |kind| matches!(kind, EventKind::GameEnded { .. }));
    for event in &mut record.events[seq as usize - 1..] {
        event.at -= 10_000;
    }
    seq
}

fn turn_time_back(record: &mut Record) -> u32 {
    record.events[6].at -= 100_000;
    7
}

const OF_DICE: &[Forgery] = &[
    ("a die", change_a_die, "dice: expected ["),
    ("a step", change_a_step, "this could not happen: step 1: "),
    ("a step less", drop_a_step, "this could not happen: the turn is not complete"),
    ("the notation", change_the_notation, "notation: expected "),
    ("a position", change_a_position, "position.black.off: expected "),
    ("the other side", play_for_the_other_side, "this could not happen: it is "),
    ("another throw", answer_another_throw, "this could not happen: this turn answers event "),
    ("a turn left out", leave_out_a_turn, "this could not happen: nothing led to it"),
    ("an event left out", leave_out_an_event, "missing: the event in its place has the number "),
    ("an event twice", tell_an_event_twice, "missing: the event in its place has the number "),
    ("an idle pass", pass_a_turn_that_was_not_forced, "this could not happen: nothing led to it"),
    ("an early end", end_before_the_end, "type: expected \"thrown\", found \"game_ended\""),
    ("no end", stop_before_the_end, "missing: game_ended must follow"),
    ("a wrong secret", change_the_secret, "the secret does not lead to the commitment"),
    ("the points", change_the_points, "points: expected 1, found 2"),
    ("the score", change_the_score, "score.1: expected "),
    ("the winner", change_the_winner, "winner_side: expected "),
    ("the reason", change_the_reason, "reason: expected \"borne_off\", found \"resigned\""),
    ("the lot", swap_the_sides, "sides.1: expected "),
    ("a seed", reveal_another_seed, "this could not happen: this seed does not have the hash"),
];

#[test]
fn whatever_is_forged_is_found_where_it_is() {
    for game in [Game::Zeno, Game::Scripta, Game::Tabula] {
        let record = finished(game, 2);
        check(&record, OF_DICE);
        check(&record, &[("a hit", deny_a_hit, "steps[")]);
    }
    check(&finished(Game::Tavla, 2), &[("a pin", deny_a_pin, "steps["), ("a die", change_a_die, "dice: ")]);
}

#[test]
fn forged_moves_of_tablut_are_found() {
    let forgeries: &[Forgery] = &[
        ("a move", change_a_step, "this could not happen: step 1: "),
        ("a capture", invent_a_capture, "steps[0].captures: expected "),
        ("a position", change_a_position, "position.board: expected "),
        ("a move left out", leave_out_a_turn, "this could not happen: "),
        ("a secret", change_the_secret, "the secret does not lead to the commitment"),
    ];
    check(&finished(Game::Tablut, 2), forgeries);
}

#[test]
fn a_forged_opening_throw_is_found() {
    check(&finished(Game::Tavla, 4), &[("an opening throw", change_an_opening_throw, "white: expected ")]);
}

/// A false die is one fault: what follows is judged with the true one.
#[test]
fn one_changed_die_is_one_fault() {
    let mut record = finished(Game::Zeno, 6);
    change_a_die(&mut record);
    assert_eq!(judge(&record).faults.len(), 1);
}

/// Where play cannot go on, the dice can still be computed.
#[test]
fn dice_are_checked_behind_a_turn_that_could_not_happen() {
    let mut record = finished(Game::Zeno, 6);
    let die_at = change_a_die(&mut record);
    let (step_at, kind) = all(&mut record, |kind| matches!(kind, EventKind::Turned { .. })).remove(3);
    let EventKind::Turned { steps, .. } = kind else { unreachable!("it is a turn") };
    steps[0].from = "1000".into();
    let report = judge(&record);
    let at: Vec<_> = report.faults.iter().map(|fault| fault.seq).collect();
    assert_eq!(at, [Some(step_at), Some(die_at)]);
    assert_eq!(report.judged, step_at as usize - 1);
}

#[test]
fn a_drawn_seed_cannot_be_exchanged_afterwards() {
    let mut record = finished(Game::Zeno, 3);
    let other = SeatSeed::Drawn { seed: PlayerSeed::try_from("another".to_owned()).unwrap() };
    change!(&mut record, EventKind::Joined { seed, .. } => *seed = other);
    let report = judge(&record);
    assert!(report.faults.iter().any(|fault| fault.to_string().contains("dice: expected")));
}

#[test]
fn clocks_and_times_are_judged() {
    let clock = Clock::Fischer { base_ms: 60_000, increment_ms: 1_000 };
    let mut table = Table::new(Terms { clock, ..terms(Variant::standard(Game::Zeno)) }, 2);
    table.over_lines(80);
    for _ in 0..6 {
        table.turn();
    }
    table.run_out_of_time();
    let record = table.record();
    let forgeries: &[Forgery] = &[
        ("a clock", put_time_on_a_clock, "clocks_ms.2: expected "),
        ("time given back that is not on the clock", give_more_back, "clocks_ms."),
        ("time on the clock that is not said to be given back", hide_what_was_given_back, "clocks_ms."),
        ("no time given back", give_nothing_back, "lag_ms: expected nothing, found 0"),
        (
            "more given back than the turn took",
            give_back_more_than_it_took,
            "lag_ms: expected 100, found 101",
        ),
        ("an early end", run_out_of_time_too_early, "this could not happen: the time had not run out"),
        ("time running backwards", turn_time_back, "at: expected "),
    ];
    check(&record, forgeries);
}

#[test]
fn a_turn_is_taken_back_as_the_rules_of_a_match_have_it() {
    for game in Game::ALL {
        let clock = Clock::Fischer { base_ms: 60_000, increment_ms: 1_000 };
        let mut table = Table::against_computer(Terms { clock, ..terms(Variant::standard(game)) }, 3);
        while table.state().game().unwrap().turns.0 < 3 {
            table.turn();
        }
        table.take_back();
        for _ in 0..4 {
            table.turn();
        }
        let record = table.record();
        assert!(judge(&record).faults.is_empty(), "{game}: {:?}", judge(&record).faults);
        let forgeries: &[Forgery] = &[
            ("another turn", take_another_turn_back, "to: expected "),
            ("its number", count_a_turn_that_was_taken_back, "turn: expected "),
            ("the clock", put_time_on_after_a_takeback, "clocks_ms.1: expected "),
            ("the other seat", take_back_for_the_computer, "this could not happen: "),
        ];
        check(&record, forgeries);
        if game != Game::Tablut {
            check(&record, &[("the dice", take_back_with_other_dice, "dice: expected ")]);
        }
    }
}

/// Each turn here takes 100 ms, but this one ten seconds: the quota alone limits what is given back.
#[test]
fn nobody_can_be_given_back_more_than_a_game_allows() {
    let clock = Clock::Fischer { base_ms: 60_000, increment_ms: 1_000 };
    let played = |line_ms| {
        let mut table = Table::new(Terms { clock, ..terms(Variant::standard(Game::Zeno)) }, 2);
        for turn in 0..6 {
            table.over_lines(if turn == 3 { line_ms } else { 0 });
            table.wait(if turn == 3 { 10_000 } else { 0 });
            table.turn();
        }
        table.record()
    };
    let lag_of = |kind: &EventKind| match kind {
        EventKind::Turned { lag_ms, .. } => *lag_ms,
        _ => None,
    };
    let mut record = played(900);
    assert!(judge(&record).faults.is_empty());
    let (seq, kind) = all(&mut record, |kind| lag_of(kind).is_some()).remove(0);
    assert_eq!(lag_of(kind), Some(900));
    // No more than three turns add to it, 500 ms each.
    let mut most = played(2_000);
    let (_, kind) = all(&mut most, |kind| lag_of(kind).is_some()).remove(0);
    assert_eq!(lag_of(kind), Some(1_500));
    if let EventKind::Turned { lag_ms, seat, clocks_ms: Some(clocks), .. } = kind {
        *lag_ms = Some(1_501);
        *(if *seat == Seat::One { &mut clocks.one } else { &mut clocks.two }) += 1;
    }
    let fault = first_fault(&most);
    assert_eq!(fault.seq, Some(seq));
    assert!(fault.kind.to_string().contains("expected"), "{fault}");
}

#[test]
fn facts_outside_the_events_must_fit_them() {
    let record = finished(Game::Tabula, 1);
    let forgeries: [(Change, &str); 5] = [
        (|record| record.result = None, "result: "),
        (|record| record.points = 3, "points: expected 1, found 3"),
        (|record| record.players.one.name = "Justinian".into(), "players.1.name: "),
        (|record| record.dice.secrets.clear(), "dice.secrets.1: "),
        (|record| record.dice.commitment = Hash::try_from("0".repeat(64)).unwrap(), "dice.commitment: "),
    ];
    for (forge, says) in forgeries {
        let mut forged = record.clone();
        forge(&mut forged);
        let fault = first_fault(&forged);
        assert_eq!(fault.seq, None, "{fault}");
        assert!(fault.kind.to_string().starts_with(says), "{fault}");
    }
}

/// Nothing tells the throws that should follow, and no two that are alike may make an
/// opening throw that never ends.
#[test]
fn a_record_cut_off_before_its_throws_is_wrong() {
    let mut record = finished(Game::Tavla, 1);
    let start = record.events.iter().position(|event| matches!(event.kind, EventKind::GameStarted { .. }));
    record.events.truncate(start.unwrap() + 1);
    let Fault { seq, kind } = first_fault(&record);
    assert_eq!(seq, Some(record.events.last().unwrap().seq + 1));
    assert_eq!(kind, FaultKind::Missing { expected: "opening_thrown".to_owned() });
}

#[test]
fn a_record_of_nothing_is_wrong() {
    let mut record = finished(Game::Tabula, 1);
    record.events.clear();
    let Fault { seq, kind } = first_fault(&record);
    assert_eq!((seq, kind), (Some(1), FaultKind::Missing { expected: "created".to_owned() }));
}

#[test]
fn a_game_lost_by_resigning_is_lost_by_who_resigned() {
    let mut table = Table::new(terms(Variant::standard(Game::Zeno)), 2);
    table.turn();
    table.turn();
    table.resign(PlaySeat::Two, false);
    check(&table.record(), &[("the winner", win_for_the_other, "score.1: expected 0, found 1")]);
}
