"""The slots of a game at the table: units by their letters, hexes, distances, and the ratings
printed on a counter when they are first needed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple, Self

from skirmish.tabletop.companion.counters import BACK, HIGHEST, LONGEST_NAME, Counter, Register
from skirmish.tabletop.companion.events import Task
from skirmish.tabletop.companion.result_table import BLANK, Resolved
from skirmish.tabletop.page import Block, Page, Paragraph
from skirmish.tabletop.refusal import Refused
from skirmish.tabletop.slots import (
    Choose,
    ChooseSeveral,
    Confirm,
    Number,
    Option,
    Picks,
    Slot,
    UnfitAnswer,
    Words,
    span_of_labels,
)

OTHER = "other"
"""The answer for a company that is not in the list."""
NOWHERE = "X"
"""What is typed instead of a hex for units that can go to none."""
HEX = re.compile("[A-Z][1-9][0-9]?")
"""The name of a hex: the letter of its row, and its number."""
PART_OF_A_HEX = re.compile("[A-Z]?[0-9]{0,2}")
"""What may be in the field while a hex is written."""


class UnitsSlot(ChooseSeveral, frozen=True, kw_only=True):
    """Several units by their letters, which are one word of a line of answers. ``why_not`` gives
    the reason why the chosen units cannot be combined; empty if they can."""

    greedy: ClassVar[bool] = False
    why_not: Callable[[tuple[str, ...]], str] | None = None

    def span(self, words: Sequence[str]) -> int:
        return span_of_labels(self.options, words)

    @property
    def key_hint(self) -> str:
        if self.least > 1:
            return f"Their letters, then Enter. {self.least} of them."
        return "Their letters, then Enter."

    def parse(self, typed: str, done: bool) -> Any:
        chosen = super().parse(typed, done)
        if chosen and self.why_not is not None:
            why = self.why_not(chosen)
            if why:
                raise UnfitAnswer(why)
        return chosen


class DistancesSlot(Picks, frozen=True, kw_only=True):
    """The distances of several hexes, each with its letter, as one word of a line of answers:
    ``3a5b`` is 3 to the hex with the letter a and 5 to b. A letter alone means 1: adjacent."""

    greedy: ClassVar[bool] = False

    @property
    def key_hint(self) -> str:
        return "The distance, then the letter: 3a5b."


class HexSlot(Slot, frozen=True, kw_only=True):
    """A hex by its letter and its number, written in the field. ``nowhere``: what happens if there
    is no hex, as a sentence (``it is eliminated.``); then X may be typed for none (``NOWHERE``).
    Empty: there must be a hex."""

    nowhere: str = ""

    is_field: ClassVar[bool] = True

    @property
    def keyless_hint(self) -> str:
        text = "The letter and the number of the hex, such as J7."
        if self.nowhere:
            text = f"{text} {NOWHERE}: {self.nowhere}"
        return text

    def takes(self, sign: str, typed: str = "") -> bool:
        if typed:
            return sign.isdigit()
        return sign.isalpha()

    def parse(self, typed: str, done: bool) -> Any:
        word = typed.strip().upper()
        if not done:
            # J1 may become J17, and the letter is missing while the player replaces it.
            if PART_OF_A_HEX.fullmatch(word) is None:
                raise self.refused()
            return None
        if word == NOWHERE and self.nowhere:
            return word
        if HEX.fullmatch(word) is None:
            raise self.refused()
        return word

    def shown(self, value: Any) -> str:
        return _hex_as_shown(value)


def nothing_against(unit: Counter) -> str:
    """No reason against any unit: all may be chosen."""
    return ""


def counter_options(
    units: Iterable[Counter],
    why_not: Callable[[Counter], str] = nothing_against,
    codes: Mapping[str, str] | None = None,
    marks: Sequence[str] = (),
) -> tuple[Option, ...]:
    """Counters to choose from. Beside each stand its hex and those of the ``marks`` (markers) that
    it has; ``why_not`` gives the reason why it cannot be chosen; ``codes`` are the keys, by the id
    of the counter."""
    keys = codes or {}
    options = []
    for unit in units:
        notes = [mark for mark in marks if unit.has(mark)]
        if unit.place:
            notes.insert(0, unit.place)
        options.append(
            Option(
                value=unit.id,
                label=unit.name,
                key=keys.get(unit.id, ""),
                note=", ".join(notes),
                why_not=why_not(unit),
            )
        )
    return tuple(options)


def name_slot(name: str, text: str, **more: Any) -> Words:
    """A question for the name of something; ``more`` are further fields of ``Words``."""
    return Words(name=name, text=text, longest=LONGEST_NAME, **more)


def hex_slot(text: str) -> Words:
    """A question for a hex of a map whose names of hexes are not known; Enter alone leaves it
    open."""
    return name_slot("place", text, default="", write=_hex_as_shown)


def _hex_as_shown(place: str) -> str:
    """A hex as the line of the command shows the answer; words for none."""
    if not place:
        return "not written down"
    return place


# ------------------------------------------------------------------ ratings


_RATE = "rate "
"""How the name of an answer for a rating begins."""


class RatingAnswer(NamedTuple):
    """The answer for a ``rating`` of a ``unit``, by its id. Half-typed commands are stored under
    its ``name``."""

    rating: str
    unit: str

    @property
    def name(self) -> str:
        """``rate range 1-b-116``: what it is called among the answers of a command."""
        return f"{_RATE}{self.rating} {self.unit}"

    @classmethod
    def named(cls, name: str) -> Self | None:
        """The answer with that name; None for another answer."""
        if not name.startswith(_RATE):
            return None
        rating, unit = name.removeprefix(_RATE).split(" ", 1)
        return cls(rating, unit)


class RatingSlot(Number, frozen=True, kw_only=True):
    """A number that is printed on a counter; ``word`` is its name in one word."""

    word: str

    def shown(self, value: Any) -> str:
        return f"{self.word} {value}"


def rating_slots(
    units: Iterable[Counter], names: Sequence[str], words: Mapping[str, str]
) -> Iterator[RatingSlot]:
    """A slot for each of the ratings with these ``names`` that is not typed in yet, on the side of
    the counter that is up. ``words``: what each rating is called in the question."""
    for unit in units:
        for name in unit.missing(names):
            front = name.removesuffix(BACK)
            where = ""
            proposed = None
            is_of_back = name != front
            if is_of_back:
                # Often only some ratings of the back differ from those of the front, so the value
                # of the front is proposed.
                where = " (on its back)"
                proposed = unit.ratings.get(front)
            word = front
            if len(front) < 3:
                word = front.upper()  # HE, AP
            yield RatingSlot(
                name=RatingAnswer(name, unit.id).name,
                text=f"What is the {words[front]} of {unit.name}{where}?",
                word=word,
                high=HIGHEST,
                default=proposed,
            )


def typed_ratings(answers: Mapping[str, Any]) -> dict[str, dict[str, int]]:
    """The answers to ``rating_slots``: of each unit, by its id, the values by rating."""
    ratings: dict[str, dict[str, int]] = {}
    for name, value in answers.items():
        answer = RatingAnswer.named(name)
        if answer is not None and value is not None:
            ratings.setdefault(answer.unit, {})[answer.rating] = value
    return ratings


def roll_slot(name: str, text: str, *, typed: bool, low: int = 0, high: int) -> Slot:
    """The question for a roll. ``typed``: the player rolls his own die and types the number, from
    ``low`` to ``high``; else a key rolls the program's."""
    if typed:
        return Number(name=name, text=text, low=low, high=high)
    return Confirm(name=name, text="The program rolls.", optional=True)


