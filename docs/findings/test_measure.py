"""What measure.py takes for measured, and what its tables, plots and files tell of it. Nothing is played."""

import csv
import re
import unittest
import xml.etree.ElementTree as xml
from unittest import mock

import measure
import measuring
import plots
import reader
import tables


def estimate(value, low=None, high=None):
    return {"value": value, "low": value if low is None else low, "high": value if high is None else high}


def share(value):
    return {"share": value, "low": value - 0.1, "high": value + 0.1}


def study(game, white=0.6):
    found = {
        "day": "2026-01-31",
        "machine": {"cpu": "a processor", "cores": 2, "version": "lusoria 0.1.0"},
        "game": game,
        "edition": "00000000000000ee",
        "games": 100,
        "distinct": 99,
        "turns": {"mean": estimate(240.0, 230.0, 250.0), "p5": estimate(100), "median": estimate(239), "p95": estimate(400)},
        "passes": estimate(12.0),
        "white": {"wins": 60, "draws": 0, "losses": 40},
        "white_share": share(white),
        "drawn": {"share": 0.0},
        "deviation": estimate(0.5),
        "leads": [{"better_by": 0.05, "games": estimate(270.55, 200.0, 300.0)}],
        "incidents": [
            {
                "incident": "tuichu" if game == "tablut" else "hit",
                "per_game": estimate(3.0),
                "games": share(0.8),
                "first": {"games": 80, "scored": share(0.7), "more_than_usual": estimate(0.1, 0.05, 0.15)},
            }
        ],
    }
    if game == "tavla":
        found |= {"first_share": share(0.55), "first_without_luck": estimate(0.52), "double": share(0.3)}
    if game == "tablut":
        found["incidents"][0]["decides"] = share(0.3)
        return found
    found["calibration"] = []
    found["white_without_luck"] = estimate(0.58, 0.56, 0.6)
    found["luck"] = {key: estimate(0.4) for key in ("of_a_throw", "of_a_game", "rest", "explained")}
    found["leads"][0]["without_luck"] = estimate(30.0)
    found["throws"] = [
        {"throw": "6-6", "kind": "double", "chance": 1 / 36, **estimate(0.08, 0.07, 0.09)},
        {"throw": "2-1", "kind": "different", "chance": 2 / 36, **estimate(-0.02, -0.03, -0.01)},
    ]
    found["kinds"] = [{"kind": "different", **estimate(-0.01)}, {"kind": "double", **estimate(0.05)}]
    return found


def turn(notation, win, behind=0.0):
    chances = {"win": win, "win_double": 0.0, "lose_double": 0.0, "draw": 0.1}
    return {"notation": notation, "games": 36, "chances": chances, "error": 0.02, "behind": behind, "behind_error": 0.01}


def throw(dice, *turns):
    return {"throw": dice, "chance": 1 / 36, "seed": 7, "is_sure": True, "turns": list(turns)}


def rollout(game, *throws):
    on = {"day": "2026-01-31", "machine": {"cpu": "a processor", "cores": 2, "version": "lusoria 0.1.0"}}
    return {**on, "game": game, "edition": "00000000000000ee", "error": 0.01, "chances": turn("", 0.7)["chances"], "throws": list(throws)}


def page(without=()):
    """Everything is measured but these rows."""
    of = {}
    for name, kind, game, line in measure.rows():
        if kind == "games":
            report = study(game, 0.2 if name == "tablut" else 0.55 if "throne" in name else 0.6)
        elif kind == "first-turns":
            report = rollout(game, throw("6-6", turn("a", 0.6)), throw("2-1", turn("b", 0.5), turn("c", 0.45, 0.1)))
        elif "turn" in name:
            report = {**rollout(game), "turns": [turn("10/16 19/24 20/22", 0.3)]}
        else:
            report = rollout(game, throw("6-6-6", turn("a", 0.8)), throw("6-5-2", turn("d", 0.3)), throw("1-1-1", turn("e", 0.2)))
        of[name] = (line, None if name in without else report)
    return tables.Page(of, {"zeno": 0.2}, measure.EMPERORS_THROW)


