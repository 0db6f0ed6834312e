"""The army builder: what can be bought on the left, how the army stands on the right."""

from __future__ import annotations

from itertools import groupby
from string import ascii_lowercase
from typing import ClassVar, Literal

from msgspec import structs
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from skirmish import library
from skirmish.app.armies.figures import CountedList, CountingScreen, FiguresScreen, counting
from skirmish.app.armies.form import ArmyFormScreen, Field, Turned, name_entry, turned
from skirmish.app.armies.pages import WorthScreen
from skirmish.app.armies.session import ArmySession, owned_figures
from skirmish.app.armies.view import BAD, DIM, SHELF_TITLES, TAKEN, ArmyView
from skirmish.app.binding import keys, signs
from skirmish.app.foot import Foot
from skirmish.app.reference.rulings import InForce
from skirmish.games.plastic.rules.advice import LimitLine, fill, in_turn, mended, most_rifles, worse
from skirmish.games.plastic.rules.army import (
    LONGEST_GROUP,
    MOST_GROUPS,
    MOST_PIECES,
    Army,
    ArmyGroup,
    ArmyList,
)
from skirmish.games.plastic.rules.breaches import breaches, mend, standing
from skirmish.store.errors import StoreError
from skirmish.tabletop.typed import plain

LEAVING = "Press Esc again to leave without the last change."
TRYING = "Nothing on the screen is lost. The next change will try to save everything again."
ORDINALS = ("First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth")
"""As many as there may be groups."""


class PieceList(CountedList):
    """Every piece that can be bought, under the title of its shelf."""

    def __init__(self, id: str) -> None:
        super().__init__(id, classes="lines")
        self._offers: dict[str, LimitLine] = {}
        self._letters: dict[str, str] = {}

    @property
    def row_width(self) -> int:
        """Columns of a row, one kept free beside the scrollbar."""
        return max(40, self.scrollable_content_region.width - 1)

    @property
    def offer(self) -> LimitLine | None:
        return self._offers.get(self.chosen)

    def go_to(self, letter: str) -> bool:
        piece = next((piece for piece, own in self._letters.items() if own == letter), None)
        if piece is not None:
            self.focus()
            self.highlighted = self.get_option_index(piece)
        return piece is not None

    def show_army(self, view: ArmyView) -> None:
        self._letters = view.letters
        self._offers = {offer.piece.id: offer for offer in view.offers}
        self.show(
            (
                Content.styled(SHELF_TITLES[shelf], DIM),
                {offer.piece.id: view.line(offer, self.row_width) for offer in lines},
            )
            for shelf, lines in groupby(view.offers, key=lambda offer: offer.shelf)
        )


