#!/usr/bin/env python3
"""Computes the dice of a match once more (lusoria-dice-v1), and says what is false.

Reads records as JSON and as text (docs/record.md); docs/dice.md explains what is computed
and what it proves. Standard library only, and nothing of anybody else's: copy this file.
Exit code 0: true; 1: false; 2: no record, or nothing to check yet."""

import argparse
import hashlib
import hmac
import json
import re
import sys
import urllib.request

DICE = {"zeno": 3, "tavla": 2, "scripta": 2, "tabula": 3, "tablut": 0}
GAMES_MAX = 1024
BYTES_MAX = 64 << 20
HASH = re.compile(r"[0-9a-f]{64}")
SEED = re.compile(r"[ -{}~]{1,64}")


class Unreadable(Exception):
    """It is no record."""


# The scheme: everything that the dice are made of.


def stream(secret, label, match, game, seeds, i):
    """The bytes from which a throw, or the lot, is made."""
    block = 0
    while True:
        text = f"{label}|{match}|{game}|{seeds[0]}|{seeds[1]}|{i}|{block}"
        yield from hmac.digest(secret, text.encode(), "sha256")
        block += 1


def throw(secret, match, game, seeds, i, count):
    """Throw number `i` of a game, the dice in the order drawn."""
    bytes_of_throw = stream(secret, "lusoria-dice-v1", match, game, seeds, i)
    even = (byte for byte in bytes_of_throw if byte < 252)
    return [next(even) % 6 + 1 for _ in range(count)]


def lot(secret, match, game, seeds):
    """The seat that takes White (tablut: the king)."""
    return 1 if next(stream(secret, "lusoria-lot-v1", match, game, seeds, 0)) % 2 == 0 else 2


def commitment(secret, game):
    """`s[0]`, from the secret of a game."""
    for _ in range(game):
        secret = hashlib.sha256(secret).digest()
    return secret.hex()


# What a record claims about its dice.


class Seed:
    """The seed of a seat: brought by the player or drawn by the server, promised or known."""

    def __init__(self, kind, text):
        if kind not in ("brought", "drawn", "committed"):
            raise Unreadable(f"no kind of seed: {kind}")
        self.brought = kind != "drawn"
        self.hash = of_form(HASH, text) if kind == "committed" else None
        self.seed = None if kind == "committed" else of_form(SEED, text)


class Claims:
    """The seeds, and of each game who is White, the secret, the throws with their numbers."""

    def __init__(self, match, game, commitment, side):
        if game not in DICE:
            raise Unreadable(f"no game: {game}")
        self.match, self.game, self.by_lot = match, game, side == "lot"
        self.commitment = of_form(HASH, commitment)
        self.seeds, self.games, self.faults = {1: None, 2: None}, [], []

    def reveal(self, seat, seed):
        if self.seeds[seat] is None:
            self.seeds[seat] = Seed("brought", seed)
        self.seeds[seat].seed = of_form(SEED, seed)

    def start(self, number, white):
        self.games.append({"number": number, "white": white, "secret": None, "throws": []})

    def threw(self, seq, index, dice):
        if len(dice) != DICE[self.game]:
            why = f"event {seq}: a throw of this game has {DICE[self.game]} dice, not {len(dice)}"
            self.faults.append(("die", why))
        elif not self.games:
            self.faults.append(("order", f"event {seq}: a throw before any game"))
        else:
            self.games[-1]["throws"].append((index, dice, seq))

    def end(self, number, secret):
        if self.games and self.games[-1]["number"] == number:
            self.games[-1]["secret"] = of_form(HASH, secret)
        else:
            why = f"game {number} ends, but it is not the one being played"
            self.faults.append(("order", why))

    def ended(self):
        return {str(game["number"]): game["secret"] for game in self.games if game["secret"]}


def of_form(form, text):
    if not isinstance(text, str) or not form.fullmatch(text):
        raise Unreadable(f"not of the form {form.pattern}: {str(text)[:80]}")
    return text


