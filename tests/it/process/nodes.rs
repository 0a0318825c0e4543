//! Several servers on one PostgreSQL database, with NATS between them.

use std::{
    path::Path,
    process::{Command, Output},
    time::{Duration, Instant},
};

use lusoria_services::{nats::Nats, postgres::Database};
use tempfile::TempDir;

use super::{child::Process, done, refused, table::Table};
use crate::support::{assert_sound, http::Request, server::GENEROUS};

fn serve(database: &str, nats: &str, name: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lusoria"));
    command
        .args(["serve", "--listen", "127.0.0.1:0", "--log", "error", "--shutdown-grace", "10"])
        .args(GENEROUS)
        .args(["--database", database, "--nats", nats, "--node", name]);
    command
}

fn start(database: &str, nats: &str, name: &str) -> Process {
    Process::of(&mut serve(database, nats, name))
}

#[tokio::test]
async fn a_match_goes_on_at_any_server_whatever_is_killed() {
    let database = Database::new().expect("PostgreSQL");
    let mut nats = Nats::start("").expect("NATS");
    let (url, bus) = (database.tcp_url(), nats.url());
    let one = start(&url, &bus, "one");
    let mut two = start(&url, &bus, "two");
    let mut table = Table::new("tavla", one.address()).await.expect("two guests");
    let mut turns = 0;
    loop {
        let at = if turns % 2 == 0 { two.address() } else { one.address() };
        match turns {
            // The other node knows what this one acknowledged.
            5 => {
                two.kill();
                table.assert_nothing_is_lost(one.address()).await;
                // Its name counts as taken for three seconds.
                two = start(&url, &bus, "two");
                turns += 1;
                continue;
            }
            10 => nats.kill().expect("it runs"),
            15 => nats.start_again().expect("it starts"),
            _ => {}
        }
        if !table.turn(at).await.expect("both servers run") {
            break;
        }
        turns += 1;
        // The same turn has the same answer at the other one.
        table
            .send_last_turn(if turns % 2 == 0 { two.address() } else { one.address() })
            .await
            .expect("both run");
    }
    assert!(turns > 20, "{turns} turns");
    let records = [&one, &two].map(|server| table.record(server.address()));
    for record in records {
        let record = record.await.expect("both servers run");
        assert_sound(&serde_json::from_value(record).expect("a record"));
    }
    table.assert_nothing_is_lost(two.address()).await;
    assert!(one.terminate().await.success());
    assert!(two.terminate().await.success());
}

#[tokio::test]
async fn commands_work_beside_the_servers() {
    let database = Database::new().expect("PostgreSQL");
    let nats = Nats::start("").expect("NATS");
    let url = database.tcp_url();
    let server = start(&url, &nats.url(), "one");
    let table = Table::new("tavla", server.address()).await.expect("two guests");
    let place = Path::new(&url);
    assert!(done(&["admin", "statistics"], place).contains("2 people"));
    assert!(done(&["admin", "rename", "Zeno", "Leo", "--everywhere"], place).contains("Leo"));
    assert_eq!(table.snapshot(server.address()).await.expect("it runs")["players"]["2"]["name"], "Leo");
    done(&["admin", "block", "Leo"], place);
    let ended = table.snapshot(server.address()).await.expect("it runs");
    assert_eq!(ended["state"], "ended", "{ended}");
    assert!(done(&["database", "new-history"], place).contains("new history"));
    assert!(refused(&["backup", "copy.db"], place).contains("with its own tools"));
    assert!(refused(&["database", "new-history"], Path::new("lusoria.db")).contains("lusoria restore"));
}

/// How a server ends that cannot start.
fn does_not_start(command: &mut Command) -> (Option<i32>, String) {
    let Output { status, stderr, .. } = command.env_clear().output().expect("the binary runs");
    (status.code(), String::from_utf8(stderr).expect("text"))
}

