//! Makes the golden database of the present schema: guests play a little of everything on a server of today.
//!
//! It is stopped properly once; then a little more is played, and its files are taken as if it had been
//! killed, so that there is a log that was not copied yet.

use std::{
    fs,
    io::Write,
    net::SocketAddr,
    path::Path,
    sync::Arc,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use flate2::{Compression, write::GzEncoder};
use lusoria::{live::ServerTime, server::Server};
use lusoria_dice::seed_hash;
use lusoria_play::Bytes32;
use lusoria_services::sqlite::File;
use lusoria_store::{Store, sqlite::SqliteOptions};
use serde_json::{Map, Value, json};

use super::databases::folder;
use crate::support::{
    http::Request,
    random::Random,
    server::{GENEROUS, server_over},
};

const GAMES: [&str; 5] = ["zeno", "tavla", "scripta", "tabula", "tablut"];
const BOTH: [&str; 2] = ["Agathias", "Zeno"];
const NOBODY: &str = "";

/// Bytes of everything that is kept, packed.
const KEPT_BYTES_MAX: usize = 400_000;
/// How long the computer may look back at a match.
const ANALYSED_WITHIN: Duration = Duration::from_mins(5);
/// How often to look whether the computer has done something.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Guests, and the matches between them.
struct Party {
    at: SocketAddr,
    random: Random,
    /// Their ids, names and tokens.
    guests: Vec<Value>,
    /// The ids of all matches.
    matches: Vec<String>,
    /// The matches that can be played on, with the tokens of their seats.
    live: Vec<Value>,
    /// What else a later server must know: codes, keys, an account.
    kept: Map<String, Value>,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "makes the golden database of the present schema, unless it is there"]
async fn make_the_database_of_this_schema() {
    let home = tempfile::tempdir().expect("a folder");
    let (path, log) = (home.path().join("lusoria.db"), home.path().join("lusoria.db-wal"));
    let server = serve(&path).await;
    let last = "SELECT MAX(version) FROM _sqlx_migrations";
    let schema: u64 = File::open(&path).and_then(|file| file.value(last)).expect("read");
    let into = folder().join(format!("{schema:04}"));
    if into.exists() {
        eprintln!("{} is there already: what is golden never changes", into.display());
        return server.stop().await;
    }
    let mut party = Party::new(server.address()).await;
    party.play().await;
    let clean = party.matches_told().await;
    server.stop().await;
    let database = fs::read(&path).expect("a file");

    let server = serve(&path).await;
    party.at = server.address();
    party.play_a_little_more().await;
    let killed = party.matches_told().await;
    let everything: [(&str, Value); 6] = [
        ("schema", schema.into()),
        ("at", now_ms().into()),
        ("clean", clean),
        ("killed", killed),
        ("guests", party.guests.clone().into()),
        ("live", party.live.clone().into()),
    ];
    for (name, what) in everything {
        party.keep(name, what);
    }
    let log = fs::read(log).expect("a log");
    assert!(fs::read(&path).expect("a file") == database, "the log was copied into the file: try again");
    server.stop().await;

    let told = Value::Object(party.kept).to_string();
    write(&into, [("lusoria.db", &database), ("lusoria.db-wal", &log), ("told.json", told.as_bytes())]);
}

/// A server of today on that file.
async fn serve(path: &Path) -> Server {
    let store = Store::open_file(path, SqliteOptions::default()).await.expect("the file opens");
    let flags = [&GENEROUS[..], &["--new-guests-per-hour", "100000"]].concat();
    server_over(Arc::new(store), ServerTime::from_system(), &flags).await
}

fn now_ms() -> u64 {
    let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).expect("the epoch is over");
    u64::try_from(since_epoch.as_millis()).expect("it is not far in the future")
}

/// Packs the files into a new folder.
fn write(into: &Path, files: [(&str, &[u8]); 3]) {
    let packed = files.map(|(name, content)| (format!("{name}.gz"), gzip(content)));
    let bytes: usize = packed.iter().map(|(_, content)| content.len()).sum();
    assert!(bytes <= KEPT_BYTES_MAX, "{bytes} bytes are too many to be kept for ever");
    fs::create_dir_all(into).expect("a folder");
    for (name, content) in packed {
        fs::write(into.join(name), content).expect("room");
    }
}

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(content).expect("memory");
    packed.finish().expect("memory")
}

