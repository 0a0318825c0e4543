"""The parts of the examples that need no server: frames, steps, dice."""

import json
import os
import unittest

import check_dice
import engine
import lusoria_ws
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


class Dice(unittest.TestCase):
    def setUp(self):
        with open(KNOWN, encoding="utf-8") as file:
            self.known = json.load(file)
        self.seeds = [self.known["seed1"], self.known["seed2"]]

    def secret(self, game):
        return bytes.fromhex(self.known[f"s{game}"])

    def test_known_throws(self):
        for case in [*self.known["throws"], self.known["long_throw"]]:
            dice = check_dice.throw(
                self.secret(case["game"]), self.known["match"], case["game"], self.seeds, case["i"], len(case["dice"])
            )
            self.assertEqual(dice, case["dice"])

    def test_the_lot_and_the_chain(self):
        seat = check_dice.lot(self.secret(1), self.known["match"], 1, self.seeds)
        self.assertEqual(f"seat {seat}", self.known["lot_game_1"]["white"])
        for game in (1, 2):
            self.assertEqual(check_dice.commitment(self.secret(game), game), self.known["s0"])

    def test_a_loaded_die_is_found(self):
        case = self.known["throws"][0]
        record = {
            "match": self.known["match"],
            "side": "white",
            "events": [
                {"seq": 1, "type": "game_started", "game_number": 1},
                {"seq": 2, "type": "thrown", "throw": case["i"], "dice": case["dice"]},
            ],
            "dice": {
                "commitment": self.known["s0"],
                "seeds": {"1": {"seed": self.seeds[0]}, "2": {"seed": self.seeds[1]}},
                "secrets": {"1": self.known["s1"]},
            },
        }
        self.assertEqual(check_dice.faults(record), ([], 1))
        record["events"][1]["dice"] = [6, 6, 6]
        self.assertEqual(len(check_dice.faults(record)[0]), 1)


if __name__ == "__main__":
    unittest.main()
