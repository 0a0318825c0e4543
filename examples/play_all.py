#!/usr/bin/env python3
"""Plays every game to the end: two random players and a watcher each, as separate
processes, one player over HTTP and one over the WebSocket. Then checks the dice."""

import argparse
import concurrent.futures
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
GAMES = ["zeno", "tavla", "scripta", "tabula", "tablut"]


class Failed(Exception):
    """A process ended badly."""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--server", default="http://127.0.0.1:8080", metavar="URL")
    parser.add_argument("--game", action="append", help="only this game; may be repeated")
    parser.add_argument("--points", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--at-once", type=int, default=2, metavar="N", help="games at the same time")
    parser.add_argument("--within", type=int, default=600, metavar="SECONDS", help="for each game")
    args = parser.parse_args()
    games = args.game or GAMES
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(args.at_once) as pool:
        matches = {game: pool.submit(play, game, number, args) for number, game in enumerate(games)}
        for game, match in matches.items():
            try:
                print(f"{game}: {match.result()}", flush=True)
            except Failed as why:
                failed += 1
                print(f"{game}: FAILED: {why}", flush=True)
    print(f"{len(games) - failed} of {len(games)} games played to the end")
    sys.exit(1 if failed else 0)


def play(game, number, args):
    """One match. Every other one swaps the protocols of creator, joiner and watcher."""
    seat_1, seat_2, watch = ("http_player.py", "ws_player.py", ["--quiet"])
    if number % 2:
        seat_1, seat_2, watch = (seat_2, seat_1, ["--quiet", "--ndjson"])
    seed = args.seed + 10 * number
    crew = Crew(args.server)
    try:
        creator = crew.start(seat_1, "--create", "--game", game, "--points", args.points, "--seed", seed)
        match = creator.match_id()
        watcher = crew.start("watcher.py", match, *watch)
        crew.start(seat_2, "--join", match, "--seed", seed + 1)
        results = [member.finish(args.within) for member in crew.members]
        dice = crew.start("verify.py", match).finish(args.within)
        return f"{results[0]}; the watcher {results[crew.members.index(watcher)]}; {dice}"
    finally:
        crew.dismiss()


class Crew:
    """Processes that play together."""

    def __init__(self, server):
        self.server = server
        self.members = []

    def start(self, script, *arguments, **environment):
        member = Member(script, [*map(str, arguments), "--server", self.server], environment)
        self.members.append(member)
        return member

    def dismiss(self):
        for member in self.members:
            member.process.kill()
            member.process.wait()
            member.errors.close()


class Member:
    """One process; what it says is read to the end when it has ended."""

    def __init__(self, script, arguments, environment):
        self.script = script
        self.errors = tempfile.TemporaryFile("w+")
        command = [sys.executable, os.path.join(HERE, script), *arguments]
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            text=True,
            env=os.environ | environment,
        )

    def match_id(self):
        words = self.process.stdout.readline().split()
        if len(words) != 2 or words[0] != "match":
            self.finish(10)
            raise Failed(f"{self.script} named no match")
        return words[1]

    def finish(self, within_s):
        """The last line that it printed."""
        try:
            said, _ = self.process.communicate(timeout=within_s)
        except subprocess.TimeoutExpired:
            raise Failed(f"{self.script} did not end within {within_s} s") from None
        if self.process.returncode != 0:
            self.errors.seek(0)
            raise Failed(f"{self.script}: {self.errors.read().strip() or said.strip()}")
        return (said.strip().splitlines() or [""])[-1]


if __name__ == "__main__":
    main()
