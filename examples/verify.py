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
# The side that seat 1 asks for, and who is White (in tablut the king) by that.
SIDES = {"lot": None, "white": 1, "defenders": 1, "black": 2, "attackers": 2}
GAMES_MAX, TAGS_MAX, EVENTS_MAX = 1024, 1100, 1_000_000
BYTES_MAX, LINE_BYTES_MAX = 64 << 20, 4096
FAULTS_MAX = 100
U16_MAX, U32_MAX = (1 << 16) - 1, (1 << 32) - 1
HASH = re.compile(r"[0-9a-f]{64}")
SEED = re.compile(r"[ -{}~]{1,64}")
UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
NUMBER = re.compile(r"0|[1-9][0-9]{0,9}")
QUOTED = re.compile(r'(?:[^"\\]|\\["\\]|\\u\{[0-9A-Fa-f]{1,6}\})*')


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


def of_form(form, text):
    if not isinstance(text, str) or not form.fullmatch(text):
        raise Unreadable(f"not of the form {form.pattern}: {str(text)[:80]}")
    return text


def one_of(known, value):
    """The value, which must be one of those known; True is not 1."""
    if type(value) not in (str, int) or value not in known:
        raise Unreadable(f"not one of {', '.join(map(str, known))}: {str(value)[:80]}")
    return value


def number(value, most):
    """A number, as JSON writes it."""
    if type(value) is not int or not 0 <= value <= most:
        raise Unreadable(f"no number up to {most}: {str(value)[:80]}")
    return value


def counted(digits, most):
    """A number, as a text writes it."""
    return number(int(of_form(NUMBER, digits)), most)


class Seed:
    """The seed of a seat: brought by the player or drawn by the server, promised or known."""

    def __init__(self, kind, text):
        one_of(("brought", "drawn", "committed"), kind)
        self.brought = kind != "drawn"
        self.hash = of_form(HASH, text) if kind == "committed" else None
        self.seed = None if kind == "committed" else of_form(SEED, text)

    def repeats(self, told):
        """Whether this seed outside the events is what they tell of the seat."""
        same = (self.brought, self.seed) == (told.brought, told.seed)
        return same and (self.seed is not None or self.hash == told.hash)


class Faults:
    """What is false: the first of it, and how much more there is."""

    def __init__(self):
        self.kept, self.more = [], 0

    def add(self, reason, why):
        if len(self.kept) < FAULTS_MAX:
            self.kept.append((reason, why))
        else:
            self.more += 1


