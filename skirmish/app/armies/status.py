"""The status of an army, which the builder shows beside its rows: its points, its limits and which
of them are broken, its groups, and what its points are spent on. Texts that users typed become
Content and never pass through markup."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import NamedTuple

from rich.cells import cell_len
from textual.content import Content

from skirmish.app.armies.offer_rows import ArmyWeapons, TextParts
from skirmish.app.host import Host
from skirmish.app.text_rows import hanging, padded
from skirmish.app.text_styles import DIM, HEAD, KEY, STRONG, TONES
from skirmish.games.plastic.rules.advice import PieceOffer, verdict
from skirmish.games.plastic.rules.army import Army, ArmyGroup, figures, missing
from skirmish.games.plastic.rules.breaches import repair_words
from skirmish.games.plastic.rules.limits import (
    LimitGauge,
    LimitState,
    gauges,
    not_waived,
    whole_or_half,
)
from skirmish.tabletop.page import capital
from skirmish.tabletop.typed import plain

BAD, GOOD = TONES["bad"], TONES["good"]
TO_DO = "$warning bold"
"""The style of a limit that is not met yet, such as a least number of riflemen."""
FULL, HALF, EMPTY = "▄", "▖", "▁"
"""What a bar is drawn of: half a row high, with half a column at its end."""
FULL_BAR = 24
"""The columns of a bar, where there is room for it."""
BESIDE_LIMIT_BAR = 4
"""The columns of a limit's row for its mark and the gaps."""
BESIDE_POINTS_BAR = 16
"""The columns of a row of ``make_up`` for its indent, its gaps and its points."""


class LimitMark(NamedTuple):
    """How a limit is marked."""

    sign: str
    style: str


MARKS: dict[LimitState, LimitMark] = {
    "met": LimitMark(" ", GOOD),
    "waived": LimitMark("~", "$secondary"),
    "to_do": LimitMark("…", TO_DO),
    "broken": LimitMark("!", BAD),
}