/// Nobody's time runs out before somebody opens the database.
fn fischer() -> Value {
    json!({"kind": "fischer", "base_ms": 3 * 3_600_000, "increment_ms": 10_000})
}

fn days() -> Value {
    json!({"kind": "days", "days": 14})
}

fn no_clock() -> Value {
    json!({"kind": "none"})
}

impl Party {
    async fn new(at: SocketAddr) -> Self {
        let (random, guests) = (Random::new(1), Vec::new());
        let mut party = Self { at, random, guests, matches: Vec::new(), live: Vec::new(), kept: Map::new() };
        for name in BOTH {
            party.invite(&json!({"name": name})).await;
        }
        party
    }

    /// Something of everything that a database can hold.
    async fn play(&mut self) {
        for game in GAMES {
            let id = self.between(BOTH, &json!({"game": game})).await;
            self.turns(&id, u32::MAX).await;
            self.live.pop();
        }
        for (game, clock) in GAMES.into_iter().zip([no_clock, fischer, days, no_clock, fischer]) {
            let id = self.between(BOTH, &json!({"game": game, "clock": clock()})).await;
            self.turns(&id, 7).await;
        }
        self.play_a_series().await;
        self.bring_seeds().await;
        self.end_in_all_ways().await;
        self.create("Agathias", &json!({"game": "tavla", "clock": days()})).await;
        self.create("Zeno", &json!({"game": "zeno"})).await;
        let alone = self.create("Zeno", &json!({"game": "scripta", "admission": "both_seats"})).await;
        self.turns(&alone, 3).await;
        self.use_a_key().await;
        self.invite_by_code().await;
        self.play_with_the_computer().await;
        self.add_a_phone().await;
        self.found_a_club().await;
    }

    /// What is only in the log when the server is killed.
    async fn play_a_little_more(&mut self) {
        for id in [0, 1].map(|nth: usize| text(&self.live[nth]["match"])) {
            self.turns(&id, 2).await;
        }
        self.invite(&json!({"name": "Theodora"})).await;
        let id = self.between(["Theodora", "Agathias"], &json!({"game": "tablut"})).await;
        self.turns(&id, 2).await;
        let code = self.post("Agathias", "/me/device-code", &json!({})).await["code"].take();
        let kept = json!({"code": code, "guest": self.guest("Agathias")["id"]});
        self.keep("device_code", kept);
    }

    /// A series in its second game, with an offer of a draw.
    async fn play_a_series(&mut self) {
        let id = self.between(BOTH, &json!({"game": "tavla", "points": 5, "clock": fischer()})).await;
        self.turns(&id, 6).await;
        self.post("Zeno", &format!("/matches/{id}/resign"), &json!({"scope": "game"})).await;
        self.turns(&id, 5).await;
        let [_, waiting] = self.in_turn(&id).await;
        self.post(waiting, &format!("/matches/{id}/draw"), &json!({"action": "offer"})).await;
    }

    /// Seeds that the players bring: revealed, and still to be revealed.
    async fn bring_seeds(&mut self) {
        const SEEDS: [&str; 2] = ["alea iacta est", "Tablen pheugete pantes"];
        let mut ids = Vec::new();
        for seed in SEEDS {
            let hash = Bytes32(seed_hash(seed)).to_string();
            let id = self.create("Agathias", &json!({"game": "zeno", "seed_hash": hash})).await;
            self.post("Zeno", &format!("/matches/{id}/join"), &json!({"seed": "mine"})).await;
            ids.push(id);
        }
        self.post("Agathias", &format!("/matches/{}/seed", ids[0]), &json!({"seed": SEEDS[0]})).await;
        self.turns(&ids[0], 2).await;
    }

