"""The army builder: the catalog on the left, the status of the army on the right. Names typed by
users become Content and never pass through markup."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import groupby
from math import ceil
from pathlib import Path, PurePath
from string import ascii_lowercase
from typing import ClassVar, NamedTuple, TypeAlias

from msgspec.structs import replace
from rich.cells import cell_len
from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from skirmish.app.armies import owned_figures
from skirmish.app.armies.editing import (
    ArmySession,
    CountedList,
    CountingScreen,
    FiguresScreen,
    SteppedTerm,
    TypedTerm,
    WorthScreen,
    counting_keys,
    term_entry,
    with_next_value,
    with_typed_value,
)
from skirmish.app.binding import keys, signs
from skirmish.app.foot import Foot
from skirmish.app.line_list import Group, LineScreen
from skirmish.app.page_view import DIM, HEAD, KEY, STRONG, TONES
from skirmish.app.reference.rulings import InForce
from skirmish.app.text_rows import hanging, padded, rows_of
from skirmish.games.plastic.rules.advice import (
    SECTIONS,
    PieceOffer,
    after_repair,
    fill,
    in_order_from,
    most_rifles,
    piece_offers,
    verdict,
    worsened,
)
from skirmish.games.plastic.rules.army import (
    MOST_GROUPS,
    Army,
    ArmyGroup,
    ArmyList,
    figures,
    missing,
)
from skirmish.games.plastic.rules.breaches import breaches, repair_words
from skirmish.games.plastic.rules.catalog import UnitType, Work, plural
from skirmish.games.plastic.rules.firing_table import NONE, Firing, FiringEntry, reaches
from skirmish.games.plastic.rules.limits import LimitGauge, gauges, not_waived, whole_or_half
from skirmish.store.errors import StoreError
from skirmish.tabletop.measure import NO_BREAK, inches
from skirmish.tabletop.typed import plain

ORDINALS = ("First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth")
"""As many as there may be groups."""
Pieces: TypeAlias = "list[Content | str | tuple[str, str]]"
"""Pieces of a text, as ``Content.assemble`` takes them."""
BAD, GOOD = TONES["bad"], TONES["good"]
TO_DO = "$warning bold"
"""The style of a limit that is not met yet, such as a least number of riflemen."""
COMMAND_LETTERS = "f"
"""Lower-case letters that are commands and cannot name a row."""
ROW_LETTERS = "".join(letter for letter in ascii_lowercase if letter not in COMMAND_LETTERS)
LEAST_ROW = 40
"""The fewest columns of a row, also before the list is laid out."""
ROOMY = 64
"""Columns from which a line shows what its weapon kills."""
FULL, HALF, EMPTY = "▄", "▖", "▁"
"""What a bar is drawn of: half a row high, with half a column at its end."""
MOST_OF_BAR = 24
"""The most columns of a bar."""
SAVED_WIDTH = 10
"""Columns of ``saved`` or ``NOT SAVED``, flush right."""
BESIDE_BAR = 16
"""The columns of a row of the make-up for its edge and its points."""
TARGETS = ("guys", "armored", "unarmored")
"""The columns of the firing table: the fields of ``FiringEntry`` with the cards that kill them."""
MARKS = {
    "met": (" ", GOOD),
    "waived": ("~", "$secondary"),
    "to_do": ("…", TO_DO),
    "broken": ("!", BAD),
}
"""The sign and the style of a limit, by its state."""


class BuilderMessage(NamedTuple):
    """The effect of the last change in words, and whether it is ``bad``."""

    text: str
    bad: bool = False


class ArmyBuilderScreen(CountingScreen[ArmyList]):
    """One army, saved after every change. Broken limits are shown, never enforced.

    The way of a change: a command of the army calls ``_alter``, a counted row ``put``; both call
    ``change``, which puts the new list into the session (where it can be undone) and calls
    ``changed``, which stores it, finds the breaches again, words the effect and repaints.
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
        self.group_number: int | None = None
        """The number of the group in view; None: the whole army."""
        self.breaches = in_order_from(breaches(self.army), 0)
        """The breaches, the first to repair first; those that are waived come last, so that
        the first is one to repair if any is."""
        self.owned: dict[str, int] = {}
        """The player's own figures, by the ids of the pieces; empty if none are entered."""
        self.offers: dict[str, PieceOffer] = {}
        """The lines as they were painted last, by the ids of their pieces."""
        self.letters: dict[str, str] = {}
        """The letters of those lines, by the ids of their pieces."""
        self._message = BuilderMessage("")
        """What is said below the lines, until the cursor moves."""
        self._described = ""
        """The id of the line at which the message was said."""
        self._warned = False
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
        return InForce(answers=self.army.rulings, whose="as in this army")

    async def on_mount(self) -> None:
        if self.session.unsaved:  # a new army is stored before anything is changed in it
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
        """A key that would do nothing now is greyed out: None, where False would hide it."""
        broken = not_waived(self.breaches)
        groups = self.army.army_list.groups
        is_possible = {
            "repair": bool(broken and broken[0].repair),
            "next_breach": len(broken) > 1,
            "fill": self.army.spent < self.army.budget,
            "dissolve": self.group is not None,
            "new_group": 0 < len(groups) < MOST_GROUPS,
            "undo": bool(self.session.past),
            "redo": bool(self.session.future),
        }
        if is_possible.get(action, True):
            return True
        return None

    # ------------------------------------------------------------------ lines

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

    def put(self, piece: str, count: int) -> None:
        army_list, catalog = self.army.army_list, self.army.catalog
        if self.group_number is None:
            self.change(army_list.changed(piece, count, catalog))
        else:
            self.change(army_list.regrouped(self.group_number, piece, count, catalog))

    # ------------------------------------------------------------------ groups

    def action_group(self) -> None:
        """Go to the next group; after the last one, to the whole army."""
        count = len(self.army.army_list.groups)
        if not count:
            self.action_new_group()
        elif self.group_number is None:
            self._turn_to(0)
        elif self.group_number + 1 < count:
            self._turn_to(self.group_number + 1)
        else:
            self._turn_to(None)

    def _turn_to(self, group_number: int | None) -> None:
        """Bring a group into view; None: the whole army."""
        self.group_number = group_number
        self.end_number()
        self.say("")
        self.paint()

    def action_new_group(self) -> None:
        number = len(self.army.army_list.groups)
        groups = (*self.army.army_list.groups, ArmyGroup(name=f"{ORDINALS[number]} platoon"))
        divided = replace(self.army, army_list=replace(self.army.army_list, groups=groups))
        self._ask(divided, "group", number, "New group")

    def action_dissolve(self) -> None:
        dissolved = self.group
        if dissolved is None:
            return
        remaining = tuple(group for group in self.army.army_list.groups if group is not dissolved)
        self.group_number = None
        message = f"{plain(dissolved.name)} is dissolved; its men stay in the army."
        self._alter(replace(self.army.army_list, groups=remaining), message)

    def _ask(self, army: Army, term: TypedTerm, number: int = 0, title: str = "") -> None:
        """Ask for a term of the army, or for the name of the group ``number``, which then comes
        into view."""

        def take(text: str | None) -> None:
            if text is None:
                return
            if term == "group":
                self.group_number = number
            self._alter(with_typed_value(army, term, text, number))

        self.app.push_screen(term_entry(army, term, number, title), take)

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
        self.breaches = in_order_from(self.breaches, 1)  # the first one goes behind the others
        self.paint()
        self.query_one("#builder-right").scroll_home(animate=False)
        if self._breaches_are_cut:
            self.say(self.breaches[0].message, bad=True)

    def action_turn(self, term: SteppedTerm) -> None:
        self._alter(with_next_value(self.army, term))

    def action_edit(self, term: TypedTerm) -> None:
        """Ask for a term of the army; where a group is in view, for its name instead of the
        army's."""
        if self.group_number is not None and term == "name":
            self._ask(self.army, "group", self.group_number)
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
            self._turn_to(None)
            return
        if self.session.unsaved:
            try:
                await self.session.save()
            except StoreError as error:
                if not self._warned:
                    self._warned = self.troubled = True
                    await self.skirmish.show_message(
                        "Not saved", f"{error} Press Esc again to leave without the last change."
                    )
                    return
        self.dismiss()

    # ------------------------------------------------------------------ changes

    def _alter(self, army_list: ArmyList, message: str = "") -> None:
        """Make a change that ends any count being typed."""
        self.end_number()
        self.change(army_list, message)

    def changed(self, message: str) -> None:
        self._warned = False
        before = self.breaches
        self.save()
        self.breaches = in_order_from(breaches(self.army, self.session.added), 0)
        self.paint()
        warnings = []
        if self._breaches_are_cut:  # else they stand beside the limits, and once is enough
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
        if self.group_number is None or self.group_number >= len(groups):
            return None
        return groups[self.group_number]

    @property
    def row_width(self) -> int:
        """Columns of a row, with one to spare beside the scrollbar."""
        return max(LEAST_ROW, self.query_one(CountedList).scrollable_content_region.width - 1)

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
        if self.group is None:
            self.group_number = None
        offers = piece_offers(self.army, self.group_number)
        self.offers = {offer.piece.id: offer for offer in offers}
        self.letters = letters(offers)
        super().paint(chosen)
        self.query_one("#builder-head", Static).update(self._head())
        room = self.query_one("#builder-right")
        width = room.scrollable_content_region.width
        # The limits come first: however many are broken, all of them stay in sight.
        status = [self._sums(), self._limits(width), *self._breach_lines(width)]
        status_rows = rows_of(Content("\n\n").join(status), max(width, 1))
        self._breaches_are_cut = status_rows > room.size.height
        status += self._group_lines(width)
        make_up = self._make_up(width)
        rows_in_all = rows_of(Content("\n\n").join([*status, make_up]), max(width, 1))
        if make_up and rows_in_all <= room.size.height:
            status.append(make_up)
        self.query_one("#builder-state", Static).update(Content("\n\n").join(status))

    def groups(self) -> Iterator[Group]:
        """The rows under the headings of their sections: groups of lines, not those of the army."""
        for section, offers in groupby(self.offers.values(), key=lambda offer: offer.section):
            lines = {offer.piece.id: self._line(offer) for offer in offers}
            yield Content.styled(SECTIONS[section], DIM), lines

    def meaning(self, id: str) -> Content:
        """The weapons of a line, then the effect of the last change, or how many more of the line
        are allowed. The effect is forgotten once the cursor has moved to another line."""
        if id != self._described:
            self._described, self._message = id, BuilderMessage("")
        text, bad = self._message
        about = Content()
        offer = self.offers.get(id)
        if offer is not None:
            about = self._about(offer.piece)
            text = text or self._room(offer)
        message = Content(text)
        if bad:
            message = Content.styled(text, BAD)
        return Content("\n").join([about, message])

    def say(self, text: str, *, bad: bool = False) -> None:
        self._described, self._message = self.chosen, BuilderMessage(text, bad)
        self.query_one("#meaning", Static).update(self.meaning(self.chosen))

    def _key_hint(self, name: str, default: str) -> tuple[str, str]:
        """The key of an action, to stand before what it does."""
        return f"{self.key(name, default)} ", KEY

    # ------------------------------------------------------------------ terms

    @property
    def heading(self) -> Content:
        width = self.size.width - 2
        name = self.army.army_list.name
        if self.group:
            name = f"{self.group.name} ({name})"
        edit = self._key_hint("edit", "E")
        name = padded(plain(name), max(1, width - SAVED_WIDTH - cell_len(edit[0])))
        style = DIM
        if self.troubled:
            saved, style = "NOT SAVED", BAD
        elif self.session.unsaved:
            saved = "saving …"
        else:
            saved = "saved"
        status = (f"{saved:>{SAVED_WIDTH}}\n", style)
        return Content.assemble(edit, (name, STRONG), status, self._terms(width))

    def _terms(self, width: int) -> Content:
        """Points, nation and quality on the left, the verdict on the army on the right."""
        army = self.army
        points = f"{army.army_list.points} points"
        if army.budget != army.army_list.points:  # the quality of the troops adds some
            points += f" + {army.budget - army.army_list.points}"
        nation = "no nation"
        if army.nation:
            nation = army.nation.name
        quality = "no quality"
        if army.quality:
            quality = army.quality.name
        left = Content.assemble(
            self._key_hint("points", "T"),
            f"{points}   ",
            self._key_hint("nation", "N"),
            f"{nation}   ",
            self._key_hint("quality", "L"),
            quality,
        )
        state, text = verdict(army)
        if state == "broken":
            text = f"NOT LEGAL: {text}"
        else:
            text = text.upper()
        _, style = MARKS[state]
        right = Content.styled(text, style)
        gap = max(2, width - left.cell_length - right.cell_length)
        return Content.assemble(left, " " * gap, right)

    # ------------------------------------------------------------------ the status of the army

    def _sums(self) -> Content:
        """Points, strength, free men, and what figures are missing."""
        army = self.army
        pieces: Pieces = [(f"{army.spent}/{army.budget} spent, ", STRONG)]
        left = army.budget - army.spent
        if left >= 0:
            pieces.append((f"{left} left", STRONG))
        else:
            pieces.append((f"{-left} over", BAD))
        pieces.append(f"\nStrength {army.strength}")
        if army.strength:
            pieces.append(f", break point {army.break_at}")
        for unit, free in army.free.items():
            paid = army.army_list.count(unit)
            pieces.append(f"\n{paid} paid + {free} free = {paid + free} men")
        if self.owned:
            lacking = sum(missing(figures(army), self.owned).values())
            pieces += ["\n", self._key_hint("figures", "O")]
            if lacking:
                pieces.append(f"{lacking} figures short")
            else:
                pieces.append("you own every figure")
        return Content.assemble(*pieces)

    def _breach_lines(self, width: int) -> Iterator[Content]:
        """The limits that are broken, the first to repair first; then those that are waived."""
        broken = not_waived(self.breaches)
        for breach in broken:
            yield self._breach(breach, width, is_first=breach is broken[0])
        if len(broken) > 1:
            yield Content.assemble(self._key_hint("next-breach", "B"), "Next breach")
        # ``in_order_from`` puts the waived ones last.
        for breach in self.breaches[len(broken) :]:
            reason = ""
            if breach.override:
                reason = f" ({plain(breach.override)})"
            yield Content.assemble(("WAIVED  ", STRONG), breach.message, reason)

    def _breach(self, breach: LimitGauge, width: int, *, is_first: bool) -> Content:
        """A sentence for a breach; below the first one the key that repairs it."""
        head = ("BROKEN  ", BAD)
        if breach.state == "to_do":
            head = ("STILL TO DO  ", TO_DO)
        sentence = Content.assemble(head, breach.message)
        if not is_first:
            return sentence
        remedy = repair_words(breach.repair, self.army)
        key = self._key_hint("repair", "R")
        if not remedy:  # no change of the pieces helps
            key, remedy = self._key_hint("points", "T"), "change the points"
        remedy = f"{remedy[0].upper()}{remedy[1:]}."
        rows = [sentence, *hanging(Content.assemble(key, remedy), width, 2)]
        return Content("\n").join(rows)

    def _group_lines(self, width: int) -> Iterator[Content]:
        """The groups with their men below the keys for groups; nothing in an army without any."""
        army_list, units = self.army.army_list, self.army.catalog.units
        if not army_list.groups:
            return
        head = Content.styled("GROUPS", HEAD)
        keys = Content.assemble(
            self._key_hint("groups", "G"),
            "next  ",
            self._key_hint("new-group", "A"),
            "new  ",
            self._key_hint("dissolve", "delete"),
            "dissolve",
        )
        in_one_row = Content("  ").join([head, keys])
        if in_one_row.cell_length <= width:
            rows = [in_one_row]
        else:
            rows = [head, *hanging(keys, width, 2)]
        for number, group in enumerate(army_list.divided):
            members = []
            for unit, count in group.units.items():
                if count:
                    members.append(f"{count} {units[unit].short}")
            mark, style = " ", STRONG
            if number == self.group_number:
                mark, style = "►", KEY
            name = (f"{mark} {plain(group.name)}: ", style)
            rows += hanging(Content.assemble(name, ", ".join(members) or "nobody"), width, 4)
        yield Content("\n").join(rows)

    def _make_up(self, width: int) -> Content:
        """What the points are spent on, the most first, and what each weapon kills, for a screen
        that has room for it below the limits; else nothing."""
        bought = [offer for offer in self.offers.values() if offer.count]
        bought.sort(key=self._points_of, reverse=True)
        names = [f"{offer.count + offer.free} {_called(offer)}" for offer in bought]
        name_width = max(map(cell_len, names), default=0)
        most_points = max(map(self._points_of, bought), default=0)
        if not bought or width < name_width + MOST_OF_BAR + BESIDE_BAR:
            return Content("")
        rows = []
        for offer, name in zip(bought, names, strict=True):
            points = self._points_of(offer)
            full = points * MOST_OF_BAR // max(most_points, 1)
            bar = FULL * full + EMPTY * (MOST_OF_BAR - full)
            row = Content.assemble(
                f"  {padded(name, name_width)} ", (bar, DIM), f" {points:>4} points"
            )
            rows.append(row)
            weapons = "; ".join(self._weapon_words(weapon) for weapon in self._firing(offer.piece))
            if weapons:
                rows += hanging(Content.styled(f"    {weapons}", DIM), width, 4)
        return Content("\n").join([Content.styled("WHAT THE POINTS BUY", HEAD), *rows])

    def _points_of(self, offer: PieceOffer) -> int:
        """What the pieces of a line cost."""
        return offer.count * self.army.price(offer.piece.id)

    def _limits(self, width: int) -> Content:
        """A row for each limit: its name, a bar, and how much of what is allowed is used."""
        limits = gauges(self.army)
        names = []
        shares = []
        for gauge in limits:
            name = gauge.label
            if gauge.limit.is_least:
                name += ", least"
            names.append(name)
            shares.append(f"{whole_or_half(gauge.have)}/{whole_or_half(gauge.allowed)}")
        name_width = max(map(cell_len, names), default=0)
        share_width = max(map(len, shares), default=0)
        # Four columns for the mark and the gaps.
        bar_width = max(0, min(MOST_OF_BAR, width - name_width - share_width - 4))
        rows = [Content.styled("LIMITS", HEAD)]
        for gauge, name, share in zip(limits, names, shares, strict=True):
            mark, style = MARKS[gauge.state]
            full, rest = _bar(gauge, bar_width)
            name_style = style
            if gauge.is_met:
                name_style = ""
            row = Content.assemble(
                (f"{mark} ", style),
                (padded(name, name_width), name_style),
                (f" {full}", style),
                (rest, DIM),
                f" {share:>{share_width}}",
            )
            rows.append(row)
        return Content("\n").join(rows)

    # ------------------------------------------------------------------ lines

    def _head(self) -> Content:
        """The titles above the rows; those of a group count what is here and what is left."""
        have, more = "HAVE", "MORE"
        if self.group:
            have, more = "HERE", "LEFT"
        cells = RowCells("PTS", "MOVE", "RANGE", have, more)
        return Content.styled(self._columns("", "", cells, ("GUYS", "ARMOR", "UNARM")), DIM)

    def _line(self, offer: PieceOffer) -> Content:
        """The row of a piece: bold if there are some of it, dim if there can be none."""
        piece = offer.piece
        typing = piece.id == self.typed_piece
        # Otherwise it is for other nations only, or not for this game at all.
        sold = offer.section not in ("elsewhere", "not_sold")
        move = reach = ""
        if isinstance(piece, UnitType):
            move = self._bare(_moves(piece))
            reach = self._bare(reaches(self.army.catalog.weapons_of(piece, self.army.rulings)))
        more = "no"
        if sold:
            more = str(offer.more)
        price = str(self.army.price(piece.id))
        cells = RowCells(price, move, reach, _count_cell(offer, typing=typing), more)
        kills = ["", "", ""]
        entries = self._firing(piece)
        if entries:  # a row has room for the first weapon only
            kills = [getattr(entries[0], target) for target in TARGETS]
        text = self._columns(self.letters.get(piece.id, " "), piece.name, cells, kills)
        if offer.count or typing:
            style = STRONG
        elif sold and offer.more:
            style = ""
        else:
            style = DIM
        return Content.assemble((text[:1], KEY), (text[1:], style))

    def _columns(self, letter: str, name: str, cells: RowCells, kills: Iterable[str]) -> str:
        """A row, or the heads above the rows, without styles; the name takes what is left."""
        width = self.row_width
        right = f"{cells.price:>4}{cells.move:>6}{cells.reach:>6}"
        if width >= ROOMY:
            right += "".join(f"{kill:>7}" for kill in kills)
        right += f" {cells.have:>6} {cells.more:>4}"
        return f"{letter:<2}{padded(plain(name), max(8, width - 2 - len(right)))}{right}"

    def _bare(self, distances: str) -> str:
        """Ranges in the player's unit without its name, as in ``12/24``."""

        def measured(number: re.Match[str]) -> str:
            return self.skirmish.measured(inches(int(number[0]))).split(NO_BREAK)[0]

        return re.sub(r"\d+", measured, distances)

    def _firing(self, piece: UnitType | Work) -> list[FiringEntry]:
        """The entries of the firing table for the weapons of a piece."""
        if isinstance(piece, Work):
            return []
        return Firing(self.army.catalog, self.army.rulings, self.army.nation).entries(piece)

    def _about(self, piece: UnitType | Work) -> Content:
        """Its weapons with what they kill, who may ride in it, and the note of the rules."""
        pieces: Pieces = []
        for weapon in self._firing(piece):
            words = self._weapon_words(weapon).removeprefix(weapon.weapon)
            pieces += [(weapon.weapon, STRONG), f"{words}\n"]
        if isinstance(piece, UnitType) and piece.seats:
            pieces.append(f"Carries {piece.seats}. ")
        pieces.append((self.skirmish.measured(piece.note), DIM))
        return Content.assemble(*pieces)

    def _weapon_words(self, weapon: FiringEntry) -> str:
        """``Rifle 12 in: guys A-5, unarmored A-2``"""
        kills = []
        for target in TARGETS:
            cards = getattr(weapon, target)
            if cards != NONE:
                kills.append(f"{target} {_in_words(cards)}")
        return f"{weapon.weapon} {self.skirmish.measured(weapon.reach)}: {', '.join(kills)}"

    def _room(self, offer: PieceOffer) -> str:
        """How many more are allowed and by which limit; in a group, how many can still join it;
        then how many are owned, if figures are entered."""
        # Of the limits that the piece counts for, the one that allows the fewest more.
        gauge = offer.full_first
        piece, plural_name = offer.piece, plural(offer.piece.name)
        if self.group:
            return f"{piece.named(offer.more)} in no group. A higher number buys what is missing."
        limit = f"(limit: {gauge.label}, {whole_or_half(gauge.allowed)})."
        if offer.section == "elsewhere":
            text = f"{plural_name}: only the {gauge.owners} have them."
        elif offer.section == "not_sold":
            text = f"{plural_name} cannot be bought for this game."
        elif offer.more == 1:
            text = f"Room for 1 more {piece.name} {limit}"
        elif offer.more:
            text = f"Room for {offer.more} more {plural_name} {limit}"
        else:
            text = f"No room for more {plural_name} {limit}"
        if self.owned:
            text += self._owned(piece)
        return text

    def _owned(self, piece: UnitType | Work) -> str:
        """How many figures of it the player has, and how many are too few for the army."""
        owned = self.owned.get(piece.id, 0)
        lacking = figures(self.army).get(piece.id, 0) - owned
        if lacking > 0:
            return f" You own {piece.named(owned)}, {lacking} too few."
        return f" You own {piece.named(owned)}."