class Spaced:
    """A page whose numbers have plain spaces, which a test can be read with."""

    def __init__(self, told):
        self.told = told

    def __getattr__(self, name):
        return lambda: getattr(self.told, name)().replace("\u00a0", " ")


NOTHING = [name for name, *_ in measure.rows()]


class Measured(unittest.TestCase):
    @mock.patch.object(measure, "edition", lambda *_: "00000000000000ee")
    def test_only_what_the_judge_as_it_is_has_shown_counts(self):
        found = study("zeno")
        self.assertEqual(measure.measured({"a command": found}, "zeno", "a command"), found)
        self.assertIsNone(measure.measured({"a command": {**found, "edition": "another"}}, "zeno", "a command"))
        self.assertIsNone(measure.measured({}, "zeno", "a command"))

    def test_an_option_has_a_judge_of_its_own(self):
        def ran(line):
            return {"contest": {"edition": "00000000000000dd" if " -o mother=double_loss " in line else "00000000000000ee"}}

        measuring.edition.cache_clear()
        self.addCleanup(measuring.edition.cache_clear)
        with mock.patch.object(measuring, "run", ran):
            found = {**study("tavla"), "edition": "00000000000000dd"}
            line = measure.study("tavla", 9, "mother=double_loss")
            self.assertEqual(measure.measured({line: found}, "tavla", line), found)
            line = measure.study("tavla", 9)
            self.assertIsNone(measure.measured({line: found}, "tavla", line))

    def test_every_row_has_a_name_and_a_command_of_its_own(self):
        rows = list(measure.rows())
        self.assertEqual(len({name for name, *_ in rows}), len(rows))
        self.assertEqual(len({line for *_, line in rows}), len(rows))
        self.assertEqual({game for *_, game, _ in rows}, set(measure.GAMES))

    def test_the_page_has_a_place_for_every_part(self):
        places = {found[1] for found in measure.PART.findall(measure.PAGE.read_text())}
        self.assertEqual(places, {"circumstances", *page().parts()})


class Tables(unittest.TestCase):
    def test_rows_have_the_columns_of_their_heads(self):
        for name, text in page().parts().items():
            for lines in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
                columns = {line.count("|") for line in lines.splitlines()}
                self.assertEqual(len(columns), 1, f"{name}:\n{lines}")

    def test_every_table_has_its_commands_beside_it(self):
        for name, text in page().parts().items():
            self.assertIn("```sh\nlusoria-lab ", text, name)
        self.assertEqual(page().balance().count("lusoria-lab arena tablut"), 2)

    def test_what_is_not_measured_says_so(self):
        for name, text in page(NOTHING).parts().items():
            self.assertEqual(text, "Not measured.\n", name)

    def test_numbers_come_with_their_intervals(self):
        told = Spaced(page())
        self.assertIn("| zeno | 240.0 (230.0 to 250.0) | 239 (239 to 239) | 100 to 400 | 12.0 (12.0 to 12.0) |", told.length())
        self.assertIn("| 1.0 |", told.length(), "240 turns of fifteen seconds are an hour")
        self.assertIn("zeno: 1.0 times as many turns as tavla, the next longest; 1.0 hours on average", told.length())
        self.assertIn("| zeno | 60.0 % (50.0 to 70.0) | 58.0 % (56.0 to 60.0) | none |  |", told.advantage())
        self.assertIn("- tavla: the side with the first turn scores 55.0 % (45.0 to 65.0), with luck taken out", told.advantage())
        self.assertIn("| zeno | hits | 3.00 (3.00 to 3.00) | 80.0 % (70.0 to 90.0) | 70.0 % (60.0 to 80.0) | +10.0 (+5.0 to +15.0) |",
                      told.incidents())
        self.assertIn("30.0 % (20.0 to 40.0) of all games end with the king's escape right after tuichu", told.incidents())

    def test_the_better_player_leads_after_so_many_games(self):
        # (1.645 · 0.5 / 0.2)² is 16.9.
        self.assertIn("| zeno | 271 (200 to 300) | 17 (+20 %) |", Spaced(page()).leads())
        self.assertIn("| tavla | 271 (200 to 300) | not measured |", Spaced(page()).leads())

    def test_the_option_that_balances_best(self):
        self.assertTrue(page().balance().startswith("Surely nearer to half is `tablut, throne=closed`."))
        for shares, expected in [
            ({"a": share(0.9), "b": share(0.45)}, ("b", True)),
            ({"a": share(0.62), "b": share(0.45)}, ("b", False)),
            ({"a": {"share": 0.5}, "b": share(0.9)}, ("a", False)),
        ]:
            self.assertEqual(tables.nearer_to_half(shares), expected)

    def test_first_turns_with_and_without_a_choice(self):
        text = Spaced(page()).first_turns()
        self.assertIn("| 6-6 | `a` | 65.0 % (63.0 to 67.0) |  |  |\n", text)
        self.assertIn("| 2-1 | `b` | 55.0 % (53.0 to 57.0) | `c` | +5.0 (+4.0 to +6.0) |\n", text)
        tavla = text[text.index("### tavla"):text.index("### scripta")]
        self.assertNotIn("6-6", tavla, "no double is thrown for who begins")

    def test_the_emperors_throw_has_its_place(self):
        text = Spaced(page()).emperor()
        self.assertIn("Before the throw White wins 75.0 %", text)
        self.assertIn("Of the 3 throws, the best first, it has place 2: worse ones come 2.8 times in 100.", text)
        self.assertIn("| 2 | **6-5-2** | `d` | 35.0 % (33.0 to 37.0) |", text)


