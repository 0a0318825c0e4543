"""The plots of docs/findings.md, as SVG: on a ground of their own, for they are seen by day and by night."""

import math

import tables

# Colours that stay apart for those who confuse some (Okabe and Ito), one a game.
COLOURS = {"zeno": "#0072b2", "tavla": "#d55e00", "scripta": "#009e73", "tabula": "#cc79a7", "tablut": "#7a6a00"}
KINDS = {"different": "#555555", "double": "#0072b2", "triple": "#d55e00"}
GROUND, LINE, STRONG = "#fffdf8", "#ddd5c5", "#999"
LEFT, RIGHT, TOP, EACH = 255, 780, 40, 24


def all_of(page):
    """The plots by the names of their files, in the language of the page; none of what is not measured."""
    made = {
        "length.svg": lengths(page),
        "advantage.svg": advantages(page),
        "leads.svg": leads(page),
        "throws.svg": throws(page),
        "incidents.svg": incidents(page),
        "emperor.svg": emperor(page),
    }
    return {name.replace(".svg", page.suffix): text for name, text in made.items() if text}


def picture(title, height, parts, width=810):
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height:.0f}" role="img" '
        f'font-family="sans-serif" font-size="13" fill="#222">\n<title>{title}</title>\n'
        f'<rect width="{width}" height="{height:.0f}" fill="{GROUND}"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def text(x, y, words, anchor="start", bold=False):
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{weight}>{words}</text>'


def bar(x1, x2, y, colour, width=3):
    return f'<path d="M{x1:.1f} {y:.1f}H{x2:.1f}" stroke="{colour}" stroke-width="{width}"/>'


def dot(x, y, colour, hollow=False, radius=5):
    if hollow:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius - 1}" fill="{GROUND}" stroke="{colour}" stroke-width="2"/>'
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{colour}"/>'


def tick(x, bottom, words, strong=False):
    return f'<path d="M{x:.1f} {TOP}V{bottom}" stroke="{STRONG if strong else LINE}"/>' + text(
        x, bottom + 18, words, "middle"
    )


def linear(low, high, bottom, step, told, strong=0.0):
    """A linear axis from left to right: where a number is, and its lines."""
    low, high = math.floor(low / step) * step, math.ceil(high / step) * step

    def at(value):
        return LEFT + (RIGHT - LEFT) * (value - low) / (high - low)

    count = round((high - low) / step)
    values = [low + nth * step for nth in range(count + 1)]
    return at, [tick(at(value), bottom, told(value), abs(value - strong) < step / 100) for value in values]


def logarithmic(page, low, high, bottom):
    """The same where numbers differ in size."""

    def at(value):
        return LEFT + (RIGHT - LEFT) * math.log(value / low) / math.log(high / low)

    ticks = [base * 10**power for power in range(7) for base in (1, 2, 5) if low <= base * 10**power <= high]
    # Where there is room for its number.
    ticks = [value for value in ticks if value < 1_000 or str(value)[0] == "1"]
    return at, [tick(at(value), bottom, f"{value:,}".replace(",", page.say(","))) for value in ticks]


def signed(value):
    return f"{value:+.0f}" if round(value) else "0"


def lines_of(rows):
    """How far down the lines of a plot go, and where each one is."""
    return TOP + EACH * len(rows), [TOP + EACH * (nth + 0.5) for nth in range(len(rows))]


def lengths(page):
    rows = [(name, of) for name, (_, of) in page.studies.items()]
    if not rows:
        return None
    bottom, ys = lines_of(rows)
    numbers = [of["turns"][key]["value"] for _, of in rows for key in ("p5", "p95")]
    at, parts = logarithmic(page, min(numbers) / 1.3, max(numbers) * 1.2, bottom)
    parts.append(text(LEFT, 24, page.say("Turns of a game"), bold=True))
    for (name, of), y in zip(rows, ys):
        colour, turns = COLOURS[of["game"]], of["turns"]
        parts += [
            text(LEFT - 10, y + 4, page.call(name), "end"),
            bar(at(turns["p5"]["value"]), at(turns["p95"]["value"]), y, colour),
            dot(at(turns["median"]["value"]), y, colour),
            dot(at(turns["mean"]["value"]), y, colour, hollow=True),
        ]
    parts.append(text(LEFT, bottom + 40, page.say("nine games in ten; filled: half of them have no more; hollow: the mean")))
    return picture(page.say("How many turns games have, by game and option"), bottom + 56, parts)


def advantages(page):
    rows = [(name, of) for name, (_, of) in page.studies.items() if "low" in of["white_share"]]
    if not rows:
        return None
    bottom, ys = lines_of(rows)
    shown = [of[key] for _, of in rows for key in ("white_share", "white_without_luck") if of.get(key)]
    at, parts = linear(
        min(0.4, *(one["low"] for one in shown)), max(0.6, *(one["high"] for one in shown)), bottom, 0.1,
        lambda value: f"{100 * value:.0f} %", strong=0.5,
    )
    parts.append(text(LEFT, 24, page.say("What White scores; in tablut the defenders"), bold=True))
    for (name, of), y in zip(rows, ys):
        colour, share, without = COLOURS[of["game"]], of["white_share"], of.get("white_without_luck")
        parts += [
            text(LEFT - 10, y + 4, page.call(name), "end"),
            bar(at(share["low"]), at(share["high"]), y - 4, colour, 1.5),
            dot(at(share["share"]), y - 4, colour, radius=4),
        ]
        if without:
            parts.append(bar(at(without["low"]), at(without["high"]), y + 5, colour, 1.5))
            parts.append(dot(at(without["value"]), y + 5, colour, hollow=True, radius=4.5))
    parts.append(text(LEFT, bottom + 40, page.say("filled: as the games ended; hollow: with the luck of the throws taken out")))
    return picture(page.say("What White scores in each game, with intervals of 95 %"), bottom + 56, parts)