class ArmyBuilderScreen(CountingScreen):
    """One army, saved after every change. It advises and never refuses."""

    CSS_PATH = "army_builder.tcss"
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
            ("edit", "E", "edit('name')", "", "Edit name, points, nation, quality and note"),
            ("points", "T", "edit('points')", "", "Change the points"),
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
        super().__init__()
        self.session = session
        self._found = in_turn(breaches(session.army), 0)  # the one to repair first
        self._at: int | None = None  # the number of the group in view; None: the whole army
        self._stray = ""  # the line that was chosen when a letter named no row
        self._news = ("", False)  # what the last change did, and whether that is bad
        self._described = ""  # the line below
        self._troubled = False  # the last write failed, and that has been told
        self._warned = False  # leaving without it has been warned of
        self._usable: dict[str, bool] = {}
        self._owned: dict[str, int] = {}  # the figures in the player's box
        self.paragraph = ""  # the rule of the breach in front, for the reference

    @property
    def army(self) -> Army:
        return self.session.army

    @property
    def in_force(self) -> InForce:
        return InForce(answers=self.army.rulings, whose="as in this army")

    @property
    def view(self) -> ArmyView:
        if self._group is None:
            self._at = None
        return ArmyView(
            self.army,
            self._found,
            self._key,
            self.skirmish.measured,
            self._at,
            self._typed[0] if self._typed else None,
            self._owned,
        )

    def _key(self, name: str, usual: str) -> str:
        return self.skirmish.key(f"army.{name}", usual)

    def compose(self) -> ComposeResult:
        yield Static(id="builder-terms", markup=False)
        with Horizontal(id="builder-columns"):
            with Vertical(id="builder-left"):
                yield Static(id="builder-head", markup=False)
                yield PieceList(id="pieces")
            with VerticalScroll(id="builder-right"):  # Tab, then the arrows
                for part in ("sums", "breaches", "groups", "gauges"):
                    yield Static(id=f"builder-{part}", markup=False)
        yield Static(id="builder-about", markup=False)
        yield Static(id="builder-message", markup=False)
        yield Foot()

    def on_mount(self) -> None:
        if self.session.unsaved:
            self._save()
        self._pieces.focus()
        self.show_all()  # letters and digits typed ahead find their rows
        self.call_after_refresh(self.show_all)

    def on_screen_resume(self) -> None:
        self.run_worker(self._look(), group="look", exclusive=True)

    def on_resize(self) -> None:
        self.call_after_refresh(self.show_all)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
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
            "undo": self.session.can_undo,
            "redo": self.session.can_redo,
        }

    # ------------------------------------------------------------------ lines

    def action_row(self, letter: str) -> None:
        """Go to the row of a letter. Where it names none, a count typed behind it changes none."""
        self._typed = None
        found = self._pieces.go_to(letter)
        line = self._pieces.offer
        self._stray = "" if found or line is None else line.piece.id
        if found:
            self.show_all()
        else:
            self._say(f"No row has the letter {letter}.", bad=True)

    def target(self) -> tuple[str, int] | None:
        line = self._pieces.offer
        if line is None:
            return None
        if line.piece.id == self._stray:
            self._say("Choose a row first: its letter, or the arrows.", bad=True)
            return None
        self._stray = ""
        return line.piece.id, line.count

    def put(self, piece: str, count: int, *, goes_on: bool) -> bool:
        listed, catalog = self.army.listed, self.army.catalog
        if self._group is None or self._at is None:
            changed = listed.changed(piece, count, catalog)
        else:
            changed = listed.regrouped(self._at, piece, count, catalog)
        self._change(changed, goes_on=goes_on)
        return changed != listed

    def too_many(self) -> None:
        self._say(f"An army has at most {MOST_PIECES} of one kind.", bad=True)

    def on_option_list_option_selected(self) -> None:
        self._stray = ""
        super().on_option_list_option_selected()

    def on_option_list_option_highlighted(self) -> None:
        line = self._pieces.offer
        if line and line.piece.id != self._stray:
            self._stray = ""
        super().on_option_list_option_highlighted()
        self._describe(self.view)

    # ------------------------------------------------------------------ groups

    @property
    def _group(self) -> ArmyGroup | None:
        groups = self.army.listed.groups
        return groups[self._at] if self._at is not None and self._at < len(groups) else None

    def action_group(self) -> None:
        """The next group; after the last the whole army. Where there is none, form one."""
        if not self.army.listed.groups:
            self.action_new_group()
            return
        at = 0 if self._at is None else self._at + 1
        self._turn_to(at if at < len(self.army.listed.groups) else None)

    def _turn_to(self, at: int | None) -> None:
        self._at, self._typed = at, None
        self._say("")
        self.show_all()

    def action_new_group(self) -> None:
        at = len(self.army.listed.groups)
        self._ask_name("New group", at, ArmyGroup(name=f"{ORDINALS[at]} platoon"))

    def action_dissolve(self) -> None:
        group, at, groups = self._group, self._at, self.army.listed.groups
        if group is not None and at is not None:
            left = structs.replace(self.army.listed, groups=groups[:at] + groups[at + 1 :])
            self._at = None
            self._alter(left, f"{plain(group.name)} is dissolved; its men stay in the army.")

    def _ask_name(self, title: str, at: int, group: ArmyGroup) -> None:
        """Ask what the group number ``at`` is called, and put it there under that name."""

        def take(name: str | None) -> None:
            if name is not None:
                named, groups = structs.replace(group, name=name.strip()), self.army.listed.groups
                self._at = at
                groups = (*groups[:at], named, *groups[at + 1 :])
                self._alter(structs.replace(self.army.listed, groups=groups))

        self.app.push_screen(name_entry("group", title, group.name, LONGEST_GROUP), take)

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
            self._say(f"Nothing more fits. {cap}")

    def action_repair(self) -> None:
        breach = self._found[0]
        words, back = mend(breach.repair, self.army), self._key("undo", "ctrl+z")
        self._alter(mended(self.army, breach), f"Repaired: {words}. {back} undoes it.")

    def action_next_breach(self) -> None:
        self._found = in_turn(self._found, 1)
        self.show_all()
        self.query_one("#builder-right").scroll_home(animate=False)

    def action_turn(self, field: Turned) -> None:
        self._alter(turned(self.army, field))

    def action_edit(self, first: Field) -> None:
        group, at = self._group, self._at
        if group is not None and at is not None and first == "name":
            self._ask_name("Rename group", at, group)
        else:
            form = ArmyFormScreen(self.army, library.rulings(), first)
            self.app.push_screen(form, self._edited)

    def _edited(self, listed: ArmyList | None) -> None:
        if listed is not None and listed != self.army.listed:
            self._alter(listed)

    def action_undo(self) -> None:
        self._typed = None
        self.session.undo()
        self._changed(f"Undone. {self._key('redo', 'ctrl+y')} redoes it.")

    def action_redo(self) -> None:
        self._typed = None
        self.session.redo()
        self._changed("Redone.")

    def action_aside(self, what: Literal["figures", "worth"]) -> None:
        army = self.army
        self.app.push_screen(FiguresScreen(army) if what == "figures" else WorthScreen(army))

    def action_print(self) -> None:
        from skirmish.app.printing import print_plastic

        self.run_worker(print_plastic(self.skirmish, "roster", self.army))

    async def action_back(self) -> None:
        """From a group to the whole army, from there to the armies once everything is written; if
        it cannot be, say so and leave at the second key."""
        if self._group is not None:
            self._turn_to(None)
            return
        if self.session.unsaved:
            try:
                await self.session.save()
            except StoreError as error:
                told, self._warned, self._troubled = self._warned, True, True
                if not told:
                    await self.skirmish.show_message("Not saved", f"{error} {LEAVING}")
                    return
        self.dismiss()

    # ------------------------------------------------------------------ changes

    def _alter(self, listed: ArmyList, said: str = "") -> None:
        """A change that no digits go on with."""
        self._typed = None
        self._change(listed, said)

    def _change(self, listed: ArmyList, said: str = "", *, goes_on: bool = False) -> None:
        if listed != self.army.listed:
            self.session.change(listed, goes_on=goes_on)
            self._changed(said)
        else:
            self.show_all()

    def _changed(self, said: str) -> None:
        before = self._found
        self._save()
        self._found = in_turn(breaches(self.army, self.session.added), 0)
        news = [breach.message for breach in worse(before, self._found)]
        self._say(" ".join([said, *news]).strip(), bad=bool(news))
        self.show_all()

    def _save(self) -> None:
        self.run_worker(self._written(), group="keep")

    async def _written(self) -> None:
        """Write; a failure is told once, and the next change tries again with the whole army."""
        try:
            await self.session.save()
        except StoreError as error:
            if not self._troubled:
                self._troubled = True
                await self.skirmish.show_message("Not saved", f"{error} {TRYING}")
        else:
            self._troubled = self._warned = False
        if self.is_attached:
            self._show_terms(self.view)

    async def _look(self) -> None:
        owned = await owned_figures(self.skirmish.stored)
        if owned != self._owned and self.is_attached:
            self._owned = owned
            self.show_all()

    # ------------------------------------------------------------------ what is shown

    @property
    def _pieces(self) -> PieceList:
        return self.query_one(PieceList)

    def show_all(self) -> None:
        view = self.view
        self.paragraph = f"limit {self._found[0].limit}" if self._found else "points"
        self._pieces.show_army(view)
        self._write("head", view.head(self._pieces.row_width))
        right = self.query_one("#builder-right")
        for part, content in (
            ("sums", view.sums()),
            ("breaches", view.breaches()),
            ("groups", view.groups()),
            ("gauges", view.limits(right.scrollable_content_region.width)),
        ):
            shown = self.query_one(f"#builder-{part}", Static)
            shown.update(content)
            shown.display = bool(content)
        self._show_terms(view)
        self._describe(view)
        if self._able != self._usable:
            self._usable = self._able
            self.refresh_bindings()

    def _show_terms(self, view: ArmyView) -> None:
        for terms in self.query("#builder-terms").results(Static):  # none while the screen closes
            width = terms.content_size.width
            saved = "saving …" if self.session.unsaved else "saved"
            name = (
                view.name(width, "NOT SAVED", BAD)
                if self._troubled
                else view.name(width, saved, DIM)
            )
            terms.update(Content("\n").join([name, view.terms(width)]), layout=False)

    def _describe(self, view: ArmyView) -> None:
        """The weapons of the chosen line; below, what the last change did until another line is
        chosen, else how many more of the line are allowed."""
        line = self._pieces.offer
        if line is None:
            return
        if line.piece.id != self._described:
            self._described, self._news = line.piece.id, ("", False)
        self.query_one("#builder-about", Static).update(view.about(line.piece))
        text, bad = self._news
        self._write("message", Content.styled(text or view.room(line), BAD if bad else ""))

    def _say(self, text: str, *, bad: bool = False) -> None:
        """News; they stay until the next or until another line is chosen."""
        self._news = (text, bad)
        self._write("message", Content.styled(text, BAD if bad else ""))

    def _write(self, part: str, content: Content) -> None:
        self.query_one(f"#builder-{part}", Static).update(content, layout=False)