class Files(unittest.TestCase):
    def test_lines_have_the_columns_of_their_heads(self):
        for told in (page(), page(NOTHING)):
            for name, text in told.files().items():
                head, *lines = list(csv.reader(text.splitlines()))
                self.assertEqual(bool(lines), told.studies != {}, name)
                self.assertTrue(all(len(line) == len(head) for line in lines), name)

    def test_plots_are_pictures_with_a_title(self):
        made = plots.all_of(page())
        self.assertEqual(len(made), 6)
        for name, text in made.items():
            root = xml.fromstring(text)
            self.assertTrue(root[0].tag.endswith("title") and root[0].text, name)
            self.assertNotIn("nan", text)
        self.assertEqual(plots.all_of(page(NOTHING)), {})


class Readers(unittest.TestCase):
    def test_every_word_of_the_plots_is_there_in_french(self):
        told = page()
        # These are called so in French, too.
        same = {"raichi", "tuichu", "captures"}
        said = []
        plots.all_of(tables.Page(told.of, told.above_level_4, told.emperors_throw, say=lambda words: said.append(words) or words))
        self.assertEqual([words for words in said if words not in reader.FRENCH and words not in same], [])

    def test_both_languages_ask_and_answer_the_same(self):
        fields = lambda text: set(re.findall(r"{(\w+)}", text))
        english, french = (reader.TEXTS[language] for language in reader.LANGUAGES)
        self.assertEqual(english.keys(), french.keys())
        for key in english.keys() - {"lead", "title"}:
            self.assertEqual(fields(english[key][1]), fields(french[key][1]), key)
            self.assertEqual([name.endswith(":") for name in english[key][2]], [name.endswith(":") for name in french[key][2]], key)

    def test_options_are_told_in_words_in_the_language_of_the_reader(self):
        told = page()
        for language, expected in [("en", "Tablut, closed throne"), ("fr", "Tablut, trône fermé")]:
            made = reader.Reader(language, told.of, told.above_level_4, told.emperors_throw)
            self.assertEqual(made.called("tablut, throne=closed"), expected)
            self.assertIn(expected, plots.all_of(made)[f"length{made.suffix}"])


if __name__ == "__main__":
    unittest.main()
