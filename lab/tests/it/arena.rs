//! The arena: the same contest has the same result, and outside engines that misbehave lose
//! their games and nothing else. Engines are a few lines of shell.

use std::{
    num::NonZeroUsize,
    path::Path,
    process::Stdio,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    time::{Duration, Instant},
};

use lusoria_arena::{
    self as arena, ArenaError, ByEntrant, Contest, Entrant, EntrantId, Limits, Program, Report, Score,
    Spread, Stopped,
    ratings::{self, Ratings, RoundRobin},
};
use lusoria_rules::{Game, Variant};
use lusoria_search::{Budget, Level, Player, Stakes, edition};
use tempfile::TempDir;

/// Long enough for a shell on a machine that is busy.
const PLENTY: Duration = Duration::from_mins(1);

/// What an engine does that says nothing, where that is the point.
const LITTLE: Duration = Duration::from_millis(100);

const RANDOM: Entrant = Entrant::Computer(Player::Random);
const GREEDY: Entrant = Entrant::Computer(Player::Greedy);

/// Says that it is ready, and does something for each turn.
const TURNS: &str = "read -r hello; echo '{\"ready\": true, \"legal\": 1}'
while read -r line; do case \"$line\" in '{\"turn\":'*) DO;; esac; done";

/// Answers the first legal turn it is told.
const FIRST: &str = r#"printf '%s\n' "$line" | sed 's/.*"legal":\[{"steps":\(\[[^]]*\]\).*/{"steps":\1}/'"#;

/// A whole engine that answers the first legal turn it is told, quicker than a shell.
const FIRST_LEGAL: &str = r#"exec sed -u -n \
    -e 's/^{"hello".*/{"ready": true, "legal": 1}/p' \
    -e 's/^{"turn".*"legal":\[{"steps":\(\[[^]]*\]\).*/{"steps":\1}/p'"#;

fn contest(game: Game, a: Entrant, b: Entrant, pairs: u32) -> Contest {
    Contest {
        variant: Variant::standard(game),
        entrants: ByEntrant { a, b },
        budgets: ByEntrant { a: Some(Budget { nodes: 100 }), b: Some(Budget { nodes: 100 }) },
        pairs,
        seed: 7,
        stakes: Stakes::Game,
        turns_max: 10_000,
        limits: Limits { ready: PLENTY, turn: PLENTY },
        threads: NonZeroUsize::MIN,
        kept: 0,
    }
}

fn shell(script: &str) -> Entrant {
    Entrant::Program(Program { name: "sh".to_owned(), arguments: vec!["-c".to_owned(), script.to_owned()] })
}

/// An engine that does that for each turn.
fn at_turns(action: &str) -> Entrant {
    shell(&TURNS.replace("DO", action))
}

fn run(contest: &Contest) -> Report {
    arena::run(contest, &AtomicBool::new(false), |_| ()).expect("every engine can be started")
}

/// The report without what clocks and the number of threads tell.
fn timeless(mut report: Report) -> Report {
    let none = Spread { mean: 0.0, p95: 0, max: 0 };
    (report.elapsed_s, report.contest.threads) = (0.0, 0);
    (report.a.time_us, report.b.time_us) = (none, none);
    report
}

#[test]
fn the_same_contest_has_the_same_result_with_any_number_of_threads() {
    for game in Game::ALL {
        let with = |threads| {
            let contest = Contest {
                threads: NonZeroUsize::new(threads).expect("threads"),
                ..contest(game, GREEDY, RANDOM, 12)
            };
            timeless(run(&contest))
        };
        let alone = with(1);
        assert_eq!(alone, with(1), "{game}");
        assert_eq!(alone, with(4), "{game}");
        assert_eq!((alone.games, alone.stopped), (24, None), "{game}");
        let other = timeless(run(&Contest { seed: 8, ..contest(game, GREEDY, RANDOM, 12) }));
        assert_ne!(alone.turns, other.turns, "{game}: another seed is another contest");
    }
}

/// What one wins with the dice of a pair, the other wins with them.
#[test]
fn players_who_play_alike_share_every_pair() {
    for game in Game::ALL {
        let report = run(&contest(game, RANDOM, RANDOM, 20));
        let Score { wins, draws, losses } = report.score_as_white;
        assert_eq!(report.score_as_black, Score { wins: losses, draws, losses: wins }, "{game}");
        assert!(wins > 0 && losses > 0, "{game}");
        let share = report.share.expect("games were played");
        let interval = share.interval.expect("twenty pairs are enough");
        assert_eq!(share.share.to_bits(), f64::to_bits(0.5), "{game}");
        assert!(interval.low < 0.31 && interval.high > 0.69, "{game}: as of twenty games, {interval:?}");
    }
}

