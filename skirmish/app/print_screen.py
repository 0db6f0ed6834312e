"""The window that asks what to print, and shows on which paper, with which ink and boxes.

Paper and ink are settings: what is changed here is kept. Boxes to tick on the screen
are for this print only.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import ClassVar

from msgspec.structs import replace
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import OptionList, Static

from skirmish.app.settings.lines import LINES, SettingLine
from skirmish.app.windows import ChoiceScreen

PAPER, INK = LINES["paper"], LINES["ink"]


class PrintScreen(ChoiceScreen):
    """Which sheet; gives its id as ``ChoiceScreen`` does. ``form`` says whether its boxes are to be
    ticked on the screen; ``boxed`` are the ids of the sheets that can have such boxes."""

    TOPIC: ClassVar[str] = "print"
    DEFAULT_CSS = """
    PrintScreen #window-text {
        max-height: 3;
    }
    PrintScreen OptionList {
        max-height: 10;
    }
    PrintScreen.-high OptionList {
        max-height: 19;
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("p", "paper", "Paper", show=False, tooltip="A4 or Letter", id="print.paper"),
        Binding("i", "ink", "Ink", show=False, tooltip="Full colour, or ink saver", id="print.ink"),
        Binding("f", "boxes", "Boxes", show=False, tooltip="Boxes to tick on paper or on screen",
                id="print.boxes"),
    ]  # fmt: skip

    def __init__(
        self,
        title: str,
        text: str,
        choices: Sequence[tuple[str, str]],
        *,
        boxed: Collection[str] = (),
        form: bool = False,
    ) -> None:
        super().__init__(title, text, choices)
        self.form = form
        self._boxed = boxed

    def closing(self) -> ComposeResult:
        """How it will be printed, and the way out."""
        yield Static("", id="print-look", markup=False)
        yield Static("Enter prints, Esc cancels.", classes="quiet", markup=False)

    def on_mount(self) -> None:
        """Say how it will be printed."""
        self._paint()

    def on_option_list_option_highlighted(self) -> None:
        """Another sheet may have no boxes."""
        self._paint()
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Boxes: where the sheet has some."""
        return None if action == "boxes" and not self._has_boxes() else True

    async def action_paper(self) -> None:
        """The other paper."""
        await self._turn(PAPER)

    async def action_ink(self) -> None:
        """The other way of using ink."""
        await self._turn(INK)

    async def _turn(self, line: SettingLine) -> None:
        settings = self.skirmish.settings
        value = line.turned(settings, 1)
        await self.skirmish.change_settings(replace(settings, **{line.name: value}))
        self._paint()

    def action_boxes(self) -> None:
        """Boxes for a pencil, or for a PDF reader."""
        self.form = not self.form
        self._paint()

    def _has_boxes(self) -> bool:
        listed = self.query_one(OptionList)
        if listed.highlighted is None:
            return False
        return listed.get_option_at_index(listed.highlighted).id in self._boxed

    def _paint(self) -> None:
        settings = self.skirmish.settings
        boxes = "in the PDF" if self.form else "on paper"
        parts = [
            ("paper", "p", f"Paper: {PAPER.words(settings)}", True),
            ("ink", "i", f"Ink: {INK.words(settings)}", True),
            ("boxes", "f", f"Tick boxes: {boxes}", True)
            if self._has_boxes()
            else ("boxes", "f", "No tick boxes", False),
        ]
        self.query_one("#print-look", Static).update(
            Content("\n").join(
                [Content(""), Content("   ").join(self._part(*part) for part in parts)]
            )
        )

    def _part(self, verb: str, key: str, words: str, now: bool) -> Content:
        """One of the three, with its key as it is mapped; it can be clicked."""
        shown = self.skirmish.key(f"print.{verb}", key)
        said = Content.assemble((f" {shown} ", "$accent bold" if now else ""), words)
        return said.stylize(f"@click=screen.{verb}") if now else said.stylize("$foreground 60%")
