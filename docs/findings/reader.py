"""The page for readers: a sentence and a plot for each question, and the numbers behind it, in each language. It is
written into docs/site; docs/findings.md has all of it, with intervals and commands."""

import json
from pathlib import Path

import plots
import tables

ROOT = Path(__file__).resolve().parents[2]
LANGUAGES = ["en", "fr"]

# The options as the plots and tables call them.
OPTIONS = {
    "en": {"shift=die": "each die moves", "mother=double_loss": "mother counts double", "row_a_gate=false": "row A open",
           "throne=closed": "closed throne"},
    "fr": {"shift=die": "chaque dé bouge", "mother=double_loss": "mère compte double", "row_a_gate=false": "A ouverte",
           "throne=closed": "trône fermé"},
}

FRENCH = {
    ",": "\u202f",
    "Turns of a game": "Coups d’une partie",
    "nine games in ten; filled: half of them have no more; hollow: the mean":
        "neuf parties sur dix ; plein : la moitié n’en a pas plus ; creux : la moyenne",
    "How many turns games have, by game and option": "Nombre de coups des parties, par jeu et option",
    "What White scores; in tablut the defenders": "Ce que marquent les Blancs ; au tablut, les défenseurs",
    "filled: as the games ended; hollow: with the luck of the throws taken out":
        "plein : telles que les parties ont fini ; creux : sans la chance des jets",
    "What White scores in each game, with intervals of 95 %": "Ce que marquent les Blancs à chaque jeu, avec des intervalles à 95 %",
    "{} % better": "{} % de mieux",
    "Games until the better player leads, 19 times in 20": "Parties jusqu’à ce que le meilleur mène, 19 fois sur 20",
    "filled: as games end; hollow: with the luck of the throws taken out":
        "plein : telles que les parties finissent ; creux : sans la chance des jets",
    "After how many games the better of two players leads, by game": "Après combien de parties le meilleur de deux joueurs mène, par jeu",
    "What each throw is worth, in hundredths of a win": "Ce que vaut chaque jet, en centièmes de victoire",
    "What each throw is worth on average, by game": "Ce que vaut chaque jet en moyenne, par jeu",
    "all different": "tous différents",
    "two alike": "deux pareils",
    "three alike": "trois pareils",
    "hits": "frappes",
    "pins": "emprisonnements",
    "primes of five": "murs de cinq",
    "primes of six": "murs de six",
    "captures": "captures",
    "How much more than usual the side scores that is first": "Ce que marque de plus que d’ordinaire le premier à le faire",
    "in hundredths of a win, against what the same side scores in all games":
        "en centièmes de victoire, par rapport à toutes les parties de ce camp",
    "Whether hits, pins, primes, captures and calls decide": "Si frappes, emprisonnements, murs, captures et annonces décident",
    "What White wins after each throw, the best first": "Ce que gagnent les Blancs après chaque jet, le meilleur d’abord",
    "the emperor's {}": "celui de l’empereur, {}",
    "place among the 56 throws": "rang parmi les 56 jets",
    "What White wins after each throw in the emperor's position": "Ce que gagnent les Blancs après chaque jet dans la position de l’empereur",
}

