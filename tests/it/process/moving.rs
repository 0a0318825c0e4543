//! A match that is played on after its file was moved to PostgreSQL.

use std::{path::Path, process::Command};

use lusoria_services::postgres::Database;

use super::{child::Process, done, name, refused, running, table::Table};
use crate::support::{assert_sound, http::Request, lusoria};

#[tokio::test]
async fn a_match_goes_on_where_its_file_was_moved() {
    let (_folder, file, server) = running();
    let mut table = Table::new("tavla", server.address()).await.expect("two guests");
    for _ in 0..7 {
        assert!(table.turn(server.address()).await.expect("it runs"));
    }
    let database = Database::new().expect("PostgreSQL");
    let url = database.tcp_url();
    let said = lusoria(&["move", name(&file), &url]);
    assert_eq!(said.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&said.stderr).contains("another server is using"), "{said:?}");

    assert!(server.terminate().await.success());
    let moved = Command::new(env!("CARGO_BIN_EXE_lusoria"))
        .args(["move", name(&file)])
        .env_clear()
        .env("LUSORIA_DATABASE", &url)
        .output()
        .expect("the binary runs");
    let said = String::from_utf8(moved.stdout).expect("text");
    assert_eq!(moved.status.code(), Some(0), "{}", String::from_utf8_lossy(&moved.stderr));
    assert!(said.contains("and compared, 2 guests, 1 matches, ") && !said.contains("password"), "{said}");

    let Err(ended) = Process::try_start(&file) else { panic!("the file was moved") };
    assert_eq!(ended.status.code(), Some(2));
    assert!(ended.said.contains("was moved to the database at lusoria@"), "{}", ended.said);
    for arguments in [&["admin", "statistics"][..], &["backup", "copy.db"]] {
        assert!(refused(arguments, &file).contains("use-again"), "{arguments:?}");
    }

    // The same tokens, the same numbers.
    let server = Process::start(Path::new(&url));
    table.assert_nothing_is_lost(server.address()).await;
    table.send_last_turn(server.address()).await.expect("it runs");
    while table.turn(server.address()).await.expect("it runs") {}
    let record = table.record(server.address()).await.expect("it runs");
    assert_sound(&serde_json::from_value(record).expect("a record"));
    let said = lusoria(&["move", name(&file), &url]);
    assert!(String::from_utf8_lossy(&said.stdout).contains("was moved to"), "{said:?}");

    assert!(done(&["database", "use-again"], &file).contains("a new history has begun"));
    let old = Process::start(&file);
    let path = format!("/api/v1/matches/{}", table.id());
    let known = Request::new("GET", &path).send(old.address()).await.expect("it runs");
    assert_eq!(known.status, 200, "{known:?}");
}

#[test]
fn what_cannot_be_moved_is_said() {
    for (arguments, says) in [
        (&["move", "there-is-none.db", "postgres://zeno@127.0.0.1:1/club"][..], "there is no file"),
        (&["move", "lusoria.db", "club.db"], "postgres://USER:PASSWORD@HOST:PORT/DATABASE"),
        (&["move", "postgres://zeno:hunter2@127.0.0.1:1/club", "club.db"], "lusoria move FILE postgres://"),
        (&["move", "lusoria.db", "mysql://zeno@host/club"], "a database is a file, or postgres://"),
    ] {
        let said = lusoria(arguments);
        assert_eq!(said.status.code(), Some(2));
        let said = String::from_utf8_lossy(&said.stderr);
        assert!(said.contains(says) && !said.contains("hunter2"), "{said}");
    }
    assert!(refused(&["database", "use-again"], Path::new("postgres://zeno@host/club")).contains("FILE"));
}