def white(sides):
    return 1 if sides["1"] in ("white", "defenders") else 2


def json_seed(seed):
    return Seed(seed["kind"], seed.get("seed") or seed.get("seed_hash"))


def from_json(record):
    """The claims of a record as JSON (lusoria-record-1)."""
    if not isinstance(record, dict) or record.get("format") != "lusoria-record-1":
        raise Unreadable("not a record of the format lusoria-record-1")
    dice = record["dice"]
    claims = Claims(record["match"], record["game"], dice["commitment"], record["side"])
    for expected, event in enumerate(record["events"], 1):
        seq, kind = event["seq"], event["type"]
        if seq != expected and not claims.faults:
            why = f"event {expected} is missing: event {seq} stands in its place"
            claims.faults.append(("order", why))
        if kind == "created":
            if event["commitment"] != claims.commitment:
                claims.faults.append(("commitment", "the record names two commitments"))
            claims.seeds[1] = json_seed(event["seed"])
        elif kind == "joined":
            claims.seeds[2] = json_seed(event["seed"])
        elif kind == "seed_revealed":
            claims.reveal(event["seat"], event["seed"])
        elif kind == "game_started":
            claims.start(event["game_number"], white(event["sides"]))
        elif kind == "opening_thrown":
            claims.threw(seq, event["throw"], [event["white"], event["black"]])
        elif kind == "thrown":
            claims.threw(seq, event["throw"], event["dice"])
        elif kind == "game_ended":
            claims.end(event["game_number"], event["secret"])
    for seat in (1, 2):
        framed, told = dice["seeds"].get(str(seat)), claims.seeds[seat]
        framed = framed and json_seed(framed)
        if (framed and (framed.brought, framed.seed)) != (told and (told.brought, told.seed)):
            claims.faults.append(("seed", f"the record names two seeds of seat {seat}"))
    if claims.ended() != dice["secrets"]:
        claims.faults.append(("secret", "the secrets outside the events are not those in them"))
    return claims


ESCAPED = re.compile(r'\\(["\\])|\\u\{([0-9a-f]{1,6})\}')
TAG = re.compile(r'\[(\w+) "(.*)"\]')
TIME = re.compile(r" \+\d+(\.\d+)?$")
SIDE = re.compile(r"\d+\. (?:white|black|defenders|attackers)(?: (\d(?:-\d)*))?(?::( .*))?")


def unquoted(text):
    return ESCAPED.sub(lambda found: found[1] or chr(int(found[2], 16)), text)


def text_seed(tags, seat):
    kind, _, text = tags[f"Seat{seat}Seed"].partition(" ")
    return Seed("committed" if kind == "hash" else kind, text)


