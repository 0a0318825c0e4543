"""The parts of the examples that need no server: frames, steps, dice, what a bot does next."""

import contextlib
import http.server
import io
import json
import os
import socket
import sys
import tempfile
import threading
import unittest
import unittest.mock

import bot
import engine
import identity
import lusoria_ws
import verify
from lusoria_http import Backoff, Problem
from lusoria_ws import TEXT, Closed, Socket, decode, encode, masked
from table import Player

KNOWN = os.path.join(os.path.dirname(__file__), "..", "crates", "dice", "tests", "dice-v1.json")


class Frames(unittest.TestCase):
    def test_the_masked_hello_of_rfc_6455(self):
        mask = bytes.fromhex("37fa213d")
        self.assertEqual(encode(TEXT, b"Hello", mask), bytes.fromhex("818537fa213d7f9f4d5158"))
        self.assertEqual(masked(masked(b"Hello", mask), mask), b"Hello")

    def test_lengths_of_every_size(self):
        for length in (0, 125, 126, 65535, 65536):
            sent = encode(TEXT, b"x" * length, b"\0\0\0\0")
            # A server's frame is the same without the mask.
            head = {True: 2, False: 4 if length < 1 << 16 else 10}[length < 126]
            received = bytes([sent[0], sent[1] & 0x7F]) + sent[2:head] + sent[head + 4 :]
            self.assertEqual(decode(received + b"more"), (True, TEXT, b"x" * length, len(received)))
            self.assertIsNone(decode(received[:-1]))

    def test_frames_that_no_server_may_send(self):
        for frame in (b"\x81\x85abcd", b"\xf1\x00"):
            with self.assertRaises(Closed):
                decode(frame)

    def test_fragments_make_one_message(self):
        socket = Socket.__new__(Socket)
        socket.fragments = None
        self.assertIsNone(socket.take(False, TEXT, b"Hel"))
        self.assertEqual(socket.take(True, lusoria_ws.CONTINUATION, b"lo"), "Hello")


class Turns(unittest.TestCase):
    def test_a_turn_is_built_until_it_is_complete(self):
        class Args:
            seed = 1

        step = {"die": 1, "from": "supply", "to": "1"}
        asked = []

        def legal_after(steps):
            asked.append(list(steps))
            return {"seq": 4, "complete": len(steps) == 2, "steps": [step]}

        self.assertEqual(Player(Args).build_turn(legal_after), (4, [step, step]))
        self.assertEqual(asked, [[], [step], [step, step]])


class Engines(unittest.TestCase):
    START = "3ttt3/4t4/4T4/t3T3t/ttTTKTTtt/t3T3t/4T4/4t4/3ttt3"

    def test_a_board_is_read_by_column_and_rank(self):
        board = engine.squares(self.START)
        self.assertEqual(len(board), 25)
        self.assertEqual((board[4, 4], board[3, 0], board[0, 3]), ("K", "t", "t"))

    def test_the_kings_ways_out_are_counted(self):
        self.assertEqual(engine.exits(engine.squares(self.START), (4, 4)), 0)
        self.assertEqual(engine.exits({(2, 3): "K", (2, 8): "t"}, (2, 3)), 3)

    def test_the_best_position_is_chosen_and_its_steps_answered(self):
        class Args:
            random = False

        def after(off):
            side = {"points": {}, "off": 0}
            return {"white": {**side, "off": off}, "black": side, "to_move": "black"}

        legal = [{"steps": [off], "position": after(off)} for off in (1, 3, 2)]
        player = engine.Engine(Args)
        self.assertEqual(player.answer({"hello": {"game": "tabula"}}), {"ready": True})
        self.assertIsNone(player.answer({"start": {"game": 1, "side": "white", "seed": 5}}))
        self.assertEqual(player.answer({"turn": {"side": "white", "legal": legal}}), {"steps": [3]})
        self.assertIsNone(player.answer({"end": {"game": 1}}))


class OneServer:
    """Answers with the snapshots in turn, the last one for ever, and keeps what is asked for."""

    def __init__(self, *snapshots, refused=()):
        self.snapshots = list(snapshots)
        self.refused = dict(refused)
        self.asked = []

    def get(self, path):
        return self.snapshots.pop(0) if len(self.snapshots) > 1 else self.snapshots[0]

    def post(self, path, body, key=None):
        what = (path, body.get("action"))
        self.asked.append(what)
        if what in self.refused:
            raise Problem(409, {"code": self.refused.pop(what)})
        return {"match": {"id": "new"}}