#[test]
fn what_is_wrong_with_the_database_is_said_without_its_password() {
    let database = Database::new().expect("PostgreSQL");
    let bus = "nats://127.0.0.1:1";
    let port = database.port();
    for (url, code, says) in [
        ("postgres://zeno:hunter2@127.0.0.1:1/club".to_owned(), 75, "cannot reach PostgreSQL"),
        (format!("postgres://zeno:hunter2@127.0.0.1:{port}/club"), 2, "refuses the user or the password"),
        (database.tcp_url().replace(database.name(), "elsewhere"), 2, "no such database"),
        ("postgres://zeno:hunter2@host:port/club".to_owned(), 2, "not the URL of a PostgreSQL database"),
        ("mysql://zeno@host/club".to_owned(), 2, "a database is a file, or postgres://"),
    ] {
        let (status, said) = does_not_start(&mut serve(&url, bus, "one"));
        assert_eq!(status, Some(code), "{said}");
        assert!(said.contains(says) && !said.contains("hunter2"), "{said}");
    }
    let (status, said) = does_not_start(&mut serve("lusoria.db", bus, "one"));
    assert_eq!(status, Some(2));
    assert!(said.contains("--nats needs a PostgreSQL database"), "{said}");
}

/// The sessions that have locked the table in which nodes note that they run.
const LOCKING: &str =
    "FROM pg_locks WHERE relation = 'pulse'::regclass AND mode = 'AccessExclusiveLock' AND granted";

#[test]
fn a_start_while_a_table_is_locked_may_be_tried_again() {
    let database = Database::new().expect("PostgreSQL");
    let url = database.tcp_url();
    done(&["database", "new-history"], Path::new(&url));
    let (status, said) = std::thread::scope(|scope| {
        let locking = scope.spawn(|| database.run("BEGIN; LOCK TABLE pulse; SELECT pg_sleep(60)"));
        while database.run(&format!("SELECT count(*) {LOCKING}")).expect("it runs") == "0" {
            assert!(!locking.is_finished(), "the table cannot be locked");
        }
        let not_started = does_not_start(&mut serve(&url, "nats://127.0.0.1:1", "one"));
        database.run(&format!("SELECT pg_terminate_backend(pid) {LOCKING}")).expect("it runs");
        not_started
    });
    assert_eq!(status, Some(75), "{said}");
}

/// What `lusoria admin nodes` lists, by name: whether each runs, and whether it hears the others.
fn nodes(arguments: &[&str], database: &Path) -> Vec<(String, String, serde_json::Value)> {
    let said = done(&[&["admin", "--json", "nodes"], arguments].concat(), database);
    let said: serde_json::Value = serde_json::from_str(&said).expect("JSON");
    let text = |node: &serde_json::Value, field: &str| node[field].as_str().expect("text").to_owned();
    let nodes = said["nodes"].as_array().expect("a list").iter();
    nodes.map(|node| (text(node, "name"), text(node, "state"), node["nats"].clone())).collect()
}

/// Looks until it is as it should be: nodes note themselves once a second.
fn wait_for_nodes(arguments: &[&str], database: &Path, expected: &[(&str, &str, serde_json::Value)]) {
    let until = Instant::now() + Duration::from_secs(30);
    let as_listed = |(name, state, nats): &(&str, &str, serde_json::Value)| {
        ((*name).to_owned(), (*state).to_owned(), nats.clone())
    };
    let expected: Vec<_> = expected.iter().map(as_listed).collect();
    loop {
        let listed = nodes(arguments, database);
        if listed == expected {
            return;
        }
        assert!(Instant::now() < until, "{listed:?} is not {expected:?}");
    }
}

