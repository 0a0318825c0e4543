"""What measure.py takes for measured, and how its tables tell it. Nothing is played."""

import unittest
from unittest import mock

import measure
import measuring

SPREAD = {"mean": 5_000.0, "p95": 9_000, "max": 20_000}
SCORE = {"wins": 100, "draws": 0, "losses": 0}
REPORT = {
    "contest": {"edition": "00000000000000ee"},
    "score": SCORE,
    "score_as_white": SCORE,
    "score_as_black": SCORE,
    "points": {"mean": 1.0, "low": 1.0, "high": 1.0},
    "decided": {"share": 1.0, "low": 0.93, "high": 1.0},
    "elo": {"difference": None, "low": 447.6, "high": None},
    "turns": {"mean": 60.0, "p95": 80, "max": 90},
    "a": {"time_us": SPREAD},
    "b": {"time_us": SPREAD},
    "day": "2026-01-31",
    "machine": {"cpu": "a processor", "cores": 2, "version": "lusoria 0.1.0"},
}
FLAGS = "--a 5 --b greedy --games 400"


class Measured(unittest.TestCase):
    def setUp(self):
        asked = self.asked = []

        def play(line):
            asked.append(line)
            return {"contest": {"edition": "00000000000000ee"}}

        self.enterContext(mock.patch.object(measuring, "run", play))
        self.addCleanup(measure.edition.cache_clear)

    def measured(self, report):
        line = measure.command("tavla", FLAGS)
        return measure.measured({"contests": {line: report}}, "tavla", FLAGS)

    def test_a_contest_of_the_judge_that_there_is(self):
        self.assertEqual(self.measured(REPORT), REPORT)
        self.assertEqual(self.asked, ["lusoria-lab arena tavla --a random --b random --games 2 --seed 1"])

    def test_what_another_judge_has_shown_is_not_measured(self):
        for contest in ({"edition": "00000000000000ff"}, {}):
            self.assertIsNone(self.measured({**REPORT, "contest": contest}))
        self.assertIsNone(measure.measured({"contests": {}}, "tavla", FLAGS))

    def test_whether_chances_come_true_is_known_from_the_games_of_the_findings(self):
        ((flags, _),) = measure.contests("tavla")["chances"]
        line = measure.study("tavla", measure.STUDIED["tavla"])
        self.assertIn(flags, line)
        found = {"edition": "00000000000000ee", "calibration": []}
        for played, measured in (
            ({line: found}, found),
            ({line: {**found, "edition": "00000000000000ff"}}, None),
            ({line: {"edition": "00000000000000ee"}}, None),
            ({}, None),
        ):
            with mock.patch.object(measure, "findings", lambda played=played: played):
                self.assertEqual(measure.measured({"contests": {line: found}}, "tavla", flags), measured)


class Rows(unittest.TestCase):
    def test_bounds_that_are_not_there_are_infinite(self):
        row = measure.row("tavla", FLAGS, 0.8, REPORT)
        self.assertIn("| 100.0 % (93.0 to 100.0) | +∞ (+448 to +∞) |", row)
        lost = {**REPORT, "elo": {"difference": None, "low": None, "high": -447.6}}
        self.assertIn("| −∞ (−∞ to -448) |", measure.row("tavla", FLAGS, 0.8, lost))

    def test_turns_that_take_too_long_say_so_where_a_share_is_aimed_at(self):
        slow = {**REPORT, "a": {"time_us": {**SPREAD, "mean": 20_100.0}}}
        self.assertTrue(measure.row("tavla", FLAGS, 0.8, slow).endswith("| 20.1, 9.0, over 20 ms | 5.0, 9.0 |\n"))
        self.assertTrue(measure.row("tavla", FLAGS, None, slow).endswith("| 20.1, 9.0 | 5.0, 9.0 |\n"))

    def test_a_share_below_its_aim_says_so(self):
        low = {**REPORT, "decided": {"share": 0.5, "low": 0.4, "high": 0.6}}
        self.assertIn("| 50.0 % (40.0 to 60.0), not 80 % |", measure.row("tavla", FLAGS, 0.8, low))

    def test_rows_have_the_columns_of_their_head(self):
        columns = measure.HEAD.splitlines()[1].count("|")
        for report in (REPORT, None):
            self.assertEqual(measure.row("tavla", FLAGS, 0.8, report).count("|"), columns)

    def test_chances_have_a_row_a_bucket(self):
        more = {"value": -0.011, "low": -0.031, "high": 0.009}
        bucket = {"from": 0.7, "to": 0.8, "turns": 200, "expected": 0.748, "scored": 0.737, "more": more}
        expected = "| tavla | 70 to 80 % | 200 | 74.8 % | 73.7 % | -1.1 (-3.1 to +0.9) |\n"
        self.assertEqual(measure.chances("tavla", {"calibration": [bucket]}), expected)
        self.assertEqual(measure.chances("tavla", {"a": {"calibration": [bucket]}}), expected)
        self.assertEqual(measure.chances("tavla", None).count("|"), measure.CHANCES_HEAD.splitlines()[1].count("|"))

    def test_losses_are_told_in_percentage_points(self):
        (flags, _), = measure.contests("tavla")["losses"]
        of = {"turns": 200, "best": 150, "lost": {"value": 0.0041, "low": 0.0019, "high": 0.0063}}
        row = measure.losses("tavla", flags, {"a": of, "b": of})
        self.assertIn("| 5 and the earlier 5 by rollouts | 200, 200 | 75 %, 75 % | 0.410 (0.190 to 0.630) |", row)
        for told in (row, measure.losses("tavla", flags, None)):
            self.assertEqual(told.count("|"), measure.LOSSES_HEAD.splitlines()[1].count("|"))

    def test_every_row_has_a_name_of_its_own(self):
        for game in measure.GAMES:
            names = [measure.name(flags) for table in measure.contests(game).values() for flags, _ in table]
            self.assertEqual(len(set(names)), len(names), game)

    def test_when_and_on_what_they_were_made(self):
        later = {**REPORT, "day": "2026-02-03"}
        other = {**REPORT, "machine": {**REPORT["machine"], "cores": 64}}
        self.assertEqual(
            measure.circumstances([later, REPORT, other, REPORT]),
            "Measured on 2026-01-31 and 2026-02-03 with lusoria 0.1.0, 2 cores, a processor.\n"
            "Measured on 2026-01-31 with lusoria 0.1.0, 64 cores, a processor.\n",
        )


if __name__ == "__main__":
    unittest.main()
