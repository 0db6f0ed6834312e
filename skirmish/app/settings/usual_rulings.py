"""Where the rules leave a gap: the answers that new armies and battles begin with."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from typing import ClassVar

from msgspec.structs import replace
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from skirmish import library
from skirmish.app.foot import Foot
from skirmish.app.host import Screen
from skirmish.app.reference.rulings import TOPICS
from skirmish.games.plastic.rules.rulings import Ruling

TITLE = 26
"""Columns of a ruling's number and title."""
AROUND = 5
"""Columns that the edges and the scroll bar take."""


class UsualRulings(Screen[None]):
    """Each gap with its answer; below, the question and all answers to the chosen one."""

    CSS_PATH = "settings.tcss"
    TOPIC: ClassVar[str] = "rulings"
    HELP = (
        "Each line is a gap in the rules, with the answer that new armies and battles start with. "
        "Enter or the right arrow takes the next answer where there are several. Existing armies "
        "and battles keep theirs, and each battle can still choose its own during set-up."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right", "turn(1)", "Next answer", tooltip="Take the next answer",
                id="rulings.next"),
        Binding("left", "turn(-1)", "Previous answer", show=False,
                tooltip="Take the previous answer", id="rulings.last"),
        Binding("d", "usual", "Reset", tooltip="Reset this ruling to its default answer",
                id="rulings.usual"),
        Binding("D", "all_usual", "Reset all", tooltip="Reset every ruling to its default answer",
                id="rulings.all_usual"),
        Binding("escape,q", "app.pop_screen", "Back", key_display="Esc",
                tooltip="Back; changes are saved", id="rulings.back"),
    ]  # fmt: skip

    @property
    def paragraph(self) -> str:
        """What the reference opens at: the ruling chosen."""
        chosen = self._chosen() if self.is_mounted else None
        return chosen.id if chosen else ""

    def compose(self) -> ComposeResult:
        """Title, lines, the chosen one in full."""
        yield Static("", classes="title", id="heading", markup=False)
        yield OptionList(id="usual", classes="lines", markup=False)
        with VerticalScroll(id="usual-about", can_focus=False):
            yield Static("", id="usual-told", markup=False)
        yield Foot()

    def on_mount(self) -> None:
        """Fill the list by topic."""
        listed = self.query_one("#usual", OptionList)
        order = list(TOPICS)
        rulings = sorted(
            library.rulings().rulings.values(), key=lambda ruling: order.index(ruling.topic)
        )
        for topic, group in groupby(rulings, key=lambda ruling: ruling.topic):
            gap = "\n" if listed.option_count else ""
            listed.add_option(Option(Content.styled(gap + TOPICS[topic], "bold $primary"),
                                     disabled=True))  # fmt: skip
            listed.add_options(Option(self._line(ruling), id=ruling.id) for ruling in group)
        listed.focus()
        listed.highlighted = 1
        self._say()

    def on_resize(self) -> None:
        """Lines are cut to the new width."""
        self._paint()

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Tell the chosen one."""
        self._say()
        self.query_one("#usual-about").scroll_home(animate=False)

    async def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """The next answer."""
        await self.action_turn(1)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only where there is something to choose or to take back."""
        chosen = self._chosen() if self.is_mounted else None
        mine = self.skirmish.settings.rulings
        match action:
            case "turn":
                return True if chosen is not None and len(chosen.answers) > 1 else None
            case "usual":
                return True if chosen is not None and chosen.id in mine else None
            case "all_usual":
                return True if mine else None
        return True

    async def action_turn(self, step: int) -> None:
        """Another answer."""
        ruling = self._chosen()
        if ruling is None:
            return
        if len(ruling.answers) == 1:
            self.notify("This ruling has only one answer.", markup=False)
            return
        answers = list(ruling.answers)
        answer = answers[(answers.index(self._answer(ruling)) + step) % len(answers)]
        await self._keep(ruling, answer)

    async def action_usual(self) -> None:
        """Our answer to the chosen one."""
        ruling = self._chosen()
        if ruling is not None:
            await self._keep(ruling, ruling.default)

    async def action_all_usual(self) -> None:
        """Our answer to all of them."""
        await self._kept({}, "All rulings are at their defaults.")

    async def _keep(self, ruling: Ruling, answer: str) -> None:
        mine = dict(self.skirmish.settings.rulings)
        mine.pop(ruling.id, None)
        if answer != ruling.default:
            mine[ruling.id] = answer
        await self._kept(mine, f"{ruling.title}: saved.")

    async def _kept(self, mine: Mapping[str, str], says: str) -> None:
        kept = await self.skirmish.change_settings(replace(self.skirmish.settings, rulings=mine))
        self._paint()
        if kept:
            self.app.clear_notifications()
            self.notify(says, timeout=2, markup=False)

    def _answer(self, ruling: Ruling) -> str:
        """The answer in force; a settings file may name one that there is not."""
        answer = self.skirmish.settings.rulings.get(ruling.id, ruling.default)
        return answer if answer in ruling.answers else ruling.default

    def _chosen(self) -> Ruling | None:
        listed = self.query_one("#usual", OptionList)
        if listed.highlighted is None:
            return None
        name = listed.get_option_at_index(listed.highlighted).id
        return library.rulings().rulings.get(name or "")

    def _paint(self) -> None:
        listed = self.query_one("#usual", OptionList)
        for option in listed.options:
            if option.id is not None:
                ruling = library.rulings().rulings[option.id]
                listed.replace_option_prompt(option.id, self._line(ruling))
        self._say()

    def _line(self, ruling: Ruling) -> Content:
        label = Content(f"  {ruling.id:<4}{ruling.title}").truncate(TITLE, ellipsis=True, pad=True)
        room = max(self.app.size.width - TITLE - AROUND - 6, 20)
        answer = self._answer(ruling)
        says = Content(self.skirmish.measured(ruling.answers[answer]))
        says = says.truncate(room, ellipsis=True)
        if len(ruling.answers) > 1:
            says = Content.assemble("‹ ", says, " ›")
        style = "" if answer == ruling.default else "bold $accent"
        return Content.assemble(label, "  ", says.stylize(style) if style else says)

    def _say(self) -> None:
        """The heading, and the chosen ruling with all of its answers."""
        changed = len(self.skirmish.settings.rulings)
        says = f"{changed} changed" if changed else "all at their defaults"
        self.query_one("#heading", Static).update(f"RULINGS   ← → change an answer   {says}")
        ruling = self._chosen()
        if ruling is not None:
            self.query_one("#usual-told", Static).update(self._told(ruling))
        self.refresh_bindings()

    def _told(self, ruling: Ruling) -> Content:
        measured, now = self.skirmish.measured, self._answer(ruling)
        lines = [Content.assemble((measured(ruling.question), "bold"))]
        for answer, words in ruling.answers.items():
            mark = "*" if answer == now else " "
            usual = "  (default)" if answer == ruling.default and len(ruling.answers) > 1 else ""
            style = "$accent" if answer == now else "$foreground 75%"
            lines.append(Content.styled(f"{mark} {measured(words)}{usual}", style))
        return Content("\n").join(lines)
