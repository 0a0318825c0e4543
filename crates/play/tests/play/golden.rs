//! Journals written by every release stay loadable, and their result never changes.
//!
//! `tests/golden/journal-vN/NAME.jsonl` is a journal, `NAME.json` beside it the resulting match. A release
//! that changes the events adds files under a new number: `cargo test -p lusoria-play golden -- --ignored`
//! writes the missing ones and never changes existing ones.

use std::{
    fs,
    path::{Path, PathBuf},
};

use lusoria_play::{
    Admission, BySeat, Bytes32, Clock, Colours, Command, Corrupt, Creation, Event, GameEnd, JOURNAL_VERSION,
    Length, Level, Match, MatchEnd, MatchId, Phase, Player, PlayerKind, Rated, Recorded, Seat, SeedBrought,
    TakebackOffer, TakenStep, Terms, Thought, TournamentId, UnratedReason,
};
use lusoria_rules::{Call, Game, Mother, Played, Reason, Setup, Shift, Side, Step, Throne, Variant};
use proptest::prelude::*;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::{
    bench::{BLITZ, Bench, CREATOR, DAY, DAYS, DELAY, ID, JOINER, creation, player, seed, terms},
    chance::{Foretold, hash},
    covered_variants::CoveredVariants,
};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

/// All journals: name, text, and resulting match.
fn journals() -> Vec<(String, String, Value)> {
    let mut found = Vec::new();
    for version in fs::read_dir(folder()).unwrap() {
        for file in fs::read_dir(version.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "jsonl") {
                let expected = fs::read_to_string(path.with_extension("json")).unwrap();
                let text = fs::read_to_string(&path).unwrap();
                found.push((path.display().to_string(), text, serde_json::from_str(&expected).unwrap()));
            }
        }
    }
    found
}

fn read(text: &str) -> Vec<Recorded> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Everything visible of a match.
fn shown(state: &Match) -> Value {
    let now = state.last_at() + 1_500;
    let phase = match state.phase() {
        Phase::Open => json!("open"),
        Phase::AwaitingSeeds(seats) => json!({ "awaiting_seeds": seats }),
        Phase::Playing => json!("playing"),
        Phase::Ended(end) => json!({ "ended": end }),
    };
    let game = state.game().map(|game| {
        json!({
            "number": game.number,
            "white": game.white,
            "position": game.position.setup(),
            "since_capture": game.history.since_capture(),
            "repetitions": game.history.repetitions(&game.position),
            "throws": game.throws,
            "result": game.result.map(|result| json!([result.winner, result.points, result.reason])),
        })
    });
    let to_play = state.to_play().map(|to_play| {
        json!({
            "seat": to_play.seat,
            "side": to_play.side,
            "given_by": to_play.given_by,
            "dice": to_play.dice,
            "since": to_play.since,
        })
    });
    let mut shown = json!({
        "phase": phase,
        "terms": state.terms(),
        "seats": Seat::BOTH.map(|seat| json!([state.player(seat), state.seed(seat)])),
        "score": state.score(),
        "game": game,
        "to_play": to_play,
        "clocks_ms": state.clocks_ms(now),
        "deadline": state.next_deadline(),
        "draw_offer": state.draw_offer(),
        "may_offer_draw": Seat::BOTH.map(|seat| state.may_offer_draw(seat)),
        "rematch_offered_by": state.rematch().offer_standing().map(|offer| offer.seat),
        "rematch": state.rematch().next(),
        "rematch_of": state.rematch_of(),
        "commitment": state.commitment(),
        "head": state.head(),
        "turns": state.turns(),
    });
    // Older journals have no such field.
    if let Some(maker) = state.made_by() {
        shown["made_by"] = json!(maker);
    }
    if let Some(of) = state.tournament() {
        shown["tournament"] = json!(of);
    }
    if let Some(Rated { constants, seats, taken_back }) = state.rated() {
        shown["rated"] = json!([constants, seats, taken_back]);
    }
    if let Some(result) = state.rating_result() {
        shown["rating_result"] = json!(format!("{result:?}"));
    }
    if state.takebacks() > 0 {
        shown["takebacks"] = json!(state.takebacks());
        shown["may_take_back"] = json!(state.may_take_back(CREATOR));
    }
    if let Some(TakebackOffer { seat, turned }) = state.takeback_offer() {
        shown["takeback_offer"] = json!([seat, turned]);
    }
    shown
}

