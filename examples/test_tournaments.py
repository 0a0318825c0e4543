"""What the examples make of a tournament, without a server."""

import contextlib
import io
import random
import unittest

from standings import standings
from tournament_bot import Entrant


def exported(entrants, rounds, byes=(), left=(), excluded=()):
    """The exports of a tournament. A round is a list of (first, second, result): 1-0, 0-1, 1/2, or the same with f
    for a forfeit."""
    records, pairings = [], []
    for number, boards in enumerate(rounds, 1):
        for first, second, result in boards:
            match, points = f"m{len(pairings)}", {"1-0": [2, 0], "0-1": [0, 2], "1/2": [1, 1]}[result.rstrip("f")]
            ends = {"entrant": first}, {"entrant": second}
            pairing = {"round": number, "match": match, "first": ends[0], "second": ends[1], "half_points": points}
            if result.endswith("f"):
                pairing["forfeit"] = True
            else:
                won = {"result": "won", "winner_seat": 1 + points.index(2)} if 2 in points else {"result": "drawn"}
                records.append({"match": match, "result": won})
            pairings.append(pairing)
    byes = [{"entrant": entrant, "half_points": points} for entrant, points in byes]
    gone = {**dict.fromkeys(left, "withdrawn"), **dict.fromkeys(excluded, "excluded")}
    states = [{"entrant": one, "state": gone.get(one, "here")} for one in range(1, entrants + 1)]
    return records, {"pairings": pairings, "byes": byes}, {"entrants": states}


class Standings(unittest.TestCase):
    def test_places_follow_from_the_exports(self):
        for name, is_swiss, exports, rows in [
            # All have met: 1, 2 and 3 have beaten each other in a circle, so the rest decides, and leaves them level.
            (
                "a circle",
                False,
                exported(
                    4,
                    [[(1, 2, "1-0"), (3, 4, "1-0")], [(2, 3, "1-0"), (1, 4, "1-0")], [(3, 1, "1-0"), (2, 4, "1-0")]],
                ),
                [(1, 4, 1), (1, 4, 2), (1, 4, 3), (4, 0, 4)],
            ),
            # 1 beat 2, and 2 beat stronger opponents; 3 beat 4.
            (
                "a direct encounter",
                True,
                exported(
                    4,
                    [[(1, 2, "1-0"), (3, 4, "1-0")], [(2, 3, "1-0"), (1, 4, "0-1")], [(3, 1, "1-0"), (4, 2, "1-0")]],
                ),
                [(1, 4, 3), (2, 4, 4), (3, 2, 1), (4, 2, 2)],
            ),
            # The four with one point have not all met. 3 has had the strongest opponents; a bye counts as one against
            # somebody with the own score, which 1 has met at the board.
            (
                "Buchholz",
                True,
                exported(5, [[(1, 3, "1-0"), (2, 4, "1-0")], [(3, 4, "1-0")]], byes=[(5, 2)]),
                [(1, 2, 3), (2, 2, 1), (2, 2, 5), (4, 2, 2), (5, 0, 4)],
            ),
            # 3 leaves after one of three matches: it does not count, nor do forfeits against them.
            (
                "one who left",
                False,
                exported(
                    4,
                    [[(1, 3, "0-1"), (4, 2, "1/2")], [(2, 3, "1-0f"), (1, 4, "1-0")], [(4, 3, "1-0f"), (1, 2, "1-0")]],
                    left=[3],
                ),
                [(1, 4, 1), (2, 1, 4), (2, 1, 2), (4, 0, 3)],
            ),
            # 1 has won all and is last. 2 is level with 4 alone, and has beaten 4.
            (
                "one who was excluded",
                True,
                exported(
                    4,
                    [[(1, 2, "1-0"), (3, 4, "0-1")], [(2, 4, "1-0"), (1, 3, "1-0")]],
                    excluded=[1],
                ),
                [(1, 2, 2), (2, 2, 4), (3, 0, 3), (4, 4, 1)],
            ),
        ]:
            self.assertEqual(sorted(standings(is_swiss, *exports)), sorted(rows), name)


class Calls:
    """A server with one pairing; it remembers what it was asked."""

    def __init__(self):
        self.asked, self.is_over = [], False

    def notices(self, tells_silence):
        assert tells_silence
        yield None
        yield {"notice": "your_turn", "match": {"id": "m"}}
        yield {"notice": "tournament_ended", "tournament": "t", "name": "Friday Swiss"}

    def get(self, path):
        if path == "/tournaments/t":
            may, pairing = ([], {"match": "m"}) if self.is_over else (["here"], {})
            phase = "ended" if self.is_over else "running"
            return {"name": "Friday Swiss", "phase": phase, "you": {"may": may, "pairing": pairing, "place": 1}}
        state = {"to_play": {"seat": 1}, "state": "playing"} if not self.is_over else {"state": "ended"}
        score = {"result": {"result": "won", "winner_seat": 1}, "score": {"1": 1, "2": 0}, "turns": 1}
        return {"your_seats": [1], **state, **score}

    def post(self, path, body):
        self.asked.append((path, body.get("command", len(body.get("steps", [])))))
        self.is_over |= path.endswith("/turn")
        if path.endswith("/entry"):
            return self.get("/tournaments/t")
        return {"complete": len(body["steps"]) == 2, "seq": 4, "steps": [{"from": "6", "to": "5"}]}


class Bots(unittest.TestCase):
    def test_a_bot_enters_says_that_it_is_here_and_plays_to_the_end(self):
        server, said = Calls(), io.StringIO()
        with contextlib.redirect_stdout(said):
            Entrant(server, "t", random.Random(1)).play_to_the_end(None)
        entry, match = "/tournaments/t/entry", "/matches/m"
        turn = [(f"{match}/legal", 0), (f"{match}/legal", 1), (f"{match}/legal", 2), (f"{match}/turn", 2)]
        self.assertEqual(server.asked, [(entry, "enter"), (entry, "here"), *turn])
        self.assertEqual(said.getvalue(), "won 1:0 after 1 turns\nplace 1 in Friday Swiss\n")


if __name__ == "__main__":
    unittest.main()