/// Two engines that play differently, each in a file of its own: nobody has to pass in the
/// first turns of tabula.
#[test]
fn both_games_of_a_pair_have_the_same_dice() {
    let folder = TempDir::new().expect("a folder");
    let logs = ["a", "b"].map(|name| folder.path().join(name));
    let logging = |log: &Path, answer: &str| {
        let note = r#"printf '%s\n' "$line" | sed 's/.*"dice":\(\[[^]]*\]\).*/\1/'"#;
        at_turns(&format!("{note} >> '{}'; {answer}", log.display()))
    };
    let a = logging(&logs[0], FIRST);
    // Not the same as the other's: it wants all turns, and plays the last.
    let Entrant::Program(mut b) = logging(&logs[1], &FIRST.replace("legal\":\\[{", "position\":.*{")) else {
        unreachable!("it is a program")
    };
    b.arguments[1] = b.arguments[1].replace("\"legal\": 1", "\"legal\": 200");
    let report = run(&contest(Game::Tabula, a, Entrant::Program(b), 1));
    assert_eq!(report.ends.get("borne_off"), Some(&2), "{:?}", report.forfeits);
    let [a, b] = logs.map(|log| std::fs::read_to_string(log).expect("it has played"));
    let (a, b): (Vec<&str>, Vec<&str>) = (a.lines().collect(), b.lines().collect());
    // A is White first, so that White's dice open A's file and come back in B's second game.
    let opens = |of: &[&str], other: &[&str]| other.windows(4).any(|window| *window == of[..4]);
    assert!(opens(&a, &b), "White's dice");
    assert!(opens(&b, &a), "Black's dice");
    assert_ne!(a[..4], b[..4], "each side has dice of its own");
    assert_ne!(a, b, "they play differently");
}

#[test]
fn a_sound_engine_plays_every_game_to_its_end() {
    for game in Game::ALL {
        let contest = Contest {
            threads: NonZeroUsize::new(2).expect("threads"),
            ..contest(game, shell(FIRST_LEGAL), RANDOM, 1)
        };
        let report = run(&contest);
        assert_eq!((report.games, report.a.forfeits), (2, 0), "{game}: {:?}", report.forfeits);
        assert!(report.a.turns > 0 && report.a.nodes.is_none() && report.b.nodes.is_some());
    }
}

#[test]
fn an_engine_that_misbehaves_forfeits_with_the_reason() {
    let long = "head -c 70000 /dev/zero | tr '\\0' x; echo";
    for (engine, code, why) in [
        (at_turns("echo nonsense"), "unreadable", "cannot be read: expected"),
        (at_turns("echo '{\"steps\": 7}'"), "unreadable", "expected a list"),
        (at_turns("echo '{}'"), "unreadable", "either steps or notation"),
        (at_turns("echo; echo '{}'"), "unreadable", "ends too soon; an answer is JSON in one line"),
        (at_turns("echo '{'; echo '}'"), "unreadable", "ends too soon; an answer is JSON in one line: {"),
        (at_turns("echo '[[], null]'"), "unreadable", "read: expected an object, not a list"),
        (at_turns("echo '{\"steps\": [[1, \"a\", \"b\"]]}'"), "unreadable", "steps[0]: expected an object"),
        (shell("echo '[true, \"\", 200]'"), "unreadable", "read: expected an object, not a list"),
        (at_turns("echo '{\"steps\": [], \"steps\": []}'"), "unreadable", "duplicate field"),
        (
            at_turns("echo '{\"steps\": [{\"die\": 1, \"from\": \"Rome\", \"to\": \"2\"}]}'"),
            "illegal_step",
            "its step 1 is not legal: ",
        ),
        (at_turns("echo '{\"steps\": []}'"), "incomplete_turn", "the turn must still play "),
        (at_turns("echo '{\"notation\": \"Rome/2\"}'"), "bad_notation", "\"Rome/2\" cannot be played"),
        (at_turns(long), "line_too_long", "longer than 65536 bytes"),
        (at_turns("echo out of ideas >&2; exit 3"), "ended", "exit status: 3; its last words: out of ideas"),
        (shell("exit 0"), "ended", "exit status: 0"),
        (shell("echo '{\"ready\": false, \"why\": \"no dice\"}'"), "not_ready", "it is not ready: no dice"),
        (at_turns("exec >&-; sleep 1000"), "mute", "closed its standard output"),
    ] {
        let variant = Variant::Tabula;
        let report = run(&Contest { variant, seed: 3, ..contest(Game::Tabula, RANDOM, engine, 1) });
        assert_eq!(report.b.forfeits, 2, "{code}: the next game is a new chance");
        assert_eq!(report.score, Score { wins: 2, draws: 0, losses: 0 }, "{code}");
        for forfeit in &report.forfeits {
            assert_eq!((forfeit.player, forfeit.code), (EntrantId::B, code), "{}", forfeit.why);
            assert!(forfeit.why.contains(why), "{code}: {}", forfeit.why);
        }
    }
}