# Title and lead, then for each question its title, what is found, and the heads of its numbers.
TEXTS = {
    "en": {
        "lead": "The computer has played these games against itself, hundreds of times each, at its strongest level. Here is what came of "
                "it. Behind each picture are its numbers; [all tables](/findings/tables) have intervals, and the commands that make them again.",
        "title": "What the games turn out to be",
        "length": ("How long is a game?", "{longest} is the longest: {longest_turns} turns on average, more than an hour at fifteen seconds a "
                   "turn. {shortest} is over after {shortest_turns}.", ["game", "turns, on average:", "half have no more than:"]),
        "advantage": ("Which side has the advantage?", "In {zeno} White wins {zeno_white} of 100 games: a fair match exchanges the sides. In "
                      "{tablut} the defenders score {tablut_white}. In the other games the sides are even, or nearly so.",
                      ["game", "White scores, of 100:", "luck taken out:"]),
        "leads": ("How much is luck?", "In a single game with dice more than four fifths of the result are luck. Who scores 55 of 100 leads for "
                  "certain only after some {leads} games.", ["game", "5 % better:", "10 % better:", "luck, % of the result:"]),
        "throws": ("What are throws worth?", "Doubles and triples are the best throws in every game. The best of all is {best} in {best_game}: it "
                   "wins {best_worth} more of 100 games.", ["game", "the best throws", "the worst throws"]),
        "incidents": ("What decides a game?", "Who pins first in {tavla} wins {pin} of 100 games. In {scripta} the first hit of many decides "
                      "nothing.", ["game", "what", "in a game:", "who is first scores more:"]),
        "emperor": ("Was the emperor unlucky?", "Yes: of all 56 throws that can come, {throw} has place {place}. It took the emperor from "
                    "{before} to {after} of 100.", ["", "throw", "White wins, of 100:"]),
    },
    "fr": {
        "lead": "L’ordinateur a joué à ces jeux contre lui-même, des centaines de parties chacun, à son plus haut niveau. Voici ce qu’il en est "
                "ressorti. Derrière chaque image se trouvent ses chiffres ; [tous les tableaux](/findings/tables) (en anglais) donnent les intervalles, "
                "et les commandes qui les refont.",
        "title": "Ce que ces jeux se révèlent être",
        "length": ("Combien de temps dure une partie ?", "{longest} est le plus long : {longest_turns} coups en moyenne, plus d’une heure à quinze "
                   "secondes le coup. Une partie de {shortest} en compte {shortest_turns}.", ["jeu", "coups, en moyenne:", "la moitié n’en a pas plus de:"]),
        "advantage": ("Quel camp a l’avantage ?", "Au {zeno}, les Blancs gagnent {zeno_white} parties sur 100 : une rencontre juste échange les "
                      "camps. À {tablut}, les défenseurs marquent {tablut_white}. Aux autres jeux, les camps sont à égalité, ou presque.",
                      ["jeu", "les Blancs marquent, sur 100:", "sans la chance:"]),
        "leads": ("Quelle est la part de la chance ?", "Dans une seule partie avec des dés, plus des quatre cinquièmes du résultat sont de la chance. "
                  "Qui marque 55 sur 100 ne mène à coup sûr qu’après quelque {leads} parties.",
                  ["jeu", "meilleur de 5 %:", "meilleur de 10 %:", "chance, % du résultat:"]),
        "throws": ("Que valent les jets ?", "Les doubles et les triples sont les meilleurs jets à tous les jeux. Le meilleur de tous est {best} à "
                   "{best_game} : il gagne {best_worth} parties de plus sur 100.", ["jeu", "les meilleurs jets", "les pires jets"]),
        "incidents": ("Qu’est-ce qui décide d’une partie ?", "Qui emprisonne le premier à {tavla} gagne {pin} parties sur 100. À {scripta}, la première "
                      "frappe parmi tant d’autres ne décide de rien.", ["jeu", "quoi", "par partie:", "le premier marque de plus:"]),
        "emperor": ("L’empereur a-t-il eu de la malchance ?", "Oui : des 56 jets que Zénon pouvait faire, {throw} a le rang {place}. Il l’a fait "
                    "passer de {before} à {after} sur 100.", ["", "jet", "les Blancs gagnent, sur 100:"]),
    },
}


