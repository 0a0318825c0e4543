//! What only a database has: how it must be configured, who else may use it, and how it is searched.

use lusoria_services::{
    authority::Authority,
    postgres::{PASSWORD, Postgres},
};
use lusoria_store::postgres::OpenError;

use super::{
    doubt::{Fault, Line, through},
    *,
};

async fn refusal(url: &str) -> OpenError {
    match Store::open_server(url, PostgresOptions::default()).await {
        Ok(_) => panic!("the database should be refused"),
        Err(error) => {
            let text = format!("{error} {error:?}");
            assert!(!text.contains(PASSWORD) && !text.contains("wrong-password"), "{text}");
            error
        }
    }
}

/// What a full disk answers to a write that needs room.
const FULL: &str = "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS \
     $$ BEGIN RAISE 'no space left' USING ERRCODE = 'disk_full'; END $$; \
     CREATE TRIGGER full_disk BEFORE INSERT ON journal FOR EACH ROW EXECUTE FUNCTION full_disk()";

/// Else a proxy that sends nothing to a node that is not ready would never let it find out.
#[tokio::test]
async fn a_full_disk_is_forgotten_unless_writes_find_it_so_again() {
    let database = Database::new().expect("a database");
    let s = Fixture(open_postgres(&database.url()).await);
    assert!(!s.is_full());
    database.run(FULL).expect("a full disk");
    for number in 1..=2 {
        refused!(s.create(new_match(number)), AppendError::Store(StoreError::Full(_)));
        assert!(s.is_full());
        tokio::time::pause();
        tokio::time::advance(Duration::from_secs(6)).await;
        assert!(!s.is_full(), "nobody has written for a while");
        tokio::time::resume();
    }
    assert!(s.create(new_match(3)).await.is_err() && s.is_full());
    database.run("DROP TRIGGER full_disk ON journal").expect("room");
    s.matches([3]).await;
    assert!(!s.is_full());
    s.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nodes_that_start_at_once_migrate_once() {
    let database = Database::new().expect("a database");
    let url = database.url();
    for (n, store) in (0..).zip(join_all((0..4).map(|_| open_postgres(&url))).await) {
        let s = Fixture(store);
        s.matches([n]).await;
        is!(s.length(0), 1);
        s.close().await;
    }
}

/// Whether it is the expected one.
type Is = fn(&OpenError) -> bool;

#[tokio::test]
async fn what_cannot_be_reached_is_told_without_the_password() {
    let database = Database::new().expect("a database");
    let tcp = database.tcp_url();
    let password = PASSWORD.replace(' ', "%20");
    let nobody = format!(
        "127.0.0.1:{}",
        std::net::TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("it").port()
    );
    let place = format!("127.0.0.1:{}", database.port());
    let cases: [(String, Is); 5] = [
        (tcp.replace("postgres://", "mysql://"), |error| matches!(error, OpenError::NotAUrl(_))),
        (tcp.replace(&place, &nobody), |error| matches!(error, OpenError::Unreachable { .. })),
        (tcp.replace(&password, "wrong-password"), |error| matches!(error, OpenError::Refused { .. })),
        (tcp.replace("lusoria:", "zeno:"), |error| matches!(error, OpenError::Refused { .. })),
        (tcp.replace(database.name(), "nothing"), |error| matches!(error, OpenError::NoDatabase { .. })),
    ];
    for (url, is_expected) in cases {
        let error = refusal(&url).await;
        assert!(is_expected(&error), "{error:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tls_is_as_strict_as_the_url_says() {
    let [authority, other] = [(), ()].map(|()| Authority::new().expect("openssl"));
    let server = Postgres::start_with_tls(&authority).expect("PostgreSQL");
    server.create_database("club").expect("created");
    let url = |host: &str, mode: &str, authority: &Authority| {
        let ca = authority.file("authority.pem");
        let url = server.url("club").replace("127.0.0.1", host);
        format!("{url}?sslmode={mode}&sslrootcert={}", ca.display())
    };
    for mode in ["verify-full", "verify-ca"] {
        open_postgres(&url("127.0.0.1", mode, &authority)).await.close().await;
        let refused = refusal(&url("127.0.0.1", mode, &other)).await;
        let says = refused.to_string();
        assert!(matches!(refused, OpenError::Unreachable { .. }) && says.contains("certificate"), "{says}");
    }
    // The certificate is for the address.
    let refused = refusal(&url("localhost", "verify-full", &authority)).await.to_string();
    assert!(refused.contains("not valid for name"), "{refused}");
    open_postgres(&url("localhost", "verify-ca", &authority)).await.close().await;
    let s = Fixture(open_postgres(&url("127.0.0.1", "verify-full", &authority)).await);
    s.matches([1]).await;
    let connections = "SELECT bool_and(ssl) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) \
         WHERE application_name = 'lusoria'";
    assert_eq!(server.run("club", connections).expect("read"), "t");
    s.close().await;
    // Without TLS there is nothing to verify.
    let plain = Database::new().expect("a database").tcp_url();
    let refused = refusal(&format!("{plain}?sslmode=require")).await;
    assert!(matches!(refused, OpenError::Unreachable { .. }), "{refused}");
}

#[tokio::test]
async fn a_newer_or_another_database_is_refused() {
    let database = Database::new().expect("a database");
    open_postgres(&database.url()).await.close().await;
    let migration = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
         VALUES (9999, 'of the future', true, '', 1)";
    database.run(migration).expect("a later version");
    let refused = refusal(&database.url()).await;
    assert!(matches!(&refused, OpenError::Newer { release, .. } if release.contains("9999")), "{refused}");
    assert!(refused.to_string().contains("a newer lusoria"), "{refused}");
    database
        .run("DELETE FROM _sqlx_migrations WHERE version = 9999; UPDATE _sqlx_migrations SET checksum = ''")
        .expect("another");
    assert!(matches!(refusal(&database.url()).await, OpenError::Foreign { .. }));

    let foreign = Database::new().expect("a database");
    foreign.run("CREATE TABLE guests (id int)").expect("a table");
    let refused = refusal(&foreign.url()).await;
    assert!(matches!(refused, OpenError::Foreign { .. }), "{refused}");
    // Nothing of it was changed.
    assert_eq!(foreign.run("SELECT count(*) FROM guests").expect("it is there"), "0");
    assert!(foreign.run("SELECT count(*) FROM matches").is_err());
}

#[tokio::test]
async fn a_database_that_may_lose_commits_or_texts_is_refused() {
    let database = Database::new().expect("a database");
    database
        .run(&format!("ALTER DATABASE {} SET default_transaction_read_only = on", database.name()))
        .expect("set");
    assert!(matches!(refusal(&database.url()).await, OpenError::ReadOnly { .. }));

    let latin = format!("{}_latin", database.name());
    database
        .run(&format!("CREATE DATABASE {latin} ENCODING 'LATIN1' TEMPLATE template0"))
        .expect_err("it is read-only");
    let writable = Database::new().expect("a database");
    writable.run(&format!("CREATE DATABASE {latin} ENCODING 'LATIN1' TEMPLATE template0")).expect("created");
    let refused = refusal(&writable.url().replace(writable.name(), &latin)).await;
    assert!(matches!(&refused, OpenError::Encoding { found, .. } if found == "LATIN1"), "{refused}");
    writable.run(&format!("DROP DATABASE {latin} WITH (FORCE)")).expect("dropped");

    let server = Postgres::start(&["fsync=off", "shared_buffers=16MB"]).expect("a server");
    server.create_database("club").expect("a database");
    let refused = refusal(&server.url("club")).await;
    assert!(matches!(refused, OpenError::NotDurable { setting: "fsync", .. }), "{refused}");
}

/// Even if the database is configured otherwise.
#[tokio::test]
async fn commits_wait_for_the_disk() {
    let database = Database::new().expect("a database");
    database.run(&format!("ALTER DATABASE {} SET synchronous_commit = off", database.name())).expect("set");
    let s = Fixture(open_postgres(&database.url()).await);
    s.matches([1]).await;
    s.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn turns_change_no_index_of_matches() {
    let database = Database::new().expect("a database");
    let s = Fixture(open_postgres(&database.url()).await);
    for n in 0..20 {
        done!(s.create(match_of(n, 1, Some(2))));
        for head in 1..40 {
            done!(s.append(append(n, head)));
        }
    }
    s.close().await;
    // What a connection has counted it reports at the latest when it ends.
    let counts = "SELECT n_tup_upd, n_tup_hot_upd FROM pg_stat_user_tables WHERE relname = 'matches'";
    let hot = loop {
        let counted = database.run(counts).expect("counted");
        let (all, hot) = counted.split_once('|').expect("two columns");
        if all == "780" {
            break hot.parse::<u32>().expect("a number");
        }
    };
    // With an index to change none is hot; a few are not where other transactions keep old rows from being pruned.
    assert!(hot * 2 >= 780, "{hot} of 780");
}

/// A server that is killed keeps what it has acknowledged, and its clients come back to it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_acknowledged_outlasts_a_killed_server() {
    let mut server = Postgres::start(&["shared_buffers=16MB"]).expect("a server");
    server.create_database("club").expect("a database");
    let s = Fixture(open_postgres(&server.url("club")).await);
    s.matches([1]).await;
    let mut now = version(1);
    for _ in 0..2 {
        for _ in 0..20 {
            done!(s.append(Append { of: now, ..append(1, now.head) }));
            now.head += 1;
        }
        server.kill().expect("killed");
        let turn = s.append(Append { of: now, ..append(1, now.head) });
        refused!(turn, AppendError::Unknown(_) | AppendError::Store(StoreError::Busy(_)));
        assert!(s.settle(match_id(1)).await.is_err());
        server.start_again().expect("started");
        let settled = there!(s.settle(match_id(1))).version;
        assert_eq!(settled.head, now.head, "nothing that was acknowledged is lost");
        assert_eq!(done!(s.journal(1)).len(), now.head as usize);
        now = settled;
    }
    s.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn remains_are_erased_once_nobody_reads_them() {
    let database = Arc::new(Database::new().expect("a database"));
    let s = Fixture(open_postgres(&database.url()).await);
    s.matches([1]).await;
    let reads = Arc::clone(&database);
    let reader = tokio::task::spawn_blocking(move || {
        reads.run("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM matches; SELECT pg_sleep(4)")
    });
    let reading = "SELECT count(*) FROM pg_stat_activity \
         WHERE datname = current_database() AND query LIKE '%pg_sleep(4)' AND backend_xmin IS NOT NULL \
         AND pid <> pg_backend_pid()";
    while database.run(reading).expect("counted") == "0" {
        assert!(!reader.is_finished(), "it reads for four seconds");
    }
    yes!(s.rewrite(match_id(1), version(1), events(0, 1, 1_000), card(MatchState::Open)));
    no!(s.erase_remains(), "the old events are still read");
    reader.await.expect("run").expect("read");
    yes!(s.erase_remains());
    let dead = "SELECT coalesce(sum(n_dead_tup), 0) FROM pg_stat_user_tables WHERE relname IN ('journal', 'matches')";
    assert_eq!(database.run(dead).expect("counted"), "0");
    s.close().await;
}

/// Else the others could note nothing, and take that for an outage.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_that_stops_in_its_beat_does_not_stop_the_others() {
    let database = Database::new().expect("a database");
    let store = open_postgres(&database.url()).await;
    let era = done!(store.join(node(1), 0)).era;
    // What a connection of the beat holds that says nothing more.
    let line = Line::default();
    let other = through(&line, &database, PostgresOptions::default()).await;
    done!(other.join(node(2), 0));
    line.break_with(Fault::Late(b"COMMIT")).await;
    let (stopped, ()) = tokio::join!(other.beat(node_id(2), 0), async {
        line.happened.notified().await;
        let started = std::time::Instant::now();
        while store.beat(node_id(1), 0).await.is_err() {}
        assert!(started.elapsed() < Duration::from_millis(2_500), "{:?}", started.elapsed());
    });
    assert!(stopped.is_err());
    assert_eq!(done!(store.beat(node_id(1), 0)).era, era, "no outage");
    line.go_on.notify_one();
    store.close().await;
}