#[test]
fn every_journal_ever_written_still_gives_the_same_match() {
    for (name, text, expected) in journals() {
        let state = Match::from_journal(ID, read(&text)).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(shown(&state), expected, "{name}");
    }
}

#[test]
fn journals_of_this_version_are_written_as_they_were() {
    for (name, text, _) in journals().into_iter().filter(|(name, ..)| name.contains(&version_folder())) {
        for line in text.lines() {
            let recorded: Recorded = serde_json::from_str(line).unwrap();
            assert_eq!(serde_json::to_string(&recorded).unwrap(), line, "{name}");
        }
    }
}

#[test]
fn every_event_variant_is_in_a_golden_journal() {
    let mut covered = CoveredVariants::default();
    for (_, text, _) in journals().into_iter().filter(|(name, ..)| name.contains(&version_folder())) {
        for recorded in read(&text) {
            covered.note_event(&recorded.event);
        }
    }
    assert_eq!(
        covered.missing(),
        [""; 0],
        "`cargo test -p lusoria-play golden -- --ignored` after adding a journal"
    );
}

#[test]
fn a_journal_with_a_gap_or_of_a_later_version_is_not_loaded() {
    let journal = Bench::under_way(terms(Game::Zeno, BLITZ)).journal;
    let load = |journal: Vec<Recorded>| Match::from_journal(ID, journal).unwrap_err();
    assert_eq!(load(vec![]), Corrupt::Empty);
    assert_eq!(load(journal[1..].to_vec()), Corrupt::Gap { expected: 1, found: 2 });
    let mut gap = journal.clone();
    gap.remove(3);
    assert_eq!(load(gap), Corrupt::Gap { expected: 4, found: 5 });
    let mut twice = journal.clone();
    twice.insert(3, twice[2].clone());
    assert_eq!(load(twice), Corrupt::Gap { expected: 4, found: 3 });
    let mut future = journal;
    let Event::Created { version, .. } = &mut future[0].event else { unreachable!() };
    *version = JOURNAL_VERSION + 1;
    assert_eq!(load(future), Corrupt::Version(JOURNAL_VERSION + 1));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// Damage is found or tolerated, but never causes a panic.
    #[test]
    fn a_damaged_journal_does_not_panic(
        picks in proptest::collection::vec(any::<prop::sample::Index>(), 1..40),
        from in any::<prop::sample::Index>(),
    ) {
        let journals = journals();
        let whole = read(&from.get(&journals).1);
        let mut journal = vec![whole[0].clone()];
        journal.extend(picks.iter().map(|pick| pick.get(&whole).clone()));
        for (recorded, seq) in journal.iter_mut().zip(1..) {
            recorded.seq = seq;
        }
        for length in 1..=journal.len() {
            let Ok(mut state) = Match::from_journal(ID, journal[..length].to_vec()) else { break };
            let (now, mut chance) = (state.last_at(), Foretold::from(1));
            let _ = shown(&state);
            let _ = state.clone().on_deadline(now + 400 * 86_400_000, &mut chance);
            let answers = state.to_play().map_or(1, |to_play| to_play.given_by);
            for by in [CREATOR, JOINER] {
                let _ = state.apply(&Command::Turn { by, answers, steps: vec![], thought: None, lag_ms: 0 }, now, &mut chance);
                let _ = state.apply(&Command::OfferDraw { by }, now, &mut chance);
                let _ = state.apply(&Command::OfferRematch { by, seed_hash: None }, now, &mut chance);
                let _ = state.apply(&Command::Resign { by, whole_match: true }, now, &mut chance);
            }
        }
    }
}

fn version_folder() -> String {
    format!("journal-v{JOURNAL_VERSION}")
}