@dataclass(frozen=True)
class ArmyStatus:
    """An army as it is now, in parts that are ``width`` columns wide."""

    host: Host
    army: Army
    group_index: int | None
    """The index of the group in view; None: the whole army."""
    breaches: Sequence[LimitGauge]
    """The first to repair first; those that are waived come last."""
    offers: Sequence[PieceOffer]
    """The pieces of the army, or of the group, with their counts."""
    owned: Mapping[str, int]
    """The player's own figures, by the ids of the pieces; empty if none are entered."""
    width: int

    # ------------------------------------------------------------------ terms and sums

    def terms(self) -> Content:
        """Points, nation and quality on the left, the verdict on the army on the right."""
        army = self.army
        points = f"{army.army_list.points} points"
        if army.budget != army.army_list.points:  # the quality of the troops adds some
            points += f" + {army.budget - army.army_list.points}"
        nation = "no nation"
        if army.nation:
            nation = army.nation.name
        quality = "no quality"
        if army.quality:
            quality = army.quality.name
        left = Content.assemble(
            self._key_hint("points", "T"),
            f"{points}   ",
            self._key_hint("nation", "N"),
            f"{nation}   ",
            self._key_hint("quality", "L"),
            quality,
        )
        right = self._verdict()
        gap = max(2, self.width - left.cell_length - right.cell_length)
        return Content.assemble(left, " " * gap, right)

    def _verdict(self) -> Content:
        state, text = verdict(self.army)
        if state == "broken":
            text = f"NOT LEGAL: {text}"
        else:
            text = text.upper()
        return Content.styled(text, MARKS[state].style)

    def sums(self) -> Content:
        """Points, strength, free men, and what figures are missing."""
        army = self.army
        parts: TextParts = [(f"{army.spent}/{army.budget} spent, ", STRONG)]
        points_left = army.budget - army.spent
        if points_left >= 0:
            parts.append((f"{points_left} left", STRONG))
        else:
            parts.append((f"{-points_left} over", BAD))
        parts.append(f"\nStrength {army.strength}")
        if army.strength:
            parts.append(f", break point {army.break_at}")
        # Russians get a rifleman free for every five that they buy.
        for unit, free in army.free.items():
            paid = army.army_list.count(unit)
            parts.append(f"\n{paid} paid + {free} free = {paid + free} men")
        if self.owned:
            lacking = sum(missing(figures(army), self.owned).values())
            parts += ["\n", self._key_hint("figures", "O")]
            if lacking:
                parts.append(f"{lacking} figures short")
            else:
                parts.append("you own every figure")
        return Content.assemble(*parts)

    # ------------------------------------------------------------------ limits

    def limits(self) -> Content:
        """A row for each limit: its name, a bar, and how much of what is allowed is used."""
        limits = gauges(self.army)
        names = []
        amounts = []
        for gauge in limits:
            name = gauge.label
            if gauge.limit.is_least:
                name += ", least"
            names.append(name)
            amounts.append(f"{whole_or_half(gauge.have)}/{whole_or_half(gauge.allowed)}")
        name_width = max(map(cell_len, names), default=0)
        amount_width = max(map(len, amounts), default=0)
        left_for_bar = self.width - name_width - amount_width - BESIDE_LIMIT_BAR
        bar_width = max(0, min(FULL_BAR, left_for_bar))
        rows = [Content.styled("LIMITS", HEAD)]
        for gauge, name, amount in zip(limits, names, amounts, strict=True):
            mark = MARKS[gauge.state]
            name_style = mark.style
            if gauge.is_met:
                name_style = ""
            bar = _gauge_bar(gauge, bar_width)
            row = Content.assemble(
                (f"{mark.sign} ", mark.style),
                (padded(name, name_width), name_style),
                (f" {bar.filled}", mark.style),
                (bar.empty, DIM),
                f" {amount:>{amount_width}}",
            )
            rows.append(row)
        return Content("\n").join(rows)

    def breach_lines(self) -> Iterator[Content]:
        """The limits that are broken, the first to repair first; then those that are waived."""
        broken = not_waived(list(self.breaches))
        for breach in broken:
            sentence = _breach_sentence(breach)
            if breach is broken[0]:
                sentence = Content("\n").join([sentence, *self._remedy_rows(breach)])
            yield sentence
        if len(broken) > 1:
            yield Content.assemble(self._key_hint("next-breach", "B"), "Next breach")
        for breach in self.breaches:
            if breach.is_waived:
                reason = ""
                if breach.override:
                    reason = f" ({plain(breach.override)})"
                yield Content.assemble(("WAIVED  ", STRONG), breach.message, reason)

    def _remedy_rows(self, breach: LimitGauge) -> list[Content]:
        """The key that repairs a breach, with what it changes."""
        key = self._key_hint("repair", "R")
        remedy = repair_words(breach.repair, self.army)
        if not remedy:  # no change of the pieces helps
            key, remedy = self._key_hint("points", "T"), "change the points"
        sentence = f"{capital(remedy)}."
        return hanging(Content.assemble(key, sentence), self.width, indent=2)

    # ------------------------------------------------------------------ groups

    def group_lines(self) -> Content:
        """The groups with their men below the keys for groups; empty in an army without any."""
        if not self.army.army_list.groups:
            return Content()
        rows = self._group_head()
        for index, group in enumerate(self.army.army_list.divided):
            rows += self._group_rows(group, in_view=index == self.group_index)
        return Content("\n").join(rows)

    def _group_head(self) -> list[Content]:
        """The heading with the keys for groups, in one row if they fit."""
        head = Content.styled("GROUPS", HEAD)
        keys = Content.assemble(
            self._key_hint("groups", "G"),
            "next  ",
            self._key_hint("new-group", "A"),
            "new  ",
            self._key_hint("dissolve", "delete"),
            "dissolve",
        )
        in_one_row = Content("  ").join([head, keys])
        if in_one_row.cell_length <= self.width:
            return [in_one_row]
        return [head, *hanging(keys, self.width, indent=2)]

    def _group_rows(self, group: ArmyGroup, *, in_view: bool) -> list[Content]:
        members = []
        for unit, count in group.units.items():
            if count:
                members.append(f"{count} {self.army.catalog.units[unit].short}")
        mark, style = " ", STRONG
        if in_view:
            mark, style = "►", KEY
        name = (f"{mark} {plain(group.name)}: ", style)
        words = ", ".join(members) or "nobody"
        return hanging(Content.assemble(name, words), self.width, indent=4)

    # ------------------------------------------------------------------ what the points buy

    def make_up(self) -> Content:
        """What the points are spent on, the most first, and what each weapon kills; empty where
        nothing is bought, and where there are too few columns."""
        bought = [offer for offer in self.offers if offer.count]
        if not bought:
            return Content()
        bought.sort(key=self._points_of, reverse=True)
        names = [offer.piece.named(offer.count + offer.free) for offer in bought]
        name_width = max(map(cell_len, names))
        if self.width < name_width + FULL_BAR + BESIDE_POINTS_BAR:
            return Content()
        most_points = self._points_of(bought[0])
        weapons = ArmyWeapons(self.host, self.army)
        rows = [Content.styled("WHAT THE POINTS BUY", HEAD)]
        for offer, name in zip(bought, names, strict=True):
            points = self._points_of(offer)
            bar = _points_bar(points, most_points)
            row = Content.assemble(
                f"  {padded(name, name_width)} ", (bar, DIM), f" {points:>4} points"
            )
            rows.append(row)
            kills = weapons.effects_in_words(offer.piece)
            if kills:
                rows += hanging(Content.styled(f"    {kills}", DIM), self.width, indent=4)
        return Content("\n").join(rows)

    def _points_of(self, offer: PieceOffer) -> int:
        """What the pieces of a row cost."""
        return offer.count * self.army.price(offer.piece.id)

    def _key_hint(self, name: str, default: str) -> tuple[str, str]:
        """The key of an action of the builder in its style, to stand before what it does."""
        return f"{self.host.key(f'army.{name}', default)} ", KEY


def _breach_sentence(breach: LimitGauge) -> Content:
    head = ("BROKEN  ", BAD)
    if breach.state == "to_do":
        head = ("STILL TO DO  ", TO_DO)
    return Content.assemble(head, breach.message)


class GaugeBar(NamedTuple):
    """The two parts of a bar."""

    filled: str
    empty: str


def _gauge_bar(gauge: LimitGauge, width: int) -> GaugeBar:
    """How much of a limit is used, in halves of a column. The bar is never full below the limit."""
    if gauge.allowed:
        share = gauge.have / gauge.allowed
    elif gauge.have > 0:  # where none is allowed, any is too many
        share = Fraction(1)
    else:
        share = Fraction(0)
    all_halves = width * 2
    halves = min(all_halves, ceil(share * all_halves))
    # The share was rounded up, which may have filled the bar too early.
    looks_full = width > 0 and halves == all_halves
    if looks_full and share < 1:
        halves -= 1
    full_columns, half_columns = divmod(halves, 2)
    filled = FULL * full_columns + HALF * half_columns
    return GaugeBar(filled, EMPTY * (width - len(filled)))


def _points_bar(points: int, most_points: int) -> str:
    """A bar that is full for ``most_points``."""
    divisor = max(most_points, 1)  # pieces that cost nothing may be all there are
    full_columns = points * FULL_BAR // divisor
    return FULL * full_columns + EMPTY * (FULL_BAR - full_columns)
