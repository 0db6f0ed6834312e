"""What the form asks only for a scenario: its lists, its open questions, who hides, and who starts
aboard."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import partial

from msgspec.structs import replace

from skirmish.games.plastic.battle.orders.agreements import LONGEST_NOTE
from skirmish.games.plastic.battle.scenario_opening import pieces_that_may_hide
from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.rules.catalog import Catalog, UnitType, plural
from skirmish.games.plastic.scenarios.happenings import MOST_ADDED, AskAtSetup, MayReveal
from skirmish.games.plastic.scenarios.order_of_battle import ScenarioContingent
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.games.plastic.setup_form import names
from skirmish.games.plastic.setup_form.choices import FORCES, choice_field
from skirmish.games.plastic.setup_form.names import (
    LOADS,
    NO,
    YES,
    HiddenMen,
    SealedNote,
)
from skirmish.tabletop.data_file import nearest_name, suggest
from skirmish.tabletop.set_up_form import Field
from skirmish.tabletop.slots import AnswerRow, Number, UnfitAnswer, Words
from skirmish.tabletop.typed import plain

LONGEST_ANSWER, LONGEST_LIST = 200, 400
"""The most characters of an answer in words, and of a list of units."""
_COUNTED_UNIT = re.compile(r"(?P<count>\d+)\s*(?:[x×]\s+)?(?P<name>.+)")
"""A number and a name: ``8 rifle``, ``8rifle``, ``8 x rifle``. Without the space behind it an x
would be the first letter of a name."""
_BETWEEN_UNITS = re.compile(r"\s*[,;]\s*|(?<=[^\W\d])\s+(?=\d)|\s+and\s+", re.IGNORECASE)
"""Between two units: a comma, a semicolon, the blank between a letter and a digit, or "and". The
blank of "2 88" does not part two units: there 88 is a name, that of a gun."""
MOST_DIGITS = 6
"""The digits of a number that are read. The others are ignored: the number that is left is too high
all the same, as no battle has a million units."""
LONGEST_QUOTE = 30
"""The characters of a typed name that an error repeats."""
LONGEST_COMPARED = 40
"""The characters of a typed name that are compared with those of units."""
NOBODY = ("", "0", "none", "nobody", "nothing", "-")
"""What is typed for no units at all."""


def scenario_fields(scenario: Scenario, catalog: Catalog, plain_setup: Setup) -> Iterator[Field]:
    """The lists to choose, the open questions, and the men who hide. ``plain_setup``: the scenario
    with the first answer to everything."""
    for side in scenario.sides:
        people = catalog.nations[side.id].people
        for contingent in side.contingents:
            yield from _list_fields(contingent, people, catalog)
    for question in scenario.questions():
        yield _question_field(question, catalog)
    for index, happening in enumerate(scenario.happenings):
        if isinstance(happening, MayReveal):
            people = catalog.nations[happening.side].people
            text = scenario.unmarked(happening.text)
            yield _hidden_men_field(
                happening, HiddenMen(index).name, text=text, people=people, plain_setup=plain_setup
            )
            # Where they are is written down before play, as proof for later.
            yield _sealed_note_field(happening.side, people)


def _list_fields(contingent: ScenarioContingent, people: str, catalog: Catalog) -> Iterator[Field]:
    """Each choice between lists of units that a contingent has."""
    for index, choice in enumerate(contingent.choices):
        rows = []
        for list_number, units in enumerate(choice.one_of):
            words = _units_in_words(units, catalog)
            # The words are also the note: the line of a field may cut its label short.
            rows.append(AnswerRow(str(list_number), words, f"{words}."))
        text = f"{contingent.name_in_words}: choose one of {len(rows)} lists."
        name = names.list_field(contingent.id, index)
        yield choice_field(FORCES, name, text=text, label=f"{people} take", rows=rows)


def _units_in_words(units: Mapping[str, int], catalog: Catalog) -> str:
    """``3 Trucks and 1 Cannon``."""
    return " and ".join(catalog.units[unit].named(count) for unit, count in units.items())


def _question_field(question: AskAtSetup, catalog: Catalog) -> Field:
    """What the scenario leaves open and its players settle before the battle."""
    name = names.question_field(question.id)
    label = question.id.replace("_", " ").capitalize()
    text = question.question
    # That a proposal has the type of its question was checked when the scenario was read.
    if question.about == "option":
        assert isinstance(question.proposal, str)
        rows = [AnswerRow(option, option) for option in question.options]
        return choice_field(
            FORCES, name, text=text, label=label, rows=rows, default=question.proposal
        )
    if question.about == "number":
        assert isinstance(question.proposal, int)
        number = Number(
            name=name,
            text=text,
            label=label,
            low=question.at_least or 0,
            high=MOST_ADDED,
            default=question.proposal,
        )
        return Field(slot=number, group=FORCES)
    words = Words(
        name=name, text=text, label=label, default=question.proposal, longest=LONGEST_ANSWER
    )
    if question.about == "units":
        words = replace(
            words,
            longest=LONGEST_LIST,
            text=f"{text} Write a number before each unit, with commas between them.",
            read=partial(units_typed, catalog=catalog),
            write=partial(units_written, catalog=catalog),
        )
    return Field(slot=words, group=FORCES)


# ------------------------------------------------------------------ men who hide


def _hidden_men_field(
    happening: MayReveal, name: str, *, text: str, people: str, plain_setup: Setup
) -> Field:
    """How many men a side hides. How many is asked and not who: those who may hide are alike."""
    able_to_hide = pieces_that_may_hide(happening, plain_setup.pieces)
    what_hides = "men"
    if able_to_hide:
        first_id, *_ = able_to_hide
        unit = plain_setup.unit(plain_setup.piece_by_id[first_id].unit)
        what_hides = plural(unit.short.lower())
    rows = [AnswerRow("0", "none")]
    for number in range(1, len(able_to_hide) + 1):
        rows.append(AnswerRow(str(number), f"{number} of {len(able_to_hide)}"))
    hidden_by_default = [piece for piece in able_to_hide if piece in plain_setup.hidden]
    return choice_field(
        FORCES,
        name,
        text=text,
        label=f"{people}: hidden {what_hides}",
        rows=rows,
        default=str(len(hidden_by_default)),
    )


def _sealed_note_field(side: str, people: str) -> Field:
    """Where the hidden men of a side are; while it is written the other side looks away."""
    note = Words(
        name=SealedNote(side).name,
        label=f"{people}: sealed note",
        text=f"Only the {people} may look now. Write where they hide. This replaces what "
        "was written before; if you leave it empty, nothing is sealed.",
        default="",
        longest=LONGEST_NOTE,
        secret=True,
    )
    help = (
        "Where they hide, on paper or written here. Nobody can read it until it is opened "
        "in the battle. Press Enter to write it while the other side looks away."
    )
    return Field(slot=note, group=FORCES, help=help)


# ------------------------------------------------------------------ who rides


def riders_field(setup: Setup) -> Field:
    """Whether those who ride in the scenario start in their vehicles, or everybody on foot.
    ``setup`` has them aboard."""
    riding_contingents = {setup.piece_by_id[rider].contingent for rider in setup.aboard}
    guys = []
    for piece in setup.pieces:
        if piece.contingent in riding_contingents and setup.unit(piece.unit).is_guy:
            guys.append(piece)
    riding = [piece for piece in guys if piece.id in setup.aboard]
    # Besides guys only cannon are carried ("Loading or Unloading").
    cannon = len(setup.aboard) - len(riding)
    towed = ""
    if cannon > 0:
        towed = f" and {cannon} cannon"
    start_aboard = AnswerRow(
        YES,
        f"{len(riding)} of {len(guys)} ride{towed}",
        f"They start in {_carriers_in_words(setup)}.",
    )
    start_on_foot = AnswerRow(
        NO, "everybody on foot", "You load them on the battle screen, or they walk."
    )
    return choice_field(
        FORCES,
        LOADS,
        text="Who starts aboard?",
        label="Loads at the start",
        rows=(start_aboard, start_on_foot),
    )


def _carriers_in_words(setup: Setup) -> str:
    """``2 Trucks, 1 Half-track``: the models in which somebody starts."""
    # A carrier stands there once for each of its riders.
    carriers = set(setup.aboard.values())
    counts = Counter(setup.piece_by_id[carrier].unit for carrier in carriers)
    return ", ".join(setup.unit(unit).named(count) for unit, count in sorted(counts.items()))


# ------------------------------------------------------------------ units with their numbers

# The limits of a scenario are checked when the battle is set up, not while units are typed.


def units_typed(text: str, catalog: Catalog) -> dict[str, int]:
    """``8 rifle, 2 machinegun`` as numbers by unit id; a unit that is named twice is added up. Any
    name of a unit is accepted, singular or plural. Raises UnfitAnswer."""
    words = plain(text).strip().rstrip(".")
    if words.lower() in NOBODY:
        return {}
    unit_by_name = _unit_by_name(catalog.units)
    numbers: dict[str, int] = {}
    for part in _BETWEEN_UNITS.split(words):
        if not part:  # a comma at the end, or two in a row
            continue
        match = _COUNTED_UNIT.fullmatch(part.strip())
        if match is None:
            raise UnfitAnswer(f"A number goes before {_quoted(part)}, as in 8 rifle, 2 machinegun.")
        count = int(match["count"][:MOST_DIGITS])
        name = match["name"].strip().lower()
        unit = unit_by_name.get(name)
        if unit is None:
            hint = _hint(name, unit_by_name)
            raise UnfitAnswer(f"There is no unit {_quoted(name)}; {hint}")
        numbers[unit] = numbers.get(unit, 0) + count
    return numbers


def units_written(units: Mapping[str, int], catalog: Catalog) -> str:
    """The text from which ``units_typed`` reads these units; ``none`` without units."""
    parts = [f"{count} {catalog.units[unit].short.lower()}" for unit, count in units.items()]
    return ", ".join(parts) or "none"


def _unit_by_name(units: Mapping[str, UnitType]) -> dict[str, str]:
    """Every lower-case name of a unit; a name belongs to the first unit that has it."""
    unit_by_name: dict[str, str] = {}
    for unit in units.values():
        for name in (unit.id.replace("_", " "), unit.id, unit.short, unit.name):
            # Some write a plain "s" where the plural is irregular.
            for spelling in (name, plural(name), f"{name}s"):
                unit_by_name.setdefault(spelling.lower(), unit.id)
    return unit_by_name


def _quoted(text: str) -> str:
    """What was typed in quotation marks, cut if it is long."""
    words = plain(text).strip()
    if len(words) > LONGEST_QUOTE:
        words = f"{words[:LONGEST_QUOTE]}…"
    return f"'{words}'"


def _hint(name: str, known_names: Iterable[str]) -> str:
    """A sentence with the name that was probably meant; where there is none, with an example, since
    there are too many names to list."""
    beginning = name[:LONGEST_COMPARED]
    if nearest_name(beginning, known_names) is not None:
        return suggest(beginning, known_names)
    return "write them as in 8 rifle, 2 machinegun, 1 tank."
