"""Compares how we pair a Swiss with the Dutch system as py4swiss has it, which knows nothing of ours (docs/tournaments.md).

    cargo run --release -p lusoria-tournament --example swiss 100 9 1 > games
    pip install py4swiss==0.3.1 && python3 docs/tournaments/dutch.py games 1

The number after the file is the seed; another one says that one in so many leaves before each round, as in the example.
Prints by how many points the scores of opponents differ in each round: with our pairs; with Dutch pairs in the same
situation; in a tournament that has Dutch pairs from the start, with the same results of the same pairs."""

import math
import sys

from py4swiss.engines import DutchEngine
from py4swiss.engines.common import PairingError
from py4swiss.trf import ParsedTrf
from py4swiss.trf.codes import PlayerCode
from py4swiss.trf.results import ColorToken, ResultToken, RoundResult
from py4swiss.trf.sections import PlayerSection, XSection

# By the half points of one of two, and of one without an opponent.
RESULTS = ResultToken.LOSS, ResultToken.DRAW, ResultToken.WIN
BYES = ResultToken.ZERO_POINT_BYE, ResultToken.HALF_POINT_BYE, ResultToken.PAIRING_ALLOCATED_BYE


class Fate:
    """What happens, from a seed: as in crates/tournament/examples/swiss.rs."""

    def __init__(self, seed, one_in):
        self.seed, self.one_in = seed, one_in

    def of(self, *what):
        state, word_max = self.seed, (1 << 64) - 1
        for word in what:
            state = ((state ^ word) + 0x9E3779B97F4A7C15) & word_max
            state = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & word_max
            state = ((state ^ (state >> 27)) * 0x94D049BB133111EB) & word_max
            state ^= state >> 31
        return state

    def rating(self, entrant):
        return 1000 + self.of(0, 0, entrant) % 1200

    def half_points(self, number, one, other):
        expected = 1 / (1 + 10 ** ((self.rating(other) - self.rating(one)) / 400))
        draws = min(expected, 1 - expected, 0.15)
        at = (self.of(number, min(one, other), max(one, other)) >> 32) / 0xFFFFFFFF
        at = at if one < other else 1 - at
        return 2 if at < expected - draws else int(at < expected + draws)

    def leaves(self, number, entrant):
        return self.one_in > 0 and self.of(1000 + number, entrant, 0) % self.one_in == 0


class Swiss:
    """A Swiss as far as it has been played."""

    def __init__(self, ratings, rounds):
        self.rounds, ranked = rounds, sorted(ratings, key=lambda one: -ratings[one])
        self.ratings, self.numbers = ratings, {one: number for number, one in enumerate(ranked, 1)}
        self.results, self.points = {one: [] for one in ratings}, dict.fromkeys(ratings, 0)

    def play(self, boards, byes):
        """A round: (White, Black, half points of White), and the half points of those without an opponent."""
        for white, black, got in boards:
            self.note(white, self.numbers[black], ColorToken.WHITE, RESULTS[got], got)
            self.note(black, self.numbers[white], ColorToken.BLACK, RESULTS[2 - got], 2 - got)
        for one in self.ratings.keys() - {one for board in boards for one in board[:2]}:
            got = byes.get(one, 0)
            self.note(one, 0, ColorToken.BYE_OR_NOT_PAIRED, BYES[got], got)

    def note(self, one, opponent, color, result, got):
        self.results[one].append(RoundResult(id=opponent, color=color, result=result))
        self.points[one] += got

    def dutch(self, gone):
        """The next round: (White, Black), and those who have a bye."""
        left = [RoundResult(id=0, color=ColorToken.BYE_OR_NOT_PAIRED, result=BYES[0])]
        players = [
            PlayerSection(
                code=PlayerCode.PLAYER,
                starting_number=number,
                fide_rating=self.ratings[one],
                points_times_ten=5 * self.points[one],
                rank=number,
                results=self.results[one] + (left if one in gone else []),
            )
            for one, number in self.numbers.items()
        ]
        absent = {self.numbers[one] for one in gone}
        report = ParsedTrf(
            player_sections=players, x_section=XSection(number_of_rounds=self.rounds, zeroed_ids=absent)
        )
        names = {number: one for one, number in self.numbers.items()}
        pairs = [(names[pair.white], names.get(pair.black)) for pair in DutchEngine.generate_pairings(report)]
        byes = {one: 2 for one, other in pairs if other is None and one not in gone}
        return [pair for pair in pairs if pair[1] is not None], byes

    def apart(self, boards):
        return sum(abs(self.points[one] - self.points[other]) for one, other, *_ in boards) / 2 / len(boards)


def main():
    file, *numbers = sys.argv[1:]
    fate = Fate(*map(int, numbers), *[0] * (2 - len(numbers)))
    ratings, boards, byes, gone = {}, {}, {}, set()
    with open(file, encoding="utf-8") as lines:
        for kind, *words in map(str.split, lines):
            number, *rest = map(int, words)
            if kind == "entrant":
                assert rest == [fate.rating(number)], "another seed"
                ratings[number] = rest[0]
            elif kind == "board":
                boards.setdefault(number, []).append(rest)
            else:
                byes.setdefault(number, {})[rest[0]] = rest[1]
    ours, theirs = Swiss(ratings, max(boards)), Swiss(ratings, max(boards))
    print("round\tours\tDutch, the same situation\tDutch, from the start")
    for number in sorted(boards):
        same, start = math.nan, math.nan
        # The Dutch system stops where somebody has nobody left to meet.
        try:
            same = ours.apart(ours.dutch(gone)[0])
        except PairingError:
            pass
        try:
            if theirs:
                pairs, spared = theirs.dutch(gone)
                start = theirs.apart(pairs)
                theirs.play([(*pair, fate.half_points(number, *pair)) for pair in pairs], spared)
        except PairingError:
            theirs = None
        print(f"{number}\t{ours.apart(boards[number]):.3f}\t{same:.3f}\t{start:.3f}", flush=True)
        ours.play(boards[number], byes.get(number, {}))
        gone |= {one for one in ratings if fate.leaves(number, one)}


if __name__ == "__main__":
    main()
