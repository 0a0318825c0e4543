//! A database of every schema that there ever was is brought up to date, tells what it told to
//! the program that wrote it, and is played on.
//!
//! `databases/NNNN/` is the work of a program whose last migration was `NNNN` (`party.rs`): the
//! database as it stopped, the log that it left behind when it was killed a little later, and
//! what it told of both.

use std::{
    collections::BTreeMap,
    fs,
    io::Read,
    path::{Path, PathBuf},
    sync::Arc,
};

use flate2::read::GzDecoder;
use lusoria::{app::ANALYSIS_FORM, live::ServerTime, server::Server};
use lusoria_play::MatchId;
use lusoria_protocol::{AnalysedGame, Record};
use lusoria_records::replay::judge;
use lusoria_services::{postgres::Database, sqlite::File};
use lusoria_store::{
    Store, move_to_postgres,
    postgres::PostgresOptions,
    sqlite::{OpenError, SqliteOptions, check},
};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{
    http::{Answer, Request},
    server::server_over,
};

/// How long after the program was killed its database is opened again: what expires, and the
/// one-time code for a device, is still valid.
const OPENED_AFTER_MS: u64 = 60_000;

/// How the program that wrote a database ended.
#[derive(Debug, Clone, Copy)]
enum Ended {
    Stopped,
    Killed,
}

/// A golden database, unpacked.
struct Golden {
    schema: i64,
    folder: TempDir,
    /// What was told while it was written.
    told: Value,
    /// The server's state of each match at the end.
    matches: Value,
}

impl Golden {
    fn unpack(packed: &Path, ended: Ended) -> Self {
        let mut told: Value = serde_json::from_slice(&unpacked(&packed.join("told.json.gz"))).expect("JSON");
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("lusoria.db"), unpacked(&packed.join("lusoria.db.gz")))
            .expect("written");
        let matches = match ended {
            Ended::Stopped => told["clean"].take(),
            Ended::Killed => {
                let log = unpacked(&packed.join("lusoria.db-wal.gz"));
                fs::write(folder.path().join("lusoria.db-wal"), log).expect("written");
                told["killed"].take()
            }
        };
        Self { schema: told["schema"].as_i64().expect("a number"), folder, told, matches }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("lusoria.db")
    }

    fn matches(&self) -> impl Iterator<Item = (&String, &Value)> {
        self.matches.as_object().expect("matches").iter()
    }

    /// The tokens of the guests who play in the matches.
    fn tokens(&self) -> impl Iterator<Item = &str> {
        let plays = |guest: &Value| {
            let mut players = self.matches().flat_map(|(_, told)| object(&told["record"]["players"]));
            players.any(|(_, player)| player["id"] == guest["id"])
        };
        let guests = self.told["guests"].as_array().expect("guests").iter();
        guests.filter(move |guest| plays(guest)).map(|guest| text(&guest["token"]))
    }

    /// How many rows of matches there are: of public ones, and of those that guests play in.
    fn rows(&self) -> (usize, usize) {
        let file = File::open(&self.path()).expect("a database");
        let count = |which: &str| {
            let count = format!("SELECT COUNT(*) FROM matches WHERE {which}");
            file.value(&count).expect("counted")
        };
        let by_guests = "EXISTS (SELECT 1 FROM guests WHERE kind <> 'computer' AND id IN (seat1, seat2))";
        (count("listed"), count(by_guests))
    }

    async fn open(&self) -> Store {
        let opened = Store::open_file(&self.path(), SqliteOptions::default()).await;
        opened.unwrap_or_else(|error| panic!("schema {}: {error}", self.schema))
    }

    /// The server of today on it, a little later.
    async fn served(&self) -> Server {
        let time = ServerTime::from_epoch(self.told["at"].as_u64().expect("a time") + OPENED_AFTER_MS);
        server_over(Arc::new(self.open().await), time, &[]).await
    }
}