# ------------------------------------------------------------------ new counters


def new_counter_slots(
    groups: Mapping[str, str],
    register: Register,
    answers: Mapping[str, Any],
    kinds: Sequence[tuple[str, str]],
    sides: Sequence[tuple[str, str]],
) -> Iterator[Slot]:
    """The questions for new counters: a company among the ``groups`` (each with a note), or another
    one with its name, its side and its kind; the names of the units, of which one is proposed; and
    the hex of those that were typed without one. ``kinds`` and ``sides``: ids with labels."""
    options = [Option(value=name, label=name, note=note) for name, note in groups.items()]
    options.append(Option(value=OTHER, label="another company", key="0"))
    yield Choose(name="company", text="Which company?", options=tuple(options))
    if answers.get("company") == OTHER:
        yield _by_initial("side", "Whose is it?", sides)
        yield _by_initial("kind", "What are they?", kinds)
        yield name_slot("called", "What is the company called?")
    company = answers.get("called") or answers.get("company") or ""
    # The proposed name is the next number of the company, as platoons are numbered: 3/B/116.
    count = len(register.where(group=company)) + 1
    text = "Which units? Commas between names; a hex may follow each: 1/B J7, 2/B J8."
    proposed = f"{count}/{company}"
    yield Words(name="names", text=text, default=proposed, longest=LONGEST_UNITS, read=_read_units)
    units = new_units_in(answers.get("names") or "")
    homeless = [unit.name for unit in units if not unit.place]
    if homeless or not units:
        yield HexSlot(name="place", text=_which_hex(homeless), default="")