class Bots(unittest.TestCase):
    NEW, REMATCH, DRAW = "/matches", "/matches/m/rematch", "/matches/m/draw"

    class Args:
        game, level, matches, seed = "tavla", None, 2, 1

    @staticmethod
    def snapshot(**known):
        over = {"state": "ended", "result": {"result": "won", "winner_seat": 2}}
        return {**over, "your_seats": [1], "score": {"1": 0, "2": 1}, "turns": 60, **known}

    def attend(self, *snapshots, times=1, **server):
        """What a bot asks for that is told of a match that often, and what it says of it."""
        server = OneServer(*snapshots, **server)
        player = bot.Bot(server, self.Args)
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            for _ in range(times):
                player.attend("m")
        return server.asked, said.getvalue().splitlines()

    def test_a_match_is_counted_once_and_another_offered_once(self):
        offered = self.snapshot(rematch={"offered_by": 1})
        agreed = self.snapshot(rematch={"next": "n"})
        asked, said = self.attend(self.snapshot(), offered, agreed, times=4)
        self.assertEqual(asked, [(self.REMATCH, "offer")])
        self.assertEqual(said, ["lost 0:1 after 60 turns"])

    def test_after_an_offer_that_is_declined_there_is_a_new_match(self):
        offered = self.snapshot(rematch={"offered_by": 1})
        asked, said = self.attend(self.snapshot(), offered, self.snapshot(), times=5)
        self.assertEqual(asked, [(self.REMATCH, "offer"), (self.NEW, None)])
        self.assertEqual(said, ["lost 0:1 after 60 turns", "match new"])

    def test_an_offer_that_cannot_be_made_any_more_is_not_made_for_ever(self):
        asked, _ = self.attend(self.snapshot(), refused={(self.REMATCH, "offer"): "rematch_offered"})
        self.assertEqual(asked, [(self.REMATCH, "offer"), (self.NEW, None)])

    def test_an_offer_that_stands_is_accepted_and_the_match_counted(self):
        offered = self.snapshot(rematch={"offered_by": 2})
        asked, said = self.attend(offered, self.snapshot(rematch={"next": "n"}), times=2)
        self.assertEqual(asked, [(self.REMATCH, "accept")])
        self.assertEqual(said, ["lost 0:1 after 60 turns"])

    def test_an_offer_that_is_gone_meanwhile_is_looked_at_again(self):
        offered = self.snapshot(rematch={"offered_by": 2})
        gone = {(self.REMATCH, "accept"): "no_offer"}
        asked, said = self.attend(offered, self.snapshot(), refused=gone)
        self.assertEqual(asked, [(self.REMATCH, "accept"), (self.REMATCH, "offer")])
        self.assertEqual(len(said), 1)

    def test_after_a_match_that_was_broken_off_there_is_a_new_one(self):
        broken_off = self.snapshot(result={"result": "aborted"}, turns=0)
        asked, said = self.attend(broken_off, times=3)
        self.assertEqual(asked, [(self.NEW, None)])
        self.assertEqual(said, ["aborted 0:1 after 0 turns", "match new"])

    def test_after_the_last_match_nothing_is_asked_for(self):
        for last in ({}, {"rematch": {"offered_by": 2}}, {"result": {"result": "aborted"}}):
            server = OneServer(self.snapshot(**last))
            player = bot.Bot(server, self.Args)
            player.over.add("another")
            with contextlib.redirect_stdout(io.StringIO()):
                player.attend("m")
            self.assertEqual((server.asked, player.has_played_all()), ([], True), last)

    def test_a_draw_that_is_offered_is_declined(self):
        playing = {"state": "playing", "your_seats": [1], "to_play": {"seat": 2}}
        offered = {**playing, "draw_offered_by": 2}
        self.assertEqual(self.attend(offered, playing)[0], [(self.DRAW, "decline")])
        self.assertEqual(self.attend({**playing, "draw_offered_by": 1})[0], [])


class CutLines(http.server.BaseHTTPRequestHandler):
    """A server of which each stream is cut as soon as it has begun, and the third one refused. Its one
    match is as the first of its snapshots says until the first stream has been cut."""

    def log_message(self, *_):
        pass

    def do_GET(self):
        if self.path != "/api/v1/me/events":
            return self.answer(200, self.server.snapshots[min(self.server.streams, 2) - 1])
        self.server.streams += 1
        if self.server.streams > 2:
            return self.answer(410, {"code": "enough"})
        self.send_response(200)
        return self.end_headers()

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append((self.path.removeprefix("/api/v1"), body.get("action")))
        if self.path.endswith("/draw"):
            del self.server.snapshots[1]["draw_offered_by"]
        self.answer(200, {"token": "t", "match": {"id": "m"}})

    def answer(self, status, body):
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)


