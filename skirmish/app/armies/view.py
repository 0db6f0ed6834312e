"""The layout of the army builder: the catalog on the left, the status of the army on the right.
Names typed by users become Content and never pass through markup."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import groupby
from string import ascii_lowercase
from typing import TypeAlias

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from skirmish.app.armies.editing import ArmySession, CountedList, CountingScreen
from skirmish.app.foot import Foot
from skirmish.app.line_list import Group
from skirmish.app.page_view import DIM, HEAD, KEY, STRONG, TONES, padded
from skirmish.games.plastic.rules.advice import SHELVES, PieceOffer, offered, verdict
from skirmish.games.plastic.rules.army import Army, ArmyGroup, ArmyList, figures, missing
from skirmish.games.plastic.rules.breaches import (
    LimitGauge,
    gauges,
    mend,
    standing,
    whole_or_half,
)
from skirmish.games.plastic.rules.catalog import UnitType, Work, plural
from skirmish.games.plastic.rules.firing_table import NONE, Firing, FiringEntry, reaches
from skirmish.tabletop.measure import NO_BREAK, inches
from skirmish.tabletop.typed import plain

Parts: TypeAlias = "list[Content | str | tuple[str, str]]"
BAD, GOOD, TO_DO = TONES["bad"], TONES["good"], "$warning bold"
TAKEN = "f"
"""Lower-case letters that are commands and cannot name a row."""
ROOMY = 64
"""Columns from which a line shows what its weapon kills."""
EIGHTHS = ("", *"▏▎▍▌▋▊▉")
KILLS = ("guys", "armored", "unarmored")
MARKS = {
    "kept": (" ", GOOD),
    "waived": ("~", "$secondary"),
    "to_do": ("…", TO_DO),
    "broken": ("!", BAD),
}


class ArmyView(CountingScreen[ArmyList]):
    """One army in its builder. ``found`` are its breaches, the first to repair first; ``at`` is the
    number of the group in view, or None for the whole army; ``owned`` is empty if no figures are
    entered."""

    session: ArmySession
    found: list[LimitGauge]

    def __init__(self, session: ArmySession) -> None:
        super().__init__(session)
        self.at: int | None = None
        self.owned: dict[str, int] = {}
        self.offers: dict[str, PieceOffer] = {}
        self.letters: dict[str, str] = {}
        self._message = ("", False)  # the effect of the last change, and whether it is bad
        self._described = ""  # the explanation of the selected line

    @property
    def army(self) -> Army:
        return self.session.army

    @property
    def group(self) -> ArmyGroup | None:
        groups = self.army.listed.groups
        return groups[self.at] if self.at is not None and self.at < len(groups) else None

    @property
    def row_width(self) -> int:
        """Columns of a row, with one to spare beside the scrollbar."""
        return max(40, self.query_one(CountedList).scrollable_content_region.width - 1)

    def key(self, name: str, usual: str) -> str:
        return self.skirmish.key(f"army.{name}", usual)

    def compose(self) -> ComposeResult:
        yield Static(id="heading", markup=False)
        with Horizontal(id="builder-columns"):
            with Vertical(id="builder-left"):
                yield Static(id="builder-head", markup=False)
                yield CountedList(id="pieces", classes="lines")
            with VerticalScroll(id="builder-right"):  # Tab, then the arrows
                yield Static(id="builder-state", markup=False)
        with VerticalScroll(id="about-line", can_focus=False):
            yield Static(id="meaning", markup=False)
        yield Foot()

    def on_resize(self) -> None:
        self.call_after_refresh(self.paint)

    def paint(self, chosen: str = "") -> None:
        if self.group is None:
            self.at = None
        offers = offered(self.army, self.at)
        self.offers = {offer.piece.id: offer for offer in offers}
        self.letters = letters(offers)
        super().paint(chosen)
        self.query_one("#builder-head", Static).update(self._head())
        width = self.query_one("#builder-right").scrollable_content_region.width
        state = (self._sums(), *self._breaches(), *self._platoons(), self._limits(width))
        self.query_one("#builder-state", Static).update(Content("\n\n").join(state))

    def groups(self) -> Iterator[Group]:
        for shelf, offers in groupby(self.offers.values(), key=lambda offer: offer.shelf):
            lines = {offer.piece.id: self._line(offer) for offer in offers}
            yield Content.styled(SHELVES[shelf], DIM), lines

    def meaning(self, id: str) -> Content:
        """The weapons of a line, then the effect of the last change, or how many more of the line
        are allowed."""
        if id != self._described:
            self._described, self._message = id, ("", False)
        (text, bad), offer = self._message, self.offers.get(id)
        about = self._about(offer.piece) if offer else Content()
        text = text or (self._room(offer) if offer else "")
        return Content("\n").join([about, Content.styled(text, BAD if bad else "")])

    def say(self, text: str, *, bad: bool = False) -> None:
        self._described, self._message = self.chosen, (text, bad)
        self.query_one("#meaning", Static).update(self.meaning(self.chosen))

    def _pressed(self, name: str, usual: str, before: str = "") -> tuple[str, str]:
        return f"{before}{self.key(name, usual)} ", KEY

    # ------------------------------------------------------------------ terms

    @property
    def heading(self) -> Content:
        width = self.size.width - 2
        return Content("\n").join([self._titled(width), self._terms(width)])

    def _titled(self, width: int) -> Content:
        saved = "NOT SAVED" if self.troubled else "saving …" if self.session.unsaved else "saved"
        edit, listed = self._pressed("edit", "E"), self.army.listed
        called = f"{self.group.name} ({listed.name})" if self.group else listed.name
        name = padded(plain(called), max(1, width - 10 - cell_len(edit[0])))
        style = BAD if self.troubled else DIM
        return Content.assemble(edit, (name, STRONG), (f"{saved:>10}", style))

    def _terms(self, width: int) -> Content:
        army, (state, text) = self.army, verdict(self.army)
        points = f"{army.listed.points} points"
        if army.budget != army.listed.points:
            points += f" + {army.budget - army.listed.points}"
        left = Content.assemble(
            self._pressed("points", "T"),
            f"{points}   ",
            self._pressed("nation", "N"),
            f"{army.nation.name if army.nation else 'no nation'}   ",
            self._pressed("quality", "L"),
            army.quality.name if army.quality else "no quality",
        )
        text = f"NOT LEGAL: {text}" if state == "broken" else text.upper()
        right = Content.styled(text, MARKS[state][1])
        gap = max(2, width - left.cell_length - right.cell_length)
        return Content.assemble(left, " " * gap, right)

    # ------------------------------------------------------------------ how it stands

    def _sums(self) -> Content:
        army = self.army
        left = army.budget - army.spent
        parts: Parts = [
            (f"{army.spent}/{army.budget} spent, ", STRONG),
            (f"{left} left", STRONG) if left >= 0 else (f"{-left} over", BAD),
            f"\nPDG {army.pdg}",
            f", break point {army.break_at}" if army.pdg else "",
        ]
        for unit, free in army.free.items():
            paid = army.listed.count(unit)
            parts.append(f"\n{paid} paid + {free} free = {paid + free} men")
        if self.owned:
            short = sum(missing(figures(army), self.owned).values())
            parts.append(self._pressed("figures", "O", "\n"))
            parts.append(f"{short} figures short" if short else "you own every figure")
        return Content.assemble(*parts)

    def _breaches(self) -> Iterator[Content]:
        stand = standing(self.found)
        for gauge in stand:
            head = ("STILL TO DO  ", TO_DO) if gauge.state == "to_do" else ("BROKEN  ", BAD)
            repair = mend(gauge.repair, self.army)
            key = self._pressed("repair", "R") if gauge is stand[0] else ("  ", "")
            if not repair:
                key, repair = self._pressed("points", "T"), "change the points"
            remedy = f"{repair[0].upper()}{repair[1:]}."
            yield Content.assemble(head, gauge.message, "\n", key, remedy)
        if len(stand) > 1:
            yield Content.assemble(self._pressed("next-breach", "B"), "Next breach")
        for gauge in self.found[len(stand) :]:
            reason = f" ({plain(gauge.override)})" if gauge.override else ""
            yield Content.assemble(("WAIVED  ", STRONG), gauge.message, reason)

    def _platoons(self) -> Iterator[Content]:
        listed, known = self.army.listed, self.army.catalog.units
        if not listed.groups:
            return
        parts: Parts = [("GROUPS", HEAD)]
        for name, usual, word in (
            ("groups", "G", "next"),
            ("new-group", "A", "new"),
            ("dissolve", "delete", "dissolve"),
        ):
            parts += [self._pressed(name, usual, "  "), word]
        for number, group in enumerate(listed.divided):
            who = ", ".join(f"{n} {known[unit].short}" for unit, n in group.units.items() if n)
            mark, style = ("►", KEY) if number == self.at else (" ", STRONG)
            parts += [(f"\n{mark} {plain(group.name)}: ", style), who or "nobody"]
        yield Content.assemble(*parts)

    def _limits(self, width: int) -> Content:
        found = gauges(self.army)
        names = [f"{one.label}{', least' if one.limit.is_least else ''}" for one in found]
        shares = [f"{whole_or_half(one.have)}/{whole_or_half(one.allowed)}" for one in found]
        wide, long = max(map(cell_len, names), default=0), max(map(len, shares), default=0)
        rows = [Content.styled("LIMITS", HEAD)]
        for gauge, name, share in zip(found, names, shares, strict=True):
            mark, style = MARKS[gauge.state]
            full, rest = _bar(gauge, max(0, width - wide - long - 4))
            named = (padded(name, wide), "" if gauge.met else style)
            line = ((f"{mark} ", style), named, (f" {full}", style), (rest, DIM))
            rows.append(Content.assemble(*line, f" {share:>{long}}"))
        return Content("\n").join(rows)

    # ------------------------------------------------------------------ lines

    def _head(self) -> Content:
        cells = ("PTS", "MOVE", "RANGE", *(("HERE", "LEFT") if self.group else ("HAVE", "MORE")))
        return Content.styled(self._columns("", "", cells, ("GUYS", "ARMOR", "UNARM")), DIM)

    def _line(self, offer: PieceOffer) -> Content:
        piece, typing = offer.piece, offer.piece.id == self.typed
        have = f"{offer.count}_" if typing else str(offer.count)
        have += f"+{offer.free}" if offer.free else ""
        sold = offer.shelf not in ("elsewhere", "not_sold")
        move = reach = ""
        if isinstance(piece, UnitType):
            move = self._bare(_move(piece))
            reach = self._bare(reaches(self.army.catalog.weapons_of(piece, self.army.rulings)))
        more = str(offer.more) if sold else "no"
        cells = (str(self.army.price(piece.id)), move, reach, have if have != "0" else "·", more)
        kills = [getattr(gun, what) for gun in self._guns(piece)[:1] for what in KILLS]
        text = self._columns(self.letters.get(piece.id, " "), piece.name, cells, kills)
        style = STRONG if offer.count or typing else "" if sold and offer.more else DIM
        return Content.assemble((text[:1], KEY), (text[1:], style))

    def _columns(self, letter: str, name: str, cells: Iterable[str], kills: Iterable[str]) -> str:
        width = self.row_width
        price, move, reach, have, more = cells
        shown = "".join(f"{kill:>7}" for kill in kills or [""] * 3) if width >= ROOMY else ""
        right = f"{price:>4}{move:>6}{reach:>6}{shown} {have:>6} {more:>4}"
        return f"{letter:<2}{padded(plain(name), max(8, width - 2 - len(right)))}{right}"

    def _bare(self, distances: str) -> str:
        """Ranges in the player's unit without its name, as in ``12/24``."""

        def measured(found: re.Match[str]) -> str:
            return self.skirmish.measured(inches(int(found[0]))).split(NO_BREAK)[0]

        return re.sub(r"\d+", measured, distances)

    def _guns(self, piece: UnitType | Work) -> list[FiringEntry]:
        if isinstance(piece, Work):
            return []
        return Firing(self.army.catalog, self.army.rulings, self.army.nation).entries(piece)

    def _about(self, piece: UnitType | Work) -> Content:
        parts: Parts = []
        for gun in self._guns(piece):
            kills = ", ".join(
                f"{what} {_spoken(kill)}" for what in KILLS if (kill := getattr(gun, what)) != NONE
            )
            parts += [(gun.weapon, STRONG), f" {self.skirmish.measured(gun.reach)}: {kills}\n"]
        if isinstance(piece, UnitType) and piece.seats:
            parts.append(f"Carries {piece.seats}. ")
        parts.append((self.skirmish.measured(piece.note), DIM))
        return Content.assemble(*parts)

    def _room(self, offer: PieceOffer) -> str:
        """How many more are allowed and by which limit; in a group, how many can still join it;
        then how many are owned, if figures are entered."""
        piece = offer.piece
        if self.group:
            return f"{piece.named(offer.more)} in no group. A higher number buys what is missing."
        text = self._most(offer)
        if self.owned:
            have = self.owned.get(piece.id, 0)
            short = figures(self.army).get(piece.id, 0) - have
            text += f" You own {piece.named(have)}{f', {short} too few' if short > 0 else ''}."
        return text

    def _most(self, offer: PieceOffer) -> str:
        gauge, many = offer.full_first, plural(offer.piece.name)
        if offer.shelf == "elsewhere":
            return f"{many}: only the {gauge.owners} have them."
        if offer.shelf == "not_sold":
            return f"{many} cannot be bought for this game."
        limit = f"(limit: {gauge.label}, {whole_or_half(gauge.allowed)})."
        if not offer.more:
            return f"No room for more {many} {limit}"
        called = offer.piece.name if offer.more == 1 else many
        return f"Room for {offer.more} more {called} {limit}"


