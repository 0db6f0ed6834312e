"""The happenings of a scenario, each kind a class: what its special rules bring about before and
during play, beside the ordinary rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Annotated, Literal, TypeAlias

import msgspec

from skirmish.games.plastic.rules.catalog import DECK, DIE, Rank, UnitId
from skirmish.games.plastic.scenarios.scenario_part import (
    ContingentId,
    Count,
    EnemyUnits,
    Id,
    MarkId,
    OwnUnit,
    OwnUnits,
    PlayedTurn,
    Reach,
    ScenarioPart,
    SideId,
    Text,
    Turn,
)
from skirmish.tabletop.chance import DrawError, parse_card
from skirmish.tabletop.data_file import Problem, Refers
from skirmish.tabletop.typed import plain

MOST_ADDED = 99
"""The most of anything that players may add before play."""


class Happening(ScenarioPart, frozen=True, kw_only=True, tag_field="kind"):
    """Something that a special rule brings about. Contingents that enter on a later turn need no
    happening."""

    rule: Annotated[str, Refers("rule")] = ""
    """The name of the special rule, which has the full text, as several happenings may belong to
    it; empty if there is none."""


class DrawTableRow(ScenarioPart, frozen=True, kw_only=True):
    """A row of a draw table, which has exactly one of ``units``, ``choice``, ``nothing`` and
    ``entry``."""

    draw: Annotated[int, msgspec.Meta(ge=1, le=9)] = 1
    """For which draw of the turn it is: 1 for the first."""
    ranks: tuple[Rank, Rank]
    """The lowest and the highest rank that it is for."""
    units: dict[UnitId, Count] | None = None
    """The units that enter."""
    choice: Literal[True] | None = None
    """Given if the players choose among the rows of this draw."""
    nothing: Literal[True] | None = None
    """Given if nothing comes of the draw."""
    entry: MarkId | None = None
    """The mark at which the units of another draw enter."""


# ``rows`` of the class is ``table`` in the file, where ``[[happening.table]]`` reads as what it is.
class DrawTable(Happening, frozen=True, kw_only=True, tag="draw_table", rename={"rows": "table"}):
    """A table for which ``side`` draws at the start of each of its turns, from ``from_turn`` on;
    ``draws`` is how often."""

    side: SideId
    from_turn: PlayedTurn
    draws: Annotated[int, msgspec.Meta(ge=1, le=9)]
    text: Text
    rows: tuple[DrawTableRow, ...]

    def problems(self, key: str) -> Iterator[Problem]:
        """Rows that are wrong by themselves, and ranks that have no row or more than one."""
        for index, row in enumerate(self.rows):
            yield from self._row_problems(f"{key}.table[{index}]", row)
        for draw in range(1, self.draws + 1):
            yield from self._draw_problems(f"{key}.table", draw)

    def _row_problems(self, key: str, row: DrawTableRow) -> Iterator[Problem]:
        """A row that does not bring exactly one thing, that is for a draw which is never made, or
        whose ranks run backwards."""
        results = [row.units, row.choice, row.nothing, row.entry]
        given = [result for result in results if result is not None]
        if len(given) != 1:
            yield Problem(key, "needs exactly one of units, choice, nothing, entry.")
        if row.units is not None and not row.units:
            yield Problem(f"{key}.units", "is empty; for nobody write nothing = true.")
        # A row for a draw that is never made would be a silent mistake: it looks like a rule.
        if row.draw > self.draws:
            yield Problem(f"{key}.draw", f"only {self.draws} are drawn; 1 to {self.draws}.")
        lowest, highest = row.ranks
        if lowest > highest:
            yield Problem(f"{key}.ranks", "runs backwards; the lower rank stands first.")

    def _draw_problems(self, key: str, draw: int) -> Iterator[Problem]:
        """Ranks for which a draw has no row, or more than one."""
        rows_by_rank: Counter[int] = Counter()
        for row in self.rows:
            if row.draw == draw:
                lowest, highest = row.ranks
                rows_by_rank.update(range(lowest, highest + 1))
        # A deck has as many ranks as a die has faces: the Kings are left out of it.
        all_ranks = range(1, DIE + 1)
        missing = [str(rank) for rank in all_ranks if not rows_by_rank[rank]]
        double = [str(rank) for rank in all_ranks if rows_by_rank[rank] > 1]
        if missing:
            text = f"draw {draw} has no row for rank {', '.join(missing)}"
            yield Problem(key, f"{text}; each rank needs exactly one.")
        if double:
            text = f"draw {draw} has more than one row for rank {', '.join(double)}"
            yield Problem(key, f"{text}; each rank needs exactly one.")


class ToggleOnCard(Happening, frozen=True, kw_only=True, tag="toggle_on_card"):
    """A card that starts a state of the battle, such as fog, and ends it when it is drawn again. It
    may be drawn by either side, and works after the shot or check that it was drawn for."""

    card: str
    state: Id
    sight_in: Reach
    """How far one sees in that state, in inches."""
    cards_only: bool = False
    """Whether no dice are used in this battle."""
    text: Text

    def problems(self, key: str) -> Iterator[Problem]:
        """A card that is no card, is not in the deck, or is not written as draws are stored."""
        try:
            # Cards that are not in the deck of 48 would never start it.
            card = parse_card(self.card, highest=DECK[-1].rank)
        except DrawError as error:
            yield Problem(f"{key}.card", f"{error}.")
        else:
            # One spelling, since the stored draws are compared with it as text.
            if str(card) != self.card:
                yield Problem(f"{key}.card", f"write it as {card}.")


class Darkness(Happening, frozen=True, kw_only=True, tag="darkness"):
    """Nobody sees farther than ``sight_in`` inches, from turn ``from_turn`` on until it is light on
    turn ``before_turn``, or to the end."""

    sight_in: Reach
    from_turn: PlayedTurn = 1
    # From 2, since darkness that ends before turn 1 would be none.
    before_turn: Annotated[int, msgspec.Meta(ge=2, le=99), Refers("turn")] | None = None
    text: Text

    def holds_on(self, turn: int) -> bool:
        """Whether it is dark on that turn."""
        is_over = self.before_turn is not None and turn >= self.before_turn
        return turn >= self.from_turn and not is_over

    def problems(self, key: str) -> Iterator[Problem]:
        """Light that comes before the dark."""
        if self.before_turn is not None and self.before_turn <= self.from_turn:
            text = f"it is light again before it is dark; take a turn after {self.from_turn}."
            yield Problem(f"{key}.before_turn", text)


class Charges(Happening, frozen=True, kw_only=True, tag="charges"):
    """Charges that a side has laid under something. At the start of each of its turns it draws for
    whether they go off."""

    id: Id
    side: SideId
    what: Text
    """What they are laid under: ``the bridge``."""
    mark: MarkId | None = None
    """The mark of it on the map."""
    from_turn: PlayedTurn
    """The first turn in which it draws."""
    needs: Rank
    """They go off if this rank or a lower one is drawn."""
    cut_by: EnemyUnits
    """Enemies who cut them for good if they touch them at the start of a turn of their own."""
    text: Text

    def problems(self, key: str) -> Iterator[Problem]:
        """Charges that go off whatever is drawn."""
        # No draw is higher than that of a die.
        if self.needs >= DIE:
            yield Problem(f"{key}.needs", f"they would go off with every draw; 1 to {DIE - 1}.")


class NeedsService(Happening, frozen=True, kw_only=True, tag="needs_service"):
    """Units that are inactive until others have touched them at the start of a turn."""

    side: SideId
    units: OwnUnits
    by: OwnUnit
    """Who serves them."""
    each: Count
    """How many units one of these serves in a turn."""
    from_turn: Turn = 1
    text: Text


class MayReveal(Happening, frozen=True, kw_only=True, tag="reveal"):
    """Units that may be placed in secret. They are revealed as the enemy comes near or could see
    them, when they fire, or at their player's choice."""

    side: SideId
    contingent: ContingentId | None = None
    units: OwnUnits
    when: Literal["distance", "sight"]
    """Whether a distance or sight reveals them."""
    within_in: Reach | None = None
    """How near the enemy reveals them, in inches; None where sight does."""
    text: Text

    def problems(self, key: str) -> Iterator[Problem]:
        """A distance where sight reveals them, or none where a distance does."""
        condition = 'when = "distance"'
        by_distance = self.when == "distance"
        yield from _only_with(f"{key}.within_in", condition, self.within_in, by_distance)