#[test]
fn an_engine_that_hangs_is_ended() {
    let folder = TempDir::new().expect("a folder");
    let pids = folder.path().join("pids");
    // A child of the shell, and the shell itself: neither may stay.
    let hang = format!("sleep 1000 & echo $! $$ >> '{}'; wait", pids.display());
    for (engine, code, limits) in [
        (at_turns(&hang), "late", Limits { ready: PLENTY, turn: LITTLE }),
        (shell(&hang), "ready_late", Limits { ready: LITTLE, turn: PLENTY }),
    ] {
        let report = run(&Contest { limits, ..contest(Game::Tablut, engine, GREEDY, 1) });
        let codes: Vec<_> = report.forfeits.iter().map(|forfeit| forfeit.code).collect();
        assert_eq!(codes, [code, code]);
        assert!(report.forfeits[0].why.contains("within 100 ms"), "{}", report.forfeits[0].why);
    }
    assert_eq!(nobody_is_left(&pids), 8);
}

#[test]
fn an_engine_that_ends_leaves_nobody_behind() {
    let folder = TempDir::new().expect("a folder");
    let pids = folder.path().join("pids");
    let engine = at_turns(&format!("sleep 1000 >&- & echo $! $$ >> '{}'; exit 3", pids.display()));
    let report = run(&contest(Game::Zeno, engine, GREEDY, 1));
    assert_eq!((report.a.forfeits, report.forfeits[0].code), (2, "ended"));
    assert_eq!(nobody_is_left(&pids), 4);
}

/// Both lines are written at once, and until the other player has thought, who is a shell too,
/// the second has arrived as well: if not in every game, then in one of ten.
#[test]
fn an_engine_that_answers_twice_forfeits() {
    let twice = at_turns(&FIRST.replace("{\"steps\":\\1}/", "{\"steps\":\\1}\\n{}/"));
    let report = run(&contest(Game::Tabula, twice, at_turns(FIRST), 5));
    assert_eq!((report.a.forfeits, report.b.forfeits), (10, 0), "{:?}", report.forfeits);
    let unasked: Vec<_> = report.forfeits.iter().filter(|forfeit| forfeit.code == "unasked").collect();
    assert!(!unasked.is_empty(), "{:?}", report.forfeits);
    assert!(unasked[0].why.ends_with("more than it was asked for: {}"), "{}", unasked[0].why);
}

/// The command, with an engine that writes down who it is and says nothing any more.
#[cfg(unix)]
fn command_with_a_silent_engine(pids: &Path, against: &[&str]) -> std::process::Child {
    let engine = format!("cmd:sh -c \"echo $$ >> '{}'; exec sleep 1000\"", pids.display());
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_lusoria-lab"));
    command.args(["arena", "tablut", "--threads", "1", "--time-limit-ms", "3600000", "--a", &engine]);
    command.args(against).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let arena = command.spawn().expect("the binary runs");
    eventually("the engine runs", || std::fs::read_to_string(pids).is_ok_and(|pids| pids.ends_with('\n')));
    arena
}

#[cfg(unix)]
fn terminate(program: &std::process::Child) {
    let kill = ["-c", "kill -TERM \"$0\"", &program.id().to_string()];
    std::process::Command::new("sh").args(kill).status().expect("a shell");
}

#[test]
#[cfg(unix)]
fn an_arena_that_is_told_to_end_tells_what_there_is() {
    let folder = TempDir::new().expect("a folder");
    let pids = folder.path().join("pids");
    let arena = command_with_a_silent_engine(&pids, &["--b", "random"]);
    terminate(&arena);
    let output = arena.wait_with_output().expect("it has been started here");
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("0 of 100: interrupted"), "{said}");
    assert_eq!(nobody_is_left(&pids), 1);
}

/// The other player thinks for minutes: only a second stop signal interrupts that.
#[test]
#[cfg(unix)]
fn no_engine_outlives_an_arena_that_is_told_to_end_twice() {
    let folder = TempDir::new().expect("a folder");
    let pids = folder.path().join("pids");
    let mut arena = command_with_a_silent_engine(&pids, &["--b", "5", "--nodes-b", "4000000000"]);
    let mut status = None;
    eventually("it ends", || {
        terminate(&arena);
        status = arena.try_wait().expect("it has been started here");
        status.is_some()
    });
    assert_eq!(status.and_then(|status| status.code()), Some(130));
    assert_eq!(nobody_is_left(&pids), 1);
}