    /// Matches that end otherwise than by the rules, one of them with a rematch.
    async fn end_in_all_ways(&mut self) {
        let agreed = self.between(BOTH, &json!({"game": "tablut"})).await;
        self.turns(&agreed, 4).await;
        let [to_play, waiting] = self.in_turn(&agreed).await;
        for (who, action) in [(waiting, "offer"), (to_play, "accept")] {
            self.post(who, &format!("/matches/{agreed}/draw"), &json!({"action": action})).await;
        }
        let path = format!("/matches/{agreed}/rematch");
        self.post("Agathias", &path, &json!({"action": "offer"})).await;
        let again = self.post("Zeno", &path, &json!({"action": "accept"})).await;
        self.matches.push(text(&again["next"]));
        let aborted = self.between(BOTH, &json!({"game": "scripta"})).await;
        let unplayed = self.create("Zeno", &json!({"game": "tabula"})).await;
        for id in [aborted, unplayed] {
            self.post("Zeno", &format!("/matches/{id}/abort"), &json!({})).await;
        }
        let resigned = self.between(BOTH, &json!({"game": "zeno", "points": 3})).await;
        self.turns(&resigned, 3).await;
        self.post("Agathias", &format!("/matches/{resigned}/resign"), &json!({"scope": "match"})).await;
        // None of the three goes on.
        self.live.truncate(self.live.len() - 3);
    }

    async fn use_a_key(&mut self) {
        let (key, body) = ("golden", json!({"game": "tabula", "points": 3}));
        let request = Request::new("POST", "/api/v1/matches").header("idempotency-key", key).json(&body);
        let id = text(&self.send("Zeno", request).await["match"]["id"]);
        self.matches.push(id.clone());
        let kept = json!({"key": key, "body": body, "token": self.guest("Zeno")["token"], "match": id});
        self.keep("key", kept);
    }

    async fn invite_by_code(&mut self) {
        let terms = json!({"game": "zeno", "admission": "invitation"});
        let made = self.post("Agathias", "/matches", &terms).await;
        let id = text(&made["match"]["id"]);
        self.keep("invitation", json!({"match": id, "code": made["invitation"]["code"]}));
        self.matches.push(id);
    }