class AskAtSetup(Happening, frozen=True, kw_only=True, tag="ask_at_setup"):
    """A question before play: the text leaves the answer open, or leaves the choice to a side."""

    id: Id
    about: Literal["units", "number", "option", "place"]
    """What is asked: a table of units, a number, one of the options, or a place in words."""
    question: Text
    proposal: int | str | dict[UnitId, Count]
    """The answer that set-up proposes, which holds unless the players change it."""
    side: SideId | None = None
    """The side that the answer is for."""
    contingent: ContingentId | None = None
    unit: UnitId | None = None
    """The unit of which a number is asked."""
    at_least: Count | None = None
    """The smallest number with which the victory terms can be met: the six aircraft of scenario 3,
    the four buildings of scenario 4."""
    options: tuple[str, ...] = ()
    sides_choice: bool = msgspec.field(default=False, name="chosen")
    """Whether the text leaves the choice to the side. If not, it says nothing, and the proposal is
    ours. In scenario files the key is ``chosen``."""

    def problems(self, key: str) -> Iterator[Problem]:
        """Fields that do not belong to what is asked."""
        names_a_force = self.about == "units" or self.unit or self.contingent
        if (names_a_force or self.sides_choice) and self.side is None:
            yield Problem(f"{key}.side", "is missing; say which side the answer is for.")
        if self.about != "number" and (self.unit or self.at_least):
            yield Problem(key, 'unit and at_least belong to about = "number" only.')
        has_options = len(self.options) >= 2
        if has_options != (self.about == "option"):
            yield Problem(
                f"{key}.options",
                'goes with about = "option": two or more are needed there, and only there.',
            )
        # Whether its units exist is checked with all other references, so they pass as known here.
        known_units: Collection[str] = ()
        if isinstance(self.proposal, dict):
            known_units = self.proposal
        try:
            self.valid_answer(self.proposal, known_units)
        except ValueError as error:
            yield Problem(f"{key}.proposal", str(error))

    def valid_answer(self, answer: object, unit_ids: Collection[str]) -> int | str | dict[str, int]:
        """The answer as it is stored. Raises ValueError, with a sentence, if it is no answer to
        this question. ``unit_ids``: those of all units."""
        match self.about, answer:
            case "number", int(number):
                return self._valid_number(number)
            case "option", str(option):
                if option not in self.options:
                    raise ValueError(f"{self.question} {', '.join(self.options)}; not {option}.")
                return option
            case "place", str(place):
                return plain(place)
            case "units", dict(wanted):
                return self._valid_counts(wanted, unit_ids)
        # The answer is of a type that does not fit the question.
        fitting = {
            "units": "a table of units and their numbers",
            "number": "a whole number",
            "option": "one of the options",
            "place": "a place in words",
        }[self.about]
        raise ValueError(f"{self.question} That cannot be answered with {answer!r}, but {fitting}.")

    def _valid_number(self, number: int) -> int:
        """The number. Raises ValueError, with a sentence, if it is too small or too large."""
        least = self.at_least or 0
        if not least <= number <= MOST_ADDED:
            raise ValueError(f"{self.question} {least} to {MOST_ADDED}, not {number}.")
        return number

    def _valid_counts(
        self, wanted: Mapping[object, object], unit_ids: Collection[str]
    ) -> dict[str, int]:
        """The counts by unit, without the units of which there are none. Raises ValueError, with a
        sentence, for a unit or a count that cannot be."""
        chosen = {}
        # The answer may come from a file or a command line, so its inside is checked as well.
        for unit, count in wanted.items():
            if not isinstance(unit, str) or unit not in unit_ids:
                raise ValueError(f"{self.question} There is no unit {unit!r}.")
            if not isinstance(count, int) or not 0 <= count <= MOST_ADDED:
                raise ValueError(f"{self.question} 0 to {MOST_ADDED} of each, not {count}.")
            if count:
                chosen[unit] = count
        return chosen