class RowCells(NamedTuple):
    """The cells of a row: price in points, move and range in the player's unit, how many the army
    or group has, how many more are allowed."""

    price: str
    move: str
    reach: str
    have: str
    more: str


def letters(offers: Iterable[PieceOffer]) -> dict[str, str]:
    """A letter for each piece on offer: its own, one of its name, or any free one. A piece without
    a letter is reached by the arrows."""
    pieces = [offer.piece for offer in offers]
    letter_of: dict[str, str] = {}
    free = list(ROW_LETTERS)

    def give(piece: UnitType | Work, wishes: Iterable[str]) -> None:
        for letter in wishes:
            if letter in free:
                letter_of[piece.id] = letter
                free.remove(letter)
                return

    # Every piece gets its own letter before any takes one for the sake of its name.
    for piece in pieces:
        give(piece, piece.letter)
    for piece in pieces:
        if piece.id not in letter_of:
            give(piece, piece.name.lower())
    for piece in pieces:
        if piece.id not in letter_of:
            give(piece, ROW_LETTERS)
    return letter_of


def _moves(unit: UnitType) -> str:
    """The moves of a unit in inches: across country, on a road, on the water (``8/12/6w``)."""
    moves = []
    if unit.move:
        moves.append(f"{unit.move}")
    if unit.road_move:
        moves.append(f"{unit.road_move}")
    if unit.water_move:
        moves.append(f"{unit.water_move}w")
    return "/".join(moves) or NONE