class Claims:
    """The seeds, and of each game who is White, the secret, the throws with their numbers.

    Each word about the dice may be said once, and in its time: of two that contradict each
    other the first one counts, and the second is a fault."""

    def __init__(self, match, game, commitment, side):
        self.match, self.game = of_form(UUID, match), one_of(DICE, game)
        self.commitment, self.side = of_form(HASH, commitment), one_of(SIDES, side)
        self.seeds, self.games, self.faults = {1: None, 2: None}, [], Faults()
        # unmade, between games, playing, over
        self.stage = "unmade"

    def fault(self, reason, why):
        self.faults.add(reason, why)

    def made(self, seq, game, side, commitment, seed):
        if self.stage != "unmade":
            return self.fault("order", f"event {seq}: the match is made a second time")
        self.stage = "between"
        if commitment != self.commitment:
            self.fault("commitment", "the record names two commitments")
        if game != self.game:
            self.fault("order", "the record names two games")
        if side != self.side:
            self.fault("lot", "the record names two sides that were asked for")
        self.seeds[1] = seed

    def may_happen(self, seq, of_rematch=False):
        """Whether something else than the making of the match may happen now."""
        if self.stage == "unmade":
            self.fault("order", f"event {seq}: a match begins with its making")
            self.stage = "between"
        elif self.stage == "over" and not of_rematch:
            self.fault("order", f"event {seq}: the match has ended before")
            return False
        return True

    def joined(self, seq, seed):
        if self.seeds[2]:
            return self.fault("seed", f"event {seq}: seat 2 joins a second time")
        self.seeds[2] = seed

    def reveal(self, seq, seat, seed):
        promised = self.seeds[seat]
        if promised and promised.hash and promised.seed is None:
            promised.seed = seed
        else:
            self.fault("seed", f"event {seq}: seat {seat} reveals a seed that was not awaited")

    def start(self, seq, number, white):
        if self.stage == "playing":
            before = self.games[-1]["number"]
            why = f"event {seq}: game {number} begins before game {before} has ended"
            self.fault("order", why)
        self.stage = "between"
        if len(self.games) >= GAMES_MAX:
            return self.fault("order", f"event {seq}: more than {GAMES_MAX} games")
        expected = len(self.games) + 1
        if number != expected:
            self.fault("order", f"event {seq}: game {number} begins where game {expected} must")
        if not all(seed and seed.seed for seed in self.seeds.values()):
            self.fault("seed", f"event {seq}: game {number} begins before both seeds are told")
        chosen = SIDES[self.side]
        if not self.games and chosen and chosen != white:
            self.fault("lot", f"event {seq}: seat 1 does not play the side that it had asked for")
        self.games.append({"number": number, "white": white, "secret": None, "throws": []})
        self.stage = "playing"

    def threw(self, seq, index, dice):
        if len(dice) != DICE[self.game]:
            why = f"event {seq}: a throw of this game has {DICE[self.game]} dice, not {len(dice)}"
            self.fault("die", why)
        elif self.stage != "playing":
            self.fault("order", f"event {seq}: a throw outside any game")
        else:
            self.games[-1]["throws"].append((index, dice, seq))

    def end(self, seq, number, secret):
        if self.stage == "playing" and self.games[-1]["number"] == number:
            self.games[-1]["secret"] = secret
            self.stage = "between"
        else:
            why = f"event {seq}: game {number} ends, but it is not the one being played"
            self.fault("order", why)

    def match_ended(self, seq):
        if self.stage == "playing":
            before = self.games[-1]["number"]
            self.fault("order", f"event {seq}: the match ends before game {before} has ended")
        self.stage = "over"

    def compare_end(self, over):
        if (self.stage == "over") != over:
            self.fault("order", "whether the match is over is told in two ways")

    def ended(self):
        return {str(game["number"]): game["secret"] for game in self.games if game["secret"]}


# Records as JSON.

HAPPENS = """created joined seed_revealed game_started opening_thrown thrown turned passed
draw_offered draw_declined credited game_ended match_ended rematch_offered rematch_declined
rematch_agreed""".split()
COLOURS = {"white": True, "black": False, "defenders": True, "attackers": False}


