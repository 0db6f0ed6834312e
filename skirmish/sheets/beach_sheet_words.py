"""What the play sheet says of each phase, table and card, made of the manual's own numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from skirmish.games.beach_head.manual import (
    Modifiers,
    Phase,
    Remove,
    Row,
    Squads,
    Step,
    Table,
    Tank,
    Tanks,
)
from skirmish.games.beach_head.phases import skipped
from skirmish.games.beach_head.rolls import modifiers
from skirmish.games.beach_head.rules_told import WHEN, row_words
from skirmish.games.beach_head.setup import Setup
from skirmish.games.beach_head.state import State
from skirmish.games.beach_head.targets import gone_first, is_one_roll


class Said(NamedTuple):
    """A line about a phase: its dice, what they do, what is added to them, and when. ``never``: the
    phase is not played in this variant."""

    dice: str
    does: str
    adds: str
    when: str
    never: bool = False


class Tabled(NamedTuple):
    """A table of results, by its letter: whose it is, and the rows: a result and what it brings."""

    letter: str
    title: str
    rows: tuple[tuple[str, str], ...]
    phases: tuple[str, ...]


class Sayings:
    """All that is said of one game: its variant and its readings. ``state`` is its opening."""

    def __init__(self, state: State) -> None:
        self.state, self.setup = state, state.setup
        self.manual = state.setup.manual
        self.tables = tuple(_tables(self.setup))

    # ------------------------------------------------------------------ phases

    def phase(self, phase: Phase) -> list[Said]:
        """The lines of a phase, at least one."""
        if why := self._never(phase):
            return [Said("", why, "", "", never=True)]
        match phase.id:
            case "tactical":
                hand = self.manual.hand
                does = f"fill the hand to {hand.full}; exchange up to {hand.redraw}"
                return [Said("", does, "", "with cards")]
            case "end":
                keep = self.manual.hand.keep
                return [Said("", f"discard down to {keep} cards", "", "with cards")]
        found: list[Said] = []
        last: list[Said] = []
        for number, step in enumerate(phase.step):
            if number and isinstance(step, Remove) and is_one_roll(self.state, phase):
                continue  # the first roll has its targets
            found += self._step(phase, step, first=not number)
            craters = list(self._craters(step))
            if self.state.ruled("B38", "craters"):
                found += craters
            else:
                last += craters
        return found + last

    def _craters(self, step: Step) -> Iterator[Said]:
        if isinstance(step, Remove) and "ditches" not in self.setup.left_out:
            for target, dice in step.craters.items():
                yield Said(
                    dice, "points of new ditches", "", f"if fired at the {self._name(target)}"
                )

    def _never(self, phase: Phase) -> str:
        """Why a variant does without the phase; empty where it does not."""
        landing = next(one for one in self.manual.phase if one.id == "lct")
        lands = skipped(self.state, landing, 1) != "not_here"
        left = self.setup.left_out
        gone = all(
            isinstance(step, Remove) and set(step.targets) <= set(left) for step in phase.step
        )
        comes = [kind for kind in phase.needs if self.setup.landed_as(kind) == kind and lands]
        if phase.step and gone:
            return "not at Omaha: nothing to remove"
        if (phase.id == "lct" and not lands) or (phase.needs and not comes):
            return "not at Omaha: no such tank lands"
        return ""

    def _step(self, phase: Phase, step: Step, *, first: bool) -> Iterator[Said]:
        adds = self.adds(step.modifiers)
        when = self._when(phase, step, first=first)
        match step:
            case Remove():
                targets = step.targets
                if is_one_roll(self.state, phase):
                    late = next(one for one in phase.step if isinstance(one, Remove) and one.once)
                    targets = (*targets, *late.targets)
                    when = f"{self.manual.listed(late.targets, 'and')} {self._gone(phase, late)}"
                yield Said(step.dice, f"points off {self._targets(targets)}", adds, when)
            case Squads():
                yield Said(self.setup.rulings["B39"], "squads land", adds, when)
            case Tanks():
                yield Said(step.dice, "tanks land", adds, when)
                yield Said(step.type, "the type of each tank", "", f"table {self._letter(phase)}")
            case Table():
                yield Said(step.dice, f"see table {self._letter(phase)}", adds, when)

    def _when(self, phase: Phase, step: Step, *, first: bool) -> str:
        if not first:
            return self._gone(phase, step) if isinstance(step, Remove) else ""
        if phase.needs:
            names = [self.manual.tank_of(kind).name.lower() for kind in phase.needs]
            return f"with {'any AVRE' if len(names) > 1 else 'a ' + names[0]}"
        if phase.skipped_without:
            return f"while {self._name(phase.skipped_without)} are left"
        return f"from turn {phase.from_turn} on" if phase.from_turn > 1 else ""

    def _gone(self, phase: Phase, step: Remove) -> str:
        """What must be gone before the step is taken."""
        first = gone_first(self.state, phase, step)
        once = [name for name in first if name not in self.setup.left_out]
        be = "is" if once == ["wire"] else "are"
        return f"once {self.manual.listed(once, 'and')} {be} gone" if once else ""

    def adds(self, printed: Modifiers) -> str:
        """What is added to a roll, reason by reason."""
        named = (("traps", printed.traps), ("craft_hit", printed.craft_hit))
        parts = [f"{value:+d} {WHEN[name]}" for name, value in named if value]
        parts += self.bunkers(printed)
        if printed.per_dozen:
            dozen = self.manual.dozen
            parts.append(f"{printed.per_dozen:+d} for each full {dozen} squads ashore")
        return ", ".join(parts)

    def bunkers(self, printed: Modifiers) -> list[str]:
        """What bunkers that are gone change in a roll."""
        parts = []
        if printed.half_bunkers:
            half = self.manual.defence_of("bunkers").points // 2
            parts.append(f"{printed.half_bunkers:+d} with {half} bunkers or fewer")
        if printed.no_bunkers:
            cleared = replace(self.state, defences=self.state.defences | {"bunkers": 0})
            total = sum(one.value for one in modifiers(cleared, printed) if "bunkers" in one.code)
            parts.append(f"{total:+d} with none")
        return parts

    def _targets(self, named: Sequence[str]) -> str:
        here = [one.id for one in self.manual.defence if one.id not in self.setup.left_out]
        named = [name for name in named if name in here]
        missing = [name for name in here if name not in named]
        if len(named) > 3:
            but = f" but the {self.manual.listed(missing, 'and')}" if missing else ""
            return f"any one defence{but}"
        return f"the {self.manual.listed(named)}"

    def _name(self, name: str) -> str:
        return self.manual.defence_of(name).name.lower()

    def _letter(self, phase: Phase) -> str:
        return next(one.letter for one in self.tables if phase.id in one.phases)


# ------------------------------------------------------------------ tables


def _tables(setup: Setup) -> Iterator[Tabled]:
    """Every table of the phases, those with the same rows once; the kinds of tank among them."""
    groups: dict[tuple[tuple[str, str], ...], list[Phase]] = {}
    for phase in setup.manual.phase:
        for step in phase.step:
            if isinstance(step, Table):
                rows = tuple((_result(row), row_words(setup.manual, row)) for row in step.row)
                groups.setdefault(rows, []).append(phase)
            elif isinstance(step, Tanks):
                kinds = tuple((_faces(tank), _kind(setup, tank)) for tank in setup.manual.tank)
                groups.setdefault(kinds, []).append(phase)
    for letter, (rows, phases) in zip("ABCDEFGH", groups.items(), strict=False):
        names = [phases[0].name, *(phase.name.lower() for phase in phases[1:])]
        yield Tabled(letter, " and ".join(names), rows, tuple(phase.id for phase in phases))


def _kind(setup: Setup, tank: Tank) -> str:
    landed = setup.landed_as(tank.id)
    if landed is None:
        return "none lands"
    return setup.manual.tank_of(landed).name


def _faces(tank: Tank) -> str:
    return _span(tank.faces[0], tank.faces[-1])


def _result(row: Row) -> str:
    return _span(*row.rolls)


def _span(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"