def _by_initial(name: str, text: str, rows: Sequence[tuple[str, str]]) -> Choose:
    """A question whose answers have the first letter of their ids as key."""
    options = tuple(Option(value=id, label=label, key=id[0]) for id, label in rows)
    return Choose(name=name, text=text, options=options)


def _which_hex(names: Sequence[str]) -> str:
    """The question for the hex of new units, all of which stand in it."""
    if not names:
        return "In which hex?"
    if len(names) == 1:
        return f"In which hex is {names[0]}?"
    return f"In which hex are {', '.join(names[:-1])} and {names[-1]}?"


LONGEST_UNITS = 600
"""Characters of the names of new units, with their hexes."""


class NewUnit(NamedTuple):
    """A unit as it is typed in; without a ``place``, that is asked for."""

    name: str
    place: str


def new_units_in(typed: str) -> tuple[NewUnit, ...]:
    """The units between commas; the last word of each may be its hex."""
    units = []
    for part in typed.split(","):
        words = part.split()
        place = ""
        # A name alone may look like a hex: the gun "J7" has a place only if a hex follows it.
        if len(words) > 1 and HEX.fullmatch(words[-1].upper()):
            place = words.pop().upper()
        if words:
            units.append(NewUnit(" ".join(words), place))
    return tuple(units)


def _read_units(typed: str) -> str:
    """The names as they were typed. Raises UnfitAnswer."""
    units = new_units_in(typed)
    if not units:
        raise UnfitAnswer("Type a name, or several with commas between them.")
    for unit in units:
        if len(unit.name) > LONGEST_NAME:
            begins, length = f"{unit.name[:10]}…", len(unit.name)
            raise UnfitAnswer(
                f"A name may have at most {LONGEST_NAME} letters; {begins} has {length}."
            )
    return typed


# ------------------------------------------------------------------ before the roll


def before_roll(
    lead: str, resolved: Resolved, words: Callable[[str], str] = str
) -> tuple[Block, ...]:
    """Every modifier, and the chance of every result, as far as the cells of the table are typed
    in. ``lead``: what the roll is about; ``words``: what a result is called."""
    modifiers = [f"{modifier.label} {modifier.value:+}" for modifier in resolved.modifiers]
    text = resolved.value or ", ".join(modifiers) or "no modifier"
    if set(resolved.chances) == {BLANK}:
        unknown = Paragraph("Its table is not typed in yet.", lead="Chances:")
        return (Paragraph(f"{text}.", lead=lead), unknown)
    # Several results may have the same words.
    chances: dict[str, Fraction] = {}
    for result, chance in resolved.chances.items():
        word = "not typed in"
        if result != BLANK:
            word = words(result)
        chances[word] = chances.get(word, Fraction(0)) + chance
    return chances_of(lead, f"{text}.", chances)


class BeforeRoll(NamedTuple):
    """What is shown before a roll: its ``subject``, its ``chances``, and what each result of the
    table is called."""

    subject: str
    chances: Resolved
    called: Callable[[str], str]


def roll_preview(
    state: Any,
    task: Callable[[Any, Mapping[str, Any]], Task],
    weigh: Callable[[Any, Task], BeforeRoll],
) -> Callable[[Mapping[str, Any]], Page]:
    """Makes the preview of a command that rolls: nothing while an answer that the roll needs is
    missing; else why the order would be refused, or every modifier and the chances. ``task`` makes
    the question of the answers, in the state that they lead to; ``weigh`` says what comes of
    it."""

    def page(answers: Mapping[str, Any]) -> Page:
        try:
            with_answers = state.with_answers(answers)
            asked = task(with_answers, answers)
            weighed = weigh(with_answers, asked)
            return Page("", before_roll(weighed.subject, weighed.chances, weighed.called))
        except KeyError:  # an answer that the task needs is missing
            return Page("")
        except Refused as refused:
            return Page("", (Paragraph(str(refused), tone="bad"),))

    return page


def chances_of(lead: str, text: str, chances: Mapping[str, Fraction]) -> tuple[Block, ...]:
    """Two paragraphs: the ``text`` about a roll, led by ``lead``, and the chance of every
    result."""
    odds = ", ".join(f"{result} {float(chance):.0%}" for result, chance in chances.items())
    return (Paragraph(text, lead=lead), Paragraph(odds, lead="Chances:"))
