//! Several servers on one PostgreSQL database, with NATS between them.

use std::{
    path::Path,
    process::{Command, Output},
};

use lusoria_services::{nats::Nats, postgres::Database};

use super::{child::Process, done, refused, table::Table};
use crate::support::{assert_sound, server::GENEROUS};

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
            // What was acknowledged by it is known to the other one.
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
    assert!(refused(&["backup", "copy.db"], place).contains("by its own means"));
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
