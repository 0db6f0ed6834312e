"""What the army screens say: each part of them as content, worked out from the army alone.

Names are typed by people. They become content here and never pass through markup.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rich.cells import cell_len, set_cell_size
from textual.content import Content

from skirmish.games.plastic.rules.advice import Line, Shelf, Tally, to_do
from skirmish.games.plastic.rules.army import Army
from skirmish.games.plastic.rules.breaches import Breach, mend, whole_or_half
from skirmish.games.plastic.rules.catalog import UnitType, Work, plural
from skirmish.games.plastic.rules.firing_table import NONE, Entry, Firing, reaches
from skirmish.games.plastic.rules.gauges import Gauge
from skirmish.tabletop.typed import plain

DIM = "$foreground 60%"
KEY = "$accent bold"
BAD = "$error bold"

SHELF_TITLES: dict[Shelf, str] = {
    "guys": "GUYS",
    "unarmored": "MODELS",
    "armored": "ARMORED MODELS",
    "works": "WORKS",
    "notes": "DESIGNER'S NOTES",
    "elsewhere": "OTHER NATIONS' ONLY",
    "not_sold": "NOT FOR SALE",
}
ROOMY = 64
"""Columns from which a line has room for what its weapon kills."""
EIGHTHS = ("", *"▏▎▍▌▋▊▉")


def fitted(name: str, width: int) -> str:
    """A typed name in exactly ``width`` columns, harmless, shortened with an ellipsis."""
    shown = plain(name)
    if cell_len(shown) > width:
        shown = set_cell_size(shown, width - 1).rstrip() + "…"
    return set_cell_size(shown, width)


def state_words(counted: Tally) -> str:
    """``legal``, ``2 limits broken``, ``1 limit to meet``."""
    if counted.broken:
        return f"{counted.broken} {_limits(counted.broken)} broken"
    if counted.to_do:
        return f"{counted.to_do} {_limits(counted.to_do)} to meet"
    return (
        "legal, 1 waived"
        if counted.waived == 1
        else (f"legal, {counted.waived} waived" if counted.waived else "legal")
    )


def state_style(counted: Tally) -> str:
    """The colour beside those words."""
    if counted.broken:
        return BAD
    return "$warning bold" if counted.to_do else "$success bold"


def terms(army: Army, counted: Tally, width: int) -> Content:
    """Points, nation and quality, each with its key, and how the army stands, on one line."""
    points = f"{army.listed.points} points"
    if army.budget != army.listed.points:
        points += f" + {army.budget - army.listed.points}"
    nation = army.nation.name if army.nation else "no nation"
    quality = army.quality.name if army.quality else "no quality"
    left = Content.assemble(
        ("t ", KEY), f"{points}   ", ("n ", KEY), f"{nation}   ", ("l ", KEY), quality
    )
    state = state_words(counted)
    legal = "NOT LEGAL: " if counted.broken else ""
    right = Content.assemble((legal + (state if legal else state.upper()), state_style(counted)))
    gap = max(2, width - left.cell_length - right.cell_length)
    return Content.assemble(left, " " * gap, right)


def head(width: int) -> Content:
    """The head of the columns of ``line``."""
    cells = ("PTS", "MOVE", "RANGE", "HAVE", "MORE")
    kills = ("GUYS", "UNARM", "ARMOR")
    return Content.assemble((_columns(width, "", "", cells, kills), DIM))


def line(army: Army, offer: Line, width: int, typing: bool = False) -> Content:
    """One piece that can be bought. ``typing`` marks a number that is still being typed."""
    piece = offer.piece
    free = army.free.get(piece.id, 0)
    have = f"{offer.count}_" if typing else str(offer.count)
    have += f"+{free}" if free else ""
    sold = offer.shelf not in ("elsewhere", "not_sold")
    cells = (
        str(army.price(piece.id)),
        _move(piece),
        _range(army, piece),
        have if have != "0" else "·",
        str(offer.more) if sold else "no",
    )
    gun = _guns(army, piece)
    kills = (gun[0].guys, gun[0].unarmored, gun[0].armored) if gun else (NONE,) * 3
    letter = piece.letter.upper() if isinstance(piece, UnitType) else ""
    text = _columns(width, letter, piece.name, cells, kills if gun else ("", "", ""))
    if offer.count or typing:
        return Content.assemble((text, "bold"))
    return Content.assemble((text, DIM if not (sold and offer.more) else ""))


def about(army: Army, piece: UnitType | Work) -> Content:
    """The weapons of a piece with all they kill, and its note."""
    parts: list[Content | str | tuple[str, str]] = []
    for gun in _guns(army, piece):
        kills = ", ".join(
            f"{what} {_spoken(kill)}"
            for what, kill in (
                ("guys", gun.guys),
                ("unarmored", gun.unarmored),
                ("armored", gun.armored),
            )
            if kill != NONE
        )
        parts += [(f"{gun.weapon}", "bold"), f" {gun.reach}: {kills}\n"]
    if isinstance(piece, UnitType) and piece.seats:
        parts.append(f"Carries {piece.seats}. ")
    parts.append((piece.note, DIM))
    return Content.assemble(*parts)


def room_words(army: Army, offer: Line) -> str:
    """How many more, and which limit is full first."""
    piece = offer.piece
    if offer.shelf == "elsewhere":
        owners = offer.full_first.limit.not_for
        people = " and ".join(army.catalog.nations[name].people for name in owners)
        return f"{plural(piece.name)}: only the {people} have them."
    if offer.shelf == "not_sold":
        return f"{plural(piece.name)} cannot be bought for this game."
    gauge = offer.full_first
    full = f"{label(gauge, army)}, {whole_or_half(gauge.allowed)}"
    if not offer.more:
        return f"No room for more {plural(piece.name)} (limit: {full})."
    name = piece.name if offer.more == 1 else plural(piece.name)
    return f"Room for {offer.more} more {name} (limit: {full})."


def sums(army: Army) -> Content:
    """Spent and left, strength and break point, free men."""
    left = army.budget - army.spent
    still = f"{left} left" if left >= 0 else f"{-left} too many"
    parts: list[Content | str | tuple[str, str]] = [
        (f"{army.spent}/{army.budget} spent, ", "bold"),
        (still, "bold" if left >= 0 else BAD),
        f"\nPDG {army.pdg}",
    ]
    parts.append(f", beaten at {army.break_at} lost" if army.pdg else "")
    for unit, free in army.free.items():
        paid = army.listed.count(unit)
        parts.append(f"\n{paid} paid + {free} free = {paid + free} men")
    return Content.assemble(*parts)


def breach_words(army: Army, found: list[Breach]) -> Content:
    """Every breach as a sentence, the first with the key that repairs it. The order is given."""
    parts: list[Content | str | tuple[str, str]] = []
    standing = [breach for breach in found if breach.override is None]
    for index, breach in enumerate(standing):
        due = to_do(breach, army)
        title, style = ("STILL TO DO", "$warning bold") if due else ("BROKEN", BAD)
        parts += ["\n\n" if index else "\n", (f"{title}  ", style), breach.message]
        repair = mend(breach.repair, army)
        key = ("\nr ", KEY) if index == 0 else "\n  "
        if repair:
            parts += [key, f"{repair[0].upper()}{repair[1:]}."]
        else:
            parts.append("\n  Nothing small repairs this: change the points.")
    if len(standing) > 1:
        parts += ["\n\n", ("b ", KEY), "the next one first"]
    for breach in found:
        if breach.override is not None:
            reason = f" ({plain(breach.override)})" if breach.override else ""
            parts += ["\n\n" if parts else "\n", ("WAIVED  ", "bold"), breach.message, reason]
    return Content.assemble(*parts)


def gauge_rows(army: Army, standing: list[Gauge], width: int) -> Content:
    """Each limit: a mark where it is not kept, its name, a bar, used and allowed."""
    named = [(gauge, _gauge_name(gauge, army), _gauge_sums(gauge)) for gauge in standing]
    wide = max((cell_len(name) for _, name, _ in named), default=0)
    long = max((len(sums_up) for _, _, sums_up in named), default=0)
    bar = max(0, width - wide - long - 4)
    rows = [Content("LIMITS").stylize("$primary bold")]
    for gauge, name, sums_up in named:
        mark, style = _gauge_mark(gauge, army)
        rows.append(
            Content.assemble(
                (f"{mark} ", style),
                (set_cell_size(name, wide), "" if gauge.kept else style),
                " ",
                *_bar(gauge, bar, style),
                f" {sums_up:>{long}}",
            )
        )
    return Content("\n").join(rows)


def label(gauge: Gauge, army: Army) -> str:
    """The name of a limit, or of the type that it watches."""
    if gauge.unit is None:
        return gauge.limit.title
    unit = army.catalog.units.get(gauge.unit)
    return unit.short if unit else army.catalog.works[gauge.unit].name


def _gauge_name(gauge: Gauge, army: Army) -> str:
    return label(gauge, army) + (", least" if gauge.limit.is_least else "")


def _gauge_sums(gauge: Gauge) -> str:
    return f"{whole_or_half(gauge.have)}/{whole_or_half(gauge.allowed)}"


def _gauge_mark(gauge: Gauge, army: Army) -> tuple[str, str]:
    if gauge.kept:
        return " ", "$success"
    if gauge.limit.id in army.listed.overrides:
        return "~", "$secondary"
    return ("…", "$warning bold") if gauge.limit.is_least else ("!", BAD)


def _bar(gauge: Gauge, long: int, style: str) -> Iterator[tuple[str, str]]:
    """A bar in eighths of a column, never quite full before the limit is reached."""
    share = gauge.have / gauge.allowed if gauge.allowed else Fraction(gauge.have > 0)
    eighths = min(long * 8, -(-share * long * 8 // 1))
    full, part = divmod(int(eighths), 8)
    if share < 1 and full == long and long:
        full, part = long - 1, 7
    yield "█" * full + EIGHTHS[part], style
    yield "░" * (long - full - (part > 0)), DIM


def _columns(
    width: int, letter: str, name: str, cells: tuple[str, ...], kills: tuple[str, ...]
) -> str:
    price, move, reach, have, more = cells
    middle = f"{price:>4}{move:>6}{reach:>6}"
    if width >= ROOMY:
        middle += "".join(f"{kill:>7}" for kill in kills)
    right = f"{middle} {have:>6} {more:>4}"
    return f"{letter:<2}{fitted(name, max(8, width - 2 - len(right)))}{right}"


def _move(piece: UnitType | Work) -> str:
    if not isinstance(piece, UnitType):
        return ""
    ways = [f"{piece.move}"] if piece.move else []
    ways += [f"{piece.road_move}"] if piece.road_move else []
    ways += [f"{piece.water_move}w"] if piece.water_move else []
    return "/".join(ways) or NONE


def _range(army: Army, piece: UnitType | Work) -> str:
    if not isinstance(piece, UnitType):
        return ""
    return reaches(army.catalog.weapons_of(piece, army.rulings))


def _guns(army: Army, piece: UnitType | Work) -> list[Entry]:
    if not isinstance(piece, UnitType):
        return []
    return Firing(army.catalog, army.rulings, army.nation).entries(piece)


def _spoken(kill: str) -> str:
    bare = kill.rstrip("*+")
    again = " and again" if "+" in kill else ""
    touching = " touching" if "*" in kill else ""
    return f"{bare}{again}{touching}"


def _limits(count: int) -> str:
    return "limit" if count == 1 else "limits"
