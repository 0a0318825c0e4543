//! What an organiser can do to a tournament that runs, and what follows from it.

use lusoria_play::Seat;
use lusoria_tournament::{
    Bracket, Command, EndedWhy, Entrant, EntrantStatus, Event, ExcludedBy, Format, MatchStage, Pairing,
    PairingEnd, Recorded, Refusal, Seeding, Tournament,
};

use super::{
    DAY,
    world::{LIVE, MINUTE, START, World, player, settings},
};

/// A Swiss of four, whose first round is being played.
fn swiss(seed: u64) -> World {
    let mut world = World::new(settings(Format::Swiss { rounds: Some(3), every_ms: None }, LIVE), seed);
    world.calm = true;
    (1..=4).for_each(|number| world.enter(number).expect("entry is open"));
    world.now = world.tournament.begins_at() - MINUTE;
    world.all_here(4);
    world.now += MINUTE;
    world.settle();
    world
}

fn stop() -> Command {
    Command::Stop { reason: "the hall is closed".into() }
}

fn end() -> Command {
    Command::End { why: EndedWhy::Organiser, reason: "the hall is closed".into() }
}

#[test]
fn a_stop_gives_those_who_wait_the_whole_wait_again() {
    let mut world = swiss(1);
    while world.tournament.rounds().len() < 2 {
        world.advance(20 * MINUTE);
    }
    let waiting = world.tournament.open_pairings().next().expect("the round is open").clone();
    world.now = waiting.waits_until.expect("they have gone meanwhile") - 1;
    world.command(&stop()).expect("it runs");
    world.now += 60 * MINUTE;
    world.command(&Command::Resume).expect("it is stopped");
    world.settle();
    let waiting = world.tournament.pairing(waiting.pairing).expect("it is known");
    assert_eq!(waiting.waits_until, Some(world.now + world.tournament.settings().wait_ms));
}

#[test]
fn stops_last_seven_days_together() {
    let mut world = swiss(2);
    for days in [4, 2] {
        world.command(&stop()).expect("it runs");
        world.now += days * DAY;
        world.settle();
        world.command(&Command::Resume).expect("it is stopped");
    }
    world.command(&stop()).expect("it runs");
    assert_eq!(world.tournament.next_wake(world.now), Some(world.now + DAY));
    world.now += DAY;
    world.settle();
    assert!(world.tournament.stopped().is_none());
}

#[test]
fn an_entrant_who_has_withdrawn_can_be_excluded_and_does_not_enter_again() {
    let mut world = World::new(settings(Format::Arena { lasts_ms: 60 * MINUTE }, LIVE), 3);
    world.enter(1).expect("entry is open");
    world.command(&Command::Withdraw(player(1))).expect("anybody may leave");
    let exclude = Command::Exclude { player: player(1), by: ExcludedBy::Operator, reason: None };
    world.command(&exclude).expect("anybody can be excluded");
    assert_eq!(world.enter(1), Err(Refusal::IsExcluded));
}

#[test]
fn excluded_entrants_come_after_all_others_and_never_win() {
    let knockout =
        |consolation| Format::Knockout { seeding: Seeding::Lot, consolation, points_more_by_round: 0 };
    let formats = [
        Format::Swiss { rounds: Some(3), every_ms: None },
        Format::RoundRobin { ends_at: START + 300 * MINUTE, by_round: false },
        Format::Arena { lasts_ms: 60 * MINUTE },
        knockout(false),
        knockout(true),
    ];
    for (format, how_many) in formats.iter().flat_map(|format| [(format, 1), (format, 2)]) {
        let mut world = World::new(settings(format.clone(), LIVE), 9);
        world.calm = true;
        (3..=10).for_each(|number| world.enter(number).expect("entry is open"));
        world.now = world.tournament.begins_at() - MINUTE;
        let decided = |world: &World| world.tournament.pairings().len() - unfinished(&world.tournament);
        let mut out = Vec::new();
        while world.tournament.ended().is_none() {
            world.all_here(10);
            world.advance(3 * MINUTE);
            // Before a knock-out's final: both finalists are first.
            if out.is_empty() && decided(&world) >= 6 && world.tournament.ended().is_none() {
                out = world.tournament.standings().iter().take(how_many).map(|of| of.entrant).collect();
                for &entrant in &out {
                    let player = world.tournament.entrant(entrant).expect("known").player;
                    let exclude = Command::Exclude { player, by: ExcludedBy::Organiser, reason: None };
                    world.command(&exclude).expect("anybody can be excluded");
                }
            }
        }
        let standings = world.tournament.standings();
        let (others, last) = standings.split_at(standings.len() - how_many);
        assert!(last.iter().all(|of| out.contains(&of.entrant)), "{format:?}: {standings:#?}");
        assert!(others.iter().all(|of| of.place < last[0].place), "{format:?}: {standings:#?}");
        assert!(world.tournament.leader(&standings).is_none_or(|leader| !out.contains(&leader)));
    }
}

#[test]
fn a_swiss_that_all_but_one_have_left_ends() {
    for every_ms in [None, Some(60 * MINUTE)] {
        let mut world = World::new(settings(Format::Swiss { rounds: Some(3), every_ms }, LIVE), 10);
        (1..=4).for_each(|number| world.enter(number).expect("entry is open"));
        world.now = world.tournament.begins_at() - MINUTE;
        world.all_here(4);
        world.now += MINUTE;
        world.settle();
        for gone in 1..=3 {
            assert!(world.tournament.ended().is_none());
            world.command(&Command::Withdraw(player(gone))).expect("anybody may leave");
        }
        world.settle();
        assert_eq!(world.tournament.ended().map(|ended| ended.why), Some(EndedWhy::Finished));
        assert_eq!(world.tournament.rounds().len(), 1);
    }
}