/// Waits until none of the processes in the file runs any more, and tells how many these were:
/// who has been killed may take a moment to be gone.
fn nobody_is_left(pids: &Path) -> usize {
    let pids = std::fs::read_to_string(pids).expect("they have run");
    let pids: Vec<&str> = pids.split_whitespace().collect();
    for pid in &pids {
        eventually(&format!("process {pid} is gone"), || !runs(pid));
    }
    pids.len()
}

fn eventually(what: &str, mut it_is: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !it_is() {
        assert!(begun.elapsed() < PLENTY, "not within a minute: {what}");
        std::thread::yield_now();
    }
}

/// Whether a process runs, on systems that tell it in `/proc`; what nobody has waited for does not.
fn runs(pid: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    // The state comes after the name, which stands in brackets.
    stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with(['Z', 'X']))
}

#[test]
fn an_engine_that_forfeits_once_plays_on() {
    let once = "read -r hello; echo '{\"ready\": true, \"legal\": 1}'
while read -r line; do case \"$line\" in
'{\"start\":{\"game\":1,'*) exit 1;;
'{\"turn\":'*) DO;;
esac; done";
    let report = run(&contest(Game::Scripta, shell(&once.replace("DO", FIRST)), RANDOM, 1));
    assert_eq!((report.a.forfeits, report.games), (1, 2), "{:?}", report.forfeits);
    assert_eq!(report.forfeits[0].game, 1);
    assert!(report.ends.contains_key("borne_off"), "{:?}", report.ends);
}

/// It may have received the next game when it is seen to have ended, or not yet.
#[test]
fn an_engine_that_ends_between_games_is_started_anew() {
    let engine = |at: &str| {
        let script =
            TURNS.replace("DO", FIRST).replace("case \"$line\" in", &format!("case \"$line\" in {at};;"));
        shell(&format!("games=0; {script}"))
    };
    let at_end = "'{\"end\":'*) exit 0";
    // So it has certainly been told.
    let at_start = "'{\"start\":'*) games=$((games + 1)); [ $games -lt 2 ] || exit 0";
    for at in [at_end, at_start] {
        let report = run(&contest(Game::Scripta, engine(at), RANDOM, 1));
        assert_eq!((report.games, report.a.forfeits), (2, 0), "{at}: {:?}", report.forfeits);
    }
    // Not as one that has done its work.
    let report = run(&contest(Game::Scripta, engine(&at_end.replace("exit 0", "exit 4")), RANDOM, 1));
    assert_eq!((report.a.forfeits, report.forfeits[0].game), (1, 2), "{:?}", report.forfeits);
}

#[test]
fn an_engine_that_ends_in_a_later_game_forfeits_it() {
    let script = "games=0; read -r hello; echo '{\"ready\": true, \"legal\": 1}'
while read -r line; do case \"$line\" in
'{\"start\":'*) games=$((games + 1)); turns=0;;
'{\"turn\":'*) turns=$((turns + 1)); [ $games$turns -ne 22 ] || exit 0; DO;;
esac; done";
    let report = run(&contest(Game::Scripta, shell(&script.replace("DO", FIRST)), RANDOM, 1));
    assert_eq!((report.a.forfeits, report.games), (1, 2), "{:?}", report.forfeits);
    assert_eq!((report.forfeits[0].game, report.forfeits[0].code), (2, "ended"));
}

#[test]
fn too_many_forfeits_in_a_row_end_the_contest_at_the_same_game() {
    for threads in [1, 3] {
        let contest = Contest {
            threads: NonZeroUsize::new(threads).expect("threads"),
            ..contest(Game::Zeno, GREEDY, at_turns("exit 1"), 40)
        };
        let report = run(&contest);
        assert_eq!(report.stopped, Some(Stopped::Forfeits { player: EntrantId::B }));
        assert_eq!((report.games, report.b.forfeits), (10, 10), "{threads} threads");
    }
}

#[test]
fn a_program_that_is_not_there_ends_the_contest() {
    let nobody = Program { name: "./there-is-no-such-engine".to_owned(), arguments: Vec::new() };
    let contest = contest(Game::Zeno, GREEDY, Entrant::Program(nobody.clone()), 4);
    let refused = arena::run(&contest, &AtomicBool::new(false), |_| ());
    assert!(matches!(refused, Err(ArenaError::Start { program, .. }) if program == nobody));
}

