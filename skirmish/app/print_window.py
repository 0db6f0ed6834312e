"""The window that asks what to print, and changes how sheets look."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import ClassVar

from msgspec.structs import replace
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import OptionList, Static

from skirmish.app.asking import ChoiceScreen
from skirmish.app.binding import keys
from skirmish.app.settings.screen import LINES as SETTING_LINES
from skirmish.app.text_styles import KEY

LOOK_KEYS = (
    ("paper", "p", "turn('paper')", "", "A4 or Letter"),
    ("ink", "i", "turn('ink')", "", "Full colour, or ink saver"),
    ("boxes", "f", "boxes", "", "Boxes to tick on paper or on screen"),
)
"""The keys that change how sheets look: id, key, action, label at the foot, words of the help."""


class PrintScreen(ChoiceScreen):
    """Choose a sheet; returns its id like ``ChoiceScreen``. Paper and ink are settings, which its
    keys change for good; where boxes are ticked is chosen for one print."""

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
    BINDINGS: ClassVar[list[BindingType]] = keys("print", *LOOK_KEYS)

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
        """Whether the boxes of the sheet are ticked on the screen, in a PDF viewer."""
        self._boxed = boxed
        """The ids of the sheets that can have such boxes."""

    def closing(self) -> ComposeResult:
        yield Static("", id="print-look", markup=False)
        yield Static("Enter prints, Esc cancels.", classes="quiet", markup=False)

    def on_mount(self) -> None:
        self._paint()

    def on_option_list_option_highlighted(self) -> None:
        self._paint()
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "boxes" and not self._has_boxes():
            return None  # Textual shows the key in grey; False would hide it
        return True

    async def action_turn(self, name: str) -> None:
        """Give a setting its next value, for good."""
        settings = self.skirmish.settings
        value = SETTING_LINES[name].turned(getattr(settings, name), 1)
        await self.skirmish.change_settings(replace(settings, **{name: value}))
        self._paint()

    def action_boxes(self) -> None:
        self.form = not self.form
        self._paint()

    def _has_boxes(self) -> bool:
        """Whether the selected sheet can have boxes to tick on the screen."""
        option = self.query_one(OptionList).highlighted_option
        return option is not None and option.id in self._boxed

    def _paint(self) -> None:
        """Show below the list how sheets look now."""
        looks = []
        for name, default_key, action, _label, _help in LOOK_KEYS:
            looks.append(self._look(name, default_key, action))
        text = Content("\n").join([Content(""), Content("   ").join(looks)])
        self.query_one("#print-look", Static).update(text)

    def _look(self, name: str, default_key: str, action: str) -> Content:
        """How sheets look now in one respect, with the key that changes it."""
        key = f" {self.skirmish.key(f'print.{name}', default_key)} "
        if name == "boxes" and not self._has_boxes():
            return Content.styled(f"{key}No tick boxes", "$foreground 60%")
        look = Content.assemble((key, KEY), self._look_words(name))
        return look.stylize(f"@click=screen.{action}")

    def _look_words(self, name: str) -> str:
        if name == "boxes":
            if self.form:
                return "Tick boxes: in the PDF"
            return "Tick boxes: on paper"
        setting = SETTING_LINES[name]
        return f"{setting.label}: {setting.shown(getattr(self.skirmish.settings, name))}"