#[test]
fn nobody_uses_up_the_events_of_all() {
    let mut world = World::new(settings(Format::Arena { lasts_ms: 60 * MINUTE }, LIVE), 6);
    (1..=2).for_each(|number| world.enter(number).expect("entry is open"));
    let refusal = (0..20_000).find_map(|_| {
        let here = world.command(&Command::Here(player(1)));
        here.and_then(|()| world.command(&Command::Pause(player(1)))).err()
    });
    assert_eq!(refusal, Some(Refusal::TooManyEvents));
    world.command(&Command::Here(player(2))).expect("the others go on");
    world.command(&Command::Withdraw(player(1))).expect("anybody may leave");
    assert_eq!(world.enter(1), Err(Refusal::TooManyEvents));
}

#[test]
fn a_match_that_ends_after_its_tournament_decides_nothing_and_is_over() {
    let mut world = swiss(4);
    let [running, left] = [0, 1].map(|n| world.tournament.open_pairings().nth(n).expect("played").clone());
    let gone = world.tournament.entrant(left.first).expect("known").player;
    world.command(&Command::Withdraw(gone)).expect("anybody may leave");
    world.command(&end()).expect("it runs");
    // The resignation comes after the end.
    assert_eq!(world.tournament.matches_to_resign(), [(left.match_id, gone)]);
    for of in [running, left] {
        let event = Event::MatchEnded { match_id: of.match_id, end: PairingEnd::Won(Seat::One) };
        world.append(vec![Recorded { seq: world.tournament.head() + 1, at: world.now, event }]);
        let of = world.tournament.pairing(of.pairing).expect("it is known");
        assert_eq!((of.stage, &of.outcome), (MatchStage::Over, &None));
    }
    assert_eq!(world.tournament.matches_to_resign(), []);
    assert_eq!(world.tournament.open_pairings().count(), 0);
    let head = world.tournament.head();
    world.command(&Command::Credit { by_ms: MINUTE }).expect("nothing is owed to what has ended");
    assert_eq!(world.tournament.head(), head);
}

#[test]
fn a_week_of_two_in_an_arena_has_standings() {
    let mut world = World::new(settings(Format::Arena { lasts_ms: 7 * DAY }, LIVE), 5);
    world.calm = true;
    (3..=4).for_each(|number| world.enter(number).expect("entry is open"));
    while world.tournament.ended().is_none() {
        world.advance(DAY);
    }
    let played = world.tournament.pairings().len();
    assert!(played > 400, "{played}");
    let points: u16 = world.tournament.standings().iter().map(|standing| standing.points).sum();
    assert_eq!(usize::from(points), 2 * played - 2 * unfinished(&world.tournament));
}

fn unfinished(tournament: &Tournament) -> usize {
    tournament.pairings().iter().filter(|pairing| pairing.outcome.is_none()).count()
}

#[test]
fn while_a_knockout_runs_who_can_still_win_is_before_who_cannot() {
    let format = Format::Knockout { seeding: Seeding::Lot, consolation: true, points_more_by_round: 0 };
    let mut world = World::new(settings(format, LIVE), 8);
    world.calm = true;
    (1..=8).for_each(|number| world.enter(number).expect("entry is open"));
    world.now = world.tournament.begins_at() - MINUTE;
    let mut looks = 0;
    // The last round before the final is the second.
    while world.tournament.rounds().len() < 3 {
        world.all_here(8);
        world.advance(20 * MINUTE);
        let is_lost_by = |pairing: &Pairing, entrant: Entrant| {
            pairing.place.is_some_and(|place| place.bracket == Bracket::Main)
                && pairing.entrants().contains(&entrant)
                && pairing.winner().is_some_and(|winner| winner != entrant)
        };
        let standings = world.tournament.standings();
        let lost = |entrant| world.tournament.pairings().iter().any(|pairing| is_lost_by(pairing, entrant));
        assert!(standings.iter().map(|standing| lost(standing.entrant)).is_sorted(), "{standings:#?}");
        looks += usize::from(standings.iter().any(|standing| standing.consolation.is_some()));
    }
    assert!(looks > 0, "the consolation has begun");
}

/// The round is open for an hour, and nobody waits for so long.
#[test]
fn an_entrant_who_has_come_in_a_long_round_is_not_absent_at_its_end() {
    let format = Format::Swiss { rounds: Some(3), every_ms: Some(60 * MINUTE) };
    let mut world = World::new(settings(format, LIVE), 7);
    world.calm = true;
    (1..=4).for_each(|number| world.enter(number).expect("entry is open"));
    world.now = world.tournament.begins_at() - MINUTE;
    world.all_here(4);
    while world.tournament.rounds().len() < 2 {
        world.advance(60 * MINUTE);
    }
    let waiting: Vec<_> = world.tournament.open_pairings().cloned().collect();
    world.now += 20 * MINUTE;
    let came = world.tournament.entrant(waiting[0].second).expect("known").player;
    world.command(&Command::Here(came)).expect("it runs");
    world.now = waiting[0].waits_until.expect("it waits");
    world.settle();
    let [alone, missed] = [0, 1].map(|n| world.tournament.pairing(waiting[n].pairing).expect("known"));
    assert_eq!((alone.winner(), missed.winner()), (Some(waiting[0].second), None));
    let status = |entrant| world.tournament.entrant(entrant).expect("known").status;
    let of = [waiting[0].first, waiting[0].second, waiting[1].first, waiting[1].second].map(status);
    let [absent, active] = [EntrantStatus::Absent, EntrantStatus::Active];
    assert_eq!(of, [absent, active, absent, absent]);
}
