"""The army builder by its keys."""

from __future__ import annotations

from functools import cached_property, partial
from pathlib import Path, PurePath
from string import ascii_lowercase
from typing import ClassVar, Literal

from msgspec.structs import replace
from textual import work
from textual.binding import BindingType

from skirmish import library
from skirmish.app.armies.editing import (
    ArmySession,
    CountedList,
    FiguresScreen,
    counting,
    owned_figures,
)
from skirmish.app.armies.view import TAKEN, ArmyView
from skirmish.app.binding import keys, signs
from skirmish.app.line_list import LineScreen
from skirmish.app.page_screen import PageScreen
from skirmish.app.reference.rulings import InForce
from skirmish.app.windows import TextEntry
from skirmish.games.plastic.army_file import LONGEST_NAME, as_table
from skirmish.games.plastic.odds.worth import WorthTable, worth, worth_page
from skirmish.games.plastic.rules.advice import fill, in_turn, mended, most_rifles, worse
from skirmish.games.plastic.rules.army import (
    LONGEST_GROUP,
    LONGEST_NOTE,
    MOST_GROUPS,
    MOST_POINTS,
    Army,
    ArmyGroup,
    ArmyList,
    read_army,
)
from skirmish.games.plastic.rules.breaches import breaches, mend, standing
from skirmish.store.errors import StoreError
from skirmish.tabletop.page import Page
from skirmish.tabletop.reading import DataError
from skirmish.tabletop.typed import plain

LEAVING = "Press Esc again to leave without the last change."
ORDINALS = ("First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth")
"""As many as there may be groups."""
Turned = Literal["nation", "quality"]
Term = Literal["name", "points", "note", "group"]
ENTRIES: dict[Term, tuple[str, str, int, str]] = {
    "name": ("Name", "What is this army called?", LONGEST_NAME, "Give the army a name."),
    "points": ("Points", "How many points may it spend? Those for troop quality come on top.",
               len(str(MOST_POINTS)), f"Choose from 1 to {MOST_POINTS} points."),
    "note": ("Note", "What should its roster say about this army?", LONGEST_NOTE, ""),
    "group": ("Rename group", "What is this group called?", LONGEST_GROUP,
              "Give the group a name."),
}  # fmt: skip
"""For each term: title, question and maximum length of its text entry, and a hint on what is
valid."""


def entry(army: Army, term: Term, at: int = 0, title: str = "") -> TextEntry:
    """A text entry for a term of the army, or for the name of group ``at``."""
    usual, question, longest, _ = ENTRIES[term]
    now = plain(_as_it_is(army, term, at))
    check = partial(written, army, term, at)
    return TextEntry(title or usual, question, now, check, longest=longest)


def _as_it_is(army: Army, term: Term, at: int) -> str:
    return army.listed.groups[at].name if term == "group" else str(getattr(army.listed, term))


def written(army: Army, term: Term, at: int, text: str) -> ArmyList:
    """The list with the typed value; raises ValueError for an invalid one."""
    if text == plain(_as_it_is(army, term, at)):
        return army.listed  # unchanged, whatever characters it has
    table, value = as_table(army.listed), text.strip()
    if term == "group":
        table["group"][at]["name"] = value
    else:
        table[term] = int(value) if term == "points" and value.isdecimal() else value
    try:
        return read_army(table, army.catalog, library.rulings(), "").listed
    except DataError as error:
        raise ValueError(ENTRIES[term][-1] or str(error)) from None


def turned(army: Army, field: Turned) -> ArmyList:
    catalog = army.catalog
    known = [None, *(catalog.nations if field == "nation" else catalog.qualities)]
    now = known.index(getattr(army.listed, field))
    return replace(army.listed, **{field: known[(now + 1) % len(known)]})


