"""Two armies side by side: strength, points and every line, with the differences between them."""

from __future__ import annotations

from typing import ClassVar

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.events import Resize
from textual.widgets import Static

from skirmish.app.armies.session import owned_figures
from skirmish.app.armies.view import DIM, SHELF_TITLES, fitted, state_style, state_words
from skirmish.app.binding import keys
from skirmish.app.foot import Foot
from skirmish.app.host import Screen
from skirmish.games.plastic.rules.advice import tally
from skirmish.games.plastic.rules.army import Army
from skirmish.games.plastic.rules.comparing import Category, Share, side_by_side, totals
from skirmish.games.plastic.rules.figures import figures, missing, named, together

CATEGORIES: tuple[Category, ...] = ("guys", "unarmored", "armored", "works")
LABEL = 18
MIDDLE = 10
WIDEST = 110
"""Columns beyond which two sides stand too far apart to be compared."""


class ArmyCompareScreen(Screen[None]):
    """One army on the left, the other on the right; between them who has more, and how many."""

    CSS_PATH = "army_compare.tcss"
    TOPIC: ClassVar[str] = "compare"
    EXTRA = "The comparison is"
    HELP = (
        "◂ 4: the left army has 4 more. 4 ▸: the right army has 4 more. Counts include free men; "
        "points are those paid. The arrows scroll."
    )
    BINDINGS: ClassVar[list[BindingType]] = keys(
        "compare",
        ("differences", "d", "differences", "Differences",
         "Show only the differences, or everything"),
        ("swap", "x", "swap", "Swap", "Swap left and right"),
        ("print", "p", "print", "Print", "Print both rosters"),
        ("back", "escape", "dismiss", "Armies", "Back to the armies"),
    )  # fmt: skip

    def __init__(self, one: Army, other: Army) -> None:
        super().__init__()
        self._armies = (one, other)
        self._differences = False
        self._owned: dict[str, int] = {}

    def compose(self) -> ComposeResult:
        """The names stay in sight, the rest scrolls."""
        yield Static("SIDE BY SIDE", id="compare-title", classes="title", markup=False)
        yield Static(id="compare-names", markup=False)
        with VerticalScroll(id="compare-scroll"):
            yield Static(id="compare", markup=False)
        yield Foot()

    def on_mount(self) -> None:
        """Both armies at once; what is owned comes behind."""
        self.query_one("#compare-scroll").focus()
        self.call_after_refresh(self._show)
        self.run_worker(self._look())

    def on_resize(self, event: Resize) -> None:
        """The columns follow the width."""
        self.call_after_refresh(self._show)

    def action_differences(self) -> None:
        """Only what differs, or everything."""
        self._differences = not self._differences
        self._show()

    def action_swap(self) -> None:
        """Change the two places."""
        self._armies = (self._armies[1], self._armies[0])
        self._show()

    def action_print(self) -> None:
        """Both rosters."""
        self.run_worker(self._print())

    async def _print(self) -> None:
        from skirmish.app.printing import print_roster

        for army in self._armies:
            await print_roster(self.skirmish, army)

    async def _look(self) -> None:
        """What is owned; without it one line is not there."""
        self._owned = await owned_figures(self.skirmish.stored)
        self._show()

    def _show(self) -> None:
        width = min(self.query_one("#compare-names").content_size.width - 1, WIDEST)
        one, other = self._armies
        names = Sheet(width).row("", *(army.listed.name for army in self._armies), style="bold")
        self.query_one("#compare-names", Static).update(names)
        rows = sheet(one, other, width, self._differences)
        if self._differences and one.fielded() == other.fielded():
            rows += [Content(), Content("Both armies have the same figures.")]
        if any(self._owned.values()):
            rows += [Content(), self._box()]
        self.query_one("#compare", Static).update(Content("\n").join(rows))

    def _box(self) -> Content:
        """Whether one box of figures is enough for both."""
        one, other = self._armies
        short = missing(together([figures(one), figures(other)]), self._owned)
        if not short:
            return Content("You own enough figures for both armies at once.")
        return Content(f"For both armies at once you still need {named(short, one.catalog)}.")


class Sheet:
    """Rows of four columns: what, the left army's, who has more, the right army's."""

    def __init__(self, width: int) -> None:
        self.side = (width - LABEL - MIDDLE) // 2

    def row(
        self, what: str, left: str, right: str, *, by: int | None = None, style: str = ""
    ) -> Content:
        """A row; ``by`` is how many more the left one has, None where nothing is counted."""
        middle = "" if by is None else "=" if not by else f"◂ {by}" if by > 0 else f"{-by} ▸"
        return Content.assemble(
            (fitted(what, LABEL), style),
            (_right(left, self.side), style),
            (f"{middle:^{MIDDLE}}", "$accent bold" if by else DIM),
            (fitted(right, self.side), style),
        )


def sheet(one: Army, other: Army, width: int, only_differences: bool) -> list[Content]:
    """Everything that is compared, row by row."""
    rows = _terms(one, other, Sheet(width))
    lines = side_by_side(one, other)
    for category in CATEGORIES:
        mine = [line for line in lines if line.category == category]
        shown = [line for line in mine if not (only_differences and line.alike)]
        if not shown:
            continue
        left, right = totals(lines, category)
        rows.append(Content())
        title = SHELF_TITLES[category]
        by = left.count - right.count
        rows.append(
            Sheet(width).row(title, _share(left), _share(right), by=by, style="$primary bold")
        )
        rows += [
            Sheet(width).row(
                f"  {line.name}",
                _share(line.one),
                _share(line.other),
                by=line.one.count - line.other.count,
            )
            for line in shown
        ]
    return rows


def _terms(one: Army, other: Army, page: Sheet) -> list[Content]:
    def words(army: Army) -> str:
        nation = army.nation.name if army.nation else "no nation"
        return f"{nation}, {army.quality.name.lower()}" if army.quality else nation

    def figure(what: str, left: int, right: int) -> Content:
        return page.row(what, str(left), str(right), by=left - right)

    counted = [tally(army) for army in (one, other)]
    legal = Content.assemble(
        page.row("Limits", *(state_words(count) for count in counted)),
    )
    for count, at in zip(counted, (LABEL, None), strict=True):
        words_of = fitted(state_words(count), page.side).rstrip()
        start = legal.plain.index(words_of) if at else legal.plain.rindex(words_of)
        legal = legal.stylize(state_style(count), start, start + len(words_of))
    return [
        page.row("", words(one), words(other), style=DIM),
        figure("Points to spend", one.budget, other.budget),
        figure("Spent", one.spent, other.spent),
        figure("Strength (PDG)", one.pdg, other.pdg),
        figure("Break point", one.break_at, other.break_at),
        legal,
    ]


def _share(share: Share) -> str:
    return f"{share.count} for {share.points} pts" if share.count else "·"


def _right(text: str, width: int) -> str:
    shown = fitted(text, width).rstrip()
    return " " * (width - cell_len(shown)) + shown
