#!/usr/bin/env python3
"""Computes the dice of a match once more (lusoria-dice-v1), and says what is false.

Reads records as JSON and as text (docs/record.md); docs/dice.md explains what is computed
and what it proves. Standard library only, and nothing of anybody else's: copy this file.
Exit code 0: true; 1: false; 2: no record, or nothing to check yet."""

import argparse
import datetime
import hashlib
import hmac
import json
import re
import sys
import time
import urllib.error
import urllib.request

DICE = {"zeno": 3, "tavla": 2, "scripta": 2, "tabula": 3, "tablut": 0}
# The side that seat 1 asks for, and who is White (in tablut the king) by that.
SIDES = {"lot": None, "white": 1, "defenders": 1, "black": 2, "attackers": 2}
COLOURS = {"white": True, "black": False, "defenders": True, "attackers": False}
GAMES_MAX, TAGS_MAX, EVENTS_MAX = 1024, 1100, 1_000_000
BYTES_MAX, LINE_BYTES_MAX, DEPTH_MAX = 64 << 20, 4096, 64
U8, U16, U32, U64 = ((1 << bits) - 1 for bits in (8, 16, 32, 64))
# The least number that 32 bits round to infinity.
F32_END = float((1 << 128) - (1 << 103))
HASH = re.compile(r"[0-9a-f]{64}")
SEED = re.compile(r"[ -{}~]{1,64}")
UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
NUMBER = re.compile(r"0|[1-9][0-9]{0,19}")
FAULTS_MAX = 100


class Unreadable(Exception):
    """It is no record."""


# Records as JSON.

# What must stand in it: each line names an object and the types of its fields. A field with ? may
# be missing or null, one with = may be missing; + takes over the fields of another object. [x] is
# a list of x, <x> an object with an x by any name, kind@x the object x.KIND, a/b/c one of these
# words. Fields that are not named mean nothing; in an object with ! they are wrong.
SIDE = "/".join(COLOURS)
GAME_ENDS = """borne_off/mars/mother/dead_draw/dead_position/king_escaped/king_captured/no_move/\
repetition/drought/resigned/agreed/time/no_show/claimed/aborted"""
ABORTS = "withdrawn/expired/player/seed_not_revealed/no_show/abandoned/operator"
UNRATED = "leaving/help/two_accounts/arranged/mistake"
ADMISSIONS = "open/invitation/both_seats"
FORMS = f"""
options! mother?play_on/double_loss row_a_gate?bool shift?throw/die throne?king/closed
clock.none! kind:str
clock.fischer! kind:str base_ms:u64 increment_ms:u64
clock.delay! kind:str base_ms:u64 delay_ms:u64
clock.days! kind:str days:u8
player id:uuid name:str kind=person/bot/computer level?level
players 1:player 2?player
seed.brought seed:seed
seed.drawn seed:seed
seed.committed seed_hash:hash
seeds 1:kind@seed 2?kind@seed
pieces! points=<u8> supply?u8 bar?u8 off=u8 pinned?[str] exposed?bool
tables! white:pieces black:pieces to_move:{SIDE}
tafl! board:str to_move:{SIDE}
step! die?die from:str to:str
taken +step hit=bool pin=bool captures=[str]
thought budget:u32 nodes:u32
sides 1:{SIDE} 2:{SIDE}
clocks 1:u64 2:u64
score 1:u16 2:u16
terms game:{"/".join(DICE)} options:options points:u16 games?u8 clock:kind@clock
  admission:{ADMISSIONS} side:{"/".join(SIDES)} rated=bool
result result:won/drawn/aborted winner_seat?seat reason?{ABORTS} by_seat?seat
any match:uuid seq:u32 at:u64
by +any seat:seat
to +by side:{SIDE}
event.created +any version:u16 +terms player:player commitment:hash seed:kind@seed rematch_of?uuid
  made_by?player
event.joined +any player:player seed:kind@seed
event.seed_revealed +by seed:seed
event.game_started +any game_number:u16 sides:sides position:position clocks_ms?clocks
event.opening_thrown +any throw:u32 white:die black:die begins?{SIDE}
event.thrown +to throw:u32 dice:[die]
event.turned +to answers:u32 steps:[taken] notation:str position:position call?raichi/tuichu
  clocks_ms?clocks lag_ms?u64 thought?thought
event.passed +to
event.taken_back +to to:u32 turn:u32 turns:u32 dice:[die] position:position clocks_ms?clocks
event.takeback_offered +by turned:u32
event.takeback_declined +by
event.draw_offered +by
event.draw_declined +by
event.credited +any down_at:u64 up_at:u64 credit_ms:u64
event.game_ended +any game_number:u16 winner_seat?seat winner_side?{SIDE} points:u8
  reason:{GAME_ENDS} secret:hash score:score
event.match_ended +any +result
rating points:u16 deviation:u16 provisional:bool
change number:u32 before:rating after:rating
changes 1:change 2:change
event.rated +any constants:u16 seats:changes
event.unrated +any reason:{UNRATED}
event.rematch_offered +by seed_hash?hash
event.rematch_declined +by
event.rematch_agreed +any next:uuid
chances win:f32 win_double:f32 lose_double:f32 draw:f32
hopes seq:u32 seat:seat side:{SIDE} before:chances thrown:chances luck:f32
best steps:[step] notation:str value:chances
hindsight +hopes answers:u32 notation:str best:best played:chances lost:f32 forced=bool
total luck:f32 lost:f32 turns:u32 mistakes:u32
totals 1:total 2:total
analysed game:u16 turns:[hindsight] passes:[hopes] totals:totals unknown?f32
analysis match:uuid state:pending/ready done:u32 turns:u32 games:[analysed]
dice scheme:lusoria-dice-v1 commitment:hash seeds:seeds secrets:<hash>
record format:lusoria-record-1 server:str match:uuid created_at:u64 +terms players:players
  events:[type@event] dice:dice result?result analysis?analysis
"""