def _count_cell(offer: PieceOffer, *, typing: bool) -> str:
    """How many there are, with those that are free; a line marks the end of a number that is being
    typed."""
    count = str(offer.count)
    if typing:
        count += "_"
    if offer.free:
        count += f"+{offer.free}"
    if count == "0":
        return "·"
    return count


def _called(offer: PieceOffer) -> str:
    """The name of the pieces of a line, as many as they are."""
    if offer.count + offer.free == 1:
        return offer.piece.name
    return plural(offer.piece.name)


def _in_words(cards: str) -> str:
    """Cards of the firing table without its signs: + for another shot, * for contact only."""
    words = cards.rstrip("*+")
    if "+" in cards:
        words += " and again"
    if "*" in cards:
        words += " touching"
    return words


def _bar(gauge: LimitGauge, width: int) -> tuple[str, str]:
    """A bar in halves of a column, never full below the limit, and its empty rest."""
    if gauge.allowed:
        share = gauge.have / gauge.allowed
    elif gauge.have > 0:  # where none is allowed, any is too many
        share = Fraction(1)
    else:
        share = Fraction(0)
    halves = min(width * 2, ceil(share * width * 2))
    if share < 1:
        halves = min(halves, max(0, width * 2 - 1))
    full, part = divmod(halves, 2)
    return FULL * full + HALF * part, EMPTY * (width - full - part)