    /// A bot, the computer on one side and on both, and what it thinks of a match that is over.
    async fn play_with_the_computer(&mut self) {
        self.invite(&json!({"name": "Bot", "bot": true})).await;
        let id = self.between(["Bot", "Zeno"], &json!({"game": "tavla"})).await;
        self.turns(&id, 3).await;
        let one = json!({"game": "tablut", "opponent": {"computer": 1}});
        let two = json!({"game": "tabula", "stand_in": {"computer": 1}, "opponent": {"computer": 2}});
        for (terms, turns) in [(one, 4), (two, 2)] {
            let id = self.create("Agathias", &terms).await;
            self.turns(&id, turns).await;
        }
        let analysis = format!("/matches/{}/analysis", self.matches[GAMES.len() - 1]);
        let began = Instant::now();
        while self.get(&analysis).await["state"] != "ready" {
            assert!(began.elapsed() < ANALYSED_WITHIN, "the analysis took too long");
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }

    async fn add_a_phone(&mut self) {
        let code = self.post("Zeno", "/me/device-code", &json!({})).await["code"].take();
        let device = json!({"code": code, "device": "Zeno's phone"});
        let phone = self.post(NOBODY, "/device-codes/spend", &device).await;
        self.keep("phone", phone["token"].clone());
    }

    /// An account with an API token, whose holder has blocked somebody and seeks an opponent.
    async fn found_a_club(&mut self) {
        let (handle, password) = ("Agathias", "three rolls of the dice");
        self.post(handle, "/me/account", &json!({"handle": handle, "password": password})).await;
        let token = json!({"name": "a program", "scopes": ["match:read"], "password": password});
        let token = self.post(handle, "/me/tokens", &token).await["token"].take();
        let blocked = self.post(NOBODY, "/guests", &json!({"name": "Procopius"})).await["id"].take();
        let block = Request::new("PUT", &format!("/api/v1/me/blocks/{}", text(&blocked)));
        self.send(handle, block).await;
        let seek = json!({"games": ["zeno", "tavla"], "clocks": [days()]});
        let seek = self.post(handle, "/seeks", &seek).await["id"].take();
        let club = json!({
            "id": self.guest(handle)["id"],
            "handle": handle,
            "password": password,
            "token": token,
            "blocked": blocked,
            "seek": seek,
        });
        self.keep("club", club);
    }

    fn keep(&mut self, name: &str, what: Value) {
        self.kept.insert(name.to_owned(), what);
    }

    /// A new guest.
    async fn invite(&mut self, guest: &Value) {
        let made = self.post(NOBODY, "/guests", guest).await;
        self.guests.push(json!({"id": made["id"], "name": guest["name"], "token": made["token"]}));
    }

    fn guest(&self, name: &str) -> &Value {
        self.guests.iter().find(|guest| guest["name"] == name).expect("they were invited")
    }

    /// A new match. Returns its id.
    async fn create(&mut self, who: &str, terms: &Value) -> String {
        let id = text(&self.post(who, "/matches", terms).await["match"]["id"]);
        self.matches.push(id.clone());
        id
    }

    /// A new match that both have sat down to.
    async fn between(&mut self, [one, two]: [&str; 2], terms: &Value) -> String {
        let id = self.create(one, terms).await;
        self.post(two, &format!("/matches/{id}/join"), &json!({})).await;
        let [one, two] = [one, two].map(|name| &self.guest(name)["token"]);
        let live = json!({"match": id, "tokens": {"1": one, "2": two}});
        self.live.push(live);
        id
    }

    /// Who is to play in a match between Agathias and Zeno, and who waits.
    async fn in_turn(&self, id: &str) -> [&'static str; 2] {
        let [one, two] = BOTH;
        if self.snapshot(id).await["to_play"]["seat"] == 1 { [one, two] } else { [two, one] }
    }

    /// Plays so many turns of people, or to the end.
    async fn turns(&mut self, id: &str, most: u32) {
        let mut count = 0;
        while count < most {
            let snapshot = self.snapshot(id).await;
            if snapshot["state"] != "playing" {
                return;
            }
            let to_play = &snapshot["to_play"];
            let player = &snapshot["players"][to_play["seat"].to_string()]["id"];
            if let Some(guest) = self.guests.iter().find(|guest| guest["id"] == *player) {
                let name = text(&guest["name"]);
                self.turn(id, &name, &to_play["seq"]).await;
                count += 1;
            } else {
                // It is the computer's.
                tokio::time::sleep(LOOK_EVERY).await;
            }
        }
    }

    async fn turn(&mut self, id: &str, who: &str, seq: &Value) {
        let mut steps: Vec<Value> = Vec::new();
        loop {
            let legal = self.post(who, &format!("/matches/{id}/legal"), &json!({"steps": steps})).await;
            if legal["complete"] == true {
                break;
            }
            let next = legal["steps"].as_array().expect("steps");
            steps.push(self.random.pick(next).expect("a step").clone());
        }
        self.post(who, &format!("/matches/{id}/turn"), &json!({"seq": seq, "steps": steps})).await;
    }

    async fn snapshot(&self, id: &str) -> Value {
        self.get(&format!("/matches/{id}")).await
    }

    /// The server's state of each match.
    async fn matches_told(&self) -> Value {
        let mut all = Map::new();
        for id in &self.matches {
            let record = self.get(&format!("/matches/{id}/record")).await;
            let mut told = json!({"record": record});
            if !told["record"]["result"].is_null() {
                let path = format!("/matches/{id}/record?analysis=true");
                told["analysis"] = self.get(&path).await["analysis"].take();
            }
            all.insert(id.clone(), told);
        }
        all.into()
    }

    async fn get(&self, path: &str) -> Value {
        self.send(NOBODY, Request::new("GET", &format!("/api/v1{path}"))).await
    }

    async fn post(&self, who: &str, path: &str, body: &Value) -> Value {
        self.send(who, Request::new("POST", &format!("/api/v1{path}")).json(body)).await
    }

    /// Sends what a guest asks, or nobody. It must be granted.
    async fn send(&self, who: &str, request: Request) -> Value {
        let request = if who == NOBODY { request } else { request.token(&text(&self.guest(who)["token"])) };
        let answer = request.send(self.at).await.expect("an answer");
        assert!(answer.status < 300, "{request:?}: {answer:?}");
        if answer.body.is_empty() { Value::Null } else { answer.json() }
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text")).to_owned()
}
