"""The army builder: what can be bought on the left, how the army stands on the right."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Literal, TypeAlias

from msgspec import structs
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.events import Resize
from textual.widgets import Static

from skirmish import library
from skirmish.app.armies import keys as army_keys
from skirmish.app.armies import words as army_words
from skirmish.app.armies.form import ArmyFormScreen, Field, Turned, turned
from skirmish.app.armies.keeping import KeptArmy, owned_figures
from skirmish.app.armies.panes import LinePane, PieceList, StandingPane, TermsPane, key
from skirmish.app.foot import Foot
from skirmish.app.host import Screen
from skirmish.app.reference.in_force import InForce
from skirmish.app.windows import TextEntry
from skirmish.games.plastic.rules.advice import (
    Line,
    fill,
    grouped,
    in_turn,
    mended,
    most_rifles,
    offered,
    worse,
)
from skirmish.games.plastic.rules.army import (
    LONGEST_GROUP,
    MOST_GROUPS,
    MOST_PIECES,
    Army,
    ArmyList,
    Group,
)
from skirmish.games.plastic.rules.breaches import breaches, mend, standing
from skirmish.games.plastic.rules.gauges import gauges
from skirmish.tabletop.typed import plain

Typed: TypeAlias = tuple[str, str] | None
"""A piece and the digits of its count typed so far."""
LEAVING = "Press Esc again to leave without the last change."
TRYING = "Nothing on the screen is lost. The next change will try to save everything again."
ORDINALS = ("First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth")
"""As many as there may be groups."""


class ArmyBuilderScreen(Screen[None]):
    """One army, saved after every change. It advises and never refuses."""

    CSS_PATH = "army_builder.tcss"
    HELP = army_keys.BUILDER_HELP
    TOPIC: ClassVar[str] = "army"
    BINDINGS: ClassVar[list[BindingType]] = army_keys.BUILDER

    def __init__(self, kept: KeptArmy) -> None:
        super().__init__()
        self.kept = kept
        self._found = in_turn(breaches(kept.army), 0)  # the one to repair first
        self._at: int | None = None  # the number of the group in view; None: the whole army
        self._stray = ""  # the line that was chosen when a letter named no row
        self._typed: Typed = None
        self._typed_anew = False  # whether they have changed the army yet
        self._troubled = False  # the last write failed, and that has been told
        self._warned = False  # leaving without it has been warned of
        self._usable: dict[str, bool] = {}
        self._owned: dict[str, int] = {}  # the figures in the player's box
        self.paragraph = ""  # the rule of the breach in front, for the reference

    @property
    def army(self) -> Army:
        """The army as it stands."""
        return self.kept.army

    @property
    def in_force(self) -> InForce:
        """The rulings that this army is built by, for the reference."""
        return InForce(answers=self.army.rulings, whose="as in this army")

    def compose(self) -> ComposeResult:
        """Terms, two columns, the chosen line, what happened."""
        yield TermsPane(id="builder-terms", markup=False)
        with Horizontal(id="builder-columns"):
            with Vertical(id="builder-left"):
                yield Static(id="builder-head", markup=False)
                yield PieceList(id="pieces")
            yield StandingPane(id="builder-right")
        yield LinePane()
        yield Foot()

    def on_mount(self) -> None:
        """A new army is written at once."""
        if self.kept.unsaved:
            self._keep()
        self._pieces.focus()
        self._show()  # letters and digits typed ahead find their rows
        self.call_after_refresh(self._show)

    def on_screen_resume(self) -> None:
        """Here, or back from the figures: what is owned may be another now."""
        self.run_worker(self._look(), group="look", exclusive=True)

    def on_resize(self, event: Resize) -> None:
        """The columns follow the width."""
        self.call_after_refresh(self._show)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey what has nothing to work on."""
        return self._able.get(action, True) or None

    @property
    def _able(self) -> dict[str, bool]:
        """The actions that may have nothing to work on, and whether they have now."""
        broken = standing(self._found)
        return {
            "repair": bool(broken and broken[0].repair),
            "next_breach": len(broken) > 1,
            "fill": self.army.spent < self.army.budget,
            "dissolve": self._group is not None,
            "new_group": 0 < len(self.army.listed.groups) < MOST_GROUPS,
            "undo": self.kept.can_undo,
            "redo": self.kept.can_redo,
        }

    # What the keys do

    def action_row(self, letter: str) -> None:
        """Go to the row of a letter. Where it names none, a count typed behind it changes none."""
        self._typed = None
        found = self._pieces.go_to(letter)
        line = self._pieces.chosen
        self._stray = "" if found or line is None else line.piece.id
        if found:
            self._show()
        else:
            self._say(f"No row has the letter {letter}.", bad=True)

    def _target(self) -> Line | None:
        """The line that a count is for; None after a letter that names no row."""
        line = self._pieces.chosen
        if line is not None and line.piece.id == self._stray:
            self._say("Choose a row first: its letter, or the arrows.", bad=True)
            return None
        self._stray = ""
        return line

    def action_add(self, by: int) -> None:
        """One more or less of the chosen line."""
        line = self._target()
        if line is not None:
            self._change(self._with(line, line.count + by))

    def action_digit(self, digit: int) -> None:
        """A digit begins a count, or goes on with it. (A binding, for keys that are read otherwise
        overtake the arrows.)"""
        line = self._target()
        if line is None:
            return
        text = f"{self._digits(line, '')}{digit}"
        if int(text) > MOST_PIECES:
            self._say(f"An army has at most {MOST_PIECES} of one kind.", bad=True)
        else:
            self._type(line, text)

    def action_erase(self) -> None:
        """Take the last digit of the count away."""
        line = self._target()
        if line is not None:
            self._type(line, self._digits(line, str(line.count))[:-1])

    def _digits(self, line: Line, otherwise: str) -> str:
        return self._typed[1] if self._typed and self._typed[0] == line.piece.id else otherwise

    def _type(self, line: Line, text: str) -> None:
        """One number is one change, however many digits it has."""
        begun = self._typed is not None and self._typed[0] == line.piece.id
        listed = self._with(line, int(text or "0"))
        goes_on = begun and self._typed_anew
        self._typed_anew = goes_on or listed != self.army.listed
        self._change(listed, typed=(line.piece.id, text), goes_on=goes_on)

    def _with(self, line: Line, count: int) -> ArmyList:
        listed, catalog = self.army.listed, self.army.catalog
        if self._group is None or self._at is None:
            return listed.changed(line.piece.id, count, catalog)
        return listed.regrouped(self._at, line.piece.id, count, catalog)

    # Groups

    @property
    def _group(self) -> Group | None:
        """The group in view."""
        groups = self.army.listed.groups
        return groups[self._at] if self._at is not None and self._at < len(groups) else None

    def action_group(self) -> None:
        """The next group; after the last the whole army. Where there is none, form one."""
        if not self.army.listed.groups:
            self.action_new_group()
            return
        at = 0 if self._at is None else self._at + 1
        self._view(at if at < len(self.army.listed.groups) else None)

    def _view(self, at: int | None) -> None:
        self._at, self._typed = at, None
        self._say("")
        self._show()

    def action_new_group(self) -> None:
        """Ask for the name of a group, and go to it."""
        at = len(self.army.listed.groups)
        name = f"{ORDINALS[at]} platoon"
        self._ask_name("New group", name, lambda name: (at, Group(name=name)))

    def action_dissolve(self) -> None:
        """Dissolve the group in view; its men stay in the army."""
        group, at, groups = self._group, self._at, self.army.listed.groups
        if group is not None and at is not None:
            left = structs.replace(self.army.listed, groups=groups[:at] + groups[at + 1 :])
            self._at = None
            self._change(left, f"{plain(group.name)} is dissolved; its men stay in the army.")

    def _ask_name(self, title: str, now: str, named: Callable[[str], tuple[int, Group]]) -> None:
        """Ask for a group's name, and put what is ``named`` so in its place."""

        def check(name: str) -> None:
            if not name.strip():
                raise ValueError("Give the group a name.")

        def take(name: str | None) -> None:
            if name is not None:
                at, group = named(name.strip())
                listed = self.army.listed
                groups = (*listed.groups[:at], group, *listed.groups[at + 1 :])
                self._at = at
                self._change(structs.replace(listed, groups=groups))

        question = "What is this group called?"
        self.app.push_screen(
            TextEntry(title, question, plain(now), check, longest=LONGEST_GROUP), take
        )

    def on_option_list_option_selected(self) -> None:
        """Enter or a click: the number is complete."""
        self._typed, self._stray = None, ""
        self._show()

    def on_option_list_option_highlighted(self) -> None:
        """Another line: describe it."""
        line = self._pieces.chosen
        if line and line.piece.id != self._stray:
            self._stray = ""
        if self._typed and line and self._typed[0] != line.piece.id:
            self._typed = None
            self._show()
        group = plain(self._group.name) if self._group else ""
        self.query_one(LinePane).show(self.army, group, line, self._owned, self.skirmish.measured)

    def action_fill(self) -> None:
        """Spend what is left on a mixed army."""
        before, after = self.army.listed, fill(self.army)
        bought = [
            f"{n - before.count(piece)} {self.army.catalog.units[piece].short}"
            for piece, n in after.units.items()
            if n > before.count(piece)
        ]
        cap = f"Fill adds riflemen up to {most_rifles(self.army)}."
        if bought:
            self._change(after, f"Added {', '.join(bought)}. {cap}")
        else:
            self._say(f"Nothing more fits. {cap}")

    def action_repair(self) -> None:
        """Carry out the repair of the breach in front."""
        breach = self._found[0]
        words, back = mend(breach.repair, self.army), key(self, "undo", "ctrl+z")
        self._change(mended(self.army, breach), f"Repaired: {words}. {back} undoes it.")

    def action_next_breach(self) -> None:
        """Bring the next breach to the front."""
        self._found = in_turn(self._found, 1)
        self._show()
        self.query_one(StandingPane).scroll_home(animate=False)

    def action_turn(self, field: Turned) -> None:
        """The next nation or force quality; none comes after the last."""
        self._change(turned(self.army, field))

    def action_edit(self, first: Field) -> None:
        """Name, points, nation and quality in a form; in a group, the group's name."""
        group, at = self._group, self._at
        if group is not None and at is not None and first == "name":
            renamed = structs.replace
            self._ask_name("Rename group", group.name, lambda name: (at, renamed(group, name=name)))
            return
        self.app.push_screen(ArmyFormScreen(self.army, library.rulings(), first), self._edited)

    def _edited(self, listed: ArmyList | None) -> None:
        if listed is not None and listed != self.army.listed:
            self._change(listed)

    def action_undo(self) -> None:
        """Undo the last change."""
        self.kept.undo()
        self._changed(f"Undone. {key(self, 'redo', 'ctrl+y')} redoes it.")

    def action_redo(self) -> None:
        """Redo what was undone."""
        self.kept.redo()
        self._changed("Redone.")

    def action_aside(self, what: Literal["figures", "worth"]) -> None:
        """What is owned, beside what this army needs; or what each unit is worth."""
        from skirmish.app.armies.figures import FiguresScreen
        from skirmish.app.armies.worth import WorthScreen

        army = self.army
        self.app.push_screen(FiguresScreen(army) if what == "figures" else WorthScreen(army))

    def action_print(self) -> None:
        """The roster of the army as it stands."""
        from skirmish.app.printing import print_roster

        self.run_worker(print_roster(self.skirmish, self.army))

    async def action_back(self) -> None:
        """From a group to the whole army, from there to the armies once everything is written; if
        it cannot be, say so and leave at the second key."""
        from skirmish.store.errors import StoreError

        if self._group is not None:
            self._view(None)
            return
        if self.kept.unsaved:
            try:
                await self.kept.keep()
            except StoreError as error:
                told, self._warned, self._troubled = self._warned, True, True
                if not told:
                    await self.skirmish.tell("Not saved", f"{error} {LEAVING}")
                    return
        self.dismiss()

    # Changes

    def _change(
        self, listed: ArmyList, said: str = "", typed: Typed = None, goes_on: bool = False
    ) -> None:
        if listed != self.army.listed:
            self.kept.change(listed, goes_on=goes_on)
            self._changed(said, typed)
        else:
            self._typed = typed
            self._show()

    def _changed(self, said: str, typed: Typed = None) -> None:
        """Write and show what is new, and say what it broke."""
        self._typed = typed
        before = self._found
        self._keep()
        self._found = in_turn(breaches(self.army, self.kept.added), 0)
        news = [breach.message for breach in worse(before, self._found)]
        self._say(" ".join([said, *news]).strip(), bad=bool(news))
        self._show()

    def _say(self, text: str, *, bad: bool = False) -> None:
        self.query_one(LinePane).tell(text, bad=bad)

    def _keep(self) -> None:
        self.run_worker(self._written(), group="keep")

    async def _written(self) -> None:
        """Write; a failure is told once, and the next change tries again with the whole army."""
        from skirmish.store.errors import StoreError

        try:
            await self.kept.keep()
        except StoreError as error:
            if not self._troubled:
                self._troubled = True
                await self.skirmish.tell("Not saved", f"{error} {TRYING}")
        else:
            self._troubled = self._warned = False
        if self.is_attached:
            self._show_terms()

    # What is shown

    async def _look(self) -> None:
        """What is owned."""
        owned = await owned_figures(self.skirmish.stored)
        if owned != self._owned and self.is_attached:
            self._owned = owned
            self._show()

    @property
    def _pieces(self) -> PieceList:
        return self.query_one(PieceList)

    def _show(self) -> None:
        """Everything, from the army."""
        army, group = self.army, self._group
        named = plain(group.name) if group else ""
        if group is None:
            self._at = None
        self.paragraph = f"limit {self._found[0].limit}" if self._found else "points"
        typed, measured = self._typed[0] if self._typed else None, self.skirmish.measured
        offers = offered(army) if self._at is None else grouped(army, self._at)
        self._pieces.show(army, offers, typed, measured)
        head = army_words.head(self._pieces.row_width, group is not None)
        self.query_one("#builder-head", Static).update(head, layout=False)
        self.query_one(StandingPane).show(army, self._at, self._found, gauges(army), self._owned)
        self._show_terms()
        self.query_one(LinePane).show(army, named, self._pieces.chosen, self._owned, measured)
        if self._able != self._usable:
            self._usable = self._able
            self.refresh_bindings()

    def _show_terms(self) -> None:
        group = self._group.name if self._group else ""
        for pane in self.query(TermsPane):  # none while the screen closes
            pane.show(self.army, group, self.kept.unsaved, self._troubled)