def from_text(text):
    """The claims of a record as text (lusoria-text-1)."""
    lines = [line.strip() for line in text.splitlines()]
    lines = [line for line in lines if line and not line.startswith(";")]
    tags, last = {}, re.fullmatch(r"(\d+) events, (over|being played)", lines[-1])
    while lines and lines[0].startswith("["):
        found = TAG.fullmatch(lines.pop(0))
        if not found or found[1] in tags:
            raise Unreadable("tags are written [Name \"value\"], each once")
        tags[found[1]] = unquoted(found[2])
    if tags.get("Format") != "lusoria-text-1":
        raise Unreadable("not a record of the format lusoria-text-1")
    if not last:
        raise Unreadable("truncated: the last line says how many events there are")
    claims = Claims(tags["Match"], tags["Game"], tags["Commitment"], tags["Side"])
    claims.seeds[1] = text_seed(tags, 1)
    # The first event stands in the tags.
    seq, index = 1, 0
    for line in lines[:-1]:
        seq += 1
        line = TIME.sub("", line)
        if found := re.fullmatch(r"game (\d+): seat ([12]) plays \w+", line):
            claims.start(int(found[1]), int(found[2]))
            index = 0
        elif found := re.match(r"game (\d+) ends: ", line):
            claims.end(int(found[1]), tags.get(f"Secret{found[1]}"))
        elif line == "seat 2 joins":
            claims.seeds[2] = text_seed(tags, 2)
        elif found := re.fullmatch(r'seat ([12]) reveals "(.*)"', line):
            claims.reveal(int(found[1]), unquoted(found[2]))
        elif found := re.fullmatch(r"opening: white ([1-6]), black ([1-6])", line):
            claims.threw(seq, index, [int(found[1]), int(found[2])])
            index += 1
        elif found := SIDE.fullmatch(line):
            if found[1]:
                claims.threw(seq, index, [int(die) for die in found[1].split("-")])
                index += 1
                # A throw and what was played with it are two events on one line.
                seq += found[2] is not None
        elif not re.match(r"seat [12] |match ends: |server down |rematch ", line):
            raise Unreadable(f"nothing that a record can say: {line[:80]}")
    for number in sorted(int(name[6:]) for name in tags if re.fullmatch(r"Secret\d+", name)):
        if str(number) not in claims.ended():
            claims.faults.append(("secret", f"a secret of game {number}, which has not ended"))
    if int(last[1]) != seq:
        why = f"there are {seq} events, not {last[1]} as the last line says"
        claims.faults.append(("order", why))
    return claims


# The verdict.


def shown(dice):
    return "-".join(map(str, dice))


def mismatches(claims, game, secret, seeds):
    """What is false in a game whose secret leads to the commitment: reason, place, words."""
    number, throws = game["number"], game["throws"]

    def computed(index):
        return throw(secret, claims.match, number, seeds, index, DICE[claims.game])

    if number == 1 and claims.by_lot:
        expected = lot(secret, claims.match, number, seeds)
        if expected != game["white"]:
            taken = f"but seat {game['white']} took it"
            yield "lot", None, f"the lot gives White (in tablut the king) to seat {expected}, {taken}"

    def differs(index, dice, seq):
        why = f"throw {index} shows {shown(dice)}, but {shown(computed(index))} was thrown"
        return "die", f"event {seq}", why

    for place, (index, _, _) in enumerate(throws):
        if place != index:
            yield "order", None, f"a throw is numbered {index} where throw {place} must come"
            for place, (index, dice, seq) in enumerate(throws):
                if dice not in (computed(index), computed(place)):
                    yield differs(index, dice, seq)
            return
    recorded = [dice for _, dice, _ in throws]
    expected = [computed(index) for index in range(len(throws) + 1)]
    wrong = [at for at, dice in enumerate(recorded) if dice != expected[at]]
    if not wrong:
        return
    first, several = wrong[0], len(recorded) - wrong[0] > 1
    if several and recorded[first:] == expected[first + 1 :]:
        yield "order", None, f"throw {first} is missing: those after it are each the next one"
    elif several and recorded[first + 1 :] == expected[first:-2]:
        yield "order", None, f"throw {first} was put in: those after it are each the one before"
    elif sorted(recorded[at] for at in wrong) == sorted(expected[at] for at in wrong):
        listed = ", ".join(map(str, wrong[:-1])) + f" and {wrong[-1]}"
        yield "order", None, f"throws {listed} stand in each other's places"
    elif len(recorded) >= 3 and len(wrong) * 4 >= len(recorded) * 3:
        # Of throws from other seeds one in 36 is the same, or fewer.
        counted = f"{len(wrong)} of its {len(recorded)} throws do not come from these seeds"
        yield "seed", None, f"{counted}: a seed is not the one that was used"
    else:
        for at in wrong:
            yield differs(at, recorded[at], throws[at][2])


