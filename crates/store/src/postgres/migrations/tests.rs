//! Releases side by side: this one, and one with a migration more.

use lusoria_services::postgres::Database;
use uuid::Uuid;

use super::{
    super::{PostgresOptions, Target},
    *,
};
use crate::{NewNode, NodeId, Store};

/// The next release, after whose migration a program must know that of `needs`.
fn next(needs: i64) -> Vec<Step> {
    let (version, row) = (KNOWN + 1, format!("({}, {needs}, '9.9.9')", KNOWN + 1));
    let sql = format!("ALTER TABLE guests ADD COLUMN next text; INSERT INTO releases VALUES {row}");
    [&STEPS[..], &[step(version, "next", needs, Box::leak(sql.into_boxed_str()))]].concat()
}

async fn start(database: &Database, steps: &[Step]) -> Result<(), OpenError> {
    let target = Target::parse(&database.url(), &PostgresOptions::default()).expect("a URL");
    target.prepare_by(steps).await.map(drop)
}

async fn this_release(database: &Database) -> Result<Store, OpenError> {
    Store::open_server(&database.url(), PostgresOptions::default()).await
}

fn node() -> NewNode {
    let release = "0.1.0".to_owned();
    NewNode { id: NodeId(Uuid::from_u128(1)), name: "one".to_owned(), release }
}

#[tokio::test]
async fn each_migration_says_what_it_needs() {
    let database = Database::new().expect("a database");
    this_release(&database).await.expect("an empty database").close().await;
    let said = database.run("SELECT migration, needs FROM releases ORDER BY migration").expect("rows");
    let known: Vec<String> = STEPS.iter().map(|step| format!("{}|{}", step.version, step.needs)).collect();
    assert_eq!(said.lines().collect::<Vec<_>>(), known);
    assert!(STEPS.is_sorted_by(|a, b| a.version < b.version && a.needs <= b.needs));
}

#[tokio::test]
async fn the_release_before_starts_again_after_the_next_one_has_migrated() {
    let database = Database::new().expect("a database");
    start(&database, &STEPS[..1]).await.expect("an empty database");
    for steps in [&STEPS[..], &next(KNOWN), &STEPS[..], &next(KNOWN)] {
        start(&database, steps).await.expect("neighbours");
    }
    let store = this_release(&database).await.expect("it is enough");
    store.join(node(), 0).await.expect("joined");
    store.close().await;
    let newest = database.run("SELECT max(version) FROM _sqlx_migrations").expect("a number");
    assert_eq!(newest, (KNOWN + 1).to_string());
}

#[tokio::test]
async fn a_release_that_is_too_old_is_refused_and_told_by_which() {
    let database = Database::new().expect("a database");
    start(&database, &next(KNOWN + 1)).await.expect("an empty database");
    let refused = this_release(&database).await.err().expect("it knows too little");
    assert!(matches!(&refused, OpenError::Newer { release, .. } if release == "9.9.9"), "{refused}");
    start(&database, &next(KNOWN + 1)).await.expect("it is the one");
    // What does not say what it needs may need anything.
    database.run("DELETE FROM releases WHERE release = '9.9.9'").expect("deleted");
    assert!(matches!(this_release(&database).await, Err(OpenError::Newer { .. })));
}

#[tokio::test]
async fn nodes_that_run_are_left_tables_that_they_can_use() {
    let database = Database::new().expect("a database");
    let store = this_release(&database).await.expect("an empty database");
    store.join(node(), 0).await.expect("joined");
    let refused = start(&database, &next(KNOWN + 1)).await.expect_err("a node runs that could not go on");
    assert!(
        matches!(&refused, OpenError::OlderNodes { nodes, .. } if nodes == "one (release 0.1.0)"),
        "{refused}"
    );
    store.beat(node().id, 0).await.expect("nothing has changed for it");
    assert_eq!(
        database.run("SELECT max(version) FROM _sqlx_migrations").expect("a number"),
        KNOWN.to_string()
    );

    start(&database, &next(KNOWN)).await.expect("this one leaves it what it needs");
    assert_eq!(store.beat(node().id, 0).await.expect("noted").nodes.len(), 1);
    store.leave(node().id, 0).await.expect("left");
    store.close().await;

    let another = Database::new().expect("a database");
    let store = this_release(&another).await.expect("an empty database");
    store.join(node(), 0).await.expect("joined");
    store.leave(node().id, 0).await.expect("left");
    start(&another, &next(KNOWN + 1)).await.expect("nobody is in the way");
    store.close().await;
}
