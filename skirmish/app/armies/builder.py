"""The army builder: the catalog on the left, the status of the army on the right. Names typed by
users become Content and never pass through markup."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import groupby
from math import ceil
from pathlib import Path, PurePath
from string import ascii_lowercase
from typing import ClassVar, Literal, TypeAlias

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
    Term,
    Turned,
    WorthScreen,
    counting,
    entry,
    turned,
    written,
)
from skirmish.app.binding import keys, signs
from skirmish.app.foot import Foot
from skirmish.app.line_list import Group, LineScreen
from skirmish.app.page_view import DIM, HEAD, KEY, STRONG, TONES, hanging, padded
from skirmish.app.reference.rulings import InForce
from skirmish.games.plastic.rules.advice import (
    SECTIONS,
    PieceOffer,
    fill,
    in_turn,
    mended,
    most_rifles,
    offered,
    verdict,
    worse,
)
from skirmish.games.plastic.rules.army import (
    MOST_GROUPS,
    Army,
    ArmyGroup,
    ArmyList,
    figures,
    missing,
)
from skirmish.games.plastic.rules.breaches import (
    LimitGauge,
    breaches,
    gauges,
    mend,
    not_waived,
    whole_or_half,
)
from skirmish.games.plastic.rules.catalog import UnitType, Work, plural
from skirmish.games.plastic.rules.firing_table import NONE, Firing, FiringEntry, reaches
from skirmish.store.errors import StoreError
from skirmish.tabletop.measure import NO_BREAK, inches
from skirmish.tabletop.typed import plain

ORDINALS = ("First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth")
"""As many as there may be groups."""
Parts: TypeAlias = "list[Content | str | tuple[str, str]]"
BAD, GOOD, TO_DO = TONES["bad"], TONES["good"], "$warning bold"
TAKEN = "f"
"""Lower-case letters that are commands and cannot name a row."""
ROOMY = 64
"""Columns from which a line shows what its weapon kills."""
EIGHTHS = ("", *"▏▎▍▌▋▊▉")
KILLS = ("guys", "armored", "unarmored")
MARKS = {
    "met": (" ", GOOD),
    "waived": ("~", "$secondary"),
    "to_do": ("…", TO_DO),
    "broken": ("!", BAD),
}


class ArmyBuilderScreen(CountingScreen[ArmyList]):
    """One army, saved after every change. Broken limits are shown, never enforced."""

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
            ("figures", "O", "aside('figures')", "Own",
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

    session: ArmySession

    def __init__(self, session: ArmySession) -> None:
        super().__init__(session)
        self.at: int | None = None
        """The number of the group in view; None: the whole army."""
        self.found = in_turn(breaches(self.army), 0)
        """The breaches, the first to repair first."""
        self.owned: dict[str, int] = {}
        """Empty if no figures are entered."""
        self.offers: dict[str, PieceOffer] = {}
        self.letters: dict[str, str] = {}
        self._message = ("", False)  # the effect of the last change, and whether it is bad
        self._described = ""  # the explanation of the selected line
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
        broken, groups = not_waived(self.found), self.army.listed.groups
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
        pieces.focus()
        for piece, own in self.letters.items():
            if own == letter:
                pieces.highlighted = pieces.get_option_index(piece)
                self.paint()
                return
        pieces.highlighted = None
        self.say(f"No row has the letter {letter}.", bad=True)

    def count(self, piece: str) -> int:
        return self.offers[piece].count

    def put(self, piece: str, count: int) -> None:
        listed, catalog = self.army.listed, self.army.catalog
        if self.at is None:
            self.change(listed.changed(piece, count, catalog))
        else:
            self.change(listed.regrouped(self.at, piece, count, catalog))

    # ------------------------------------------------------------------ groups

    def action_group(self) -> None:
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

    def action_aside(self, what: Literal["figures", "worth"]) -> None:
        figures = what == "figures"
        self.app.push_screen(
            FiguresScreen(self.skirmish, self.army) if figures else WorthScreen(self.army)
        )

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

    def _alter(self, listed: ArmyList, message: str = "") -> None:
        """Make a change that ends any count being typed."""
        self.end_number()
        self.change(listed, message)

    def changed(self, message: str) -> None:
        before, self._warned = self.found, False
        self.save()
        self.found = in_turn(breaches(self.army, self.session.added), 0)
        news = [gauge.message for gauge in worse(before, self.found)]
        self.say(" ".join([message, *news]).strip(), bad=bool(news))
        self.paint()

    # ------------------------------------------------------------------ on the screen

    @property
    def army(self) -> Army:
        return self.session.army

    @property
    def group(self) -> ArmyGroup | None:
        groups = self.army.listed.groups
        return groups[self.at] if self.at is not None and self.at < len(groups) else None

    @property
    def row_width(self) -> int:
        """Columns of a row, with one to spare beside the scrollbar."""
        return max(40, self.query_one(CountedList).scrollable_content_region.width - 1)

    def key(self, name: str, default: str) -> str:
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
            self.at = None
        offers = offered(self.army, self.at)
        self.offers = {offer.piece.id: offer for offer in offers}
        self.letters = letters(offers)
        super().paint(chosen)
        self.query_one("#builder-head", Static).update(self._head())
        width = self.query_one("#builder-right").scrollable_content_region.width
        state = (self._sums(), *self._breaches(width), *self._platoons(width), self._limits(width))
        self.query_one("#builder-state", Static).update(Content("\n\n").join(state))

    def groups(self) -> Iterator[Group]:
        for section, offers in groupby(self.offers.values(), key=lambda offer: offer.section):
            lines = {offer.piece.id: self._line(offer) for offer in offers}
            yield Content.styled(SECTIONS[section], DIM), lines

    def meaning(self, id: str) -> Content:
        """The weapons of a line, then the effect of the last change, or how many more of the line
        are allowed."""
        if id != self._described:
            self._described, self._message = id, ("", False)
        (text, bad), offer = self._message, self.offers.get(id)
        about = self._about(offer.piece) if offer else Content()
        text = text or (self._room(offer) if offer else "")
        return Content("\n").join([about, Content.styled(text, BAD if bad else "")])

    def say(self, text: str, *, bad: bool = False) -> None:
        self._described, self._message = self.chosen, (text, bad)
        self.query_one("#meaning", Static).update(self.meaning(self.chosen))

    def _pressed(self, name: str, default: str, before: str = "") -> tuple[str, str]:
        return f"{before}{self.key(name, default)} ", KEY

    # ------------------------------------------------------------------ terms

    @property
    def heading(self) -> Content:
        width = self.size.width - 2
        saved = "NOT SAVED" if self.troubled else "saving …" if self.session.unsaved else "saved"
        edit, listed = self._pressed("edit", "E"), self.army.listed
        called = f"{self.group.name} ({listed.name})" if self.group else listed.name
        name = padded(plain(called), max(1, width - 10 - cell_len(edit[0])))
        state = (f"{saved:>10}\n", BAD if self.troubled else DIM)
        return Content.assemble(edit, (name, STRONG), state, self._terms(width))

    def _terms(self, width: int) -> Content:
        army, (state, text) = self.army, verdict(self.army)
        points = f"{army.listed.points} points"
        if army.budget != army.listed.points:
            points += f" + {army.budget - army.listed.points}"
        left = Content.assemble(
            self._pressed("points", "T"),
            f"{points}   ",
            self._pressed("nation", "N"),
            f"{army.nation.name if army.nation else 'no nation'}   ",
            self._pressed("quality", "L"),
            army.quality.name if army.quality else "no quality",
        )
        text = f"NOT LEGAL: {text}" if state == "broken" else text.upper()
        right = Content.styled(text, MARKS[state][1])
        gap = max(2, width - left.cell_length - right.cell_length)
        return Content.assemble(left, " " * gap, right)

    # ------------------------------------------------------------------ how it stands

    def _sums(self) -> Content:
        army = self.army
        left = army.budget - army.spent
        parts: Parts = [
            (f"{army.spent}/{army.budget} spent, ", STRONG),
            (f"{left} left", STRONG) if left >= 0 else (f"{-left} over", BAD),
            f"\nStrength {army.pdg}",
            f", break point {army.break_at}" if army.pdg else "",
        ]
        for unit, free in army.free.items():
            paid = army.listed.count(unit)
            parts.append(f"\n{paid} paid + {free} free = {paid + free} men")
        if self.owned:
            short = sum(missing(figures(army), self.owned).values())
            parts.append(self._pressed("figures", "O", "\n"))
            parts.append(f"{short} figures short" if short else "you own every figure")
        return Content.assemble(*parts)

    def _breaches(self, width: int) -> Iterator[Content]:
        broken = not_waived(self.found)
        for gauge in broken:
            head = ("STILL TO DO  ", TO_DO) if gauge.state == "to_do" else ("BROKEN  ", BAD)
            repair = mend(gauge.repair, self.army)
            key = self._pressed("repair", "R") if gauge is broken[0] else ("  ", "")
            if not repair:
                key, repair = self._pressed("points", "T"), "change the points"
            remedy = f"{repair[0].upper()}{repair[1:]}."
            why = Content.assemble(head, gauge.message)
            yield Content("\n").join([why, *hanging(Content.assemble(key, remedy), width, 2)])
        if len(broken) > 1:
            yield Content.assemble(self._pressed("next-breach", "B"), "Next breach")
        for gauge in self.found[len(broken) :]:
            reason = f" ({plain(gauge.override)})" if gauge.override else ""
            yield Content.assemble(("WAIVED  ", STRONG), gauge.message, reason)

    def _platoons(self, width: int) -> Iterator[Content]:
        listed, known = self.army.listed, self.army.catalog.units
        if not listed.groups:
            return
        turn, form = self._pressed("groups", "G"), self._pressed("new-group", "A")
        dissolve = self._pressed("dissolve", "delete")
        keys = Content.assemble(turn, "next  ", form, "new  ", dissolve, "dissolve")
        head = Content.styled("GROUPS", HEAD)
        together = Content("  ").join([head, keys])
        rows = [together] if together.cell_length <= width else [head, *hanging(keys, width, 2)]
        for number, group in enumerate(listed.divided):
            who = ", ".join(f"{n} {known[unit].short}" for unit, n in group.units.items() if n)
            mark, style = ("►", KEY) if number == self.at else (" ", STRONG)
            line = Content.assemble((f"{mark} {plain(group.name)}: ", style), who or "nobody")
            rows += hanging(line, width, 4)
        yield Content("\n").join(rows)

    def _limits(self, width: int) -> Content:
        found = gauges(self.army)
        names = [f"{one.label}{', least' if one.limit.is_least else ''}" for one in found]
        shares = [f"{whole_or_half(one.have)}/{whole_or_half(one.allowed)}" for one in found]
        wide, long = max(map(cell_len, names), default=0), max(map(len, shares), default=0)
        rows = [Content.styled("LIMITS", HEAD)]
        for gauge, name, share in zip(found, names, shares, strict=True):
            mark, style = MARKS[gauge.state]
            full, rest = _bar(gauge, max(0, width - wide - long - 4))
            named = (padded(name, wide), "" if gauge.met else style)
            line = ((f"{mark} ", style), named, (f" {full}", style), (rest, DIM))
            rows.append(Content.assemble(*line, f" {share:>{long}}"))
        return Content("\n").join(rows)

    # ------------------------------------------------------------------ lines

    def _head(self) -> Content:
        cells = ("PTS", "MOVE", "RANGE", *(("HERE", "LEFT") if self.group else ("HAVE", "MORE")))
        return Content.styled(self._columns("", "", cells, ("GUYS", "ARMOR", "UNARM")), DIM)

    def _line(self, offer: PieceOffer) -> Content:
        piece, typing = offer.piece, offer.piece.id == self.typed
        have = f"{offer.count}_" if typing else str(offer.count)
        have += f"+{offer.free}" if offer.free else ""
        sold = offer.section not in ("elsewhere", "not_sold")
        move = reach = ""
        if isinstance(piece, UnitType):
            ways = (piece.move, piece.road_move, piece.water_move and f"{piece.water_move}w")
            move = self._bare("/".join(f"{way}" for way in ways if way) or NONE)
            reach = self._bare(reaches(self.army.catalog.weapons_of(piece, self.army.rulings)))
        more = str(offer.more) if sold else "no"
        cells = (str(self.army.price(piece.id)), move, reach, have if have != "0" else "·", more)
        kills = [getattr(gun, what) for gun in self._guns(piece)[:1] for what in KILLS]
        text = self._columns(self.letters.get(piece.id, " "), piece.name, cells, kills)
        style = STRONG if offer.count or typing else "" if sold and offer.more else DIM
        return Content.assemble((text[:1], KEY), (text[1:], style))

    def _columns(self, letter: str, name: str, cells: Iterable[str], kills: Iterable[str]) -> str:
        width = self.row_width
        price, move, reach, have, more = cells
        shown = "".join(f"{kill:>7}" for kill in kills or [""] * 3) if width >= ROOMY else ""
        right = f"{price:>4}{move:>6}{reach:>6}{shown} {have:>6} {more:>4}"
        return f"{letter:<2}{padded(plain(name), max(8, width - 2 - len(right)))}{right}"

    def _bare(self, distances: str) -> str:
        """Ranges in the player's unit without its name, as in ``12/24``."""

        def measured(found: re.Match[str]) -> str:
            return self.skirmish.measured(inches(int(found[0]))).split(NO_BREAK)[0]

        return re.sub(r"\d+", measured, distances)

    def _guns(self, piece: UnitType | Work) -> list[FiringEntry]:
        if isinstance(piece, Work):
            return []
        return Firing(self.army.catalog, self.army.rulings, self.army.nation).entries(piece)

    def _about(self, piece: UnitType | Work) -> Content:
        parts: Parts = []
        for gun in self._guns(piece):
            kills = ", ".join(
                f"{what} {_spoken(kill)}" for what in KILLS if (kill := getattr(gun, what)) != NONE
            )
            parts += [(gun.weapon, STRONG), f" {self.skirmish.measured(gun.reach)}: {kills}\n"]
        if isinstance(piece, UnitType) and piece.seats:
            parts.append(f"Carries {piece.seats}. ")
        parts.append((self.skirmish.measured(piece.note), DIM))
        return Content.assemble(*parts)

    def _room(self, offer: PieceOffer) -> str:
        """How many more are allowed and by which limit; in a group, how many can still join it;
        then how many are owned, if figures are entered."""
        piece, gauge, many = offer.piece, offer.full_first, plural(offer.piece.name)
        if self.group:
            return f"{piece.named(offer.more)} in no group. A higher number buys what is missing."
        limit = f"(limit: {gauge.label}, {whole_or_half(gauge.allowed)})."
        if offer.section == "elsewhere":
            text = f"{many}: only the {gauge.owners} have them."
        elif offer.section == "not_sold":
            text = f"{many} cannot be bought for this game."
        elif offer.more:
            text = f"Room for {offer.more} more {piece.name if offer.more == 1 else many} {limit}"
        else:
            text = f"No room for more {many} {limit}"
        if self.owned:
            have = self.owned.get(piece.id, 0)
            short = figures(self.army).get(piece.id, 0) - have
            text += f" You own {piece.named(have)}{f', {short} too few' if short > 0 else ''}."
        return text


