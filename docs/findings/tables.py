"""The tables of docs/findings.md and the CSV files beside it, from what was measured."""

import csv
import io
import math

# The turns of a game are told in hours, too, at so many seconds each.
SECONDS_A_TURN = 15
# The normal quantile of 19 in 20, by which a lead is reckoned.
CERTAIN = 1.644853627
# So many of the best and worst throws are in the page; all are in the CSV file.
THROWS_TOLD = 5

INCIDENTS = {
    "hit": "hits",
    "pin": "pins",
    "prime_of_five": "primes of five",
    "prime_of_six": "primes of six",
    "capture": "captures",
    "raichi": "raichi",
    "tuichu": "tuichu",
}
KINDS = {"different": "all different", "double": "two alike", "triple": "three alike"}


def named(game, option):
    """What the tables call a game with an option; the standard game by its name alone."""
    return f"{game}, {option}" if option else game


def table(head, rows):
    """Rows of cells; the heads of numbers end with a colon."""
    names = [name.rstrip(":") for name in head]
    rules = ["---:" if name.endswith(":") else "---" for name in head]
    return "".join("| " + " | ".join(line) + " |\n" for line in [names, rules, *rows])


def firm(words):
    """Words that stay on one line in a narrow cell."""
    return words.replace(" ", "\u00a0")


def interval(of, form):
    return " " + firm(f"({of['low']:{form}} to {of['high']:{form}})")


def number(of, form=".0f"):
    """A number with its interval."""
    return "none" if of is None else f"{of['value']:{form}}" + interval(of, form)


def points(of, form="+.1f"):
    """Chances of winning, in hundredths of a win."""
    return "none" if of is None else number(hundredths(of), form)


def percent(of):
    """A share of games, or a number that is one."""
    many = hundredths(of)
    return firm(f"{many['value']:.1f} %") + (interval(many, ".1f") if "low" in of else "")


def hundredths(of):
    """A share or another number, and its interval if it has one, a hundred times."""
    return {key if key in ("low", "high") else "value": 100 * of[key] for key in ("share", "value", "low", "high") if key in of}


def commands(lines):
    return "\n```sh\n" + "".join(f"{line}\n" for line in lines) + "```\n"


def score(chances):
    """Wins count 1, draws a half."""
    return chances["win"] + chances["draw"] / 2


def wins(turn):
    """What a turn that was rolled out wins, with its interval: errors are those of what it is worth, -1 to 1."""
    error = 1.96 * turn["error"] / 2
    value = score(turn["chances"])
    return {"value": value, "low": value - error, "high": value + error}


def behind(turn):
    """How much less than the first it wins."""
    value, error = turn["behind"] / 2, 1.96 * turn["behind_error"] / 2
    return {"value": value, "low": value - error, "high": value + error}


def nearer_to_half(found):
    """Of shares by name: the name of that nearest to a half, and whether it surely is: its interval ends before those
    of the others begin, reckoned as distances from a half."""
    distances = {
        name: sorted([abs(of["low"] - 0.5), abs(of["high"] - 0.5)]) for name, of in found.items() if "low" in of
    }
    for name, of in found.items():
        if name in distances and of["low"] <= 0.5 <= of["high"]:
            distances[name][0] = 0.0
    best = min(found, key=lambda name: abs(found[name]["share"] - 0.5))
    sure = all(
        name == best or (best in distances and name in distances and distances[best][1] < distances[name][0])
        for name in found
    )
    return best, sure