class BrokenLines(unittest.TestCase):
    """What happens while its line is broken reaches a bot all the same."""

    PLAYING = {"state": "playing", "your_seats": [1], "to_play": {"seat": 2}}

    def play(self, after, matches):
        """What a bot asks for, and how it ends: none if by itself."""
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), CutLines)
        server.snapshots, server.streams, server.asked = [self.PLAYING, after], 0, []
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        words = ["bot.py", "--server", f"http://127.0.0.1:{server.server_port}", "--matches", str(matches)]
        said, ended = io.StringIO(), None
        try:
            with unittest.mock.patch.object(sys, "argv", words), contextlib.redirect_stdout(said):
                bot.main()
        except Problem as problem:
            ended = problem.code
        finally:
            server.shutdown()
            server.server_close()
        return server.asked[2:], said.getvalue().splitlines()[1:], ended

    def test_a_match_that_ends_meanwhile_is_over(self):
        self.assertEqual(self.play(Bots.snapshot(), 1), ([], ["lost 0:1 after 60 turns"], None))

    def test_a_draw_that_is_offered_meanwhile_is_answered(self):
        asked, _, _ = self.play({**self.PLAYING, "draw_offered_by": 2}, 1)
        self.assertEqual(asked[:1], [("/matches/m/draw", "decline")])

    def test_another_match_that_is_offered_meanwhile_is_accepted(self):
        asked, said, _ = self.play(Bots.snapshot(rematch={"offered_by": 2}), 2)
        self.assertEqual((asked, said), ([("/matches/m/rematch", "accept")], ["lost 0:1 after 60 turns"]))

    def test_another_match_that_has_begun_meanwhile_is_looked_at(self):
        asked, said, ended = self.play(Bots.snapshot(rematch={"next": "n"}), 2)
        self.assertEqual((asked, said, ended), ([], ["lost 0:1 after 60 turns"] * 2, None))


class Accounts:
    """A server that knows one account, of a bot or a person, and the tokens that it has given."""

    def __init__(self, url="http://127.0.0.1:8080", kind="bot"):
        self.url, self.kind, self.token = url, kind, None
        self.good, self.asked, self.is_open, self.scopes = set(), [], False, {}

    def get(self, path):
        self.asked.append(path)
        if self.token not in self.good:
            raise Problem(401, {"code": "unknown_token"})
        told = {"you": {"id": "b", "kind": self.kind}}
        if self.token in self.scopes:
            told["scopes"] = self.scopes[self.token]
        return told

    def ask(self, method, path):
        self.asked.append(f"{method} {path}")
        self.good.remove(self.token)

    def post(self, path, body):
        self.asked.append(path)
        if path == "/me/account" and self.is_open:
            raise Problem(409, {"code": "has_account"})
        if path.startswith("/me/account"):
            return {"recovery_codes": ["one", "two"]}
        if path == "/sign-in" and body["password"] != "three rolls of the dice":
            raise Problem(403, {"code": "wrong_credentials"})
        token = f"token-{len(self.asked)}"
        self.good.add(token)
        if path == "/me/tokens":
            self.scopes[token] = body["scopes"]
        return {"name": "Deep Zeno", "kind": self.kind, "token": token}


