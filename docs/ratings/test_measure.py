"""What measure.py takes for measured, and how its tables tell it. Nothing is played."""

import unittest
from unittest import mock

import measure


def estimate(value, low=None, high=None):
    return {"value": value, "low": value if low is None else low, "high": value if high is None else high}


FOUND = {
    "edition": "00000000000000ee",
    "advantage": estimate(12.4, -3.0, 30.0),
    "advantage_alike": [estimate(float(nth)) for nth in range(5)],
    "players": [{"player": "1", "points": 1300.0}]
    + [{"player": str(nth), "points": 1300.0 + nth, "better_by": estimate(100.0, 90.0, 110.0)} for nth in range(2, 6)],
    "slopes": [{"points": 2, "slope": estimate(1.4), "of_one_point_games": 1.5}],
    "known": [
        {"better": "level 2", "other": "level 1", "share": estimate(0.6), "games": estimate(188.0, 120.0, 340.0),
         "games_of_pairs": estimate(90.0)},
        {"better": "level 3", "other": "level 1", "share": estimate(0.8), "games": estimate(20.0), "games_of_pairs": estimate(9.0)},
    ],
    "held_out": {},
}


class Measured(unittest.TestCase):
    @mock.patch.object(measure, "edition", lambda _: "00000000000000ee")
    def test_only_the_levels_as_they_are_count(self):
        line = measure.command("zeno")
        self.assertEqual(measure.measured({line: FOUND}, "zeno"), FOUND)
        self.assertIsNone(measure.measured({line: {**FOUND, "edition": "another"}}, "zeno"))
        self.assertIsNone(measure.measured({line: FOUND}, "tavla"))


class Tables(unittest.TestCase):
    def test_numbers_come_with_their_intervals(self):
        self.assertEqual(measure.told(estimate(12.4, -3.0, 30.0), "+.0f"), "+12 (-3 to +30)")
        endless = {"value": 188.2, "low": 120.0, "high": None}
        self.assertEqual(measure.told(endless, ".0f"), "188 (120 to ∞)")

    def test_neighbours_alone_are_told(self):
        rows = measure.known({"zeno": FOUND}).splitlines()
        self.assertEqual(rows[2:], ["| zeno | 2 and 1 | 60.0 % (60.0 to 60.0) | 188 (120 to 340) | 90 (90 to 90) |"])

    def test_the_slope_of_the_formula_stands_below(self):
        self.assertTrue(measure.slopes({"zeno": FOUND}).endswith("| by the formula | 1.50 |\n"))


if __name__ == "__main__":
    unittest.main()
