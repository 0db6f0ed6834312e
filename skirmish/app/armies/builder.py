"""The army builder: on the left the rows of the pieces on offer (``offer_rows``), on the right the
status of the army (``status``). Names typed by users become Content and never pass through
markup."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import groupby
from operator import attrgetter
from pathlib import Path, PurePath
from typing import ClassVar, NamedTuple

from msgspec.structs import replace
from rich.cells import cell_len
from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from skirmish.app.armies import owned_figures
from skirmish.app.armies.counting import CountedList, CountingScreen, counting_keys
from skirmish.app.armies.editing import ArmySession
from skirmish.app.armies.offer_rows import (
    ROW_LETTERS,
    ArmyWeapons,
    ChosenOffer,
    OfferRows,
    row_letters,
)
from skirmish.app.armies.own_figures import FiguresScreen
from skirmish.app.armies.status import BAD, ArmyStatus
from skirmish.app.armies.terms import (
    SteppedTerm,
    TypedTerm,
    term_entry,
    with_next_value,
    with_typed_value,
)
from skirmish.app.binding import keys, signs
from skirmish.app.foot import Foot
from skirmish.app.line_list import LineGroup, LineScreen
from skirmish.app.page_screen import PageScreen
from skirmish.app.reference.rulings import InForce
from skirmish.app.text_rows import padded, rows_of
from skirmish.app.text_styles import DIM, KEY, STRONG
from skirmish.games.plastic.odds.worth import WorthTable, worth, worth_page
from skirmish.games.plastic.rules.advice import (
    SECTIONS,
    PieceOffer,
    after_repair,
    fill,
    in_order_from,
    most_rifles,
    piece_offers,
    worsened,
)
from skirmish.games.plastic.rules.army import MOST_GROUPS, Army, ArmyGroup, ArmyList
from skirmish.games.plastic.rules.breaches import breaches, repair_words
from skirmish.games.plastic.rules.limits import not_waived
from skirmish.store.errors import StoreError
from skirmish.tabletop.page import Page
from skirmish.tabletop.typed import plain

ORDINALS = ("First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth")
"""The names of new groups begin with these; as many as there may be groups."""
LEAST_ROW = 40
"""The fewest columns of a row; a list that is not laid out yet has none."""
SAVED_WIDTH = 10
"""Columns of ``saved`` or ``NOT SAVED``, flush right."""
HEADING_EDGES = 2
"""Columns of the edges beside the heading."""


class BuilderMessage(NamedTuple):
    """The effect of the last change in words, and whether it is ``bad``."""

    text: str
    bad: bool = False


class ArmyBuilderScreen(CountingScreen[ArmyList]):
    """One army, saved after every change. Broken limits are shown, never enforced.

    A command that changes the army calls ``_alter``; from there a change goes the way that
    ``CountingScreen`` describes. Here ``save_and_show`` also finds the breaches anew and says what
    the change did.
    """

    CSS_PATH: ClassVar[list[str | PurePath]] = [
        *LineScreen.CSS_PATH,
        Path(__file__).with_name("army_builder.tcss"),
    ]
    TOPIC: ClassVar[str] = "army"
    HELP = (
        "Press the letter of a row to go to it, then type its count. 0 clears it, Backspace "
        "deletes a digit, + and - add and remove one. An army may break a limit; the screen "
        "names it. Every change is saved at once.\n\n"
        "Groups are optional: platoons or whatever you like. In a group the count is that of the "
        "group. Men come from those in no group; what is missing is bought.\n\n"
        "MORE is how many more the limits allow. A-5: ace to 5 kills. +: a kill gives another "
        "shot. *: only in contact. Limits: ! broken, … not met yet, ~ waived. Strength is 1 for "
        "each guy and 5 for each model."
    )
    # Each row: id, keys, action, label at the foot, words of the help.
    BINDINGS: ClassVar[list[BindingType]] = [
        *counting_keys("army"),
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
            ("figures", "O", "figures", "Own", "Compare your own figures with this army"),
            ("worth", "W", "worth", "", "What each unit kills for each point it costs"),
            ("print", "P", "print", "Print", "Print the roster"),
            ("undo", "ctrl+z", "undo", "", "Undo the last change"),
            ("redo", "ctrl+y", "redo", "", "Redo what was undone"),
            ("back", "escape", "back", "Back",
             "Back: from a group to the army, then to the armies"),
        ),
        *signs("army", ROW_LETTERS, "row"),
    ]  # fmt: skip
    WHY_NOT: ClassVar[Mapping[str, str]] = {
        "repair": "no limit is broken that one change repairs",
        "next_breach": "no further limit is broken",
        "fill": "all points are spent",
        "dissolve": "choose a group first",
        "new_group": "the army has no groups, or as many as there can be",
        "undo": "nothing has been changed",
        "redo": "nothing was undone",
    }

    session: ArmySession

    def __init__(self, session: ArmySession) -> None:
        super().__init__(session)
        self.group_index: int | None = None
        """The index of the group in view; None: the whole army."""
        self.breaches = in_order_from(breaches(self.army), front=0)
        """The breaches, the first to repair first; those that are waived come last."""
        self.owned: dict[str, int] = {}
        """The player's own figures, by the ids of the pieces; empty if none are entered."""
        self.offers: dict[str, PieceOffer] = {}
        """What the rows show, by the ids of their pieces, as of the last ``paint``."""
        self.letters: dict[str, str] = {}
        """The letters of those rows, by the ids of their pieces."""
        self._message = BuilderMessage("")
        """The message below the rows, until the cursor moves to another one."""
        self._row_of_message = ""
        """The id of the row that was chosen when the message appeared."""
        self._warned_of_loss = False
        """Whether the player was told that Esc will lose the last change."""
        self._breaches_are_cut = False
        """Whether there are more breaches than fit below the limits."""

    @property
    def paragraph(self) -> str:
        """The rule of the first breach, for the reference."""
        if self.breaches:
            return f"limit {self.breaches[0].limit.id}"
        return "points"

    @property
    def in_force(self) -> InForce:
        """The rulings of the army, by which the reference answers here."""
        return InForce(answers=self.army.rulings, origin="as in this army")

    async def on_mount(self) -> None:
        if self.session.unsaved:  # a new army is stored before anything is changed in it
            self.save()
        await super().on_mount()  # so that letters and digits typed ahead find their rows
        self.call_after_refresh(self.paint)  # once more, in the width that the list has then

    # The player may come back from the screen of own figures. The next key waits for a worker of
    # this group (``OPENS`` in ``turns.py``).
    @work(group="look", exclusive=True)
    async def on_screen_resume(self) -> None:
        owned = await owned_figures(self.skirmish.stored)
        if owned != self.owned and self.is_attached:
            self.owned = owned
            self.paint()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A key that would do nothing now is greyed out: None, where False would hide it."""
        broken = not_waived(self.breaches)
        can_repair = False
        if broken:  # a change of the pieces cannot repair every breach
            can_repair = bool(broken[0].repair)
        number_of_groups = len(self.army.army_list.groups)
        is_possible = {
            "repair": can_repair,
            "next_breach": len(broken) > 1,
            "fill": self.army.spent < self.army.budget,
            "dissolve": self.group is not None,
            # The first group is formed by the key that goes through the groups.
            "new_group": 0 < number_of_groups < MOST_GROUPS,
            "undo": bool(self.session.past),
            "redo": bool(self.session.future),
        }
        if is_possible.get(action, True):
            return True
        return None

    # ------------------------------------------------------------------ rows

    def action_row(self, letter: str) -> None:
        """Move to the row of a letter. Without such a row, none stays selected, so that digits
        typed next change nothing."""
        self.end_number()
        pieces = self.query_one(CountedList)
        pieces.focus()
        for piece, piece_letter in self.letters.items():
            if piece_letter == letter:
                pieces.highlighted = pieces.get_option_index(piece)
                self.paint()
                return
        pieces.highlighted = None
        self.say(f"No row has the letter {letter}.", bad=True)

    def count(self, piece: str) -> int:
        return self.offers[piece].count

    def set_count(self, piece: str, count: int) -> None:
        army_list, catalog = self.army.army_list, self.army.catalog
        if self.group_index is None:
            self.change(army_list.changed(piece, count, catalog))
        else:
            self.change(army_list.regrouped(self.group_index, piece, count, catalog))

    # ------------------------------------------------------------------ groups

    def action_group(self) -> None:
        """Go to the next group; after the last one, to the whole army. Without groups, form the
        first."""
        number_of_groups = len(self.army.army_list.groups)
        if number_of_groups == 0:
            self.action_new_group()
        elif self.group_index is None:
            self._show_group(0)
        elif self.group_index + 1 < number_of_groups:
            self._show_group(self.group_index + 1)
        else:
            self._show_group(None)

    def _show_group(self, group_index: int | None) -> None:
        """Bring a group into view; None: the whole army."""
        self.group_index = group_index
        self.end_number()
        self.say("")
        self.paint()

    def action_new_group(self) -> None:
        """Form a group once its name is entered; until then, nothing changes."""
        army_list = self.army.army_list
        new_index = len(army_list.groups)
        new_group = ArmyGroup(name=f"{ORDINALS[new_index]} platoon")
        with_group = replace(army_list, groups=(*army_list.groups, new_group))
        self._ask(replace(self.army, army_list=with_group), "group", new_index, "New group")

    def action_dissolve(self) -> None:
        dissolved = self.group
        if dissolved is None:
            return
        remaining = tuple(group for group in self.army.army_list.groups if group is not dissolved)
        self.group_index = None
        message = f"{plain(dissolved.name)} is dissolved; its men stay in the army."
        self._alter(replace(self.army.army_list, groups=remaining), message)

    def _ask(self, army: Army, term: TypedTerm, group_index: int = 0, title: str = "") -> None:
        """Ask for a term of the army, or for the name of the group with this index, which then
        comes into view. ``army`` already has a group that is being formed."""

        def set_term(text: str | None) -> None:
            if text is None:
                return
            if term == "group":
                self.group_index = group_index
            self._alter(with_typed_value(army, term, text, group_index))

        self.app.push_screen(term_entry(army, term, group_index, title), set_term)

    # ------------------------------------------------------------------ the army

    def action_fill(self) -> None:
        """Spend what is left. The message names the cap on riflemen, since points may be left
        because of it."""
        before, after = self.army.army_list, fill(self.army)
        bought = []
        for unit, count in after.units.items():
            added = count - before.count(unit)
            if added > 0:
                bought.append(f"{added} {self.army.catalog.units[unit].short}")
        cap = f"Fill adds riflemen up to {most_rifles(self.army)}."
        if bought:
            self._alter(after, f"Added {', '.join(bought)}. {cap}")
        else:
            self.say(f"Nothing more fits. {cap}")

    def action_repair(self) -> None:
        breach = self.breaches[0]  # there is one: ``check_action`` greys the key otherwise
        message = f"Repaired: {repair_words(breach.repair, self.army)}."
        message += f" {self.key('undo', 'ctrl+z')} undoes it."
        self._alter(after_repair(self.army, breach), message)

    def action_next_breach(self) -> None:
        # The first breach goes behind the others.
        self.breaches = in_order_from(self.breaches, front=1)
        self.paint()
        self.query_one("#builder-right").scroll_home(animate=False)
        if self._breaches_are_cut:  # there it may be out of sight
            self.say(self.breaches[0].message, bad=True)

    def action_turn(self, term: SteppedTerm) -> None:
        self._alter(with_next_value(self.army, term))

    def action_edit(self, term: TypedTerm) -> None:
        """Ask for a term of the army; where a group is in view, for its name instead of the
        army's."""
        if self.group_index is not None and term == "name":
            self._ask(self.army, "group", self.group_index)
        else:
            self._ask(self.army, term)

    def action_figures(self) -> None:
        self.app.push_screen(FiguresScreen(self.skirmish, self.army))

    def action_worth(self) -> None:
        self.app.push_screen(WorthScreen(self.army))

    def action_print(self) -> None:
        from skirmish.app.printing import print_document

        self.run_worker(print_document(self.skirmish, "roster", self.army))

    async def action_back(self) -> None:
        """Go from a group to the whole army, and from there back once everything is stored. If
        storing fails, show why and leave at the second press."""
        if self.group is not None:
            self._show_group(None)
            return
        if self.session.unsaved:
            try:
                await self.session.save()
            except StoreError as error:
                if not self._warned_of_loss:
                    self._warned_of_loss = True
                    self.save_failed = True  # so the heading says so, and no other save reports it
                    await self.skirmish.show_message(
                        "Not saved", f"{error} Press Esc again to leave without the last change."
                    )
                    return
        self.dismiss()

    # ------------------------------------------------------------------ changes

    def _alter(self, army_list: ArmyList, message: str = "") -> None:
        """Make a change other than a count that is typed: such a count is complete by then."""
        self.end_number()
        self.change(army_list, message)

    def save_and_show(self, message: str) -> None:
        self._warned_of_loss = False  # the warning was about the change before
        before = self.breaches
        self.save()
        self.breaches = in_order_from(breaches(self.army, self.session.latest_additions), front=0)
        self.paint()
        warnings = []
        # Breaches that stand below the limits need not be said a second time.
        if self._breaches_are_cut:
            warnings = [breach.message for breach in worsened(before, self.breaches)]
        self.say(" ".join([message, *warnings]).strip(), bad=bool(warnings))

    # ------------------------------------------------------------------ on the screen

    @property
    def army(self) -> Army:
        """The army as it is now, with all changes."""
        return self.session.army

    @property
    def group(self) -> ArmyGroup | None:
        """The group in view, if it still exists: a change that formed it may be undone."""
        groups = self.army.army_list.groups
        if self.group_index is None or self.group_index >= len(groups):
            return None
        return groups[self.group_index]

    def key(self, name: str, default: str) -> str:
        """The key of an action of this screen, as the player has set it; ``default`` if he has
        not."""
        return self.skirmish.key(f"army.{name}", default)

    def compose(self) -> ComposeResult:
        yield Static(id="heading", markup=False)
        with Horizontal(id="builder-columns"):
            with Vertical(id="builder-left"):
                yield Static(id="builder-head", markup=False)
                yield CountedList(id="pieces", classes="lines")
            with VerticalScroll(id="builder-right"):  # Tab, then the arrows
                yield Static(id="builder-state", markup=False)
        with VerticalScroll(id="about-line", can_focus=False):
            yield Static(id="meaning", markup=False)
        yield Foot()

    def on_resize(self) -> None:
        self.call_after_refresh(self.paint)

    def paint(self, chosen: str = "") -> None:
        if self.group is None:  # undoing may have taken away the group in view
            self.group_index = None
        offers = piece_offers(self.army, self.group_index)
        self.offers = {offer.piece.id: offer for offer in offers}
        self.letters = row_letters(offers)
        super().paint(chosen)
        heads = self._rows.titles(in_group=self.group is not None)
        self.query_one("#builder-head", Static).update(heads)
        self._paint_status()

    def _paint_status(self) -> None:
        """Paint the right side, and note whether all breaches fit there."""
        right_side = self.query_one("#builder-right")
        width = right_side.scrollable_content_region.width
        height = right_side.size.height
        status = self._status(width)
        # The limits come first: however many are broken, all of them stay in sight.
        parts = [status.sums(), status.limits(), *status.breach_lines()]
        self._breaches_are_cut = _rows_of_parts(parts, width) > height
        groups = status.group_lines()
        if groups:
            parts.append(groups)
        make_up = status.make_up()
        # The least important part is left out where one would have to scroll to it.
        if make_up and _rows_of_parts([*parts, make_up], width) <= height:
            parts.append(make_up)
        self.query_one("#builder-state", Static).update(_joined(parts))

    def _status(self, width: int) -> ArmyStatus:
        """The status of the army as it is now, in so many columns."""
        return ArmyStatus(
            host=self.skirmish,
            army=self.army,
            group_index=self.group_index,
            breaches=self.breaches,
            offers=list(self.offers.values()),
            owned=self.owned,
            width=width,
        )

    @property
    def _weapons(self) -> ArmyWeapons:
        """The weapons of the army under its present terms."""
        return ArmyWeapons(self.skirmish, self.army)

    @property
    def row_width(self) -> int:
        """Columns of a row, with one to spare beside the scrollbar."""
        list_width = self.query_one(CountedList).scrollable_content_region.width
        return max(LEAST_ROW, list_width - 1)

    @property
    def _rows(self) -> OfferRows:
        """What lays out the rows, by their letters and width of now."""
        return OfferRows(self._weapons, self.letters, self.row_width, self.typed_piece)

    @property
    def heading(self) -> Content:
        """The name and whether all is saved; below them the terms of the army."""
        width = self.size.width - HEADING_EDGES
        army_name = self.army.army_list.name
        name = army_name
        if self.group:
            name = f"{self.group.name} ({army_name})"
        edit_key = f"{self.key('edit', 'E')} "
        name_width = max(1, width - cell_len(edit_key) - SAVED_WIDTH)
        saved, saved_style = "saved", DIM
        if self.save_failed:
            saved, saved_style = "NOT SAVED", BAD
        elif self.session.unsaved:
            saved = "saving …"
        first_row = Content.assemble(
            (edit_key, KEY),
            (padded(plain(name), name_width), STRONG),
            (f"{saved:>{SAVED_WIDTH}}", saved_style),
        )
        return Content("\n").join([first_row, self._status(width).terms()])

    def groups(self) -> Iterator[LineGroup]:
        """The rows under the headings of their sections. These are groups of lines, not the groups
        of the army."""
        rows = self._rows
        # ``piece_offers`` returns them by section.
        for section, offers in groupby(self.offers.values(), key=attrgetter("section")):
            lines = {offer.piece.id: rows.row(offer) for offer in offers}
            yield LineGroup(Content.styled(SECTIONS[section], DIM), lines)

    def on_option_list_option_highlighted(self) -> None:
        """Forget the message once the cursor has moved to another row."""
        if self.chosen != self._row_of_message:
            self._row_of_message = self.chosen
            self._message = BuilderMessage("")
        super().on_option_list_option_highlighted()

    def meaning(self, id: str) -> Content:
        """The weapons of a row, then the message, or how many more of the row are allowed."""
        message = self._message  # that of another row is not shown here
        if id != self._row_of_message:
            message = BuilderMessage("")
        about = Content()
        last_line = Content(message.text)
        if message.bad:
            last_line = Content.styled(message.text, BAD)
        offer = self.offers.get(id)
        if offer is not None:
            chosen = ChosenOffer(offer, self._weapons, self.owned)
            about = chosen.about()
            if not message.text:
                last_line = Content(chosen.room_in_words(in_group=self.group is not None))
        return Content("\n").join([about, last_line])

    def say(self, text: str, *, bad: bool = False) -> None:
        self._row_of_message = self.chosen
        self._message = BuilderMessage(text, bad)
        self.query_one("#meaning", Static).update(self.meaning(self.chosen))