class Identities(unittest.TestCase):
    ACCOUNT = {"LUSORIA_HANDLE": "DeepZeno", "LUSORIA_PASSWORD": "three rolls of the dice"}
    BOT = {"bot": True}
    # A session makes a token that may only play, and ends.
    SIGNED_IN = ["/sign-in", "/me/tokens", "DELETE /me/token"]

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = os.path.join(folder.name, "token")

    def sign_in(self, server, environment, **rest):
        """What the server is asked for on the way."""
        server.token, before = None, len(server.asked)
        codes = identity.sign_in(server, self.BOT, environment=environment, **rest)
        return codes or server.asked[before:]

    def test_a_token_is_kept_and_used_until_it_is_revoked(self):
        server = Accounts()
        self.assertEqual(self.sign_in(server, self.ACCOUNT, file=self.file), self.SIGNED_IN)
        self.assertEqual((server.good, server.scopes), ({"token-2"}, {"token-2": ["bot:play"]}))
        self.assertEqual(os.stat(self.file).st_mode & 0o777, 0o600)
        self.assertEqual(self.sign_in(server, {}, file=self.file), ["/token"])
        self.assertEqual(server.token, "token-2")
        server.good = {"token-99"}
        with self.assertRaises(Problem):
            self.sign_in(server, {}, file=self.file)
        self.assertEqual(self.sign_in(server, self.ACCOUNT, file=self.file), ["/token", *self.SIGNED_IN])
        self.assertEqual(server.token, "token-8")
        self.assertEqual(os.listdir(os.path.dirname(self.file)), ["token"])

    def test_a_token_of_the_environment_goes_first_and_is_not_kept(self):
        server = Accounts()
        server.good = {"given"}
        asked = self.sign_in(server, {**self.ACCOUNT, "LUSORIA_TOKEN": "given"}, file=self.file)
        self.assertEqual((asked, server.token, os.path.exists(self.file)), (["/token"], "given", False))

    def test_a_token_that_may_not_play_is_refused(self):
        server = Accounts()
        server.good, server.scopes = {"given"}, {"given": ["match:read"]}
        with self.assertRaisesRegex(identity.Refused, "needs the scope bot:play"):
            self.sign_in(server, {"LUSORIA_TOKEN": "given"})

    def test_an_account_is_opened_once_and_by_a_new_guest(self):
        server = Accounts()
        with self.assertRaises(identity.Refused):
            self.sign_in(server, {}, opens_account=True)
        codes = self.sign_in(server, self.ACCOUNT, file=self.file, opens_account=True)
        self.assertEqual((codes, server.asked), (["one", "two"], ["/guests", "/me/account", *self.SIGNED_IN[1:]]))
        with self.assertRaises(identity.Refused):
            self.sign_in(server, self.ACCOUNT, file=self.file, opens_account=True)

    def test_recovery_codes_are_not_lost_with_an_answer(self):
        server = Accounts()
        server.is_open = True
        codes = self.sign_in(server, self.ACCOUNT, opens_account=True)
        self.assertEqual((codes, server.asked[2]), (["one", "two"], "/me/account/recovery-codes"))

    def test_a_file_of_others_or_of_another_server_is_refused(self):
        server = Accounts()
        self.sign_in(server, {}, file=self.file)
        with self.assertRaisesRegex(identity.Refused, "token of another server"):
            self.sign_in(Accounts("http://127.0.0.1:8081"), {}, file=self.file)
        os.chmod(self.file, 0o640)
        with self.assertRaisesRegex(identity.Refused, "others may read"):
            self.sign_in(server, {}, file=self.file)

    def test_a_bot_does_not_play_as_a_person(self):
        server = Accounts(kind="person")
        with self.assertRaisesRegex(identity.Refused, "not a bot"):
            self.sign_in(server, self.ACCOUNT, file=self.file)
        self.assertFalse(os.path.exists(self.file))

    def test_a_password_is_not_sent_in_the_open(self):
        for url in ("http://games.example", "http://127.0.0.1.games.example", "http://192.168.0.1:8080"):
            server = Accounts(url)
            with self.assertRaisesRegex(identity.Refused, "does not use TLS"):
                self.sign_in(server, self.ACCOUNT)
            self.assertEqual(server.asked, [])
        for url in ("https://games.example", "http://localhost:8080", "http://[::1]:8080"):
            self.assertEqual(self.sign_in(Accounts(url), self.ACCOUNT), self.SIGNED_IN)


class Addresses(unittest.TestCase):
    def main(self, server):
        """How a bot ends that is told of a server, and what it says."""
        said = io.StringIO()
        words = ["bot.py", "--server", server]
        with unittest.mock.patch.object(sys, "argv", words), contextlib.redirect_stderr(said):
            try:
                bot.main()
            except SystemExit as ended:
                return ended.code, said.getvalue()
            except OSError as error:
                return 1, str(error)
        return 0, ""

    def test_what_is_no_address_is_said_at_once(self):
        for text in ("notaurl", "127.0.0.1:8080", "ftp://a", "http://", "http://a:b", "http://a:99999", ""):
            code, said = self.main(text)
            self.assertEqual((code, f"{text} is no address" in said), (2, True), said)

    def test_a_server_that_is_not_there_is_not_waited_for(self):
        with socket.socket() as nobody:
            # It is bound and does not listen: nobody else can.
            nobody.bind(("127.0.0.1", 0))
            url = f"http://127.0.0.1:{nobody.getsockname()[1]}"
            code, said = self.main(url)
        self.assertEqual((code, said.startswith(f"cannot reach {url}: ")), (1, True), said)

    def test_whoever_waits_says_so_once_until_he_succeeds(self):
        said = io.StringIO()
        backoff = Backoff()
        with unittest.mock.patch("time.sleep"), contextlib.redirect_stderr(said):
            for _ in range(2):
                for _ in range(5):
                    backoff.wait(ConnectionError("nobody answers"))
                backoff.succeeded()
        self.assertEqual(said.getvalue(), "waiting for the server: nobody answers\n" * 2)