#[tokio::test]
async fn an_operator_sees_which_servers_run_and_which_are_lost() {
    let (database, folder) = (Database::new().expect("PostgreSQL"), TempDir::new().expect("a folder"));
    let mut nats = Nats::start("").expect("NATS");
    let (url, socket) = (database.tcp_url(), folder.path().join("admin"));
    let socket = socket.to_str().expect("UTF-8");
    let place = Path::new(&url);
    assert!(done(&["admin", "nodes"], place).contains("no server runs"));
    let one = Process::of(serve(&url, &nats.url(), "one").args(["--admin-socket", socket]));
    let two = start(&url, &nats.url(), "two");
    let mut alone = Command::new(env!("CARGO_BIN_EXE_lusoria"));
    alone.args(["serve", "--listen", "127.0.0.1:0", "--log", "error", "--database", &url, "--node", "three"]);
    let three = Process::of(&mut alone);
    let both = [("one", "running", true.into()), ("three", "running", serde_json::Value::Null)];
    let expected = [both.as_slice(), &[("two", "running", true.into())]].concat();
    for arguments in [&[][..], &["--admin-socket", socket]] {
        wait_for_nodes(arguments, place, &expected);
    }
    nats.kill().expect("it runs");
    let deaf = [("one", "running", false.into()), both[1].clone(), ("two", "running", false.into())];
    wait_for_nodes(&["--admin-socket", socket], place, &deaf);
    two.kill();
    assert!(three.terminate().await.success());
    wait_for_nodes(&[], place, &[deaf[0].clone(), ("two", "lost", false.into())]);
    let lines = done(&["admin", "nodes"], place);
    for said in ["one  runs, release ", "two  LOST, release ", "NATS NOT CONNECTED"] {
        assert!(lines.contains(said), "{lines}");
    }
    assert!(one.terminate().await.success());
}

/// A neighbour with a migration more, as the next release may have.
fn migrate(database: &Database, needs: u32) {
    database
        .run(&format!(
            "ALTER TABLE guests ADD COLUMN next_{needs} text; \
             INSERT INTO releases VALUES (9000 + {needs}, {needs}, '9.9.9'); \
             INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
             VALUES (9000 + {needs}, 'of the next release', true, '', 1)"
        ))
        .expect("a later version");
}

#[tokio::test]
async fn a_server_starts_again_beside_one_of_the_next_release_unless_it_is_too_old() {
    let (database, nats) = (Database::new().expect("PostgreSQL"), Nats::start("").expect("NATS"));
    let (url, bus) = (database.tcp_url(), nats.url());
    let one = start(&url, &bus, "one");
    let mut table = Table::new("tavla", one.address()).await.expect("two guests");
    // The next release starts, and this one goes on, also after a stop.
    migrate(&database, 1);
    assert!(table.turn(one.address()).await.expect("it runs"));
    assert!(one.terminate().await.success());
    let one = start(&url, &bus, "one");
    table.assert_nothing_is_lost(one.address()).await;
    assert!(table.turn(one.address()).await.expect("it runs"));
    assert!(one.terminate().await.success());
    migrate(&database, 9_001);
    let (status, said) = does_not_start(&mut serve(&url, &bus, "one"));
    assert_eq!(status, Some(2), "{said}");
    assert!(said.contains("release 9.9.9") && said.contains("too old"), "{said}");
}

/// A browser that was given a document by one server asks another one for its files.
#[tokio::test]
async fn the_page_of_a_neighbouring_release_is_whole_on_every_server() {
    let (database, nats) = (Database::new().expect("PostgreSQL"), Nats::start("").expect("NATS"));
    let one = start(&database.tcp_url(), &nats.url(), "one");
    let get = async |path: &str| Request::new("GET", path).send(one.address()).await.expect("it runs");
    let own = database.run("SELECT hash, count(*) FROM pages JOIN page_files ON page = hash GROUP BY hash");
    let own = own.expect("its page");
    let (own, files) = own.split_once('|').expect("a row");
    assert!(files.parse::<u32>().expect("a number") > 50, "{files}");
    // What another release would keep.
    let other = "0123456789abcdef";
    database
        .run(&format!(
            "INSERT INTO pages VALUES ('{other}', 9000000000000000); \
             INSERT INTO page_files VALUES ('{other}', 'pages/home.js', 'export const old = 1;')"
        ))
        .expect("another page");
    let answer = get(&format!("/assets/{other}/pages/home.js")).await;
    assert_eq!((answer.status, answer.body.as_str()), (200, "export const old = 1;"));
    assert!(answer.header("cache-control").expect("it may be kept").contains("immutable"));
    // Of that page there is no such file: that of this release does not belong to it.
    assert_eq!(get(&format!("/assets/{other}/pages/match.js")).await.status, 404);
    assert!(get(&format!("/assets/{own}/pages/home.js")).await.body.contains("import"));
    // Nobody knows this one any more.
    let unknown = get("/assets/fedcba9876543210/pages/home.js").await;
    assert_eq!((unknown.status, unknown.header("cache-control")), (200, Some("no-store")));
    assert!(one.terminate().await.success());
}
