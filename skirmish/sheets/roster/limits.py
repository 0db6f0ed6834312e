"""The purchase limits of an army on its roster: above its units those that are broken or waived,
below them how far it uses each."""

from __future__ import annotations

from collections.abc import Sequence

from skirmish.games.plastic.rules.army import Army
from skirmish.games.plastic.rules.breaches import repair_words
from skirmish.games.plastic.rules.limits import LimitGauge, gauges, whole_or_half
from skirmish.sheets import inks
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.blocks import Head, LimitBar, listing
from skirmish.sheets.layout.flow import (
    Flowable,
    Gap,
    Panel,
    Stack,
)
from skirmish.sheets.layout.tables import Cells, SheetColumn, printed_table
from skirmish.sheets.layout.text import paragraph
from skirmish.sheets.paper import GAP

_COLUMNS = (
    SheetColumn("", 0, styles.UNIT),  # the limit, as wide as the others leave room for
    SheetColumn("", 19, styles.NOTE),  # its bar
    SheetColumn("", 26, styles.COUNT),  # what is used of it
    SheetColumn("", 18, styles.NOTE),  # what it measures
)


def breach_blocks(army: Army, exceeded: Sequence[LimitGauge]) -> list[Flowable]:
    """The limits that are broken, with the smallest repair, and those that are waived. ``exceeded``
    are both together."""
    blocks: list[Flowable] = []
    broken = _broken(army, exceeded)
    if broken:
        aside = f"{len(broken)} limits broken"
        if len(broken) == 1:
            aside = "1 limit broken"
        lines: list[Flowable] = [paragraph(broken[0])]
        for text in broken[1:]:
            lines += [Gap(1.2), paragraph(text)]
        blocks += [Head("Not legal", aside, inks.ACCENT), Panel(Stack(lines)), Gap(GAP)]
    waived = _waived(army, exceeded)
    if waived:
        blocks += [*listing("Limits waived on purpose", waived, "agreed at this table"), Gap(GAP)]
    return blocks


def _broken(army: Army, exceeded: Sequence[LimitGauge]) -> list[str]:
    """What is said of each limit that is broken and not waived, with its smallest repair."""
    texts = []
    for breach in exceeded:
        if breach.is_waived:
            continue
        text = breach.message
        repair = repair_words(breach.repair, army)
        if repair:
            text += f" Smallest repair: {repair}."
        texts.append(text)
    return texts


def _waived(army: Army, exceeded: Sequence[LimitGauge]) -> list[tuple[str, str]]:
    """The titles of the limits that are waived, each with what the army does and the reason."""
    titles = {limit.id: limit.title for limit in army.catalog.limits}
    waived = []
    for limit_id, reason in army.army_list.overrides.items():
        messages = [breach.message for breach in exceeded if breach.limit.id == limit_id]
        fact = "The army keeps within this limit anyway."
        if messages:
            fact = " ".join(messages)
        waived.append((titles[limit_id], f"{fact} Reason: {reason or 'none given'}"))
    return waived


def limits_block(army: Army, width: float) -> list[Flowable]:
    """Each purchase limit with a bar, what is used, and what is allowed."""
    rows: list[Cells] = []
    for gauge in gauges(army):
        is_least = gauge.limit.is_least
        allowed = whole_or_half(gauge.allowed)
        if is_least:  # a limit that an army has to reach
            allowed = f"at least {allowed}"
        bar = LimitBar(_share(gauge), within=gauge.is_met, least=is_least)
        used = f"{whole_or_half(gauge.have)} / {allowed}"
        rows.append([gauge.label, Stack([Gap(0.6), bar]), used, _measure(gauge)])
    table = printed_table(width, _COLUMNS, rows, air=0.4, tinted=False, pad=0)
    return [Head("Limits", "used / allowed"), table]


def _measure(gauge: LimitGauge) -> Flowable:
    """What a limit measures, points or pieces, and whether it is broken or waived."""
    measure = "pieces"
    if gauge.limit.measure == "points":
        measure = "points"
    if gauge.is_met:
        return paragraph(measure, styles.NOTE)
    if gauge.is_waived:
        return paragraph(f"{measure} waived", styles.NOTE)
    return paragraph(f"{measure} broken", styles.NOTE._replace(ink=inks.ACCENT))


def _share(gauge: LimitGauge) -> float:
    """What is used, as a share of what is allowed; where nothing is allowed, anything is all of
    it."""
    if gauge.allowed:
        return float(gauge.have / gauge.allowed)
    if gauge.have:
        return 1.0
    return 0.0
