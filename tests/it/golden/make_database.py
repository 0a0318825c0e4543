#!/usr/bin/env python3
"""Makes a golden database: a small real one, with the program that is given, over its own API.

`cargo xtask golden-database` calls it with the program of today. Beside the database stands
what the program told of it: every later server must tell the same (tests/it/golden). The
database is stopped properly once; then a little more is played and the program is killed, so
that there is a log (-wal) that has not been copied yet."""

import argparse
import gzip
import hashlib
import json
import pathlib
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "examples"))

from lusoria_http import Server  # noqa: E402

GAMES = ["zeno", "tavla", "scripta", "tabula", "tablut"]

# Nobody's time runs out before somebody opens the database.
FISCHER = {"kind": "fischer", "base_ms": 3 * 3_600_000, "increment_ms": 10_000}
DAYS = {"kind": "days", "days": 14}

LIMITS = ["--guest-requests-per-s", "100000", "--guest-burst", "100000"]
LIMITS += ["--address-requests-per-s", "100000", "--address-burst", "100000"]
LIMITS += ["--new-guests-per-hour", "100000"]

# Bytes of everything that is kept, packed.
KEPT_BYTES_MAX = 400_000
START_WITHIN_S = 30
ANALYSED_WITHIN_S = 300


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True, type=pathlib.Path, metavar="FILE")
    parser.add_argument("--into", type=pathlib.Path, default=HERE / "databases", metavar="FOLDER")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        database = pathlib.Path(folder) / "lusoria.db"
        make(args.program.resolve(), database, args.into)


def make(program, database, into):
    running = Program(program, database)
    schema = schema_of(database)
    folder = into / f"{schema:04}"
    if folder.exists():
        running.kill()
        sys.exit(f"{folder} is there already: what is golden never changes")
    party = Party(running.url)
    party.play()
    told = {"clean": party.matches_told()}
    running.stop()
    files = {"lusoria.db.gz": database.read_bytes()}

    running = Program(program, database)
    party.move_to(running.url)
    party.play_a_little_more()
    told["killed"] = party.matches_told()
    told |= party.told() | {"schema": schema}
    running.kill()
    if database.read_bytes() != files["lusoria.db.gz"]:
        sys.exit("the log was copied before the kill: try again")
    files["lusoria.db-wal.gz"] = database.with_name("lusoria.db-wal").read_bytes()
    files["told.json.gz"] = json.dumps(told, sort_keys=True, separators=(",", ":")).encode()

    packed = {name: gzip.compress(content, 9, mtime=0) for name, content in files.items()}
    size = sum(map(len, packed.values()))
    if size > KEPT_BYTES_MAX:
        sys.exit(f"{size} bytes are too many to be kept for ever")
    folder.mkdir(parents=True)
    for name, content in packed.items():
        (folder / name).write_bytes(content)
        print(f"{folder.name}/{name}: {len(content)} bytes")


def schema_of(database):
    """The number of the last migration."""
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    (number,) = connection.execute("SELECT MAX(version) FROM _sqlx_migrations").fetchone()
    connection.close()
    return number


class Program:
    """A running server."""

    def __init__(self, program, database):
        command = [program, "serve", "--listen", "127.0.0.1:0", "--log", "warn", "--database", database, *LIMITS]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        ended = threading.Timer(START_WITHIN_S, self.process.kill)
        ended.start()
        for line in self.process.stdout:
            if "http://" in line:
                self.url = "http://" + line.split("http://")[1].strip()
                break
        else:
            sys.exit("the program does not say where it listens")
        ended.cancel()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        if self.process.wait(60) != 0:
            sys.exit("the program did not stop as it should")

    def kill(self):
        self.process.kill()
        self.process.wait()