def _joined(parts: list[Content]) -> Content:
    """The parts with an empty row between them."""
    return Content("\n\n").join(parts)


def _rows_of_parts(parts: list[Content], width: int) -> int:
    return rows_of(_joined(parts), width)


class WorthScreen(PageScreen):
    """What each unit kills for each point of its price, under the terms of an army."""

    TOPIC: ClassVar[str] = "worth"
    FAILURE = "These figures are not available"
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
        super().__init__(self._worth_page)
        self._army = army
        self._only_own = False

    @cached_property
    def _worth(self) -> WorthTable:
        """The worth of every unit that fires and can be bought."""
        return worth(self._army.catalog, self._army.rulings, self._army.nation)

    @property
    def in_force(self) -> InForce:
        """The rulings of the army, by which the reference answers here."""
        return InForce(answers=self._army.rulings, origin="as in this army")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "own":
            own = self._army.fielded()
            # Units that do not fire, such as trucks, have no line in the table.
            any_has_line = any(line.unit.id in own for line in self._worth.lines)
            if not any_has_line:
                return None  # shown in grey; False would hide the key
        return True

    def action_own(self) -> None:
        self._only_own = not self._only_own
        self.show_anew()

    def _worth_page(self) -> Page:
        """The table with all units, or only with those in the army."""
        own = self._army.fielded()
        table = self._worth
        if self._only_own:
            own_lines = [line for line in table.lines if line.unit.id in own]
            table = replace(table, lines=own_lines)
        return worth_page(table, own)