class ArmyBuilderScreen(ArmyView):
    """One army, saved after every change. Broken limits are shown, never enforced."""

    CSS_PATH: ClassVar[list[str | PurePath]] = [
        *LineScreen.CSS_PATH,
        Path(__file__).with_name("army_builder.tcss"),
    ]
    TOPIC: ClassVar[str] = "army"
    HELP = (
        "Press the letter of a row to go to it, then type its count. 0 clears it, Backspace "
        "deletes a digit, + and - add and remove one. An army may break a limit; the screen tells "
        "you. Every change is saved at once.\n\n"
        "Groups are optional: platoons or whatever you like. In a group the count is that of the "
        "group. Men come from those in no group; what is missing is bought.\n\n"
        "MORE is how many more the limits allow. A-5: ace to 5 kills. +: a kill gives another "
        "shot. *: only in contact. Limits: ! broken, … not met yet, ~ waived. PDG: potential dead "
        "guys."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        *counting("army"),
        *keys(
            "army",
            ("fill", "f", "fill", "Fill", "Spend the points that are left on a mixed army"),
            ("repair", "R", "repair", "Repair", "Repair the first breach with the smallest change"),
            ("next-breach", "B", "next_breach", "", "Show the next breach first"),
            ("groups", "G", "group", "Groups",
             "Go through the groups; the first time, form one"),
            ("new-group", "A", "new_group", "", "Form another group"),
            ("dissolve", "delete", "dissolve", "", "Dissolve the group; its men stay in the army"),
            ("edit", "E", "edit('name')", "", "Rename the army, or the group in view"),
            ("points", "T", "edit('points')", "", "Change the points"),
            ("note", "M", "edit('note')", "", "Write the note that stands on the roster"),
            ("nation", "N", "turn('nation')", "", "Next nation"),
            ("quality", "L", "turn('quality')", "", "Next force quality"),
            ("figures", "O", "aside('figures')", "Owned",
             "Compare your own figures with this army"),
            ("worth", "W", "aside('worth')", "", "What each unit kills for each point it costs"),
            ("print", "P", "print", "Print", "Print the roster"),
            ("undo", "ctrl+z", "undo", "", "Undo the last change"),
            ("redo", "ctrl+y", "redo", "", "Redo what was undone"),
            ("back", "escape", "back", "Back",
             "Back: from a group to the army, then to the armies"),
        ),
        *signs("army", (sign for sign in ascii_lowercase if sign not in TAKEN), "row"),
    ]  # fmt: skip

    def __init__(self, session: ArmySession) -> None:
        super().__init__(session)
        self.found = in_turn(breaches(self.army), 0)
        self._warned = False  # that Esc will lose the last change

    @property
    def paragraph(self) -> str:
        """The rule of the first breach, for the reference."""
        return f"limit {self.found[0].limit.id}" if self.found else "points"

    @property
    def in_force(self) -> InForce:
        return InForce(answers=self.army.rulings, whose="as in this army")

    async def on_mount(self) -> None:
        if self.session.unsaved:
            self.save()
        await super().on_mount()  # so that letters and digits typed ahead find their rows
        self.call_after_refresh(self.paint)

    @work(group="look", exclusive=True)
    async def on_screen_resume(self) -> None:
        owned = await owned_figures(self.skirmish.stored)
        if owned != self.owned and self.is_attached:
            self.owned = owned
            self.paint()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in ("row", "digit"):
            return True
        broken, groups = standing(self.found), self.army.listed.groups
        able = {
            "repair": bool(broken and broken[0].repair),
            "next_breach": len(broken) > 1,
            "fill": self.army.spent < self.army.budget,
            "dissolve": self.group is not None,
            "new_group": 0 < len(groups) < MOST_GROUPS,
            "undo": bool(self.session.past),
            "redo": bool(self.session.future),
        }
        return able.get(action, True) or None

    # ------------------------------------------------------------------ lines

    def action_row(self, letter: str) -> None:
        """Move to the row of a letter. Without such a row, none stays selected, so that digits
        typed next change nothing."""
        self.end_number()
        pieces = self.query_one(CountedList)
        rows = {own: piece for piece, own in self.letters.items()}
        if letter in rows:
            pieces.focus()
            pieces.highlighted = pieces.get_option_index(rows[letter])
            self.paint()
        else:
            pieces.highlighted = None
            self.say(f"No row has the letter {letter}.", bad=True)

    def count(self, piece: str) -> int:
        return self.offers[piece].count

    def put(self, piece: str, count: int) -> None:
        listed, catalog = self.army.listed, self.army.catalog
        if self.at is None:
            self._change(listed.changed(piece, count, catalog))
        else:
            self._change(listed.regrouped(self.at, piece, count, catalog))

    # ------------------------------------------------------------------ groups

    def action_group(self) -> None:
        """Show the next group, or the whole army after the last; form a group if there is none."""
        count = len(self.army.listed.groups)
        at = 0 if self.at is None else self.at + 1
        if count:
            self._turn_to(at if at < count else None)
        else:
            self.action_new_group()

    def _turn_to(self, at: int | None) -> None:
        self.at = at
        self.end_number()
        self.say("")
        self.paint()

    def action_new_group(self) -> None:
        at = len(self.army.listed.groups)
        groups = (*self.army.listed.groups, ArmyGroup(name=f"{ORDINALS[at]} platoon"))
        divided = replace(self.army, listed=replace(self.army.listed, groups=groups))
        self._ask(divided, "group", at, "New group")

    def action_dissolve(self) -> None:
        if (group := self.group) is not None:
            left = tuple(one for one in self.army.listed.groups if one is not group)
            self.at = None
            message = f"{plain(group.name)} is dissolved; its men stay in the army."
            self._alter(replace(self.army.listed, groups=left), message)

    def _ask(self, army: Army, term: Term, at: int = 0, title: str = "") -> None:
        def take(text: str | None) -> None:
            if text is not None:
                self.at = at if term == "group" else self.at
                self._alter(written(army, term, at, text))

        self.app.push_screen(entry(army, term, at, title), take)

    # ------------------------------------------------------------------ the army

    def action_fill(self) -> None:
        before, after = self.army.listed, fill(self.army)
        bought = [
            f"{n - before.count(piece)} {self.army.catalog.units[piece].short}"
            for piece, n in after.units.items()
            if n > before.count(piece)
        ]
        cap = f"Fill adds riflemen up to {most_rifles(self.army)}."
        if bought:
            self._alter(after, f"Added {', '.join(bought)}. {cap}")
        else:
            self.say(f"Nothing more fits. {cap}")

    def action_repair(self) -> None:
        breach = self.found[0]
        message = f"Repaired: {mend(breach.repair, self.army)}."
        self._alter(mended(self.army, breach), f"{message} {self.key('undo', 'ctrl+z')} undoes it.")

    def action_next_breach(self) -> None:
        self.found = in_turn(self.found, 1)
        self.paint()
        self.query_one("#builder-right").scroll_home(animate=False)

    def action_turn(self, field: Turned) -> None:
        self._alter(turned(self.army, field))

    def action_edit(self, term: Term) -> None:
        if self.at is not None and term == "name":
            self._ask(self.army, "group", self.at)
        else:
            self._ask(self.army, term)

    def action_undo(self) -> None:
        super().action_undo()
        self._changed(f"Undone. {self.key('redo', 'ctrl+y')} redoes it.")

    def action_redo(self) -> None:
        super().action_redo()
        self._changed("Redone.")

    def action_aside(self, what: Literal["figures", "worth"]) -> None:
        figures = what == "figures"
        self.app.push_screen(
            FiguresScreen(self.skirmish, self.army) if figures else WorthScreen(self.army)
        )

    def action_print(self) -> None:
        from skirmish.app.printing import print_plastic

        self.run_worker(print_plastic(self.skirmish, "roster", self.army))

    async def action_back(self) -> None:
        """Go from a group to the whole army, and from there back once everything is stored. If
        storing fails, show why and leave at the second press."""
        if self.group is not None:
            self._turn_to(None)
            return
        if self.session.unsaved:
            try:
                await self.session.save()
            except StoreError as error:
                if not self._warned:
                    self._warned = self.troubled = True
                    await self.skirmish.show_message("Not saved", f"{error} {LEAVING}")
                    return
        self.dismiss()

    # ------------------------------------------------------------------ changes

    def _alter(self, listed: ArmyList, message: str = "") -> None:
        """Make a change that ends any count being typed."""
        self.end_number()
        self._change(listed, message)

    def _change(self, listed: ArmyList, message: str = "") -> None:
        if listed != self.army.listed:
            self.session.change(listed)
            self._changed(message)
        else:
            self.paint()

    def _changed(self, message: str) -> None:
        before, self._warned = self.found, False
        self.save()
        self.found = in_turn(breaches(self.army, self.session.added), 0)
        news = [gauge.message for gauge in worse(before, self.found)]
        self.say(" ".join([message, *news]).strip(), bad=bool(news))
        self.paint()