def letters(offers: Iterable[PieceOffer]) -> dict[str, str]:
    """A letter for each piece on offer: its own, one of its name, or any free one. A piece without
    a letter is reached by the arrows."""
    pieces, given = [offer.piece for offer in offers], dict[str, str]()
    free = ascii_lowercase.replace(TAKEN, "")
    for turn in range(3):
        for piece in (piece for piece in pieces if piece.id not in given):
            wish = (piece.letter, piece.name.lower(), free)[turn]
            if letter := next((sign for sign in wish if sign in free), ""):
                given[piece.id] = letter
                free = free.replace(letter, "")
    return given


def _move(unit: UnitType) -> str:
    ways = (unit.move, unit.road_move, unit.water_move and f"{unit.water_move}w")
    return "/".join(str(way) for way in ways if way) or NONE


def _spoken(kill: str) -> str:
    again = " and again" if "+" in kill else ""
    return f"{kill.rstrip('*+')}{again}{' touching' if '*' in kill else ''}"


def _bar(gauge: LimitGauge, long: int) -> tuple[str, str]:
    """A bar in eighths of a column, never full below the limit, and its empty rest."""
    share = gauge.have / gauge.allowed if gauge.allowed else Fraction(gauge.have > 0)
    eighths = min(long * 8, -(-share * long * 8 // 1))
    if share < 1:
        eighths = min(eighths, long * 8 - 1)
    full, part = divmod(max(0, int(eighths)), 8)
    return "█" * full + EIGHTHS[part], "░" * (long - full - (part > 0))