def read_forms(text):
    """Of each object whether it has no other fields, and its fields with mark and type."""
    forms = {}
    for line in re.sub("\n  ", " ", text).split("\n")[1:-1]:
        name, *parts = line.split(" ")
        fields = {}
        for field, mark, of in (re.fullmatch(r"(\w*)([:?=+])(\S+)", part).groups() for part in parts):
            fields.update(forms[of][1] if mark == "+" else {field: (mark, of)})
        forms[name.rstrip("!")] = name.endswith("!"), fields
    return forms


OBJECTS = read_forms(FORMS)
NUMBERS = {"u8": (0, U8), "u16": (0, U16), "u32": (0, U32), "u64": (0, U64), "seat": (1, 2),
           "die": (1, 6), "level": (1, 5)}
TEXTS = {"str": re.compile("(?s:.*)"), "uuid": UUID, "hash": HASH, "seed": SEED}


def hold(of, value, place=()):
    """A value of JSON must be of this type."""
    if of == "position":
        of = "tafl" if isinstance(value, dict) and "board" in value else "tables"
    by, at, family = of.partition("@")
    if at and isinstance(value, dict):
        of = f"{family}.{value.get(by)}"
    if of in NUMBERS:
        fits = type(value) is int and NUMBERS[of][0] <= value <= NUMBERS[of][1]
    elif of in TEXTS:
        fits = isinstance(value, str) and TEXTS[of].fullmatch(value)
    elif of == "f32":
        fits = type(value) in (int, float) and abs(value) < F32_END
    elif of == "bool":
        fits = isinstance(value, bool)
    elif of[0] in "[<" or of in OBJECTS:
        fits = isinstance(value, list if of[0] == "[" else dict)
    else:
        fits = isinstance(value, str) and value in of.split("/")
    if not fits:
        raise Unreadable(f"{'.'.join(map(str, place))}: this must be {of}: {str(value)[:80]}")
    if of[0] in "[<":
        for name, item in enumerate(value) if of[0] == "[" else value.items():
            hold(of[1:-1], item, (*place, name))
    elif of in OBJECTS:
        closed, fields = OBJECTS[of]
        for name, (mark, of_field) in fields.items():
            if name in value and not (mark == "?" and value[name] is None):
                hold(of_field, value[name], (*place, name))
            elif mark == ":":
                raise Unreadable(f"{'.'.join(map(str, place))}: there is no field {name}")
        if closed and not value.keys() <= fields.keys():
            raise Unreadable(f"{'.'.join(map(str, place))}: only {', '.join(fields)} are known")