class Page:
    """What the page says. `of` has the command and the report, or none, of each row by its name."""

    def __init__(self, of, above_level_4, emperors_throw, say=str, call=str, suffix=".svg"):
        self.of = of
        # What words, and games with their options, are called in the plots, whose files end so.
        self.say, self.call, self.suffix = say, call, suffix
        self.above_level_4 = above_level_4
        self.emperors_throw = emperors_throw
        self.studies = {
            name: (line, report)
            for name, (line, report) in of.items()
            if report and " --findings " in line
        }
        self.standard = {name: both for name, both in self.studies.items() if "," not in name}
        self.with_dice = {name: both for name, both in self.standard.items() if "luck" in both[1]}

    def parts(self):
        return {
            "length": self.length(),
            "advantage": self.advantage(),
            "balance": self.balance(),
            "luck": self.luck(),
            "leads": self.leads(),
            "throws": self.throws(),
            "incidents": self.incidents(),
            "first-turns": self.first_turns(),
            "emperor": self.emperor(),
        }

    def part(self, head, rows, studies, picture=None):
        """A table with its picture and its commands."""
        if not studies:
            return "Not measured.\n"
        shown = f"\n![{picture[0]}](findings/{picture[1]})\n" if picture else ""
        return table(head, rows) + shown + commands(line for line, _ in studies.values())

    def length(self):
        rows = []
        for name, (_, of) in self.studies.items():
            turns = of["turns"]
            hours = turns["mean"]["value"] * SECONDS_A_TURN / 3600
            rows.append(
                [name, number(turns["mean"], ".1f"), number(turns["median"]),
                 firm(f"{turns['p5']['value']:.0f} to {turns['p95']['value']:.0f}"), number(of["passes"], ".1f"),
                 f"{hours:.1f}"]
            )
        head = ["game", "turns, on average:", "half of the games have no more than:", "nine in ten have:",
                "turns that pass:", f"hours, at {SECONDS_A_TURN} s a turn:"]
        return self.longest() + self.part(head, rows, self.studies, ("How long games are", "length.svg"))

    def longest(self):
        """The longest game beside the next longest, in a sentence."""
        by_turns = sorted(self.standard.items(), key=lambda both: -both[1][1]["turns"]["mean"]["value"])
        if len(by_turns) < 2:
            return ""
        (name, (_, of)), (other, (_, next_longest)), *_ = by_turns
        turns, p95 = of["turns"]["mean"]["value"], of["turns"]["p95"]["value"]
        times = turns / next_longest["turns"]["mean"]["value"]
        hours = [count * SECONDS_A_TURN / 3600 for count in (turns, p95)]
        return (
            f"The longest game is {name}: {times:.1f} times as many turns as {other}, the next longest; {hours[0]:.1f} hours "
            f"on average, and one game in twenty more than {hours[1]:.1f}.\n\n"
        )

    def advantage(self):
        rows, firsts = [], ""
        for name, (_, of) in self.studies.items():
            without, drawn = of.get("white_without_luck"), of["white"]["draws"]
            rows.append(
                [name, percent(of["white_share"]), percent(without) if without else "",
                 percent(of["drawn"]) if drawn else "none", percent(of["double"]) if "double" in of else ""]
            )
            if "first_share" in of:
                firsts += (
                    f"- {name}: the side with the first turn scores {percent(of['first_share'])}, "
                    f"with luck taken out {percent(of['first_without_luck'])}.\n"
                )
        head = ["game", "White scores:", "luck taken out:", "drawn:", "won double:"]
        shown = ("What White scores, and the defenders of tablut", "advantage.svg")
        return (firsts and firsts + "\n") + self.part(head, rows, self.studies, shown)

    def balance(self):
        tablut = {name: both for name, both in self.studies.items() if both[1]["game"] == "tablut"}
        rows = []
        for name, (_, of) in tablut.items():
            won = of["white"]
            rows.append(
                [name, f"{of['distinct']} of {of['games']}", f"{won['wins']}–{won['draws']}–{won['losses']}",
                 percent(of["white_share"]), f"{abs(100 * of['white_share']['share'] - 50):.1f}"]
            )
        head = ["game", "games that differ:", "defenders won–drawn–lost", "the defenders score:", "points from half:"]
        text = self.part(head, rows, tablut)
        if len(tablut) < 2:
            return text
        best, sure = nearer_to_half({name: of["white_share"] for name, (_, of) in tablut.items()})
        how = "Surely nearer" if sure else "Nearer, but not surely,"
        return f"{how} to half is `{best}`.\n\n{text}"

    def luck(self):
        rows = [
            [name, points(of["deviation"], ".1f"),
             *(points(of["luck"][key], ".1f") for key in ("of_a_game", "of_a_throw", "rest")),
             percent(of["luck"]["explained"])]
            for name, (_, of) in self.with_dice.items()
        ]
        head = ["game", "results:", "all throws of a game:", "one throw:", "results, luck taken out:",
                "of the variance is luck:"]
        return self.part(head, rows, self.with_dice)

    def lead(self, name, of):
        """After how many games level 5 leads against level 4, and by how much it is better."""
        if name not in self.above_level_4:
            return "not measured"
        better_by = self.above_level_4[name]
        games = (CERTAIN * of["deviation"]["value"] / better_by) ** 2
        return f"{max(1, math.ceil(games))} (+{100 * better_by:.0f} %)"

    def leads(self):
        rows = []
        for name, (_, of) in self.standard.items():
            rows.append([name, *(number(one["games"]) for one in of["leads"]), self.lead(name, of)])
            if "luck" in of:
                rows.append([f"{name}, luck taken out", *(number(one["without_luck"]) for one in of["leads"]), ""])
        by = [f"{100 * one['better_by']:.0f} % better:" for _, of in list(self.standard.values())[:1] for one in of["leads"]]
        head = ["game", *by, "level 5 against 4:"]
        return self.part(head, rows, self.standard, ("Games until the better player leads", "leads.svg"))

    def throws(self):
        kinds = [
            [name, *(points(next((kind for kind in of["kinds"] if kind["kind"] == key), None)) for key in KINDS)]
            for name, (_, of) in self.with_dice.items()
        ]
        text = self.part(["game", *(f"{name}:" for name in KINDS.values())], kinds, self.with_dice,
                         ("What each throw is worth", "throws.svg"))
        rows = []
        for name, (_, of) in self.with_dice.items():
            throws = of["throws"]
            told = ", ".join(f"{one['throw']} {100 * one['value']:+.1f}" for one in throws[:THROWS_TOLD])
            worst = ", ".join(f"{one['throw']} {100 * one['value']:+.1f}" for one in throws[: -THROWS_TOLD - 1 : -1])
            rows.append([name, told, worst])
        return text + ("\n" + table(["game", "the best throws", "the worst throws"], rows) if rows else "")

    def incidents(self):
        rows = []
        for name, (_, of) in self.standard.items():
            for one in of["incidents"]:
                first, more = one.get("first"), one.get("more")
                rows.append(
                    [name, INCIDENTS[one["incident"]], number(one["per_game"], ".2f"), percent(one["games"]),
                     percent(first["scored"]) if first else "", points(first["more_than_usual"]) if first else "",
                     points(more["more_than_usual"]) if more else ""]
                )
        head = ["game", "what", "in a game:", "of all games have it:", "who is first scores:", "more than usual:",
                "who has more, more than usual:"]
        return self.calls() + self.part(head, rows, self.standard, ("How much more than usual those score who were first", "incidents.svg"))

    def calls(self):
        """What calls of tablut lead to, a sentence each."""
        text = ""
        for name, (_, of) in self.studies.items():
            for one in of["incidents"]:
                if "decides" in one:
                    call = INCIDENTS[one["incident"]]
                    text += f"- {name}: {percent(one['decides'])} of all games end with the king's escape right after {call}.\n"
        return text and f"{text}\n"

    def openings(self):
        """Of each game the command and the throws that can come for its first turn, the best first."""
        for name, (line, report) in self.of.items():
            if report and name.endswith(", first turns"):
                game = report["game"]
                # Each die of tavla's opening throw is one side's, and they differ.
                can_come = [one for one in report["throws"] if game != "tavla" or len(set(one["throw"].split("-"))) > 1]
                yield game, line, can_come

    def first_turns(self):
        text = ""
        for game, line, throws in self.openings():
            is_forced = all(len(one["turns"]) == 1 for one in throws)
            rows = []
            for one in throws:
                best, *others = one["turns"]
                second = [f"`{others[0]['notation']}`", points(behind(others[0]))] if others else ["", ""]
                rows.append([one["throw"], f"`{best['notation']}`", percent(wins(best)), *([] if is_forced else second)])
            head = ["throw", "best first turn", "White scores:"]
            head += [] if is_forced else ["next best", "behind by:"]
            text += f"### {game}\n\n{table(head, rows)}{commands([line])}\n"
        return text or "Not measured.\n"

    def emperor(self):
        every, turn = self.of["zeno, the emperor's throws"], self.of["zeno, the emperor's turn"]
        if not every[1]:
            return "Not measured.\n"
        throws = every[1]["throws"]
        place = next(nth for nth, one in enumerate(throws, 1) if one["throw"] == self.emperors_throw)
        thrown = throws[place - 1]["turns"]
        before = {"turns": [], "error": every[1]["error"], "chances": every[1]["chances"]}
        worse = sum(one["chance"] for one in throws[place:])
        forced = "the only turn" if len(thrown) == 1 else "the best turn"
        lines = [
            f"- Before the throw White wins {percent(wins(before))}.",
            f"- After {self.emperors_throw}, played `{thrown[0]['notation']}` ({forced}), White wins "
            f"{percent(wins(thrown[0]))}.",
            f"- Of the {len(throws)} throws, the best first, it has place {place}: "
            + (f"worse ones come {100 * worse:.1f} times in 100." if worse else "none is worse."),
        ]
        if turn[1]:
            best = turn[1]["turns"][0]
            lines.append(f"- With {best['games']} games from there, all played to the end, White wins {percent(wins(best))}.")
        rows = [
            [f"{nth}", f"**{one['throw']}**" if nth == place else one["throw"], f"`{one['turns'][0]['notation']}`",
             percent(wins(one["turns"][0]))]
            for nth, one in enumerate(throws, 1)
            if nth <= THROWS_TOLD or nth > len(throws) - THROWS_TOLD or abs(nth - place) <= 1
        ]
        text = "\n".join(lines) + "\n\n" + table(["", "throw", "best turn", "White wins:"], rows)
        text += "\n![What White wins after each throw](findings/emperor.svg)\n"
        return text + commands(line for line, report in (every, turn) if report)

    def files(self):
        """The CSV files by their names."""
        return {
            "games.csv": self.games_file(),
            "throws.csv": self.throws_file(),
            "incidents.csv": self.incidents_file(),
            "first-turns.csv": self.turns_file(self.openings()),
            "emperor.csv": self.turns_file(
                ("zeno", line, report["throws"]) for line, report in [self.of["zeno, the emperor's throws"]] if report
            ),
        }

    def games_file(self):
        """Every number of a game and its options in long form, one a line."""
        rows = []
        for name, (line, of) in self.studies.items():
            def add(measure, found, name=name, line=line, of=of):
                if found is not None:
                    value = found.get("share", found.get("value"))
                    rows.append([of["game"], option(name), of["games"], measure, value, found.get("low"),
                                 found.get("high"), line])

            for key in ("mean", "p5", "median", "p95"):
                add(f"turns_{key}", of["turns"][key])
            for key in ("passes", "white_share", "white_without_luck", "first_share", "first_without_luck", "drawn",
                        "double", "deviation"):
                add(key, of.get(key))
            for key, found in of.get("luck", {}).items():
                add(f"luck_{key}", found)
            for one in of["leads"]:
                add(f"lead_{one['better_by']}", one["games"])
                add(f"lead_{one['better_by']}_without_luck", one.get("without_luck"))
        return written(["game", "options", "games", "measure", "value", "low", "high", "command"], rows)

    def throws_file(self):
        rows = [
            [of["game"], option(name), one["throw"], one["kind"], one["chance"], one["value"], one["low"], one["high"]]
            for name, (_, of) in self.studies.items()
            for one in of.get("throws", [])
        ]
        return written(["game", "options", "throw", "kind", "chance", "worth", "low", "high"], rows)

    def incidents_file(self):
        rows = []
        for name, (_, of) in self.studies.items():
            for one in of["incidents"]:
                row = [of["game"], option(name), one["incident"], *bounds(one["per_game"]), *bounds(one["games"])]
                row += bounds(one["decides"]) if "decides" in one else [""] * 3
                for maker in (one.get("first"), one.get("more")):
                    row += [maker["games"], *bounds(maker["scored"]), *bounds(maker["more_than_usual"])] if maker else [""] * 7
                rows.append(row)
        three = lambda name: [name, f"{name}_low", f"{name}_high"]
        makers = [
            column
            for who in ("first", "more")
            for column in (f"{who}_games", *three(f"{who}_scored"), *three(f"{who}_more_than_usual"))
        ]
        head = ["game", "options", "incident", *three("per_game"), *three("share_of_games"), *three("decides"), *makers]
        return written(head, rows)

    def turns_file(self, of_games):
        rows = []
        for game, _, throws in of_games:
            for one in throws:
                best, *others = one["turns"]
                row = [game, one["throw"], one["chance"], best["notation"], *bounds(wins(best)), best["games"]]
                row += [others[0]["notation"], *bounds(behind(others[0]))] if others else [""] * 4
                rows.append([*row, int(one["is_sure"]), one["seed"]])
        head = ["game", "throw", "chance", "turn", "wins", "wins_low", "wins_high", "games", "next", "behind",
                "behind_low", "behind_high", "is_sure", "seed"]
        return written(head, rows)


def option(name):
    """The options of a row, as `name=value`; empty for the standard game."""
    return name.partition(", ")[2]


def bounds(of):
    return [of.get("share", of.get("value")), of.get("low"), of.get("high")]


def written(head, rows):
    text = io.StringIO()
    out = csv.writer(text, lineterminator="\n")
    out.writerow(head)
    out.writerows([f"{cell:.6g}" if isinstance(cell, float) else cell for cell in row] for row in rows)
    return text.getvalue()