def leads(page):
    rows = [(f"{page.call(name)}, {page.say('{} % better').format(round(100 * one['better_by']))}", of["game"], one)
            for name, (_, of) in page.standard.items() for one in of["leads"]]
    counts = [one[key]["value"] for *_, one in rows for key in ("games", "without_luck") if one.get(key)]
    if not any(count > 0 for count in counts):
        return None
    bottom, ys = lines_of(rows)
    counts = [max(count, 1) for count in counts]
    at, parts = logarithmic(page, max(0.8, min(counts) / 1.6), max(counts) * 1.6, bottom)
    parts.append(text(LEFT, 24, page.say("Games until the better player leads, 19 times in 20"), bold=True))
    for (name, game, one), y in zip(rows, ys):
        games, without = at(max(1, one["games"]["value"])), one.get("without_luck")
        parts.append(text(LEFT - 10, y + 4, name, "end"))
        if without:
            known = at(max(1, without["value"]))
            parts += [bar(known, games, y, COLOURS[game]), dot(known, y, COLOURS[game], hollow=True)]
        parts.append(dot(games, y, COLOURS[game]))
    parts.append(text(LEFT, bottom + 40, page.say("filled: as games end; hollow: with the luck of the throws taken out")))
    return picture(page.say("After how many games the better of two players leads, by game"), bottom + 56, parts)


def throws(page):
    games = [(name, of) for name, (_, of) in page.with_dice.items()]
    if not games:
        return None
    each = 46
    bottom = TOP + each * len(games)
    worths = [100 * one["value"] for _, of in games for one in of["throws"]]
    at, parts = linear(min(worths), max(worths), bottom, 5 if max(worths) - min(worths) < 45 else 10,
                       signed)
    parts.append(text(LEFT, 24, page.say("What each throw is worth, in hundredths of a win"), bold=True))
    heights = {"different": -10, "double": 2, "triple": 14}
    for nth, (name, of) in enumerate(games):
        y = TOP + each * (nth + 0.5)
        parts.append(text(LEFT - 10, y + 4, page.call(name), "end"))
        parts += [dot(at(100 * one["value"]), y + heights[one["kind"]], KINDS[one["kind"]], radius=3.5)
                  for one in of["throws"]]
    for nth, (kind, words) in enumerate(tables.KINDS.items()):
        x = LEFT + 150 * nth
        parts += [dot(x + 5, bottom + 36, KINDS[kind], radius=4), text(x + 16, bottom + 40, page.say(words))]
    return picture(page.say("What each throw is worth on average, by game"), bottom + 56, parts)


def incidents(page):
    rows = [
        (f"{page.call(name)}, {page.say(tables.INCIDENTS[one['incident']])}", of["game"], one["first"]["more_than_usual"])
        for name, (_, of) in page.standard.items()
        for one in of["incidents"]
        if one.get("first")
    ]
    if not rows:
        return None
    bottom, ys = lines_of(rows)
    low, high = min(-0.1, *(more["low"] for *_, more in rows)), max(0.1, *(more["high"] for *_, more in rows))
    at, parts = linear(100 * low, 100 * high, bottom, 10, signed)
    parts.append(text(LEFT, 24, page.say("How much more than usual the side scores that is first"), bold=True))
    for (name, game, more), y in zip(rows, ys):
        colour = COLOURS[game]
        parts += [
            text(LEFT - 10, y + 4, name, "end"),
            bar(at(100 * more["low"]), at(100 * more["high"]), y, colour, 2),
            dot(at(100 * more["value"]), y, colour),
        ]
    parts.append(text(LEFT, bottom + 40, page.say("in hundredths of a win, against what the same side scores in all games")))
    return picture(page.say("Whether hits, pins, primes, captures and calls decide"), bottom + 56, parts)


def emperor(page):
    _, of = page.of["zeno, the emperor's throws"]
    if not of:
        return None
    bottom = 330
    shown = [tables.wins(one["turns"][0]) for one in of["throws"]]
    at, parts = linear(0, len(shown), bottom, 10, lambda value: f"{value:.0f}")
    low, high = min(one["low"] for one in shown), max(one["high"] for one in shown)
    y = lambda value: bottom - 10 - (bottom - 20 - TOP) * (value - low) / (high - low)
    step = 0.1 if high - low > 0.25 else 0.05
    for nth in range(math.ceil(low / step), math.floor(high / step) + 1):
        level = y(nth * step)
        parts.append(f'<path d="M{LEFT} {level:.1f}H{RIGHT}" stroke="{LINE}"/>')
        parts.append(text(LEFT - 10, level + 4, f"{100 * nth * step:.0f} %", "end"))
    parts.append(text(LEFT, 24, page.say("What White wins after each throw, the best first"), bold=True))
    for nth, (one, won) in enumerate(zip(of["throws"], shown), 1):
        is_the_emperors = one["throw"] == page.emperors_throw
        colour = "#d55e00" if is_the_emperors else KINDS["double"]
        parts.append(
            f'<path d="M{at(nth):.1f} {y(won["low"]):.1f}V{y(won["high"]):.1f}" stroke="{colour}" stroke-width="1.5"/>'
        )
        parts.append(dot(at(nth), y(won["value"]), colour, radius=5 if is_the_emperors else 3))
        if is_the_emperors:
            parts.append(text(at(nth) - 10, y(won["value"]) + 4, page.say("the emperor's {}").format(one["throw"]), "end"))
    parts.append(text(LEFT, bottom + 40, page.say("place among the 56 throws")))
    return picture(page.say("What White wins after each throw in the emperor's position"), bottom + 56, parts)