class WorthScreen(PageScreen):
    TOPIC: ClassVar[str] = "worth"
    EXTRA = "These figures are"
    HELP = (
        "Points killed on average for each point of the unit's price, at each distance. 0 is "
        "in contact. The army's own units are marked. The nation's prices and the army's rulings "
        "count. The arrows scroll."
    )
    BINDINGS: ClassVar[list[BindingType]] = keys(
        "worth", ("own", "a", "own", "Only ours", "Show only this army's units, or all")
    )
    paragraph = "worth"

    def __init__(self, army: Army) -> None:
        super().__init__(self._made)
        self._army = army
        self._only_own = False

    @cached_property
    def _worth(self) -> WorthTable:
        return worth(self._army.catalog, self._army.rulings, self._army.nation)

    @property
    def in_force(self) -> InForce:
        return InForce(answers=self._army.rulings, whose="as in this army")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        own = self._army.fielded()
        fires = any(line.unit.id in own for line in self._worth.lines)
        return True if action != "own" or fires else None

    def action_own(self) -> None:
        self._only_own = not self._only_own
        self.show_anew()

    def _made(self) -> Page:
        own, found = self._army.fielded(), self._worth
        if self._only_own:
            found = replace(found, lines=[one for one in found.lines if one.unit.id in own])
        return worth_page(found, own)