def once(pairs):
    """An object, in which no name stands twice."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise Unreadable(f"a name stands twice in an object that has {', '.join(found)[:80]}")
    return found


def finite(digits):
    if abs(value := float(digits)) == float("inf"):
        raise Unreadable(f"a number is too large: {digits[:80]}")
    return value


def whole(digits):
    """A whole number, if it is written as one and can be counted to."""
    return finite(digits) if digits == "-0" or len(digits) > 20 else int(digits)


def no_number(text):
    raise Unreadable(f"not JSON: {text}")


def from_json(text):
    """A record as JSON (lusoria-record-1)."""
    numbers = {"parse_int": whole, "parse_float": finite, "parse_constant": no_number}
    record = json.loads(text, object_pairs_hook=once, **numbers)
    if "\\u" in text:
        # Half a character is none.
        json.dumps(record, ensure_ascii=False).encode()
    inside = [record]
    for _ in range(DEPTH_MAX):
        values = (outer.values() if isinstance(outer, dict) else outer for outer in inside)
        inside = [value for items in values for value in items if isinstance(value, (dict, list))]
    if inside:
        raise Unreadable(f"objects and lists stand more than {DEPTH_MAX} deep in each other")
    hold("record", record)
    return record


# Records as text.

QUOTED = r'(?:[^"\\]|\\["\\]|\\u\{[0-9A-Fa-f]{1,6}\})*'
TAG = re.compile(rf'\[([A-Za-z0-9]+) "({QUOTED})"\]')
ESCAPED = re.compile(r'\\(["\\])|\\u\{([0-9A-Fa-f]{1,6})\}')
# A character that moves others about, or ends a line, stands only escaped.
UNSEEN = re.compile("[\0-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
MOMENT = re.compile(r"([1-9]\d{3,8})-((\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)\.\d{3}Z)", re.ASCII)
SECONDS = r"(0|[1-9][0-9]*)(?:\.([0-9]{0,2}[1-9]))?"
CLOCK = re.compile(rf"(?:fischer|delay) {SECONDS}\+{SECONDS}")
AFTER = r" \+(?P<after>(?:0|[1-9][0-9]*)\.[0-9]{3})"
SIDED = f"(?:{SIDE.replace('/', '|')})"
CELL = "[A-Za-wyz0-9]+"
STEP = rf"(?:{CELL}/{CELL}[*^]?(?::[1-6])?(?:\((?:[2-9]|1[0-2])\))?|{CELL}-{CELL}(?:x{CELL})*)"
LAG = r"(?: lag (?P<lag>(?!0\.000)(?:0|[1-9][0-9]*)\.[0-9]{3}))?"
TURN = rf"{STEP}(?: {STEP})*(?: \{{(?P<nodes>\d+) of (?P<budget>\d+)\}})?{LAG}{AFTER}"
# What a rated match did to the rating of seat 1 or 2.
RATED_1, RATED_2 = (
    rf"seat {seat} (?P<points_before_{seat}>\d+) \((?P<deviation_before_{seat}>\d+)\) to "
    rf"(?P<points_after_{seat}>\d+) \((?P<deviation_after_{seat}>\d+)\) number (?P<number_{seat}>\d+)"
    for seat in (1, 2)
)
# The lines below the tags: what happens, and what that looks like.
LINES = [(happens, re.compile(form, re.ASCII)) for happens, form in {
    "side": rf"(?P<turn_number>\d+)\. {SIDED}(?: (?P<dice>[1-6](?:-[1-6])*))?(?:: (?P<turn>pass|{TURN}))?",
    "game_started": r"game (?P<game_number>\d+): seat (?P<seat>[12]) plays (?:white|defenders)",
    "opening_thrown": r"opening: white (?P<white>[1-6]), black (?P<black>[1-6])",
    "game_ended": rf"game (?P<game_number>\d+) ends: (?:{GAME_ENDS.replace('/', '|')}), "
    rf"(?:{SIDED} wins (?P<points>\d+)|no winner), score (?P<one>\d+)-(?P<two>\d+)(?:{AFTER})?",
    "match_ended": rf"match ends: (?:seat [12] wins|drawn|aborted, (?:{ABORTS.replace('/', '|')})"
    rf"(?: by seat [12])?)(?:{AFTER})?",
    "joined": f"seat 2 joins{AFTER}",
    "seed_revealed": rf'seat (?P<seat>[12]) reveals "(?P<seed>{QUOTED})"{AFTER}',
    "taken_back": rf"seat (?P<seat>[12]) takes back turn (?P<turn_number>\d+){AFTER}",
    "draw_offered": f"seat [12] (?:offers a|declines the) (?:draw|takeback){AFTER}",
    "credited": rf"server down from (?P<down_at>\S+) to (?P<up_at>\S+){AFTER}",
    "rated": rf"rated: {RATED_1}, {RATED_2}, constants (?P<constants>\d+)",
    "unrated": f"unrated: (?:{UNRATED.replace('/', '|')}){AFTER}",
    "rematch_offered": f"seat [12] offers a rematch(?: with seed {HASH.pattern})?{AFTER}",
    "rematch_declined": f"seat [12] declines the rematch{AFTER}",
    "rematch_agreed": f"rematch {UUID.pattern}{AFTER}",
}.items()]
# How large the numbers in them may be.
MOST = {"turn_number": U32, "game_number": U16, "points": U8, "one": U16, "two": U16, "nodes": U32,
        "budget": U32, "seat": 2, "white": 6, "black": 6, "constants": U16, "number_1": U32, "number_2": U32,
        **{f"{what}_{when}_{seat}": U16
           for what in ("points", "deviation") for when in ("before", "after") for seat in (1, 2)}}
CLOSING = re.compile(r"([0-9]+) events, (over|being played)")


def unquoted(text):
    letters = ESCAPED.sub(lambda found: found[1] or chr(int(found[2], 16)), text)
    # Half a character is none.
    letters.encode()
    return letters


def found_in(form, text):
    found = form.fullmatch(text)
    if not found:
        raise Unreadable(f"not of the form {form.pattern}: {text[:80]}")
    return found.groups()


def counted(digits, most):
    found_in(NUMBER, digits)
    if int(digits) > most:
        raise Unreadable(f"no number up to {most}: {digits}")
    return int(digits)


def of_moment(text):
    year, rest, *parts = found_in(MOMENT, text)
    # The calendar repeats itself after 400 years.
    datetime.datetime(2000 + int(year) % 400, *map(int, parts))
    if not (1970,) <= (int(year), rest) <= (584556019, "04-03T14:25:51.615Z"):
        raise Unreadable(f"no moment that can be counted: {text}")


def of_seconds(seconds, thousandths):
    counted((seconds + (thousandths or "").ljust(3, "0")).lstrip("0") or "0", U64)


def of_clock(text):
    if text.startswith("days "):
        counted(text[5:], U8)
    elif text != "none":
        base, part, step, step_part = found_in(CLOCK, text)
        of_seconds(base, part)
        of_seconds(step, step_part)


def of_options(text):
    pairs = [pair.partition("=") for pair in text.split(" ")]
    names = [name for name, _, _ in pairs]
    if names != sorted(set(names)):
        raise Unreadable(f"options stand in the order of their names: {text[:80]}")
    truth = {"true": True, "false": False}
    hold("options", {name: truth.get(value, value) for name, _, value in pairs})


def of_kind(text):
    found_in(re.compile("(?:bot|computer)(?: [1-5])?"), text)


def of_seed(text):
    kind, _, seed = text.partition(" ")
    told = {"kind": "committed", "seed_hash": seed} if kind == "hash" else {"kind": kind, "seed": seed}
    hold(f"seed.{'?' if kind == 'committed' else told['kind']}", told)
    return told


# What stands in the tags; "?" may be missing.
TAGS = {"Format": "lusoria-text-1", "Game": "/".join(DICE), "Options?": of_options,
        "Points": lambda text: counted(text, U16), "Games?": lambda text: counted(text, U8),
        "Rated?": "yes", "Clock": of_clock, "Created": of_moment,
        "Seat1": "str", "Seat1Id": "uuid", "Seat1Kind?": of_kind, "Seat1Seed": of_seed,
        "Match": "uuid", "RematchOf?": "uuid", "Server": "str", "Admission": ADMISSIONS,
        "Side": "/".join(SIDES), "Commitment": "hash"}
# The same if somebody joined, or made the match and lets the computer play.
MORE_TAGS = {"Seat2": {"Seat2": "str", "Seat2Id": "uuid", "Seat2Kind?": of_kind, "Seat2Seed": of_seed},
             "MadeBy": {"MadeBy": "str", "MadeById": "uuid", "MadeByKind?": of_kind}}


def lines_of(text):
    """The lines that say something."""
    for line in re.split("\r?\n", text):
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
            secrets[game] = tags[found[1]]
            hold("hash" if game else "there is no game 0", secrets[game])
    forms = dict(TAGS)
    for name in MORE_TAGS.keys() & tags.keys():
        forms.update(MORE_TAGS[name])
    for name in tags:
        if not name.startswith("Secret") and not {name, f"{name}?"} & forms.keys():
            raise Unreadable(f"there is nothing for the tag {name} to tell")
    for name, form in forms.items():
        value = tags.get(name.rstrip("?"))
        if value is None and not name.endswith("?"):
            raise Unreadable(f"there is no tag {name}")
        if value is not None:
            form(value) if callable(form) else hold(form, value, (name,))
    return tags, secrets, len(tags)


def events_of(line, tags, secrets):
    """What a line says happened, as far as the dice are concerned."""
    happens, found = next(((happens, found) for happens, form in LINES if (found := form.fullmatch(line))),
                          (None, None))
    if not happens:
        raise Unreadable(f"nothing that a record can say: {line[:80]}")
    said = found.groupdict()
    for name in MOST.keys() & said.keys():
        said[name] = said[name] and counted(said[name], MOST[name])
    for span in filter(None, (said.get("after"), said.get("lag"))):
        of_seconds(*span.split("."))
    if happens == "side":
        if not said["dice"] and not said["turn"]:
            raise Unreadable(f"neither a throw nor a turn: {line[:80]}")
        dice = said["dice"] and [int(die) for die in said["dice"].split("-")]
        # A throw and what was played with it are two events on one line.
        thrown = [{"type": "thrown", "dice": dice, "turn_number": said["turn_number"]}] if dice else []
        return thrown + ([{"type": "turned"}] if said["turn"] else [])
    if happens == "game_started":
        said["sides"] = {"1": "white", "2": "black"} if said["seat"] == 1 else {"1": "black", "2": "white"}
    elif happens == "game_ended":
        said["secret"] = secrets[said["game_number"]]
    elif happens == "joined":
        said["seed"] = of_seed(tags["Seat2Seed"])
    elif happens == "seed_revealed":
        said["seed"] = unquoted(said["seed"])
        hold("seed", said["seed"])
    elif happens == "credited":
        of_moment(said["down_at"])
        of_moment(said["up_at"])
    return [{"type": happens, **said}]


def from_text(text):
    """What a record as text (lusoria-text-1) tells of its dice."""
    lines = list(lines_of(text))
    tags, secrets, below = tags_of(lines)
    last = CLOSING.fullmatch(lines[-1])
    if not last:
        raise Unreadable("truncated: the last line says how many events there are")
    told = {"match": tags["Match"], "game": tags["Game"], "side": tags["Side"],
            "commitment": tags["Commitment"], "seed": of_seed(tags["Seat1Seed"])}
    # The first event stands in the tags.
    events, throws, given = [{"type": "created", **told}], 0, []
    for line in lines[below:-1]:
        for event in events_of(line, tags, secrets):
            # Which turn the event gives.
            turn = event.get("turn_number", 1)
            if event["type"] == "game_started":
                throws, given = 0, []
            elif event["type"] in ("thrown", "opening_thrown"):
                event["throw"] = throws
                throws += 1
            elif event["type"] == "taken_back":
                known = 0 < turn <= len(given)
                event["to"], throws = given[turn - 1] if known else (0, throws)
                turn = turn if known else 0
            else:
                turn = 0
            if 0 < turn <= len(given) + 1:
                given[turn - 1 :] = [(len(events) + 1, throws)]
            events.append(event)
        if len(events) > EVENTS_MAX:
            raise Unreadable(f"more than {EVENTS_MAX} events")
    counts, over = counted(last[1], U32), last[2] == "over"
    return {**told, "secrets": secrets, "events": events, "counted": counts, "over": over}


def read(data):
    """A record as JSON, or what one as text tells, with `counted` events."""
    if len(data) > BYTES_MAX:
        raise Unreadable(f"longer than {BYTES_MAX} bytes")
    try:
        text = data.decode("utf-8-sig")
        if text.lstrip().startswith("{"):
            return from_json(text)
        if not text.strip():
            raise Unreadable("empty")
        return from_text(text)
    except Unreadable:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as why:
        raise Unreadable(f"not a record, or damaged: {type(why).__name__} {why}") from None


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

    def __init__(self, told):
        promised = told["kind"] == "committed"
        self.brought = told["kind"] != "drawn"
        self.hash = told["seed_hash"] if promised else None
        self.seed = None if promised else told["seed"]

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
        self.match, self.game, self.commitment, self.side = match, game, commitment, side
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

    def may_happen(self, seq, comes_after=False):
        """Whether something else than the making of the match may happen now."""
        if self.stage == "unmade":
            self.fault("order", f"event {seq}: a match begins with its making")
            self.stage = "between"
        elif self.stage == "over" and not comes_after:
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
            self.fault("seed", f"event {seq}: game {number} begins before both seeds are revealed")
        chosen = SIDES[self.side]
        if not self.games and chosen and chosen != white:
            self.fault("lot", f"event {seq}: seat 1 does not play the side that it had asked for")
        # Of the throws that count: which event gave a turn by it, and how many there were then.
        self.games.append(
            {"number": number, "white": white, "secret": None, "throws": [], "given": [], "next": 0}
        )
        self.stage = "playing"

    def threw(self, seq, index, dice):
        if len(dice) != DICE[self.game]:
            why = f"event {seq}: a throw of this game has {DICE[self.game]} dice, not {len(dice)}"
            self.fault("die", why)
        elif self.stage != "playing":
            self.fault("order", f"event {seq}: a throw outside any game")
        else:
            game = self.games[-1]
            at, throws = game["next"], game["throws"]
            game["next"] = at + 1
            game["given"].append((seq, at + 1))
            if at == len(throws):
                throws.append((index, dice, seq))
            elif index != throws[at][0]:
                why = f"a throw is numbered {index} where throw {throws[at][0]} comes again"
                self.fault("order", f"event {seq}: {why}")
            elif dice != throws[at][1]:
                why = f"throw {index} comes again after a turn was taken back, but shows other dice"
                self.fault("die", f"event {seq}: {why}")

    def taken_back(self, seq, to, dice=None):
        """The throws that came after the turn given by event `to` come again. A text does not repeat the dice."""
        if DICE[self.game] == 0:
            return
        if self.stage != "playing":
            return self.fault("order", f"event {seq}: a turn is taken back outside any game")
        game = self.games[-1]
        for at, (given, throws) in enumerate(game["given"]):
            if given == to:
                game["given"][at:], game["next"] = [(seq, throws)], throws
                index, before, _ = game["throws"][throws - 1]
                if dice not in (None, before):
                    why = f"the turn of throw {index} is taken back, but shows other dice"
                    self.fault("die", f"event {seq}: {why}")
                return
        self.fault("order", f"event {seq}: a turn is taken back that does not count")

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
            self.fault("order", "the events and the rest of the record disagree on the end")

    def ended(self):
        return {str(game["number"]): game["secret"] for game in self.games if game["secret"]}

    def take(self, seq, event):
        """The next event."""
        kind = event["type"]
        if kind == "created":
            seed = Seed(event["seed"])
            return self.made(seq, event["game"], event["side"], event["commitment"], seed)
        if not self.may_happen(seq, kind.startswith(("rematch_", "rated", "unrated"))):
            return
        if kind == "joined":
            self.joined(seq, Seed(event["seed"]))
        elif kind == "seed_revealed":
            self.reveal(seq, event["seat"], event["seed"])
        elif kind == "game_started":
            first, second = (COLOURS[event["sides"][seat]] for seat in ("1", "2"))
            if first == second:
                self.fault("lot", f"event {seq}: both seats play the same side")
            self.start(seq, event["game_number"], 1 if first else 2)
        elif kind == "opening_thrown":
            self.threw(seq, event["throw"], [event["white"], event["black"]])
        elif kind == "thrown":
            self.threw(seq, event["throw"], event["dice"])
        elif kind == "taken_back":
            self.taken_back(seq, event["to"], event.get("dice"))
        elif kind == "game_ended":
            self.end(seq, event["game_number"], event["secret"])
        elif kind == "match_ended":
            self.match_ended(seq)


def json_claims(record):
    """What a record as JSON claims."""
    dice, events, match = record["dice"], record["events"], record["match"]
    claims = Claims(match, record["game"], dice["commitment"], record["side"])
    for expected, event in enumerate(events, 1):
        if event["seq"] != expected:
            why = f"event {expected} is missing: event {event['seq']} stands in its place"
            claims.fault("order", why)
            break
    for event in events:
        if event["match"] != match:
            claims.fault("order", f"event {event['seq']} is of another match")
        claims.take(event["seq"], event)
    for seat in (1, 2):
        framed, told = dice["seeds"].get(str(seat)), claims.seeds[seat]
        framed = framed and Seed(framed)
        if not (framed.repeats(told) if framed and told else framed is told):
            claims.fault("seed", f"the record names two seeds of seat {seat}")
    if claims.ended() != dice["secrets"]:
        claims.fault("secret", "the secrets outside the events are not those in them")
    claims.compare_end(record.get("result") is not None)
    return claims


def text_claims(told):
    """What a record as text claims."""
    claims = Claims(told["match"], told["game"], told["commitment"], told["side"])
    for seq, event in enumerate(told["events"], 1):
        claims.take(seq, event)
    ended, count = claims.ended(), len(told["events"])
    for game in sorted(told["secrets"]):
        if str(game) not in ended:
            claims.fault("secret", f"a secret of game {game}, which has not ended")
    if told["counted"] != count:
        claims.fault("order", f"there are {count} events, not {told['counted']} as the last line says")
    claims.compare_end(told["over"])
    return claims


def claims_of(record):
    return json_claims(record) if "format" in record else text_claims(record)


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
            yield "lot", None, f"the lot gives White (in a tafl game the king) to seat {expected}, {taken}"

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


def fetch(name, server):
    if server:
        return fetch_patiently(f"{server}/api/v1/matches/{name}/record")
    if name == "-":
        return sys.stdin.buffer.read(BYTES_MAX + 1)
    with open(name, "rb") as file:
        return file.read(BYTES_MAX + 1)


def fetch_patiently(url):
    """Asks again for a few seconds when the server is just starting or the connection breaks."""
    for pause_s in (0.2, 0.4, 0.8, 1.6, 3.2, None):
        try:
            with urllib.request.urlopen(url, timeout=60) as response:
                data = response.read(BYTES_MAX + 1)
                if len(data) <= BYTES_MAX and response.length:
                    raise ConnectionError(f"the record was cut off after {len(data)} bytes")
                return data
        except OSError as error:
            refused = isinstance(error, urllib.error.HTTPError) and error.code < 500
            if refused or pause_s is None:
                raise
            time.sleep(pause_s)


def kept(form, what):
    """What an option must be."""

    def read_option(text):
        if not form.fullmatch(text):
            raise argparse.ArgumentTypeError(what)
        return text

    return read_option


PROVES = """\
  This proves that every throw{lot} follows from the commitment and the seeds alone:
  once the seeds were known, nobody could choose the dice, and nobody has changed them.
  It does not prove that the server's operator did not foresee throws: they have the secrets, and can
  compute the throws once they know the seeds. Nor does it prove who played, or that the turns were
  legal: lusoria replay judges the turns."""


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
    verdict = verify(claims_of(read(fetch(args.record, args.server))), args.commitment, args.seed)
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
