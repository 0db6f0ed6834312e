"""Where the rules leave a gap: the answers that new armies and battles begin with."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import BindingType
from textual.content import Content

from skirmish import library
from skirmish.app.binding import keys
from skirmish.app.settings.screen import SettingsList
from skirmish.games.plastic.rules.rulings import TOPICS, Ruling

TITLE = 26
"""Columns of a ruling's number and title."""
AROUND = 5
"""Columns that the edges and the scroll bar take."""


class RulingsList(SettingsList):
    """Each gap with its answer; below, the question and all answers to the chosen one."""

    LIST: ClassVar[str] = "usual"
    TOPIC: ClassVar[str] = "rulings"
    HELP = (
        "Each line is a gap in the rules, with the answer that new armies and battles start with. "
        "Enter or the right arrow takes the next answer where there are several. Existing armies "
        "and battles keep theirs, and each battle can still choose its own during set-up."
    )
    BINDINGS: ClassVar[list[BindingType]] = keys(
        "rulings",
        ("next", "right", "turn(1)", "Next answer", "Take the next answer"),
        ("last", "left", "turn(-1)", "", "Take the previous answer"),
        ("usual", "d", "reset", "Reset", "Reset this ruling to its default answer"),
        ("all_usual", "D", "reset_all", "Reset all", "Reset every ruling to its default answer"),
        ("back", "escape,q", "app.pop_screen", "Back", "Back; changes are saved"),
    )

    @property
    def paragraph(self) -> str:
        return self.chosen

    @property
    def heading(self) -> str:
        changed = len(self.skirmish.settings.rulings)
        words = f"{changed} changed" if changed else "all at their defaults"
        return f"RULINGS   ← → change an answer   {words}"

    def on_mount(self) -> None:
        rulings = library.rulings().rulings
        self.fill(
            (title.upper(), [one.id for one in rulings.values() if one.topic == topic])
            for topic, title in TOPICS.items()
        )

    def on_resize(self) -> None:
        self.paint()

    async def on_option_list_option_selected(self) -> None:
        await self.action_turn(1)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        mine, ruling = self.skirmish.settings.rulings, self._ruling
        able = {
            "turn": ruling is not None and len(ruling.answers) > 1,
            "reset": ruling is not None and ruling.id in mine,
            "reset_all": bool(mine),
        }
        return able.get(action, True) or None

    async def action_turn(self, step: int) -> None:
        ruling = self._ruling
        if ruling is None:
            return
        if len(ruling.answers) == 1:
            self.notify("This ruling has only one answer.", markup=False)
            return
        answers = list(ruling.answers)
        answer = answers[(answers.index(self._answer(ruling)) + step) % len(answers)]
        await self._set(ruling, answer)

    async def action_reset(self) -> None:
        if (ruling := self._ruling) is not None:
            await self._set(ruling, ruling.default)

    async def action_reset_all(self) -> None:
        await self.save("All rulings are at their defaults.", rulings={})

    async def _set(self, ruling: Ruling, answer: str) -> None:
        mine = dict(self.skirmish.settings.rulings)
        mine.pop(ruling.id, None)
        if answer != ruling.default:
            mine[ruling.id] = answer
        await self.save(f"{ruling.title}: saved.", rulings=mine)

    @property
    def _ruling(self) -> Ruling | None:
        return library.rulings().rulings.get(self.chosen)

    def _answer(self, ruling: Ruling) -> str:
        """The answer in force; a settings file may name one that there is not."""
        answer = self.skirmish.settings.rulings.get(ruling.id, ruling.default)
        return answer if answer in ruling.answers else ruling.default

    def line(self, id: str) -> Content:
        ruling = library.rulings().rulings[id]
        label = Content(f"  {ruling.id:<4}{ruling.title}").truncate(TITLE, ellipsis=True, pad=True)
        room = max(self.app.size.width - TITLE - AROUND - 6, 20)
        answer = self._answer(ruling)
        says = Content(self.skirmish.measured(ruling.answers[answer]))
        says = says.truncate(room, ellipsis=True)
        if len(ruling.answers) > 1:
            says = Content.assemble("‹ ", says, " ›")
        style = "" if answer == ruling.default else "bold $accent"
        return Content.assemble(label, "  ", says.stylize(style) if style else says)

    def meaning(self, id: str) -> Content:
        ruling = library.rulings().rulings[id]
        measured, now = self.skirmish.measured, self._answer(ruling)
        lines = [Content.assemble((measured(ruling.question), "bold"))]
        for answer, words in ruling.answers.items():
            mark = "*" if answer == now else " "
            usual = "  (default)" if answer == ruling.default and len(ruling.answers) > 1 else ""
            style = "$accent" if answer == now else "$foreground 75%"
            lines.append(Content.styled(f"{mark} {measured(words)}{usual}", style))
        return Content("\n").join(lines)
