"""An army in words: everything that the builder shows of it, worked out once for each change.

Names are typed by people. They become content here and never pass through markup.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from string import ascii_lowercase
from typing import TypeAlias

from rich.cells import cell_len
from textual.content import Content

from skirmish.app.fitting import padded
from skirmish.games.plastic.rules.advice import (
    LimitLine,
    LimitTally,
    Shelf,
    grouped,
    offered,
    tally,
    to_do,
)
from skirmish.games.plastic.rules.army import (
    THE_REST,
    Army,
    ArmyGroup,
    LimitGauge,
    figures,
    gauges,
    missing,
)
from skirmish.games.plastic.rules.breaches import Breach, mend, whole_or_half
from skirmish.games.plastic.rules.catalog import Counts, UnitType, Work, plural
from skirmish.games.plastic.rules.firing_table import NONE, Firing, FiringEntry, reaches
from skirmish.tabletop.measure import NO_BREAK, inches
from skirmish.tabletop.typed import plain

Parts: TypeAlias = "list[Content | str | tuple[str, str]]"
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
TAKEN = "f"
"""The small letters of the builder that name no row."""
ROOMY = 64
"""Columns from which a line has room for what its weapon kills."""
EIGHTHS = ("", *"▏▎▍▌▋▊▉")
KILLS = ("guys", "armored", "unarmored")


def state_style(counted: LimitTally) -> str:
    if counted.broken:
        return BAD
    return "$warning bold" if counted.to_do else "$success bold"


@dataclass(frozen=True)
class ArmyView:
    """``found`` are the breaches, the one to repair first in front; ``at`` is the number of the
    group in view, None for the whole army; ``typed`` the piece whose count is being typed. ``key``
    gives the key of a binding of the builder (its name, its usual key); distances are told as
    ``measured`` has them. ``owned`` is empty where no figures are entered."""

    army: Army
    found: list[Breach]
    key: Callable[[str, str], str]
    measured: Callable[[str], str]
    at: int | None = None
    typed: str | None = None
    owned: Counts = field(default_factory=dict)

    @cached_property
    def group(self) -> ArmyGroup | None:
        groups = self.army.listed.groups
        return groups[self.at] if self.at is not None and self.at < len(groups) else None

    @cached_property
    def offers(self) -> list[LimitLine]:
        if self.group is None or self.at is None:
            return offered(self.army)
        return grouped(self.army, self.at)

    @cached_property
    def letters(self) -> dict[str, str]:
        return letters(self.offers, TAKEN)

    # ------------------------------------------------------------------ terms

    def name(self, width: int, saved: str, style: str) -> Content:
        edit, listed = self.key("edit", "E"), self.army.listed
        called = f"{self.group.name} ({listed.name})" if self.group else listed.name
        name = padded(plain(called), max(1, width - 11 - cell_len(edit)))
        return Content.assemble((f"{edit} ", KEY), (name, "bold"), (f"{saved:>10}", style))

    def terms(self, width: int) -> Content:
        army, counted = self.army, tally(self.army)
        points = f"{army.listed.points} points"
        if army.budget != army.listed.points:
            points += f" + {army.budget - army.listed.points}"
        left = Content.assemble(
            (f"{self.key('points', 'T')} ", KEY),
            f"{points}   ",
            (f"{self.key('nation', 'N')} ", KEY),
            f"{army.nation.name if army.nation else 'no nation'}   ",
            (f"{self.key('quality', 'L')} ", KEY),
            army.quality.name if army.quality else "no quality",
        )
        state = counted.words
        state = f"NOT LEGAL: {state}" if counted.broken else state.upper()
        right = Content.styled(state, state_style(counted))
        gap = max(2, width - left.cell_length - right.cell_length)
        return Content.assemble(left, " " * gap, right)

    # ------------------------------------------------------------------ how it stands

    def sums(self) -> Content:
        army = self.army
        left = army.budget - army.spent
        still = f"{left} left" if left >= 0 else f"{-left} over"
        parts: Parts = [
            (f"{army.spent}/{army.budget} spent, ", "bold"),
            (still, "bold" if left >= 0 else BAD),
            f"\nPDG {army.pdg}",
            f", break point {army.break_at}" if army.pdg else "",
        ]
        for unit, free in army.free.items():
            paid = army.listed.count(unit)
            parts.append(f"\n{paid} paid + {free} free = {paid + free} men")
        if self.owned:
            short = sum(missing(figures(army), self.owned).values())
            words = f"{short} figures short" if short else "you own every figure"
            parts += [(f"\n{self.key('figures', 'O')} ", KEY), words]
        return Content.assemble(*parts)

    def groups(self) -> Content:
        listed = self.army.listed
        if not listed.groups:
            return Content()
        rest = {unit: n - listed.grouped(unit) for unit, n in listed.units.items()}
        blocks = [*((plain(group.name), group.units) for group in listed.groups), (THE_REST, rest)]
        parts: Parts = [("\nGROUPS", "$primary bold")]
        for name, usual, word in (
            ("groups", "G", "next"),
            ("new-group", "A", "new"),
            ("dissolve", "delete", "dissolve"),
        ):
            parts += [(f"  {self.key(name, usual)} ", KEY), word]
        for number, (name, units) in enumerate(blocks):
            here = number == self.at
            who = ", ".join(
                f"{n} {self.army.catalog.units[u].short}" for u, n in units.items() if n
            )
            parts.append((f"\n{'►' if here else ' '} {name}: ", "$accent bold" if here else "bold"))
            parts.append(who or "nobody")
        return Content.assemble(*parts)

    def breaches(self) -> Content:
        parts: Parts = []
        standing = [breach for breach in self.found if breach.override is None]
        for index, breach in enumerate(standing):
            due = to_do(breach, self.army)
            title, style = ("STILL TO DO", "$warning bold") if due else ("BROKEN", BAD)
            parts += ["\n\n" if index else "\n", (f"{title}  ", style), breach.message]
            repair = mend(breach.repair, self.army)
            pressed = (f"\n{self.key('repair', 'R')} ", KEY) if index == 0 else "\n  "
            if repair:
                parts += [pressed, f"{repair[0].upper()}{repair[1:]}."]
            else:
                parts += [(f"\n{self.key('points', 'T')} ", KEY), "Change the points."]
        if len(standing) > 1:
            parts += ["\n\n", (f"{self.key('next-breach', 'B')} ", KEY), "Next breach"]
        for breach in self.found:
            if breach.override is not None:
                reason = f" ({plain(breach.override)})" if breach.override else ""
                parts += ["\n\n" if parts else "\n", ("WAIVED  ", "bold"), breach.message, reason]
        return Content.assemble(*parts)

    def limits(self, width: int) -> Content:
        """Each limit: a mark where it is not kept, its name, a bar, used and allowed."""
        named = [
            (gauge, _gauge_name(gauge, self.army), _share(gauge)) for gauge in gauges(self.army)
        ]
        wide = max((cell_len(name) for _, name, _ in named), default=0)
        long = max((len(share) for _, _, share in named), default=0)
        rows = [Content("LIMITS").stylize("$primary bold")]
        for gauge, name, share in named:
            mark, style = _gauge_mark(gauge, self.army)
            rows.append(
                Content.assemble(
                    (f"{mark} ", style),
                    (padded(name, wide), "" if gauge.kept else style),
                    " ",
                    *_bar(gauge, max(0, width - wide - long - 4), style),
                    f" {share:>{long}}",
                )
            )
        return Content("\n").join(rows)

    # ------------------------------------------------------------------ lines

    def head(self, width: int) -> Content:
        cells = ("PTS", "MOVE", "RANGE", *(("HERE", "LEFT") if self.group else ("HAVE", "MORE")))
        kills = ("GUYS", "ARMOR", "UNARM")
        return Content.assemble((_columns(width, "", "", cells, kills), DIM))

    def line(self, offer: LimitLine, width: int) -> Content:
        piece, typing = offer.piece, offer.piece.id == self.typed
        have = f"{offer.count}_" if typing else str(offer.count)
        have += f"+{offer.free}" if offer.free else ""
        sold = offer.shelf not in ("elsewhere", "not_sold")
        cells = (
            str(self.army.price(piece.id)),
            self._bare(_move(piece)),
            self._bare(_range(self.army, piece)),
            have if have != "0" else "·",
            str(offer.more) if sold else "no",
        )
        guns = _guns(self.army, piece)
        kills = tuple(getattr(guns[0], what) for what in KILLS) if guns else ("", "", "")
        text = _columns(width, self.letters.get(piece.id, " "), piece.name, cells, kills)
        style = "bold" if offer.count or typing else "" if sold and offer.more else DIM
        return Content.assemble((text[:1], KEY), (text[1:], style))

    def about(self, piece: UnitType | Work) -> Content:
        parts: Parts = []
        for gun in _guns(self.army, piece):
            kills = ", ".join(
                f"{what} {_spoken(kill)}" for what in KILLS if (kill := getattr(gun, what)) != NONE
            )
            parts += [(f"{gun.weapon}", "bold"), f" {self.measured(gun.reach)}: {kills}\n"]
        if isinstance(piece, UnitType) and piece.seats:
            parts.append(f"Carries {piece.seats}. ")
        parts.append((self.measured(piece.note), DIM))
        return Content.assemble(*parts)

    def room(self, offer: LimitLine) -> str:
        """How many more, and which limit is full first; in a group, who is left to join it. Then
        how many are owned, where any figures are entered."""
        if self.group:
            name = _count(offer.more, offer.piece)
            return f"{name} in no group. A higher number buys what is missing."
        words = self._most(offer)
        if self.owned:
            have = self.owned.get(offer.piece.id, 0)
            short = figures(self.army).get(offer.piece.id, 0) - have
            words += f" You own {_count(have, offer.piece)}"
            words += f", {short} too few." if short > 0 else "."
        return words

    def _most(self, offer: LimitLine) -> str:
        piece = offer.piece
        if offer.shelf == "elsewhere":
            owners = offer.full_first.limit.not_for
            people = " and ".join(self.army.catalog.nations[name].people for name in owners)
            return f"{plural(piece.name)}: only the {people} have them."
        if offer.shelf == "not_sold":
            return f"{plural(piece.name)} cannot be bought for this game."
        gauge = offer.full_first
        full = f"{label(gauge, self.army)}, {whole_or_half(gauge.allowed)}"
        if not offer.more:
            return f"No room for more {plural(piece.name)} (limit: {full})."
        return f"Room for {offer.more} more {_called(offer.more, piece)} (limit: {full})."

    def _bare(self, distances: str) -> str:
        """Bare numbers of inches in a column, ``12/24``, as the player measures."""
        return re.sub(
            r"\d+",
            lambda found: self.measured(inches(int(found[0]))).split(NO_BREAK)[0],
            distances,
        )


def letters(offers: Iterable[LimitLine], taken: Iterable[str]) -> dict[str, str]:
    """A letter for each piece that is offered, none of those ``taken``: its own, or else one of its
    name, or any that is free. Where none is left the arrows go to the line."""
    offers, free, given = list(offers), [c for c in ascii_lowercase if c not in taken], {}
    for wish in (_own_letter, lambda piece: piece.name.lower(), lambda _: ascii_lowercase):
        for offer in offers:
            letter = next((c for c in wish(offer.piece) if c in free), "")
            if letter and offer.piece.id not in given:
                given[offer.piece.id] = letter
                free.remove(letter)
    return given


def label(gauge: LimitGauge, army: Army) -> str:
    if gauge.unit is None:
        return gauge.limit.title
    unit = army.catalog.units.get(gauge.unit)
    return unit.short if unit else army.catalog.works[gauge.unit].name


def _called(count: int, piece: UnitType | Work) -> str:
    return piece.name if count == 1 else plural(piece.name)


def _count(count: int, piece: UnitType | Work) -> str:
    return f"{count} {_called(count, piece)}"


def _columns(
    width: int, letter: str, name: str, cells: tuple[str, ...], kills: tuple[str, ...]
) -> str:
    price, move, reach, have, more = cells
    middle = f"{price:>4}{move:>6}{reach:>6}"
    if width >= ROOMY:
        middle += "".join(f"{kill:>7}" for kill in kills)
    right = f"{middle} {have:>6} {more:>4}"
    return f"{letter:<2}{padded(plain(name), max(8, width - 2 - len(right)))}{right}"


def _own_letter(piece: UnitType | Work) -> str:
    return piece.letter if isinstance(piece, UnitType) else ""


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


def _guns(army: Army, piece: UnitType | Work) -> list[FiringEntry]:
    if not isinstance(piece, UnitType):
        return []
    return Firing(army.catalog, army.rulings, army.nation).entries(piece)


def _spoken(kill: str) -> str:
    bare = kill.rstrip("*+")
    again = " and again" if "+" in kill else ""
    touching = " touching" if "*" in kill else ""
    return f"{bare}{again}{touching}"


def _gauge_name(gauge: LimitGauge, army: Army) -> str:
    return label(gauge, army) + (", least" if gauge.limit.is_least else "")


def _share(gauge: LimitGauge) -> str:
    return f"{whole_or_half(gauge.have)}/{whole_or_half(gauge.allowed)}"


def _gauge_mark(gauge: LimitGauge, army: Army) -> tuple[str, str]:
    if gauge.kept:
        return " ", "$success"
    if gauge.limit.id in army.listed.overrides:
        return "~", "$secondary"
    return ("…", "$warning bold") if gauge.limit.is_least else ("!", BAD)


def _bar(gauge: LimitGauge, long: int, style: str) -> Iterator[tuple[str, str]]:
    """A bar in eighths of a column, never quite full before the limit is reached."""
    share = gauge.have / gauge.allowed if gauge.allowed else Fraction(gauge.have > 0)
    eighths = min(long * 8, -(-share * long * 8 // 1))
    full, part = divmod(int(eighths), 8)
    if share < 1 and full == long and long:
        full, part = long - 1, 7
    yield "█" * full + EIGHTHS[part], style
    yield "░" * (long - full - (part > 0)), DIM