def letters(offers: Iterable[PieceOffer]) -> dict[str, str]:
    """A letter for each piece on offer: its own, one of its name, or any free one. A piece without
    a letter is reached by the arrows."""
    pieces, given = [offer.piece for offer in offers], dict[str, str]()
    free = "".join(letter for letter in ascii_lowercase if letter not in TAKEN)
    for turn in range(3):
        for piece in (piece for piece in pieces if piece.id not in given):
            wish = (piece.letter, piece.name.lower(), free)[turn]
            if letter := next((sign for sign in wish if sign in free), ""):
                given[piece.id] = letter
                free = free.replace(letter, "")
    return given


def _spoken(kill: str) -> str:
    again = " and again" if "+" in kill else ""
    return f"{kill.rstrip('*+')}{again}{' touching' if '*' in kill else ''}"


def _bar(gauge: LimitGauge, long: int) -> tuple[str, str]:
    """A bar in eighths of a column, never full below the limit, and its empty rest."""
    share = gauge.have / gauge.allowed if gauge.allowed else Fraction(gauge.have > 0)
    most = max(0, long * 8 - (share < 1))
    full, part = divmod(min(most, ceil(share * long * 8)), 8)
    return "█" * full + EIGHTHS[part], "░" * (long - full - (part > 0))