#[test]
#[ignore = "writes the golden files that are missing"]
fn write_the_journals_that_are_missing() {
    let written = vec![
        ("open-invitation", open_invitation()),
        ("zeno-seeds-draw-offers", seeds_and_offers()),
        ("tavla-series-rematch", tavla_series()),
        ("scripta-days-both-seats", both_seats()),
        ("tabula-pass-credit-time", pass_credit_time()),
        ("tabula-no-clock-claimed", claimed()),
        ("tablut-king-escapes", tablut()),
        ("tablut-aborted", aborted()),
        ("tablut-of-a-tournament", of_a_tournament()),
        ("zeno-whole-game", whole(Game::Zeno)),
        ("scripta-whole-game", whole(Game::Scripta)),
        ("tavla-computers", computers()),
        ("zeno-agreed-by-die", agreed()),
        ("tavla-no-show-in-a-series", no_show_in_a_series()),
        ("scripta-expired", run_out(Bench::open(terms(Game::Scripta, DAYS)))),
        (
            "tabula-aborted-by-a-player",
            asked(Bench::playing(terms(Game::Tabula, BLITZ)), Command::Abort { by: JOINER }),
        ),
        ("zeno-seed-not-revealed", seed_not_revealed()),
        ("tablut-abandoned", run_out(Bench::under_way(terms(Game::Tablut, Clock::None {})))),
        ("zeno-ended-by-the-operator", asked(Bench::under_way(terms(Game::Zeno, BLITZ)), Command::End)),
        ("tablut-tuichu", tuichu()),
        ("zeno-over-lines", over_lines()),
        ("tavla-takebacks", takebacks(Game::Tavla)),
        ("tablut-takebacks", takebacks(Game::Tablut)),
        ("zeno-takebacks-agreed", takebacks_agreed()),
        ("tablut-rated", rated_single()),
        ("zeno-rated-pair", rated_pair()),
        ("tavla-pair-given-up", pair_given_up()),
        ("tabula-unrated-leaving", unrated(UnratedReason::Leaving)),
        ("tabula-unrated-help", unrated(UnratedReason::Help)),
        ("tabula-unrated-two-accounts", unrated(UnratedReason::TwoAccounts)),
        ("tabula-unrated-arranged", unrated(UnratedReason::Arranged)),
        ("tabula-unrated-mistake", unrated(UnratedReason::Mistake)),
        ("tavla-pin", until(Game::Tavla, |played| played.pin)),
        ("tablut-captures", until(Game::Tablut, |played| !played.captures.is_empty())),
    ];
    let by_the_rules =
        Reason::ALL.map(|reason| (format!("ended-by-{}", reason.code().replace('_', "-")), ended_by(reason)));
    let written = written.into_iter().map(|(name, bench)| (name.to_owned(), bench)).chain(by_the_rules);
    let folder = folder().join(version_folder());
    fs::create_dir_all(&folder).unwrap();
    for (name, bench) in written {
        let path = folder.join(&name).with_extension("jsonl");
        if !path.exists() {
            let lines: Vec<_> =
                bench.journal.iter().map(|recorded| serde_json::to_string(recorded).unwrap()).collect();
            fs::write(&path, lines.join("\n") + "\n").unwrap();
            let shown = serde_json::to_string_pretty(&shown(&bench.state)).unwrap();
            fs::write(path.with_extension("json"), shown + "\n").unwrap();
        }
    }
}

fn plays(bench: &mut Bench, turns: u32) {
    for _ in 0..turns {
        bench.now += 2_345;
        bench.play();
    }
}

/// Turns of which a part is given back for lag.
fn over_lines() -> Bench {
    let mut bench = Bench::under_way(terms(Game::Zeno, BLITZ));
    for line_ms in [150, 40, 900, 0, 3_000, 3_000, 3_000] {
        bench.now += 2_345;
        let Command::Turn { by, answers, steps, thought, .. } = bench.turn(bench.some_steps(line_ms)) else {
            unreachable!()
        };
        bench.ask(Command::Turn { by, answers, steps, thought, lag_ms: line_ms }).unwrap();
    }
    bench
}