class Dice(unittest.TestCase):
    def setUp(self):
        with open(KNOWN, encoding="utf-8") as file:
            self.known = json.load(file)
        self.seeds = [self.known["seed1"], self.known["seed2"]]

    def secret(self, game):
        return bytes.fromhex(self.known[f"s{game}"])

    def test_known_throws(self):
        for case in [*self.known["throws"], self.known["long_throw"]]:
            dice = verify.throw(
                self.secret(case["game"]), self.known["match"], case["game"], self.seeds, case["i"], len(case["dice"])
            )
            self.assertEqual(dice, case["dice"])

    def test_the_lot_and_the_chain(self):
        seat = verify.lot(self.secret(1), self.known["match"], 1, self.seeds)
        self.assertEqual(f"seat {seat}", self.known["lot_game_1"]["white"])
        for game in (1, 2):
            self.assertEqual(verify.commitment(self.secret(game), game), self.known["s0"])

    def record(self):
        """Three throws of the first game, as JSON."""
        cases = [case for case in self.known["throws"] if case["game"] == 1]
        seeds = [{"kind": "brought", "seed": seed} for seed in self.seeds]
        white = {"seat 1": ["white", "black"], "seat 2": ["black", "white"]}[self.known["lot_game_1"]["white"]]
        games = {count: game for game, count in verify.DICE.items() if count}
        terms = {"game": games[len(cases[0]["dice"])], "side": "lot"}
        events = [
            {"type": "created", **terms, "commitment": self.known["s0"], "seed": seeds[0]},
            {"type": "joined", "seed": seeds[1]},
            {"type": "game_started", "game_number": 1, "sides": dict(zip("12", white))},
            *({"type": "thrown", "throw": case["i"], "dice": case["dice"]} for case in cases),
            {"type": "game_ended", "game_number": 1, "secret": self.known["s1"]},
        ]
        match = self.known["match"]
        return {
            "format": "lusoria-record-1",
            "match": match,
            **terms,
            "events": [{"match": match, "seq": seq, **event} for seq, event in enumerate(events, 1)],
            "dice": {
                "commitment": self.known["s0"],
                "seeds": {"1": seeds[0], "2": seeds[1]},
                "secrets": {"1": self.known["s1"]},
            },
        }

    def reasons(self, record, **kept):
        return [reason for reason, _ in verify.verify(verify.json_claims(record), **kept).false.kept]

    def test_what_was_changed_is_told(self):
        self.assertEqual(self.reasons(self.record()), [])
        self.assertEqual(self.reasons(self.record(), seen=self.known["s0"], mine=self.seeds[1]), [])
        self.assertEqual(self.reasons(self.record(), seen="0" * 64), ["commitment"])
        self.assertEqual(self.reasons(self.record(), mine="another"), ["seed"])
        loaded = self.record()
        loaded["events"][4]["dice"] = [die % 6 + 1 for die in loaded["events"][4]["dice"]]
        self.assertEqual(self.reasons(loaded), ["die"])
        moved = self.record()
        moved["events"][3]["dice"], moved["events"][4]["dice"] = moved["events"][4]["dice"], moved["events"][3]["dice"]
        self.assertEqual(self.reasons(moved), ["order"])
        drawn = self.record()
        sides = drawn["events"][2]["sides"]
        sides["1"], sides["2"] = sides["2"], sides["1"]
        self.assertEqual(self.reasons(drawn), ["lot"])
        other = self.record()
        other["events"][-1]["secret"] = other["dice"]["secrets"]["1"] = "0" * 64
        self.assertEqual(self.reasons(other), ["secret"])

    def test_what_is_no_record_is_said(self):
        for data in (b"", b"{}", b"{", b"hello", b"\xff", b"[1]", b'{"format": "lusoria-record-1"}'):
            with self.assertRaises(verify.Unreadable):
                verify.read(data)


if __name__ == "__main__":
    unittest.main()