/// What is packed in a file of a golden database.
pub(crate) fn unpacked(path: &Path) -> Vec<u8> {
    let packed = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut bytes = Vec::new();
    GzDecoder::new(&packed[..]).read_to_end(&mut bytes).expect("packed whole");
    bytes
}

/// Where all golden databases are.
pub(super) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/golden/databases")
}

/// The folders of all golden databases, the oldest schema first.
pub(crate) fn packed() -> Vec<PathBuf> {
    let mut found: Vec<_> =
        fs::read_dir(folder()).expect("databases").map(|one| one.expect("an entry").path()).collect();
    found.sort();
    found
}

/// Each of them, as its program stopped and as it was killed.
fn all() -> impl Iterator<Item = (Ended, Golden)> {
    let both = [Ended::Stopped, Ended::Killed];
    packed().into_iter().flat_map(move |packed| both.map(|ended| (ended, Golden::unpack(&packed, ended))))
}

#[test]
fn there_is_one_of_every_schema_before_this_one() {
    let migrations = Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations");
    let entries = fs::read_dir(migrations).expect("migrations").map(|one| one.expect("an entry"));
    let mut schemas: Vec<String> =
        entries.map(|entry| entry.file_name().to_string_lossy()[..4].to_owned()).collect();
    schemas.sort();
    let newest = schemas.pop().expect("a migration");
    let kept: Vec<String> = packed()
        .iter()
        .map(|path| path.file_name().expect("a name").to_string_lossy().into_owned())
        .collect();
    for schema in schemas {
        assert!(
            kept.contains(&schema),
            "there is no golden database of schema {schema}: `cargo test --test it golden -- --ignored` \
             on a commit before {newest} makes it"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_is_brought_up_to_date_and_is_sound() {
    let folder = tempfile::tempdir().expect("a folder");
    let fresh = folder.path().join("fresh.db");
    Store::open_file(&fresh, SqliteOptions::default()).await.expect("a database").close().await;
    let newest = check(&fresh).await.expect("sound").version;
    for (ended, golden) in all() {
        golden.open().await.close().await;
        let contents = check(&golden.path()).await.unwrap_or_else(|error| panic!("{ended:?}: {error}"));
        assert_eq!(contents.version, newest);
        let matches = golden.matches().count() as u64;
        assert!(contents.unfinished + contents.finished >= matches, "{contents:?}");
        // The tables are those of a new database, whatever way they came.
        assert_eq!(tables(&golden.path()), tables(&fresh), "schema {}", golden.schema);
    }
}

/// What the tables and indexes are, as SQLite keeps it.
fn tables(path: &Path) -> Vec<Vec<String>> {
    let select = "SELECT name, replace(sql, '\"', '') FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name";
    File::open(path).and_then(|file| file.rows(select)).expect("read")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_match_tells_what_it_told() {
    for (ended, golden) in all() {
        let server = golden.served().await;
        for (id, told) in golden.matches() {
            let place = format!("schema {}, {ended:?}, match {id}", golden.schema);
            let path = format!("/api/v1/matches/{id}/record?analysis=true");
            let now = get(&server, &path).await.json();
            same_but_for_more(&place, &told["record"], &now);
            // It is told as long as the computer would think the same today.
            if told["analysis"].is_object() && now["analysis"].is_object() {
                same_but_for_more(&place, &told["analysis"], &now["analysis"]);
            }
            let before: Record = serde_json::from_value(told["record"].clone()).expect("a record");
            let now: Record = serde_json::from_value(now).expect("a record");
            for record in [before, now] {
                let report = judge(&record);
                assert!(report.is_sound(), "{place}: {:?}", report.faults);
                assert_eq!(report.judged, record.events.len(), "{place}");
            }
        }
        server.stop().await;
    }
}

/// Whatever a release wrote can be moved to PostgreSQL, and tells the same there. A file is brought up to
/// date first.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn matches_tell_what_they_told_when_they_were_moved() {
    for (ended, golden) in all() {
        golden.open().await.close().await;
        let database = Database::new().expect("PostgreSQL");
        let moved = move_to_postgres(&golden.path(), &database.url(), &mut |_| {}).await;
        let place = format!("schema {}, {ended:?}", golden.schema);
        assert!(moved.expect(&place).totals.is_some_and(|totals| totals.matches > 0), "{place}");
        let store = Store::open_server(&database.url(), PostgresOptions::default()).await.expect(&place);
        let server = server_over(Arc::new(store), ServerTime::from_system(), &[]).await;
        for (id, told) in golden.matches() {
            let now = get(&server, &format!("/api/v1/matches/{id}/record?analysis=true")).await.json();
            same_but_for_more(&format!("{place}, match {id}"), &told["record"], &now);
            let record: Record = serde_json::from_value(now).expect("a record");
            assert!(judge(&record).is_sound(), "{place}, match {id}");
        }
        server.stop().await;
    }
}

/// An analysis is stored with the version of the search. As long as its form is the same it can be read,
/// even if the search of today would differ.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_analysis_that_was_kept_can_be_read() {
    let mut read = 0;
    for (ended, golden) in all() {
        let store = golden.open().await;
        for (id, told) in golden.matches().filter(|(_, told)| told["analysis"].is_object()) {
            let place = format!("schema {}, {ended:?}, match {id}", golden.schema);
            let id = MatchId(id.parse().expect("an id"));
            let kept =
                store.analysis(id).await.expect("read").unwrap_or_else(|| panic!("{place}: it is gone"));
            let form = kept.engine.split('/').next().and_then(|form| form.parse().ok());
            if form != Some(ANALYSIS_FORM) {
                continue;
            }
            let games: Vec<AnalysedGame> = serde_json::from_str(&kept.body).expect(&place);
            // As text, as it is told: numbers of single precision would get digits else.
            let games = serde_json::to_string(&games).expect("plain data");
            let games = serde_json::from_str(&games).expect("JSON");
            same_but_for_more(&place, &told["analysis"]["games"], &games);
            read += 1;
        }
        store.close().await;
    }
    assert!(read > 0 || ANALYSIS_FORM > 1, "there are analyses of form 1");
}

/// Lists are made of what is kept beside the journal (`matches.card`): it must be readable, too.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_match_is_in_its_lists_as_its_record_has_it() {
    for (ended, golden) in all() {
        let server = golden.served().await;
        let place = format!("schema {}, {ended:?}", golden.schema);
        let mut listed = BTreeMap::new();
        for state in ["open", "live", "finished"] {
            for card in pages(&server, "", &format!("/matches?state={state}&limit=7")).await {
                assert_eq!(card["state"], state, "{place}: {card}");
                listed.insert(text(&card["id"]).to_owned(), card);
            }
        }
        let mut own = BTreeMap::new();
        for token in golden.tokens() {
            for card in pages(&server, token, "/me/matches?limit=7").await {
                own.insert(text(&card["id"]).to_owned(), card);
            }
        }
        for (id, told) in golden.matches() {
            let place = format!("{place}, match {id}");
            let record = get(&server, &format!("/api/v1/matches/{id}/record")).await.json();
            let is_public = told["record"]["admission"] == "open";
            let played_by_guests =
                object(&told["record"]["players"]).any(|(_, one)| one["kind"] != "computer");
            assert_eq!(listed.contains_key(id), is_public, "{place}");
            assert_eq!(own.contains_key(id), played_by_guests, "{place}");
            for card in [listed.get(id), own.get(id)].into_iter().flatten() {
                same_as_in_the_record(&place, card, &record);
            }
        }
        server.stop().await;
        let (rows_listed, rows_own) = golden.rows();
        assert_eq!((listed.len(), own.len()), (rows_listed, rows_own), "{place}");
    }
}

/// All matches of a list, page by page.
async fn pages(server: &Server, token: &str, path: &str) -> Vec<Value> {
    let (mut all, mut after) = (Vec::new(), String::new());
    loop {
        let request = Request::new("GET", &format!("/api/v1{path}{after}"));
        let request = if token.is_empty() { request } else { request.token(token) };
        let page = request.send(server.address()).await.expect("an answer").json();
        all.extend(page["matches"].as_array().unwrap_or_else(|| panic!("{path}: {page}")).iter().cloned());
        match page["next"].as_str() {
            Some(next) => after = format!("&cursor={next}"),
            None => return all,
        }
    }
}

fn same_as_in_the_record(place: &str, card: &Value, record: &Value) {
    for name in ["game", "options", "points", "clock", "admission", "side", "players", "created_at"] {
        assert_eq!(card[name], record[name], "{place}, {name}");
    }
    let events = || record["events"].as_array().expect("events").iter();
    let of = |kind: &str| events().filter(|event| event["type"] == kind).collect::<Vec<_>>();
    let state = match (record["result"].is_null(), object(&record["players"]).count()) {
        (false, _) => "finished",
        (true, 1) => "open",
        (true, _) => "live",
    };
    assert_eq!(card["state"], state, "{place}");
    assert_eq!(card["turns"], of("turned").len(), "{place}");
    let score = of("game_ended").last().map_or(json!({"1": 0, "2": 0}), |ended| ended["score"].clone());
    assert_eq!(card["score"], score, "{place}");
    assert_eq!(card["result"], record["result"]["result"], "{place}");
    assert_eq!(card["winner_seat"], record["result"]["winner_seat"], "{place}");
}

/// A record that was told may say more today, and its match may have gone on; what it said stays.
fn same_but_for_more(place: &str, before: &Value, now: &Value) {
    match (before, now) {
        (Value::Object(before), Value::Object(now)) => {
            for (name, before) in before.iter().filter(|(name, _)| *name != "server") {
                let now = now.get(name).unwrap_or_else(|| panic!("{place}: {name} is gone"));
                same_but_for_more(&format!("{place}.{name}"), before, now);
            }
        }
        (Value::Array(before), Value::Array(now)) => {
            let goes_on = place.ends_with(".events") && before.len() <= now.len();
            assert!(goes_on || before.len() == now.len(), "{place} had another length");
            for (n, (before, now)) in before.iter().zip(now).enumerate() {
                same_but_for_more(&format!("{place}[{n}]"), before, now);
            }
        }
        _ => assert_eq!(before, now, "{place}"),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn those_who_played_play_on_with_their_old_tokens() {
    for (ended, golden) in all() {
        let server = golden.served().await;
        let live = golden.told["live"].as_array().expect("matches");
        let there: Vec<_> =
            live.iter().filter(|one| golden.matches.get(text(&one["match"])).is_some()).collect();
        assert!(there.len() > 5, "{} matches can be played on", there.len());
        for one in there {
            for _ in 0..2 {
                plays_a_turn(&server, text(&one["match"]), &one["tokens"]).await;
            }
        }
        // The invitation, the key and the one-time code are what they were.
        let stranger = post(&server, "", "/guests", &json!({})).await.json();
        let invitation = &golden.told["invitation"];
        let code = json!({"code": invitation["code"]});
        let spent = post(&server, text(&stranger["token"]), "/invitations/spend", &code).await;
        assert_eq!(spent.json()["match"], invitation["match"]);
        let key = &golden.told["key"];
        let again = Request::new("POST", "/api/v1/matches")
            .token(text(&key["token"]))
            .header("idempotency-key", text(&key["key"]))
            .json(&key["body"]);
        let again = again.send(server.address()).await.expect("an answer");
        assert_eq!(again.json()["match"]["id"], key["match"], "{again:?}");
        if matches!(ended, Ended::Killed) {
            let code = &golden.told["device_code"];
            let taken = post(&server, "", "/device-codes/spend", &json!({"code": code["code"]})).await;
            assert_eq!(taken.json()["id"], code["guest"]);
        }
        server.stop().await;
    }
}

async fn plays_a_turn(server: &Server, id: &str, tokens: &Value) {
    let snapshot = get(server, &format!("/api/v1/matches/{id}")).await.json();
    assert_eq!(snapshot["state"], "playing", "{snapshot}");
    let to_play = &snapshot["to_play"];
    let token = text(&tokens[to_play["seat"].to_string()]);
    let mut steps = Vec::new();
    loop {
        let question = json!({"steps": steps});
        let legal = post(server, token, &format!("/matches/{id}/legal"), &question).await.json();
        if legal["complete"] == true {
            break;
        }
        steps.push(legal["steps"][0].clone());
    }
    let turn = json!({"seq": to_play["seq"], "steps": steps});
    let played = post(server, token, &format!("/matches/{id}/turn"), &turn).await;
    assert_eq!(played.status, 200, "{played:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn old_tokens_are_sessions() {
    for (_, golden) in all() {
        let server = golden.served().await;
        let phone = text(&golden.told["phone"]);
        let told = sessions(&server, phone).await;
        let of = |name: &str| {
            told.as_array().expect("a list").iter().map(|one| one[name].clone()).collect::<Vec<_>>()
        };
        assert_eq!(of("origin"), ["device_code", "guest"], "schema {}", golden.schema);
        assert_eq!(of("current"), [true, false]);
        let guest =
            Request::new("DELETE", &format!("/api/v1/me/sessions/{}", text(&told[1]["id"]))).token(phone);
        assert_eq!(guest.send(server.address()).await.expect("an answer").status, 204);
        assert_eq!(sessions(&server, phone).await.as_array().expect("a list").len(), 1);
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn accounts_are_what_they_were() {
    for (_, golden) in all() {
        let club = &golden.told["club"];
        let server = golden.served().await;
        let ask = async |token: &str, path: &str| {
            let request = Request::new("GET", &format!("/api/v1{path}")).token(token);
            request.send(server.address()).await.expect("an answer").json()
        };
        let sign_in = json!({"handle": club["handle"], "password": club["password"]});
        let signed_in = post(&server, "", "/sign-in", &sign_in).await.json();
        assert_eq!(signed_in["id"], club["id"], "{signed_in}");
        let token = text(&signed_in["token"]);
        assert_eq!(ask(token, "/me/blocks").await["blocked"][0]["id"], club["blocked"]);
        assert_eq!(ask(token, "/seeks").await["seeks"][0]["id"], club["seek"]);
        let program = ask(text(&club["token"]), "/token").await;
        assert_eq!(program["scopes"], json!(["match:read"]), "{program}");
        server.stop().await;
    }
}

async fn sessions(server: &Server, token: &str) -> Value {
    let request = Request::new("GET", "/api/v1/me/sessions").token(token);
    request.send(server.address()).await.expect("an answer").json()["sessions"].clone()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_that_is_newer_is_refused_and_left_as_it_is() {
    let golden = Golden::unpack(&packed()[0], Ended::Stopped);
    golden.open().await.close().await;
    let later = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
         VALUES (9999, 'of a later release', 1, x'00', 0)";
    File::open(&golden.path()).and_then(|file| file.run(later)).expect("written");
    let before = fs::read(golden.path()).expect("a file");
    let Err(refused) = Store::open_file(&golden.path(), SqliteOptions::default()).await else {
        panic!("it was opened")
    };
    assert!(matches!(refused, OpenError::Newer { found: 9999, .. }), "{refused}");
    assert_eq!(fs::read(golden.path()).expect("a file"), before);
}

async fn get(server: &Server, path: &str) -> Answer {
    Request::new("GET", path).send(server.address()).await.expect("an answer")
}

async fn post(server: &Server, token: &str, path: &str, body: &Value) -> Answer {
    let request = Request::new("POST", &format!("/api/v1{path}")).json(body);
    let request = if token.is_empty() { request } else { request.token(token) };
    let answer = request.send(server.address()).await.expect("an answer");
    assert!(answer.status < 300, "{path}: {answer:?}");
    answer
}

fn object(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().expect("an object").iter()
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}
