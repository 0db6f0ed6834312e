"""How an army stands: broken limits, every limit as a gauge, and the track of its losses."""

from __future__ import annotations

from skirmish.games.plastic.rules.army import Army
from skirmish.games.plastic.rules.breaches import Breach, mend, whole_or_half
from skirmish.games.plastic.rules.gauges import Gauge, gauges
from skirmish.sheets.ink import ACCENT
from skirmish.sheets.marks import Boxes, Head, box_width
from skirmish.sheets.marks import Gauge as Bar
from skirmish.sheets.paper import GAP, MM
from skirmish.sheets.piece import Cell, Gap, Panel, Piece, Row, Stack
from skirmish.sheets.words import COUNT, NOTE, SMALL, TEXT, UNIT, Words

MOST_BOXES = 1000
"""A longer loss track has boxes that stand for several losses each."""


def breach_blocks(army: Army, found: list[Breach]) -> list[Piece]:
    """What makes the army illegal, and what the table lets pass."""
    broken = [breach for breach in found if breach.override is None]
    blocks: list[Piece] = []
    if broken:
        lines: list[Piece] = []
        for breach in broken:
            lines += [_broken(breach, army), Gap(1.2)]
        count = f"{len(broken)} limit{'s' if len(broken) > 1 else ''} broken"
        head = Head("Not legal", count, ACCENT)
        blocks += [head, Panel(Stack(lines[:-1])), Gap(GAP)]
    if army.listed.overrides:
        blocks += [Head("Limits waived on purpose", "agreed at this table"), Gap(1 * MM)]
        titles = {limit.id: limit.title for limit in army.catalog.limits}
        for limit, reason in army.listed.overrides.items():
            said = [breach.message for breach in found if breach.limit == limit]
            fact = " ".join(said) or "The army keeps within this limit anyway."
            blocks.append(
                Words(f"{fact} Reason: {reason or 'none given'}", TEXT, lead=f"{titles[limit]}.")
            )
            blocks.append(Gap(1.4))
        blocks.append(Gap(GAP - 1.4))
    return blocks


def _broken(breach: Breach, army: Army) -> Piece:
    repair = mend(breach.repair, army)
    remedy = f" Smallest repair: {repair}." if repair else ""
    return Words(breach.message + remedy)


def limits_block(army: Army, width: float) -> list[Piece]:
    """Each limit that applies: its name, a gauge, used and allowed."""
    waived = army.listed.overrides
    rows: list[Piece] = [Head("Limits", "used / allowed")]
    for gauge in gauges(army):
        least = gauge.limit.is_least
        bound = f"{'at least ' if least else ''}{whole_or_half(gauge.allowed)}"
        allowed = f"{whole_or_half(gauge.have)} / {bound}"
        measure = "points" if gauge.limit.measure == "points" else "pieces"
        state = "" if gauge.kept else ("waived" if gauge.limit.id in waived else "broken")
        bar = Bar(_share(gauge), kept=gauge.kept, least=least)
        ink = ACCENT if state == "broken" else NOTE.ink
        note = NOTE._replace(ink=ink, leading=UNIT.leading)
        rows.append(
            Row(
                [
                    Cell(0, width - 65 * MM, Words(_called(gauge, army), UNIT)),
                    Cell(width - 63 * MM, 18 * MM, Stack([Gap(2.2), bar])),
                    Cell(width - 44 * MM, 25 * MM, Words(allowed, COUNT)),
                    Cell(width - 18 * MM, 18 * MM, Words(f"{measure} {state}".strip(), note)),
                ]
            )
        )
    return rows


def _called(gauge: Gauge, army: Army) -> str:
    if gauge.unit is None:
        return gauge.limit.title
    known = army.catalog.units.get(gauge.unit) or army.catalog.works[gauge.unit]
    return known.name if gauge.limit.of == "each_guy_type" else f"{gauge.limit.title}: {known.name}"


def _share(gauge: Gauge) -> float:
    if gauge.allowed:
        return float(gauge.have / gauge.allowed)
    return 1.0 if gauge.have else 0.0


def loss_track(army: Army) -> list[Piece]:
    """A box for each potential dead guy lost, up to the loss that beats the army."""
    if not army.pdg:
        return [
            Head("Loss track"),
            Gap(1 * MM),
            Words("The army is empty."),
        ]
    end = army.break_at
    step = next(step for step in _steps() if end <= step * MOST_BOXES)
    marks = [*range(step, end, step), end]
    labels = [
        str(mark) if index % 5 == 4 or mark == end else "" for index, mark in enumerate(marks)
    ]
    strength = army.catalog.strength
    says = (
        f"Tick {strength.guy} for a guy, {strength.model} for a model lost. "
        f"Beaten at {end} of {army.pdg}."
    )
    if step > 1:
        says += f" Each box is {step}."
    boxes = Boxes(labels, box_width(labels), last=ACCENT)
    return [
        Head("Loss track", f"beaten at {end}"),
        Gap(1 * MM),
        Words(says, SMALL),
        Gap(1.2),
        boxes,
    ]


def _steps() -> list[int]:
    return [face * 10**power for power in range(9) for face in (1, 5)]