/// Turns that are taken back one at a time, played again, and taken back two at a time.
fn takebacks(game: Game) -> Bench {
    let joiner = Some((Player::computer(Level::ALL[2]), SeedBrought::Nothing));
    let creation = Creation { joiner, ..creation(terms(game, BLITZ), SeedBrought::Nothing) };
    let mut bench = Bench::create(creation, Foretold::from(3));
    for (turns, takebacks) in [(7, 1), (1, 1), (6, 2), (3, 0)] {
        plays(&mut bench, turns);
        for _ in 0..takebacks {
            bench.now += 1_500;
            let turned = bench.state.may_take_back(CREATOR).unwrap();
            bench.ask(Command::TakeBack { by: CREATOR, turned }).unwrap();
        }
    }
    bench
}

/// Two people offer to take turns back: accepted, declined, lapsed, and the last offer stands.
fn takebacks_agreed() -> Bench {
    let mut bench = Bench::under_way(terms(Game::Zeno, BLITZ));
    for (by, of, accept) in
        [(CREATOR, JOINER, Some(true)), (JOINER, CREATOR, Some(false)), (CREATOR, JOINER, None)]
    {
        for _ in 0..2 {
            plays(&mut bench, 3);
            let turned = bench.state.may_take_back(by).unwrap();
            bench.ask(Command::TakeBack { by, turned }).unwrap();
            if let Some(accept) = accept {
                bench.ask(Command::AnswerTakeback { by: of, turned, accept }).unwrap();
            }
        }
    }
    bench
}

/// The match after its next deadline.
fn run_out(mut bench: Bench) -> Bench {
    bench.run_out();
    bench
}

/// The match after that command.
fn asked(mut bench: Bench, command: Command) -> Bench {
    bench.ask(command).unwrap();
    bench
}

fn open_invitation() -> Bench {
    Bench::open(Terms {
        admission: Admission::Invitation,
        colours: Colours::Lot,
        ..terms(Game::Zeno, Clock::None {})
    })
}

fn seeds_and_offers() -> Bench {
    let hashed = SeedBrought::Hash(hash(&seed("alea iacta est")));
    let mut bench = Bench::create(creation(terms(Game::Zeno, BLITZ), hashed), Foretold::from(5));
    bench.join(Some(seed("Tablen pheugete pantes"))).unwrap();
    bench.now += 1_000;
    bench.ask(Command::RevealSeed { by: CREATOR, seed: seed("alea iacta est") }).unwrap();
    plays(&mut bench, 6);
    bench.ask(Command::OfferDraw { by: CREATOR }).unwrap();
    bench.ask(Command::AnswerDraw { by: JOINER, accept: false }).unwrap();
    plays(&mut bench, 2);
    bench.ask(Command::OfferDraw { by: JOINER }).unwrap();
    bench
}

fn tavla_series() -> Bench {
    let variant = Variant::Tavla { mother: Mother::DoubleLoss };
    let terms =
        Terms { length: Length::Points(7), colours: Colours::Lot, variant, ..terms(Game::Tavla, DELAY) };
    let mut bench = Bench::open(terms);
    bench.chance.script = [vec![3, 3], vec![2, 6]].into();
    bench.join(None).unwrap();
    plays(&mut bench, 5);
    bench.ask(Command::Resign { by: JOINER, whole_match: false }).unwrap();
    plays(&mut bench, 4);
    bench.run_out();
    plays(&mut bench, 1);
    bench.ask(Command::Resign { by: JOINER, whole_match: true }).unwrap();
    bench.ask(Command::OfferRematch { by: CREATOR, seed_hash: None }).unwrap();
    bench.ask(Command::DeclineRematch { by: JOINER }).unwrap();
    bench.ask(Command::OfferRematch { by: JOINER, seed_hash: Some(Bytes32([5; 32])) }).unwrap();
    let next = MatchId(Uuid::from_u128(77));
    bench.ask(Command::AcceptRematch { by: CREATOR, next }).unwrap();
    bench
}

fn both_seats() -> Bench {
    let variant = Variant::Scripta { row_a_gate: false };
    let terms = Terms { admission: Admission::BothSeats, variant, ..terms(Game::Scripta, DAYS) };
    let mut bench = Bench::open(terms);
    plays(&mut bench, 12);
    bench
}

