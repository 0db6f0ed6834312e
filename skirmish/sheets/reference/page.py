"""The quick reference: two sides of one sheet.

What it says in sentences stands in ``data/plastic/quick_reference.md``, written like the reference
of the program but shorter; every number in them and in the tables comes from the catalog."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from skirmish import resources
from skirmish.games.plastic.reference import Rule
from skirmish.games.plastic.reference_reading import read_reference
from skirmish.games.plastic.rules.catalog import DIE, Catalog
from skirmish.games.plastic.rules.rulings import RulingBook
from skirmish.sheets.layout.blocks import Head, TitleBand
from skirmish.sheets.layout.flowables import Canvas, Drawing, Flowable, Gap, NewPage, Stack, depth
from skirmish.sheets.layout.fonts import BODY, LABEL, TITLE
from skirmish.sheets.layout.pages import Part, Title, bound
from skirmish.sheets.layout.tables import LEAST_GAP, beside, spread
from skirmish.sheets.layout.text import SMALL, Style, line_width, paragraph, write
from skirmish.sheets.paper import (
    ACCENT,
    BAND,
    BLACK,
    GUTTER,
    MM,
    NORMAL,
    WHITE,
    InkUse,
    Paper,
    leaf,
)
from skirmish.sheets.reference.tables import Tables, legend

GAME = "WWII Plastic Skirmish"
FRONT, BACK = "Turn and fire", "Checks, movement, armies"
WORDS = "plastic/quick_reference.md"
UNITS = 0.4
"""The share of the back that the list of units takes."""
_SAYS = Style(BODY, 8.8, 10.4)
_NUMBER = Style(TITLE, 20, 20)
_TITLE = Style(LABEL, 11, 11)
_WHO = Style(LABEL, 7, 7)


def reference_pdf(
    catalog: Catalog,
    book: RulingBook,
    *,
    paper: Paper = "a4",
    revision: str = "",
    use: InkUse = "colour",
) -> bytes:
    """Turn, fire and modifiers on the front; checks, units, movement and armies on the back.

    The numbers are those of ``catalog`` under the usual rulings; ``revision`` names their state in
    the footer. Raises ValueError for another paper than A4 or Letter.
    """
    page = leaf(paper)
    story: list[Flowable] = []
    said = dict(read_reference(resources.page(WORDS), catalog, book, WORDS).chapters())
    tall = page.depth - LEAST_GAP
    for name in ("front", "back"):
        for ease in EASES:
            side = _Sides(catalog, book, said, page.measure, ease)
            blocks = side.front() if name == "front" else side.back()
            if depth(blocks, page.measure) + LEAST_GAP * (len(blocks) - 1) <= tall:
                break
        story += [NewPage(BACK)] if story else []
        story += spread(blocks, page.measure, tall)
    part = Part(page, story, FRONT, "Quick reference", GAME, revision=revision)
    title = Title(f"{GAME}: quick reference", "Skirmish", "Turn, fire, checks, units and armies")
    return bound([part], title, use)


class Ease(NamedTuple):
    """The size of the sentences, and the points above and below every line of a table."""

    size: float
    air: float


EASES = tuple(
    Ease(size, air)
    for size, air in ((9.6, 1.2), (9.6, 0.8), (9.2, 0.6), (9.2, 0.3), (8.8, 0.2), (8.6, 0.0))
)
"""As much as the paper has room for, best first."""


class _Sides:
    def __init__(
        self,
        catalog: Catalog,
        book: RulingBook,
        said: dict[str, list[Rule]],
        width: float,
        ease: Ease,
    ) -> None:
        self.catalog, self.said, self.width = catalog, said, width
        self.tables = Tables(catalog, book.answered({}), ease.air)
        self.style = Style(BODY, ease.size, round(ease.size * 1.18, 2))

    def front(self) -> list[Flowable]:
        width, tables = self.width, self.tables
        fire = self.said["Fire"]
        return [
            _band("1", FRONT),
            _headed("The turn", "four phases, then the other side", self._turn()),
            _headed(
                "Firing table",
                "what each weapon needs",
                Stack([tables.firing(width), Gap(2), paragraph(legend(self.catalog), SMALL)]),
            ),
            _headed(
                "Modifiers",
                "what changes the draw",
                tables.modifiers(self.said["Modifiers"], width),
            ),
            _headed("Chances", "of a single draw", tables.chances(width)),
            beside(
                [self._block("Before the draw", "who, when, at whom", fire[:4])],
                [self._block("After it", "hits and breakdown", fire[4:])],
                width,
            ),
        ]

    def back(self) -> list[Flowable]:
        width, tables = self.width, self.tables
        left = (width - GUTTER) * UNITS
        right = width - GUTTER - left
        guys, *others = [tables.unit_list(left, kind) for kind in ("guy", "unarmored", "armored")]
        return [
            _band("2", BACK),
            _headed(
                "Checks",
                f"cards or d{DIE}; pinning, force quality and digging are optional",
                tables.checks(width),
            ),
            beside(
                [
                    _headed("Units", "letter, points, move, seats", guys),
                    *others,
                    tables.works(left),
                    self._block("Winning", "the basic game", self.said["Winning"]),
                ],
                [
                    self._block("Movement", "", self.said["Movement"]),
                    _headed("Nationalities", "optional", tables.nations(right)),
                    _headed("Buying an army", "the basic game", tables.limits(right)),
                    self._block("Setting up", "", self.said["Setting up"]),
                ],
                width,
                UNITS,
            ),
        ]

    def _turn(self) -> Flowable:
        phases = [
            Phase("Mover" if number % 2 == 0 else "Enemy", one.title, one.text[0], number % 2 == 0)
            for number, one in enumerate(self.said["The turn"])
        ]
        return Turn(phases)

    def _block(self, title: str, aside: str, paragraphs: Sequence[Rule]) -> Flowable:
        lines: list[Flowable] = [Head(title, aside)]
        for one in paragraphs:
            lines += [Gap(1.6), paragraph(" ".join(one.text), self.style, lead=f"{one.title}.")]
        return Stack(lines)


def _headed(title: str, aside: str, piece: Flowable) -> Flowable:
    return Stack([Head(title, aside), Gap(0.6 * MM), piece])


def _band(number: str, title: str) -> Flowable:
    return TitleBand(
        "Side",
        number,
        "Quick Reference",
        first=title,
        second=GAME,
        last="With the default rulings",
        least=TitleBand.FLAT,
    )


class Phase(NamedTuple):
    who: str
    title: str
    says: str
    mover: bool


class Turn(Drawing):
    HEAD = 8.4 * MM
    POINT = 2.6 * MM
    GAP = 0.4 * MM
    PAD = 1.8 * MM

    def __init__(self, phases: Sequence[Phase]) -> None:
        self.phases = tuple(phases)
        self.words = [paragraph(phase.says, _SAYS) for phase in phases]

    def height_at(self, width: float) -> float:
        room = self._room(self._wide(width))
        return self.HEAD + max(words.height_at(room) for words in self.words) + 2.6 * MM

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        wide, tall = self._wide(width), self.height_at(width)
        for index, words in enumerate(self.words):
            left = x + index * (wide + self.GAP)
            canvas.pen(BLACK, NORMAL)
            canvas.rect(left, top - tall, wide - self.POINT, tall - self.HEAD, fill=0)
            self._head(canvas, left, top, wide, index)
            words.paint(canvas, left + self.PAD, top - self.HEAD - 0.8 * MM, self._room(wide))

    def _head(self, canvas: Canvas, x: float, top: float, wide: float, index: int) -> None:
        phase = self.phases[index]
        low = top - self.HEAD
        path = canvas.beginPath()
        path.moveTo(x, top)
        path.lineTo(x + wide - self.POINT, top)
        path.lineTo(x + wide, top - self.HEAD / 2)
        path.lineTo(x + wide - self.POINT, low)
        path.lineTo(x, low)
        path.close()
        solid = phase.mover and not canvas.sparing
        canvas.pen(BLACK, 1.4 if phase.mover else NORMAL, BAND if solid else WHITE)
        canvas.drawPath(path, fill=1, stroke=1)
        ink = WHITE if solid else BLACK
        write(canvas, x + self.PAD, low + 2.1 * MM, str(index + 1), _NUMBER._replace(ink=ink))
        after = x + self.PAD + line_width("4", _NUMBER) + 2 * MM
        who = _WHO._replace(ink=ink if solid else ACCENT)
        write(canvas, after, top - 3.2 * MM, phase.who.upper(), who, track=0.6)
        write(canvas, after, low + 1.5 * MM, phase.title, _TITLE._replace(ink=ink))

    def _room(self, wide: float) -> float:
        return wide - self.POINT - 2 * self.PAD

    def _wide(self, width: float) -> float:
        return (width - self.GAP * (len(self.phases) - 1)) / len(self.phases)