#[test]
fn a_game_that_is_too_long_is_drawn_and_told() {
    let report = run(&Contest { turns_max: 6, ..contest(Game::Tavla, GREEDY, RANDOM, 3) });
    assert_eq!(report.score, Score { wins: 0, draws: 6, losses: 0 });
    assert_eq!(report.ends.get("turn_limit"), Some(&6));
    assert!(report.turns.max <= 6);
    assert_eq!(report.decided, None);
}

#[test]
fn a_stopped_contest_reports_at_once_what_there_is() {
    let begun = Instant::now();
    let stop = AtomicBool::new(false);
    let contest = contest(Game::Tabula, at_turns("sleep 1000"), GREEDY, 4);
    let report = arena::run(&contest, &stop, |_| stop.store(true, Relaxed)).expect("a report");
    assert_eq!((report.stopped, report.games), (Some(Stopped::Interrupted), 0));
    assert_eq!((report.share, report.elo.is_none()), (None, true));
    assert!(begun.elapsed() < PLENTY, "it was waited for");
}

#[test]
fn a_report_tells_which_judge_the_levels_are() {
    for &variant in Variant::ALL {
        let contest = Contest { variant, ..contest(variant.game(), GREEDY, RANDOM, 1) };
        assert_eq!(run(&contest).contest.edition, format!("{:016x}", edition(variant)), "{variant:?}");
    }
}

#[test]
fn a_player_who_wins_every_game_may_be_better_by_any_difference() {
    let report = run(&contest(Game::Tabula, GREEDY, RANDOM, 10));
    assert_eq!(report.score, Score { wins: 20, draws: 0, losses: 0 });
    let elo = report.elo.expect("games were played");
    assert_eq!((elo.difference, elo.high), (None, None));
    assert!(elo.low.is_some_and(|low| low > 0.0), "{elo:?}");
}

#[test]
fn levels_play_all_games_within_their_budget() {
    for game in Game::ALL {
        for level in Level::ALL {
            let report = run(&contest(game, Entrant::Computer(Player::Level(level)), RANDOM, 1));
            assert_eq!(report.ends.values().sum::<u32>(), 2, "{game}, level {level}");
            let nodes = report.a.nodes.expect("a level counts what it values");
            assert!(nodes.max <= 100, "{game}, level {level}: {nodes:?}");
        }
    }
}

fn round_robin(game: Game, players: Vec<Player>, pairs: u32, threads: usize) -> RoundRobin {
    let threads = NonZeroUsize::new(threads).expect("at least one");
    RoundRobin { variant: Variant::standard(game), players, pairs, seed: 7, turns_max: 300, threads }
}

#[test]
fn the_same_round_robin_shows_the_same_with_any_number_of_threads() {
    let stop = AtomicBool::new(false);
    let with = |threads| {
        let asked = round_robin(Game::Tavla, vec![Player::Random, Player::Greedy], 6, threads);
        let mut told = Vec::new();
        let found = ratings::play(&asked, &stop, |progress| told.push((progress.games, progress.games_all)));
        assert_eq!(told.last(), Some(&(36, 36)), "three pairings of six pairs");
        Ratings { elapsed_s: 0.0, ..found.expect("no engine").expect("it was not stopped") }
    };
    let [alone, together] =
        [with(1), with(3)].map(|found| serde_json::to_string(&found).expect("plain data"));
    assert_eq!(alone, together);
}

#[test]
fn a_round_robin_knows_the_better_player() {
    let asked = round_robin(Game::Tavla, vec![Player::Random, Player::Greedy], 30, 2);
    let found = ratings::play(&asked, &AtomicBool::new(false), |_| ());
    let found = found.expect("no engine").expect("it was not stopped");
    assert_eq!((found.games, found.games_each), (180, 60));
    let better_by = found.players[1].better_by.expect("the second of two");
    assert!(better_by.interval.low > 0.0, "{better_by:?}");
    let [known] = found.known.as_slice() else { panic!("two players meet once: {:?}", found.known) };
    assert!(known.better == "greedy" && known.share.interval.low > 0.5, "{known:?}");
    assert!(known.games.value > 0.0 && known.games_of_pairs.value > 0.0, "{known:?}");
    assert_eq!(found.held_out.advantage.results, 30, "half of what the two played against each other");
}

#[test]
fn a_round_robin_that_is_stopped_shows_nothing() {
    let asked = round_robin(Game::Zeno, vec![Player::Random], 1_000_000, 2);
    let stop = AtomicBool::new(false);
    let found = ratings::play(&asked, &stop, |_| stop.store(true, Relaxed)).expect("no engine");
    assert_eq!(found, None);
}