/// A game that continues until somebody must pass.
fn pass_credit_time() -> Bench {
    let mut bench = Bench::playing(terms(Game::Tabula, BLITZ));
    while !bench.journal.iter().any(|recorded| matches!(recorded.event, Event::Passed { .. })) {
        plays(&mut bench, 1);
    }
    bench.now += 40_000;
    let now = bench.now;
    bench.ask(Command::Credit { from: now - 30_000, until: now - 10_000 }).unwrap();
    run_out(bench)
}

fn claimed() -> Bench {
    let mut bench = Bench::under_way(terms(Game::Tabula, Clock::None {}));
    bench.now += Clock::CLAIM_AFTER_MS;
    let by = bench.waiting();
    bench.ask(Command::Claim { by, gone_ms: Clock::CLAIM_AFTER_MS }).unwrap();
    bench
}

fn tablut() -> Bench {
    let variant = Variant::Tablut { throne: Throne::Closed };
    let mut bench =
        Bench::playing(Terms { length: Length::Points(2), variant, ..terms(Game::Tablut, DELAY) });
    bench.moves(&["a4-b4", "e6-f6", "b4-a4", "e5-e6", "a4-b4", "e6-c6", "b4-a4", "c6-c9"]);
    bench.now += 500;
    bench.moves(&["a4-b4", "e6-f6", "b4-a4", "f6-e6", "d1-d2"]);
    plays(&mut bench, 9);
    bench
}

fn aborted() -> Bench {
    let mut bench = Bench::playing(terms(Game::Tablut, BLITZ));
    plays(&mut bench, 1);
    run_out(bench)
}

fn of_a_tournament() -> Bench {
    let creation = Creation {
        joiner: Some((player(JOINER), SeedBrought::Nothing)),
        tournament: Some(TournamentId(Uuid::from_u128(0x7007))),
        ..creation(terms(Game::Tablut, BLITZ), SeedBrought::Nothing)
    };
    let mut bench = Bench::create(creation, Foretold::from(11));
    plays(&mut bench, 2);
    asked(bench, Command::Resign { by: JOINER, whole_match: true })
}

/// A bot lets the computer play against itself, and aborts the match.
fn computers() -> Bench {
    let [weak, strong] = [Level::ALL[0], Level::ALL[4]].map(Player::computer);
    let made_by = Player { kind: PlayerKind::Bot, ..player(CREATOR) };
    let creation = Creation {
        creator: weak,
        made_by: Some(made_by),
        joiner: Some((strong, SeedBrought::Nothing)),
        ..creation(terms(Game::Tavla, BLITZ), SeedBrought::Nothing)
    };
    let mut bench = Bench::create(creation, Foretold::from(9));
    for nodes in 0..4 {
        bench.now += 400;
        let thought = Some(Thought { budget: 1_000, nodes });
        let Command::Turn { by, answers, steps, .. } = bench.turn(bench.some_steps(nodes.into())) else {
            unreachable!()
        };
        bench.ask(Command::Turn { by, answers, steps, thought, lag_ms: 0 }).unwrap();
    }
    bench.ask(Command::Abort { by: CREATOR }).unwrap();
    bench
}

fn whole(game: Game) -> Bench {
    let mut bench = Bench::playing(terms(game, BLITZ));
    while bench.state.end().is_none() {
        plays(&mut bench, 1);
    }
    bench
}

fn agreed() -> Bench {
    let mut bench =
        Bench::under_way(Terms { variant: Variant::Zeno { shift: Shift::Die }, ..terms(Game::Zeno, BLITZ) });
    let by = bench.waiting();
    bench.ask(Command::OfferDraw { by }).unwrap();
    let by = bench.to_play();
    bench.ask(Command::AnswerDraw { by, accept: true }).unwrap();
    bench
}

/// A later game of a series is lost by the player who does not come.
fn no_show_in_a_series() -> Bench {
    let mut bench = Bench::under_way(Terms { length: Length::Points(3), ..terms(Game::Tavla, BLITZ) });
    bench.ask(Command::Resign { by: JOINER, whole_match: false }).unwrap();
    run_out(bench)
}

fn rated_single() -> Bench {
    let mut bench = Bench::under_way(Terms { rated: true, ..terms(Game::Tablut, BLITZ) });
    let ended = bench.resign(JOINER);
    bench.rate(&ended);
    bench.ask(Command::OfferRematch { by: JOINER, seed_hash: None }).unwrap();
    bench
}