def once(pairs):
    """An object, in which no name stands twice."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise Unreadable("a name stands twice in an object")
    for value in found.values():
        if isinstance(value, str):
            # Half a character is none.
            value.encode()
    return found


def json_seed(seed):
    committed = seed["kind"] == "committed"
    return Seed(seed["kind"], seed["seed_hash" if committed else "seed"])


def json_id(text):
    """The id of a match, which JSON may also have in capitals."""
    return text.lower() if isinstance(text, str) else text


def json_dice(dice):
    if not isinstance(dice, list):
        raise Unreadable("dice are a list")
    return [one_of((1, 2, 3, 4, 5, 6), die) for die in dice]


def from_json(record):
    """The claims of a record as JSON (lusoria-record-1)."""
    if not isinstance(record, dict) or record.get("format") != "lusoria-record-1":
        raise Unreadable("not a record of the format lusoria-record-1")
    dice, events = record["dice"], record["events"]
    if not isinstance(events, list):
        raise Unreadable("events are a list")
    match = json_id(record["match"])
    claims = Claims(match, record["game"], dice["commitment"], record["side"])
    for expected, event in enumerate(events, 1):
        seq = number(event["seq"], U32_MAX)
        if seq != expected:
            why = f"event {expected} is missing: event {seq} stands in its place"
            claims.fault("order", why)
            break
    for event in events:
        if json_id(event["match"]) != match:
            claims.fault("order", f"event {event['seq']} is of another match")
        take_json(claims, number(event["seq"], U32_MAX), event)
    for seat in (1, 2):
        framed, told = dice["seeds"].get(str(seat)), claims.seeds[seat]
        # Seat 1 has always one.
        framed = None if framed is None and seat == 2 else json_seed(framed)
        if not (framed.repeats(told) if framed and told else framed is told):
            claims.fault("seed", f"the record names two seeds of seat {seat}")
    for secret in dice["secrets"].values():
        of_form(HASH, secret)
    if claims.ended() != dice["secrets"]:
        claims.fault("secret", "the secrets outside the events are not those in them")
    claims.compare_end(record.get("result") is not None)
    return claims


def take_json(claims, seq, event):
    kind = one_of(HAPPENS, event["type"])
    if kind == "created":
        side, game = one_of(SIDES, event["side"]), one_of(DICE, event["game"])
        promise = of_form(HASH, event["commitment"])
        return claims.made(seq, game, side, promise, json_seed(event["seed"]))
    # What is out of its time is still read: a record that is damaged is none.
    if kind == "joined":
        then, said = claims.joined, (json_seed(event["seed"]),)
    elif kind == "seed_revealed":
        then, said = claims.reveal, (one_of((1, 2), event["seat"]), of_form(SEED, event["seed"]))
    elif kind == "game_started":
        sides = [COLOURS[one_of(COLOURS, event["sides"][seat])] for seat in ("1", "2")]
        game_number = number(event["game_number"], U16_MAX)
        then, said = claims.start, (game_number, 1 if sides[0] else 2)
    elif kind == "opening_thrown":
        dice = json_dice([event["white"], event["black"]])
        then, said = claims.threw, (number(event["throw"], U32_MAX), dice)
    elif kind == "thrown":
        then, said = claims.threw, (number(event["throw"], U32_MAX), json_dice(event["dice"]))
    elif kind == "game_ended":
        game_number = number(event["game_number"], U16_MAX)
        then, said = claims.end, (game_number, of_form(HASH, event["secret"]))
    elif kind == "match_ended":
        then, said = claims.match_ended, ()
    else:
        then = None
    if not claims.may_happen(seq, kind.startswith("rematch_")):
        return
    if kind == "game_started" and sides[0] == sides[1]:
        claims.fault("lot", f"event {seq}: both seats play the same side")
    if then:
        then(seq, *said)


# Records as text.

TAG = re.compile(r'\[([A-Za-z0-9]+) "((?:[^"\\]|\\["\\]|\\u\{[0-9A-Fa-f]{1,6}\})*)"\]')
ESCAPED = re.compile(r'\\(["\\])|\\u\{([0-9A-Fa-f]{1,6})\}')
# A character that moves others about, or ends a line, stands only escaped.
UNSEEN = re.compile("[\0-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
TAGS = """Format Game Points Clock Created Seat1 Seat1Id Match Server Admission Side Commitment
Seat1Seed""".split()
MORE_TAGS = """Options Seat1Kind Seat2 Seat2Id Seat2Kind MadeBy MadeById MadeByKind RematchOf
Seat2Seed""".split()
COLOUR = "(?:white|black|defenders|attackers)"
STARTS = re.compile(r"game ([0-9]+): seat ([12]) plays (?:white|defenders)")
ENDS = re.compile(
    rf"game ([0-9]+) ends: [a-z_]+, (?:{COLOUR} wins [0-9]+|no winner), score [0-9]+-[0-9]+"
)
REVEALS = re.compile(r'seat ([12]) reveals "(.*)"')
OPENING = re.compile(r"opening: white ([1-6]), black ([1-6])")
SIDE = re.compile(rf"([0-9]+)\. {COLOUR}(?: ([1-6](?:-[1-6])*))?(?:: (.*))?")
THOUGHT = re.compile(r"[0-9]+ of [0-9]+\}")
MATCH_ENDS = re.compile(
    r"match ends: (?:seat [12] wins|drawn|aborted, [a-z_]+(?: by seat [12])?)"
)
REMATCH = re.compile(
    r"seat [12] (?:offers a rematch(?: with seed [0-9a-f]{64})?|declines the rematch)"
    r"|rematch [0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
)
BESIDES = re.compile(
    r"seat [12] (?:offers a|declines the) draw|server down from [0-9TZ:.-]+ to [0-9TZ:.-]+"
)
CLOSING = re.compile(r"([0-9]+) events, (over|being played)")


def unquoted(text):
    letters = ESCAPED.sub(lambda found: found[1] or chr(int(found[2], 16)), text)
    # Half a character is none.
    letters.encode()
    return letters


def untimed(line):
    """The line without the seconds after the event before it."""
    said, plus, span = line.rpartition(" +")
    found = re.fullmatch(r"([0-9]+)(?:\.[0-9]{1,3})?", span) if plus else None
    return said if found and int(found[1]) < (1 << 64) // 1000 else line


def text_seed(tags, seat):
    kind, _, text = tags[f"Seat{seat}Seed"].partition(" ")
    if kind == "committed":
        raise Unreadable("a seed that is promised is written hash")
    return Seed("committed" if kind == "hash" else kind, text)


def lines_of(text):
    """The lines that say something."""
    for line in text.split("\n"):
        line = line.removesuffix("\r")
        if len(line.encode()) > LINE_BYTES_MAX:
            raise Unreadable(f"a line is longer than {LINE_BYTES_MAX} bytes")
        line = line.strip(" \t")
        if UNSEEN.search(line):
            raise Unreadable("a character that cannot be seen is written \\u{…}")
        if line and not line.startswith(";"):
            yield line


def tags_of(lines):
    """The tags, the secrets by the number of their game, and how many lines they are."""
    tags, secrets = {}, {}
    for line in lines:
        if not line.startswith("["):
            break
        found = TAG.fullmatch(line)
        if not found or found[1] in tags or len(tags) >= TAGS_MAX:
            raise Unreadable(f"tags are written [Name \"value\"], each once, at most {TAGS_MAX}")
        if not tags and found[1] != "Format":
            raise Unreadable("the first tag must be Format")
        tags[found[1]] = unquoted(found[2])
        if found[1].startswith("Secret"):
            game = counted(found[1][6:], GAMES_MAX)
            if game == 0:
                raise Unreadable("there is no game 0")
            secrets[game] = of_form(HASH, tags[found[1]])
        elif found[1] not in TAGS + MORE_TAGS:
            raise Unreadable(f"there is nothing for the tag {found[1]} to tell")
    if tags.get("Format") != "lusoria-text-1":
        raise Unreadable("not a record of the format lusoria-text-1")
    for name in TAGS + (["Seat2Id", "Seat2Seed"] if "Seat2" in tags else []):
        if name not in tags:
            raise Unreadable(f"there is no tag {name}")
    return tags, secrets, len(tags)


def from_text(text):
    """The claims of a record as text (lusoria-text-1)."""
    lines = list(lines_of(text))
    tags, secrets, below = tags_of(lines)
    last = CLOSING.fullmatch(lines[-1])
    if not last:
        raise Unreadable("truncated: the last line says how many events there are")
    claims = Claims(tags["Match"], tags["Game"], tags["Commitment"], tags["Side"])
    claims.made(1, claims.game, claims.side, claims.commitment, text_seed(tags, 1))
    joiner = text_seed(tags, 2) if "Seat2" in tags else None
    # The first event stands in the tags.
    seq, index = 1, 0
    for at in range(below, len(lines) - 1):
        line = untimed(lines[at])
        seq += 1
        if found := SIDE.fullmatch(line):
            counted(found[1], U32_MAX)
            dice, turn = found[2], found[3]
            if dice is None and turn is None:
                raise Unreadable(f"neither a throw nor a turn: {line[:80]}")
            if turn and " {" in turn and not THOUGHT.fullmatch(turn.partition(" {")[2]):
                raise Unreadable(f"what was thought is written {{843 of 1200}}: {line[:80]}")
            may_happen = claims.may_happen(seq)
            if dice is not None:
                if may_happen:
                    claims.threw(seq, index, [int(die) for die in dice.split("-")])
                index += 1
                if turn is not None:
                    # A throw and what was played with it are two events on one line.
                    seq += 1
                    claims.may_happen(seq)
        elif found := STARTS.fullmatch(line):
            begins = counted(found[1], U16_MAX)
            if claims.may_happen(seq):
                claims.start(seq, begins, int(found[2]))
            index = 0
        elif found := ENDS.fullmatch(line):
            ends = counted(found[1], U16_MAX)
            secret = of_form(HASH, secrets.get(ends))
            if claims.may_happen(seq):
                claims.end(seq, ends, secret)
        elif line == "seat 2 joins":
            if not joiner:
                raise Unreadable("who joins? there is no tag Seat2")
            if claims.may_happen(seq):
                claims.joined(seq, joiner)
        elif found := REVEALS.fullmatch(line):
            seed = of_form(SEED, unquoted(of_form(QUOTED, found[2])))
            if claims.may_happen(seq):
                claims.reveal(seq, int(found[1]), seed)
        elif found := OPENING.fullmatch(line):
            if claims.may_happen(seq):
                claims.threw(seq, index, [int(found[1]), int(found[2])])
            index += 1
        elif MATCH_ENDS.fullmatch(line):
            if claims.may_happen(seq):
                claims.match_ended(seq)
        elif REMATCH.fullmatch(line):
            claims.may_happen(seq, of_rematch=True)
        elif BESIDES.fullmatch(line):
            claims.may_happen(seq)
        else:
            raise Unreadable(f"nothing that a record can say: {line[:80]}")
        if seq > EVENTS_MAX:
            raise Unreadable(f"more than {EVENTS_MAX} events")
    ended = claims.ended()
    for game in sorted(secrets):
        if str(game) not in ended:
            claims.fault("secret", f"a secret of game {game}, which has not ended")
    if counted(last[1], U32_MAX) != seq:
        why = f"there are {seq} events, not {last[1]} as the last line says"
        claims.fault("order", why)
    claims.compare_end(last[2] == "over")
    return claims


# The verdict.


def shown(dice):
    return "-".join(map(str, dice))


def mismatches(claims, game, secret, seeds):
    """What is false in a game whose secret leads to the commitment: reason, place, words."""
    number, throws = game["number"], game["throws"]

    def computed(index):
        return throw(secret, claims.match, number, seeds, index, DICE[claims.game])

    if number == 1 and claims.side == "lot":
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


class Verdict:
    """What is true, what is false with its reason, what is still open, what cannot be known."""

    def __init__(self, faults):
        self.true, self.false, self.still_open, self.unknown = [], faults, [], []
        self.lot = False

    def __str__(self):
        if self.false.kept:
            return "FALSE"
        if not self.true:
            return "NOTHING TO CHECK: no game has ended, and no secret is published"
        return "TRUE SO FAR: not all games have ended" if self.still_open else "TRUE"


def verify(claims, seen=None, mine=None):
    """Computes everything afresh that the claims allow."""
    verdict = Verdict(claims.faults)
    compare_kept(verdict, claims, seen, mine)
    for seat, seed in claims.seeds.items():
        if seed and seed.seed is None:
            verdict.still_open.append(f"seat {seat} has not revealed its seed")
        elif seed and seed.hash and hashlib.sha256(seed.seed.encode()).hexdigest() != seed.hash:
            why = f"the seed that seat {seat} revealed is not the one that it promised"
            verdict.false.add("seed", why)
    if not any(seed and seed.brought for seed in claims.seeds.values()):
        why = "whether the server chose seeds and secrets that suit each other"
        verdict.unknown.append(f"{why}: no player brought a seed")
    if claims.side != "lot":
        why = "whether the sides should have been drawn: they were chosen, not drawn, says the record"
        verdict.unknown.append(why)
    seeds = [seed.seed if seed else None for seed in claims.seeds.values()]
    for game in claims.games:
        check_game(verdict, claims, game, seeds)
    if not claims.games:
        verdict.still_open.append("no game was begun: nothing was thrown")
    elif claims.stage == "between":
        verdict.still_open.append("the match has not ended")
    return verdict


def compare_kept(verdict, claims, seen, mine):
    """Compares what somebody kept from before the first throw."""
    if seen is None:
        why = "whether the commitment is the one that was shown before the first throw (--commitment)"
        verdict.unknown.append(why)
    elif seen != claims.commitment:
        why = f"the record's commitment is {claims.commitment}, not the one that you saw, {seen}"
        verdict.false.add("commitment", why)
    if mine is None:
        verdict.unknown.append("whether a seed is the one that you brought (--seed)")
        return
    told = [seed for seed in claims.seeds.values() if seed and seed.brought]
    promised = hashlib.sha256(mine.encode()).hexdigest()
    if not any(s.seed == mine or s.seed is None and s.hash == promised for s in told):
        verdict.false.add("seed", "neither seat brought the seed that you brought")


def check_game(verdict, claims, game, seeds):
    number, count = game["number"], len(game["throws"])
    if game["secret"] is None:
        why = f"its secret, and with it {count} throws, is not published"
        verdict.still_open.append(f"game {number} has not ended: {why}")
        return
    # That a seed is not told was a fault when the game began.
    if None in seeds:
        return
    secret = bytes.fromhex(game["secret"])
    if not 1 <= number <= GAMES_MAX or commitment(secret, number) != claims.commitment:
        why = "the secret does not lead to the commitment: it is not the one that was promised"
        verdict.false.add("secret", f"game {number}: {why}")
        return
    true = True
    for reason, where, why in mismatches(claims, game, secret, seeds):
        place = f"game {number} ({where})" if where else f"game {number}"
        verdict.false.add(reason, f"{place}: {why}")
        true = False
    if true:
        by_lot = number == 1 and claims.side == "lot"
        verdict.lot |= by_lot
        drawn = "the lot is the one that was drawn; " if by_lot else ""
        verdict.true.append(
            f"game {number}: its secret leads to the commitment; {drawn}"
            f"{count} throws are those that were thrown"
        )


def no_number(text):
    raise Unreadable(f"not JSON: {text}")


def read(data):
    """The claims of a record, whichever form it has."""
    if len(data) > BYTES_MAX:
        raise Unreadable(f"longer than {BYTES_MAX} bytes")
    try:
        text = data.decode("utf-8-sig")
        if text.lstrip().startswith("{"):
            return from_json(json.loads(text, object_pairs_hook=once, parse_constant=no_number))
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


def kept(form, what):
    """What an option must be."""

    def read_option(text):
        if not form.fullmatch(text):
            raise argparse.ArgumentTypeError(what)
        return text

    return read_option


PROVES = """\
  This proves that every throw{lot} follows from the commitment and the seeds alone: whoever
  made the commitment could not choose the dice once the seeds were known, and nobody has changed them.
  It does not prove that the server's operator did not foresee throws: who has the secrets can, as soon
  as he knows the seeds. Nor who played, or that turns were legal: lusoria replay judges those."""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("record", metavar="FILE|ID", help="a record; with --server the id of a match")
    parser.add_argument("--server", metavar="URL", help="where the match is")
    parser.add_argument(
        "--commitment",
        metavar="S0",
        type=kept(HASH, "a commitment has 64 lower-case hexadecimal digits"),
        help="what you saw before the first throw",
    )
    parser.add_argument(
        "--seed",
        metavar="MINE",
        type=kept(SEED, "a seed has 1 to 64 printable ASCII characters without |"),
        help="the seed that you brought",
    )
    args = parser.parse_args()
    verdict = verify(read(fetch(args.record, args.server)), args.commitment, args.seed)
    for line in verdict.true:
        print(f"  true: {line}")
    for reason, why in verdict.false.kept:
        print(f"  FALSE: {reason}: {why}")
    if verdict.false.more:
        print(f"  FALSE: and {verdict.false.more} more")
    for line in verdict.still_open:
        print(f"  open: {line}")
    if verdict.true and not verdict.false.kept:
        for line in verdict.unknown:
            print(f"  unknown: {line}")
        print(PROVES.format(lot=", and the lot," if verdict.lot else ""))
    print(verdict)
    if verdict.false.kept:
        sys.exit(1)
    if not verdict.true:
        raise Unreadable("there is nothing to check yet")


if __name__ == "__main__":
    try:
        main()
    # Whatever else went wrong: that a record is false must be found, not stumbled upon.
    except Exception as error:
        print(f"verify: {type(error).__name__}: {error}", file=sys.stderr)
        sys.exit(2)