def verify(claims, seen=None, mine=None):
    """What is true, what is false with its reason, and what is still open."""
    true, false, still_open = [], list(claims.faults), []
    if seen and seen != claims.commitment:
        why = f"the record's commitment is {claims.commitment}, not the one that you saw, {seen}"
        false.append(("commitment", why))
    told = [seed for seed in claims.seeds.values() if seed]
    if mine:
        promised = hashlib.sha256(mine.encode()).hexdigest()
        if not any(s.brought and (s.seed == mine or s.seed is None and s.hash == promised) for s in told):
            false.append(("seed", "neither seat brought the seed that you brought"))
    for seat, seed in claims.seeds.items():
        if seed and seed.seed is None:
            still_open.append(f"seat {seat} has not revealed its seed")
        elif seed and seed.hash and hashlib.sha256(seed.seed.encode()).hexdigest() != seed.hash:
            false.append(("seed", f"the seed that seat {seat} revealed is not the one that it promised"))
    seeds = [seed.seed if seed else None for seed in claims.seeds.values()]
    for game in claims.games:
        number, count = game["number"], len(game["throws"])
        if game["secret"] is None:
            why = f"its secret, and with it {count} throws, is not published"
            still_open.append(f"game {number} has not ended: {why}")
            continue
        if None in seeds:
            false.append(("seed", f"game {number} was played without both seeds being told"))
            continue
        secret = bytes.fromhex(game["secret"])
        if not 1 <= number <= GAMES_MAX or commitment(secret, number) != claims.commitment:
            why = "the secret does not lead to the commitment: it is not the one that was promised"
            false.append(("secret", f"game {number}: {why}"))
            continue
        found = list(mismatches(claims, game, secret, seeds))
        for reason, where, why in found:
            place = f"game {number} ({where})" if where else f"game {number}"
            false.append((reason, f"{place}: {why}"))
        if not found:
            drawn = "the lot is the one that was drawn; " if number == 1 and claims.by_lot else ""
            true.append(
                f"game {number}: its secret leads to the commitment; {drawn}"
                f"{count} throws are those that were thrown"
            )
    if not claims.games:
        still_open.append("no game was begun: nothing was thrown")
    return true, false, still_open


def read(data):
    """The claims of a record, whichever form it has."""
    if len(data) > BYTES_MAX:
        raise Unreadable(f"longer than {BYTES_MAX} bytes")
    try:
        text = data.decode("utf-8-sig")
        if text.lstrip().startswith("{"):
            return from_json(json.loads(text))
        if not text.strip():
            raise Unreadable("empty")
        return from_text(text)
    except Unreadable:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as why:
        raise Unreadable(f"not a record, or damaged: {type(why).__name__} {why}") from None


def fetch(name, server):
    if server:
        with urllib.request.urlopen(f"{server}/api/v1/matches/{name}/record", timeout=60) as answer:
            return answer.read(BYTES_MAX + 1)
    if name == "-":
        return sys.stdin.buffer.read(BYTES_MAX + 1)
    with open(name, "rb") as file:
        return file.read(BYTES_MAX + 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("record", metavar="FILE|ID", help="a record; with --server the id of a match")
    parser.add_argument("--server", metavar="URL", help="where the match is")
    parser.add_argument("--commitment", metavar="S0", help="what you saw before the first throw")
    parser.add_argument("--seed", metavar="MINE", help="the seed that you brought")
    args = parser.parse_args()
    if args.commitment and not HASH.fullmatch(args.commitment):
        parser.error("a commitment has 64 lower-case hexadecimal digits")
    true, false, still_open = verify(read(fetch(args.record, args.server)), args.commitment, args.seed)
    for line in true:
        print(f"  true: {line}")
    for reason, why in false:
        print(f"  FALSE: {reason}: {why}")
    for line in still_open:
        print(f"  open: {line}")
    if false:
        print("FALSE")
        sys.exit(1)
    if not true:
        raise Unreadable("there is nothing to check yet")
    print("TRUE SO FAR: not all games have ended" if still_open else "TRUE")


if __name__ == "__main__":
    try:
        main()
    except (Unreadable, OSError) as error:
        print(f"verify: {error}", file=sys.stderr)
        sys.exit(2)