/// The sides are exchanged, and each player wins as White.
fn rated_pair() -> Bench {
    let length = Length::Pair;
    let mut bench = Bench::under_way(Terms { length, rated: true, ..terms(Game::Zeno, DAYS) });
    bench.resign(JOINER);
    plays(&mut bench, 2);
    let ended = bench.resign(CREATOR);
    bench.rate(&ended);
    bench
}

/// An unrated pair, resigned in its first game.
fn pair_given_up() -> Bench {
    let mut bench = Bench::under_way(Terms { length: Length::Pair, ..terms(Game::Tavla, DELAY) });
    bench.ask(Command::Resign { by: CREATOR, whole_match: true }).unwrap();
    bench
}

fn unrated(reason: UnratedReason) -> Bench {
    let mut bench = Bench::under_way(Terms { rated: true, ..terms(Game::Tabula, BLITZ) });
    let ended = bench.resign(CREATOR);
    bench.rate(&ended);
    bench.now += DAY;
    bench.ask(Command::Unrate { reason }).unwrap();
    bench
}

fn seed_not_revealed() -> Bench {
    let hashed = SeedBrought::Hash(hash(&seed("alea iacta est")));
    let mut bench = Bench::create(creation(terms(Game::Zeno, BLITZ), hashed), Foretold::from(5));
    bench.join(None).unwrap();
    run_out(bench)
}

/// The king has two open ways to an edge.
fn tuichu() -> Bench {
    let mut bench = Bench::playing(terms(Game::Tablut, BLITZ));
    let board = "9/9/9/9/t3K4/9/9/9/9".to_owned();
    let position = Setup::Tafl { board, to_move: Side::Black };
    let last = bench.journal.last().unwrap().clone();
    let event = Event::Turned {
        seat: Seat::One,
        side: Side::White,
        answers: last.seq,
        steps: vec![TakenStep::new(
            Step { die: None, from: "f5".to_owned(), to: "e5".to_owned() },
            Played::default(),
        )],
        position,
        call: Some(Call::Tuichu),
        clocks_ms: None,
        lag_ms: None,
        thought: None,
    };
    bench.recorded(event);
    bench
}

/// A game that continues until a step has this effect.
fn until(game: Game, done: fn(&TakenStep) -> bool) -> Bench {
    let mut bench = Bench::playing(terms(game, BLITZ));
    let has = |recorded: &Recorded| match &recorded.event {
        Event::Turned { steps, .. } => steps.iter().any(done),
        _ => false,
    };
    while !bench.journal.iter().any(has) {
        plays(&mut bench, 1);
    }
    bench
}

/// The last events of a game that ends by its rules, as if a journal had recorded them.
fn ended_by(reason: Reason) -> Bench {
    let game = match reason {
        Reason::BorneOff | Reason::DeadPosition => Game::Tabula,
        Reason::Mars | Reason::Mother | Reason::DeadDraw => Game::Tavla,
        Reason::KingEscaped
        | Reason::KingCaptured
        | Reason::NoMove
        | Reason::Repetition
        | Reason::Drought => Game::Tablut,
    };
    let (winner, points) = match reason {
        Reason::DeadDraw | Reason::DeadPosition | Reason::Repetition | Reason::Drought => (None, 0),
        Reason::Mars | Reason::Mother => (Some(Seat::One), 2),
        Reason::BorneOff | Reason::KingEscaped | Reason::KingCaptured | Reason::NoMove => {
            (Some(Seat::One), 1)
        }
    };
    let mut bench = Bench::under_way(terms(game, BLITZ));
    let side = winner.and_then(|seat| bench.state.game().map(|game| game.side_of(seat)));
    bench.recorded(Event::GameEnded {
        game: 1,
        winner,
        winner_side: side,
        points,
        reason: GameEnd::Rules(reason),
        secret: Bytes32([9; 32]),
        score: BySeat(points.into(), 0),
    });
    bench.recorded(Event::MatchEnded { end: winner.map_or(MatchEnd::Drawn, MatchEnd::Won) });
    bench
}