class Reader(tables.Page):
    """What a reader is told, in a language."""

    def __init__(self, language, *page):
        self.language = language
        self.games = json.loads((ROOT / "web" / "text" / f"{language}.json").read_text())["games"]
        words = FRENCH if language == "fr" else {}
        super().__init__(*page, say=lambda said: spaced(language, words.get(said, said)), call=self.called,
                         suffix=".svg" if language == "en" else f".{language}.svg")

    def called(self, name):
        """A game, and its option in words."""
        game, _, option = name.partition(", ")
        return self.games[game] + (f", {OPTIONS[self.language][option]}" if option else "")

    def figure(self, value, form=".0f"):
        told = f"{value:{form}}"
        return told.replace(".", ",") if self.language == "fr" else told

    def text(self):
        """The page."""
        texts = TEXTS[self.language]
        known = self.known()
        parts = [f"# {texts['title']}\n\n{texts['lead']}\n"]
        for key, rows in self.numbers().items():
            title, found, head = texts[key]
            picture = f"![{title}](../../findings/{key}{self.suffix})"
            parts.append(f"## {title}\n\n{found.format(**known)}\n\n{picture}\n\n{tables.table(head, rows)}")
        return "<!-- written by findings/measure.py -->\n\n" + spaced(self.language, "\n".join(parts))

    def known(self):
        """The numbers of the sentences."""
        of = {name: report for name, (_, report) in self.standard.items()}
        turns = sorted(of, key=lambda name: of[name]["turns"]["mean"]["value"])
        score = lambda name: self.figure(100 * of[name]["white_share"]["share"])
        best_game, best = max(((name, report["throws"][0]) for name, report in of.items() if "throws" in report),
                              key=lambda both: both[1]["value"])
        pin = next(one for one in of["tavla"]["incidents"] if one["incident"] == "pin")
        every = self.of["zeno, the emperor's throws"][1]
        place = next(nth for nth, one in enumerate(every["throws"], 1) if one["throw"] == self.emperors_throw)
        after = tables.wins(every["throws"][place - 1]["turns"][0])["value"]
        mean = lambda name: self.figure(of[name]["turns"]["mean"]["value"])
        lead = max(one["games"]["value"] for name in of for one in of[name]["leads"] if one["better_by"] == 0.05)
        return {
            **{name: self.called(name) for name in of},
            "longest": self.called(turns[-1]), "longest_turns": mean(turns[-1]),
            "shortest": self.called(turns[0]), "shortest_turns": mean(turns[0]),
            "zeno_white": score("zeno"), "tablut_white": score("tablut"), "leads": self.figure(round(lead, -1)),
            "best": best["throw"], "best_game": self.called(best_game), "best_worth": self.figure(100 * best["value"]),
            "pin": self.figure(100 * pin["first"]["scored"]["share"]),
            "throw": self.emperors_throw, "place": place,
            "before": self.figure(100 * tables.score(every["chances"])), "after": self.figure(100 * after),
        }

    def numbers(self):
        """The rows of each table."""
        hundredth = lambda of: self.figure(100 * of.get("share", of.get("value")), ".1f")
        worth = lambda one: f"{one['throw']} {self.figure(100 * one['value'], '+.1f')}"
        every = self.of["zeno, the emperor's throws"][1]["throws"]
        return {
            "length": [[self.called(name), self.figure(of["turns"]["mean"]["value"]), self.figure(of["turns"]["median"]["value"])]
                       for name, (_, of) in self.studies.items()],
            "advantage": [[self.called(name), hundredth(of["white_share"]),
                           hundredth(of["white_without_luck"]) if of.get("white_without_luck") else ""]
                          for name, (_, of) in self.studies.items()],
            "leads": [[self.called(name), *(self.figure(one["games"]["value"]) for one in of["leads"] if one["better_by"] >= 0.05),
                       hundredth(of["luck"]["explained"]) if "luck" in of else ""] for name, (_, of) in self.standard.items()],
            "throws": [[self.called(name), ", ".join(map(worth, of["throws"][: tables.THROWS_TOLD])),
                        ", ".join(map(worth, of["throws"][: -tables.THROWS_TOLD - 1 : -1]))] for name, (_, of) in self.with_dice.items()],
            "incidents": [[self.called(name), self.say(tables.INCIDENTS[one["incident"]]), self.figure(one["per_game"]["value"], ".1f"),
                           self.figure(100 * one["first"]["more_than_usual"]["value"], "+.1f") if one.get("first") else ""]
                          for name, (_, of) in self.standard.items() for one in of["incidents"]],
            "emperor": [[str(nth), one["throw"], self.figure(100 * tables.wins(one["turns"][0])["value"], ".1f")]
                        for nth, one in enumerate(every, 1)],
        }


def spaced(language, text):
    """French puts narrow spaces before some signs."""
    if language != "fr":
        return text
    for sign in ";?!":
        text = text.replace(f" {sign}", f"\u202f{sign}")
    return text.replace(" :", "\u00a0:").replace(" %", "\u00a0%")


def write(folder, *page):
    """Writes the pages, if everything is measured, and the plots of the languages that docs/findings.md does not speak."""
    for language in LANGUAGES:
        reader = Reader(language, *page)
        for name, text in plots.all_of(reader).items():
            (folder / name).write_text(text)
        if all(report for _, report in reader.of.values()):
            (ROOT / "docs" / "site" / language / "findings.md").write_text(reader.text())