class Party:
    """Guests, and the matches between them."""

    def __init__(self, url):
        self.random = random.Random(1)
        self.anybody = Server(url)
        described = self.describe()
        self.has_computer = "opponent" in described["CreateMatch"]["properties"]
        self.has_analyses = "Analysis" in described
        self.has_sessions = "Session" in described
        self.has_accounts = "OpenAccount" in described
        self.guests, self.matches, self.live = {}, [], []
        for name in ["Agathias", "Zeno"]:
            self.guests[name] = self.guest(name)
        self.now = 0

    def describe(self):
        connection = self.anybody.connect(timeout_s=30)
        connection.request("GET", "/api/openapi.json")
        document = json.load(connection.getresponse())
        connection.close()
        return document["components"]["schemas"]

    def guest(self, name, **more):
        made = self.anybody.post("/guests", {"name": name, **more})
        return made | {"server": Server(self.anybody.url, made["token"])}

    def move_to(self, url):
        """The server has been started anew."""
        for server in [self.anybody, *(guest["server"] for guest in self.guests.values())]:
            server.url, server.connection = url, None

    def ask(self, name, path, body=None, key=None):
        return self.guests[name]["server"].post(path, {} if body is None else body, key)

    def create(self, name, game, key=None, **terms):
        made = self.ask(name, "/matches", {"game": game, **terms}, key)
        self.matches.append(made["match"]["id"])
        return made

    def between(self, game, one="Agathias", two="Zeno", **terms):
        """A match that both have sat down to."""
        match = self.create(one, game, **terms)["match"]["id"]
        self.ask(two, f"/matches/{match}/join")
        self.live.append({"match": match, "tokens": {"1": self.guests[one]["token"], "2": self.guests[two]["token"]}})
        return match

    def play(self):
        """Something of everything that a database can hold."""
        for game in GAMES:
            self.turns(self.between(game))
            self.live.pop()
        for game, clock in zip(GAMES, [None, FISCHER, DAYS, None, FISCHER]):
            self.turns(self.between(game, **({"clock": clock} if clock else {})), 7)
        self.series()
        self.seeds()
        self.ended()
        self.create("Agathias", "tavla", clock=DAYS)
        self.create("Zeno", "zeno")
        both = self.create("Zeno", "scripta", admission="both_seats")["match"]["id"]
        self.turns(both, 3)
        key = {"key": "golden", "body": {"game": "tabula", "points": 3}, "token": self.guests["Zeno"]["token"]}
        key["match"] = self.create("Zeno", **key["body"], key=key["key"])["match"]["id"]
        invited = self.create("Agathias", "zeno", admission="invitation")
        invitation = {"match": invited["match"]["id"], "code": invited["invitation"]["code"]}
        self.kept = {"key": key, "invitation": invitation}
        if self.has_computer:
            self.guests["Bot"] = self.guest("Bot", bot=True)
            self.turns(self.between("tavla", "Bot", "Zeno"), 3)
            self.turns(self.create("Agathias", "tablut", opponent={"computer": 1})["match"]["id"], 4)
            self.turns(self.create("Agathias", "tabula", stand_in={"computer": 1}, opponent={"computer": 2})["match"]["id"], 2)
        if self.has_analyses:
            self.analysed(self.matches[GAMES.index("tablut")])
        code = self.guests["Zeno"]["server"].post("/me/device-code", {})["code"]
        phone = self.anybody.post(
            "/device-codes/spend", {"code": code} | ({"device": "Zeno's phone"} if self.has_sessions else {})
        )
        self.phone = phone["token"]
        if self.has_accounts:
            self.club()

    def club(self):
        """An account with an API token, who has blocked somebody and seeks an opponent."""
        password = "three rolls of the dice"
        self.ask("Agathias", "/me/account", {"handle": "Agathias", "password": password})
        token = self.ask("Agathias", "/me/tokens", {"name": "a program", "scopes": ["match:read"], "password": password})
        blocked = self.guest("Procopius")["id"]
        self.guests["Agathias"]["server"].ask("PUT", f"/me/blocks/{blocked}")
        seek = self.ask("Agathias", "/seeks", {"games": ["zeno", "tavla"], "clocks": [DAYS]})
        self.kept["club"] = {
            "id": self.guests["Agathias"]["id"],
            "handle": "Agathias",
            "password": password,
            "token": token["token"],
            "blocked": blocked,
            "seek": seek["id"],
        }

    def play_a_little_more(self):
        """What is only in the log when the program is killed."""
        self.turns(self.live[0]["match"], 2)
        self.turns(self.live[1]["match"], 2)
        self.guests["Theodora"] = self.guest("Theodora")
        self.turns(self.between("tablut", "Theodora", "Agathias"), 2)
        code = self.ask("Agathias", "/me/device-code")
        self.kept["device_code"] = {"code": code["code"], "guest": self.guests["Agathias"]["id"]}
        self.now = int(time.time() * 1000)

    def series(self):
        """A series in its second game, with an offer of a draw."""
        match = self.between("tavla", points=5, clock=FISCHER)
        self.turns(match, 6)
        self.ask("Zeno", f"/matches/{match}/resign", {"scope": "game"})
        self.turns(match, 5)
        seat = self.snapshot(match)["to_play"]["seat"]
        self.ask(["Zeno", "Agathias"][seat - 1], f"/matches/{match}/draw", {"action": "offer"})

    def seeds(self):
        """Seeds that the players bring: revealed, and still to be revealed."""
        for seed in ["alea iacta est", "Tablen pheugete pantes"]:
            committed = hashlib.sha256(seed.encode()).hexdigest()
            match = self.create("Agathias", "zeno", seed_hash=committed)["match"]["id"]
            self.ask("Zeno", f"/matches/{match}/join", {"seed": "mine"})
        self.ask("Agathias", f"/matches/{self.matches[-2]}/seed", {"seed": "alea iacta est"})
        self.turns(self.matches[-2], 2)

    def ended(self):
        """Matches that ended otherwise than by the rules, one of them with a rematch."""
        agreed = self.between("tablut")
        self.turns(agreed, 4)
        one, two = (["Agathias", "Zeno"][:: 1 if self.snapshot(agreed)["to_play"]["seat"] == 2 else -1])
        self.ask(one, f"/matches/{agreed}/draw", {"action": "offer"})
        self.ask(two, f"/matches/{agreed}/draw", {"action": "accept"})
        self.ask("Agathias", f"/matches/{agreed}/rematch", {"action": "offer"})
        again = self.ask("Zeno", f"/matches/{agreed}/rematch", {"action": "accept"})
        self.matches.append(again["next"])
        self.live.pop()
        aborted = self.between("scripta")
        self.ask("Zeno", f"/matches/{aborted}/abort")
        self.live.pop()
        self.ask("Zeno", f"/matches/{self.create('Zeno', 'tabula')['match']['id']}/abort")
        resigned = self.between("zeno", points=3)
        self.turns(resigned, 3)
        self.ask("Agathias", f"/matches/{resigned}/resign", {"scope": "match"})
        self.live.pop()

    def analysed(self, match):
        """Has the computer look back at a match, and waits until it has."""
        until = time.monotonic() + ANALYSED_WITHIN_S
        while self.anybody.get(f"/matches/{match}/analysis")["state"] != "ready":
            if time.monotonic() > until:
                sys.exit("the analysis took too long")
            time.sleep(0.5)

    def snapshot(self, match):
        return self.anybody.get(f"/matches/{match}")

    def turns(self, match, count=None):
        """Plays so many turns of people, or to the end."""
        tokens = {guest["id"]: name for name, guest in self.guests.items()}
        while count is None or count > 0:
            snapshot = self.snapshot(match)
            if snapshot["state"] != "playing":
                return
            player = tokens.get(snapshot["players"][str(snapshot["to_play"]["seat"])]["id"])
            if player is None:
                time.sleep(0.05)  # the computer's
                continue
            self.turn(match, player, snapshot["to_play"]["seq"])
            count = None if count is None else count - 1

    def turn(self, match, player, seq):
        steps = []
        while not (legal := self.ask(player, f"/matches/{match}/legal", {"steps": steps}))["complete"]:
            steps.append(self.random.choice(legal["steps"]))
        self.ask(player, f"/matches/{match}/turn", {"seq": seq, "steps": steps})

    def matches_told(self):
        return {match: self.match_told(match) for match in self.matches}

    def match_told(self, match):
        told = {"record": self.anybody.get(f"/matches/{match}/record")}
        if self.has_analyses and told["record"].get("result"):
            told["analysis"] = self.anybody.get(f"/matches/{match}/record?analysis=true").get("analysis")
        return told

    def told(self):
        guests = [{name: guest[name] for name in ["id", "name", "token"]} for guest in self.guests.values()]
        return {"at": self.now, "guests": guests, "phone": self.phone, "live": self.live, **self.kept}


if __name__ == "__main__":
    main()