class MayConvert(Happening, frozen=True, kw_only=True, tag="convert"):
    """A unit that its player may turn into another."""

    side: SideId
    contingent: ContingentId | None = None
    unit: OwnUnit
    becomes: UnitId
    text: Text


class Trait(Happening, frozen=True, kw_only=True, tag="trait"):
    """Something that these units can do beside what all of their kind can, or may not do."""

    id: Id
    side: SideId
    contingent: ContingentId | None = None
    units: OwnUnits
    # A closed list, as each of them is a branch in the rules; another effect needs code.
    effect: Literal["counts_as_engineer", "may_not_move", "may_not_fire_at"]
    targets: tuple[UnitId, ...] = ()
    """The units that they may not fire at."""
    text: Text

    def problems(self, key: str) -> Iterator[Problem]:
        """Targets where the effect has none, or no targets where it needs them."""
        condition = 'effect = "may_not_fire_at"'
        forbids_fire = self.effect == "may_not_fire_at"
        yield from _only_with(f"{key}.targets", condition, self.targets, forbids_fire)


class Remind(Happening, frozen=True, kw_only=True, tag="remind"):
    """A reminder in a phase of a player turn."""

    side: SideId | None = None
    """The side whose turns these are; None: those of both sides."""
    phase: Annotated[int, msgspec.Meta(ge=1, le=4)] = 1
    text: Text


AnyHappening: TypeAlias = (
    DrawTable
    | ToggleOnCard
    | Darkness
    | Charges
    | NeedsService
    | MayReveal
    | AskAtSetup
    | MayConvert
    | Trait
    | Remind
)


def _only_with(key: str, condition: str, value: object, is_needed: bool) -> Iterator[Problem]:
    """A key that is missing where its ``condition`` holds, or given where it does not: there it
    would do nothing, though it looks like a rule."""
    is_given = bool(value)
    if is_given != is_needed:
        yield Problem(key, f"goes with {condition}: needed there, and only there.")
