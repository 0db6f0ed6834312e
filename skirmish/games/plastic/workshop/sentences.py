"""A scenario as pages of sentences with blanks: the table, the forces, the victory, the rules. Each
blank is a value of the scenario's file; screens fill it in, and the sentence on the sheet is the
same with its blanks filled.

A template is a sentence with the keys of its blanks in braces. A few templates of victories have
``<parts>``, too, whose words depend on the fields that the terms have
(``Writer._victory_parts``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from skirmish.games.plastic.scenarios.order_of_battle import ScenarioContingent, ScenarioSide
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.games.plastic.workshop.blanks import EMPTY, shown
from skirmish.games.plastic.workshop.draft import (
    UNWORDED,
    EditError,
    ScenarioRules,
    map_of,
    unit_of,
    unusable,
    value_at,
    with_terms,
    with_value,
)
from skirmish.tabletop.data_file import table_of
from skirmish.tabletop.measure import with_marked_distances

Raw: TypeAlias = "dict[str, Any]"
"""A table of the scenario's file, as TOML gives it."""


class FilledBlank(NamedTuple):
    """A blank of a sentence: the ``key`` of the value that stands in it, and its words."""

    key: str
    words: str


class Sentence(NamedTuple):
    """Words and blanks in their order. ``item`` is the key of the entry of a list that the sentence
    is about (``happening[2]``), which can be deleted and copied; empty where it is about none."""

    pieces: tuple[str | FilledBlank, ...]
    item: str = ""

    @property
    def blanks(self) -> list[FilledBlank]:
        """Its blanks, from left to right."""
        return [piece for piece in self.pieces if isinstance(piece, FilledBlank)]

    @property
    def text(self) -> str:
        """The whole sentence with what stands in its blanks."""
        words = []
        for piece in self.pieces:
            if isinstance(piece, FilledBlank):
                words.append(piece.words)
            else:
                words.append(piece)
        return "".join(words)


class SentenceGroup(NamedTuple):
    """Sentences under a heading. ``adds`` is the key of the list that a new entry of the group goes
    into; empty where nothing can be added."""

    heading: str
    sentences: tuple[Sentence, ...]
    adds: str = ""


# ------------------------------------------------------------------ templates

VICTORY: dict[str, str] = {
    "exit": "The {side} win if <strength> has left over <way out><deadline>; a guy counts 1, a "
    "model 5.",
    "destroy": "The {side} win if they have destroyed at least {need} {unit}<deadline>.",
    "destroy_then_exit": "The {side} win if they destroy at least {need} {unit} and {then.need} "
    "{then.unit} leave over the {then.edge} edge afterwards<comma deadline>.",
    "hold": "The {side} win if they hold at least {need} buildings, {how}, at the end of {at.side} "
    "turn {at.turn}.",
    "hold_ratio": "The {side} win if at the end of {at.side} turn {at.turn} they alone hold a "
    "building and at least {ratio} times as many as their enemy alone.",
    "clear": "The {side} win if none of the {of}, neither guy nor model, is within {within_in} in "
    "of the {point}<mark> at the end of {at.side} turn {at.turn}.",
    "survivors": "The side with more {units} left at the end of {at.side} turn {at.turn} wins.",
    "count": "{question}: the side with more at the end of {at.side} turn {at.turn} wins; if both "
    "have as many, <level>.",
}
"""A sentence for each kind of victory; in braces the keys of the victory table."""
DEADLINE = "by the end of {by.side} turn {by.turn}"
"""The words of the parts ``<deadline>`` and ``<comma deadline>``."""
OTHERWISE = ("exit", "destroy", "destroy_then_exit", "hold", "hold_ratio", "clear")
"""The kinds of victory whose terms one side has to meet; where it does not, the other side wins."""

ENTRIES: dict[str, str] = {
    "zone": "stands in zone {entry.zone} from turn {entry.turn} on (0 is before play)",
    "edge": "comes over the {entry.edge} edge on turn {entry.turn}",
    "road": "comes along the road, at the {entry.edge} edge, on turn {entry.turn}",
    "corner": "comes at one of the corners {entry.corners} on turn {entry.turn}",
    "marks": "stands on the marks {entry.marks} from turn {entry.turn} on (0 is before play)",
    "anywhere": "stands where the words below allow, from turn {entry.turn} on (0 is before play)",
}
"""How a contingent enters, by the kind of its entry: the end of a sentence that begins with "It".
The "words below" are those of its set-up, in the next sentence of the page."""

HAPPENINGS: dict[str, str] = {
    "draw_table": "Reinforcements by draw: from turn {from_turn} on, {draws} cards are drawn at "
    "the start of each turn of the {side}.",
    "toggle_on_card": "A card that changes everything: {card} begins {state}, the next one ends "
    "it; meanwhile sight ends at {sight_in} in. No dice: {cards_only}.",
    "darkness": "Darkness: from turn {from_turn} until turn {before_turn} nobody sees farther than "
    "{sight_in} in.",
    "charges": "Charges: the {side} have mined {what} (its mark on the map: {mark}). From "
    "turn {from_turn} on they draw at the start of each of their turns, and ranks up to {needs} "
    "fire the charges, unless {cut_by} have cut them by starting a turn touching them.",
    "needs_service": "Idle without service: {units} of the {side} do nothing until {by} has "
    "touched them at the start of a turn; each serves {each} a turn, from turn {from_turn} on.",
    "reveal": "Hidden men: {units} of the {side} (contingent {contingent}) may be placed in secret "
    "and are revealed when {when} (within {within_in} in).",
    "ask_at_setup": "Asked before play: {question} (about {about}; the {side} answer; proposed: "
    "{proposal})",
    "convert": "A change of arms: the {side} (contingent {contingent}) may turn {unit} into "
    "{becomes}.",
    "trait": "What they can do besides: {units} of the {side} (contingent {contingent}) {effect} "
    "{targets}.",
    "remind": "A reminder in phase {phase} of each turn of the {side}.",
}
"""What each kind of happening does, with its blanks."""


class ExceptionList(NamedTuple):
    """A list of what is different in a scenario: its heading, and a template for its entries."""

    heading: str
    template: str


EXCEPTIONS: dict[str, ExceptionList] = {
    "variant": ExceptionList(
        "UNITS THAT DIFFER HERE",
        "{id}, made from {of}: called {name}, letter {letter}, {price} points, moves {move} in "
        "({road_move} in on a road), ranges {ranges}. {note}",
    ),
    "swap": ExceptionList(
        "OTHER UNITS UNDER A RULING",
        "If {ruling} is answered {answer}, each {unit} of the {side} becomes {becomes}.",
    ),
    "clock": ExceptionList(
        "ANOTHER END UNDER A RULING",
        "If {ruling} is answered {answer}, the last turn is {ends_after.side} turn "
        "{ends_after.turn}. Victory then: {victory_text}",
    ),
}
"""The exceptions of a scenario, by the keys that their lists have in its file."""

EXPLAINED: dict[str, str] = {
    "draw_table": "who comes is drawn from a table each turn",
    "toggle_on_card": "a drawn card begins and ends fog, dust or dark",
    "darkness": "nobody sees far, on some turns or all",
    "charges": "a bridge, or what else you like, is blown up unless the enemy prevents it",
    "needs_service": "units do nothing until others have served them",
    "reveal": "units set up in secret",
    "ask_at_setup": "a question before play",
    "convert": "a unit that may become another",
    "trait": "units that count as engineers, may not move, may not be fired at",
    "remind": "words shown in a phase of each turn",
}
"""What a happening is for, for those who choose one."""

_BLANK = re.compile(r"\{([a-z_.\[\]0-9]+)\}")
"""A blank of a template, with its key: ``{by.turn}``, ``{ranks[0]}``."""


class Writer:
    """Makes sentences of a scenario under the ``rules``."""

    def __init__(self, scenario: Scenario, rules: ScenarioRules) -> None:
        self.scenario = scenario
        self.rules = rules
        self.raw: Raw = table_of(scenario)

    def entry_sentence(self, template: str, entry: str) -> Sentence:
        """A sentence about the entry of a list with the key ``entry``: its blanks are values of
        that entry, and the entry can be deleted and copied."""
        return self.sentence(template, inside=entry, item=entry)

    def sentence(self, template: str, inside: str = "", item: str = "") -> Sentence:
        """A template with its blanks filled; the keys in it are those of the table ``inside``, or
        of the whole file. ``item``: see ``Sentence``."""
        pieces: list[str | FilledBlank] = []
        # ``split`` returns what stands around the blanks and, at every second place, their keys.
        for index, part in enumerate(_BLANK.split(template)):
            is_key = index % 2 == 1
            if is_key:
                key = part
                if inside:
                    key = f"{inside}.{part}"
                pieces.append(FilledBlank(key, self.words_of(key)))
            elif part:
                pieces.append(part)
        return Sentence(tuple(pieces), item)

    def words_of(self, key: str) -> str:
        """What stands in a blank; an ellipsis for nothing, and for a key that this table of the
        file cannot have."""
        try:
            return shown(self.scenario, key, self.rules)
        except EditError:
            return EMPTY

    def kind_of(self, key: str) -> str:
        """The kind of a table: of the victory, an entry, a happening."""
        return str((value_at(self.raw, key) or {}).get("kind", ""))

    # -------------------------------------------------------------- pages

    def table_page(self) -> Iterator[SentenceGroup]:
        """Names, place, table, clock and texts."""
        yield SentenceGroup(
            "WHAT IT IS CALLED",
            (
                self.sentence("Title: {title}"),
                self.sentence("In three to five words: {tagline}"),
                self.sentence("Place: {place}"),
                self.sentence("Date: {date}"),
            ),
        )
        has_map = self.scenario.map is not None
        table = [
            self.sentence("The table is {table.width_in} in wide and {table.depth_in} in deep."),
            self.sentence("The top of the map is {table.up}."),
        ]
        if has_map:
            table.append(self.sentence("The ground is {map.ground}."))
        table += [
            self.sentence("A footnote explains the size of the table; its mark is {table.mark}."),
            self.sentence("The {sets_up_first} set up first, and the {moves_first} move first."),
            self.sentence("The last turn is {ends_after.side} turn {ends_after.turn}."),
        ]
        if has_map:
            table.append(self.sentence("A note about the map: {map.note}"))
        yield SentenceGroup("THE TABLE AND THE CLOCK", tuple(table))
        yield SentenceGroup(
            "FOR READERS",
            (
                self.sentence("Situation: {situation}"),
                self.sentence("History: {history}"),
                self.sentence("Sources: {sources}"),
                self.sentence("Rulings to know: {rulings}"),
                self.sentence("Author: {author}"),
                self.sentence("Licence: {licence}"),
            ),
        )

    def forces_page(self) -> Iterator[SentenceGroup]:
        """Both sides with their contingents: how each enters, and its figures."""
        for side_index, side in enumerate(self.scenario.sides):
            yield self._side_group(f"side[{side_index}]", side)
            contingents_key = f"side[{side_index}].contingent"
            for index, contingent in enumerate(side.contingents):
                people = self.rules.catalog.nations[side.id].people
                heading = f"{people.upper()}: {contingent.called}"
                sentences = tuple(self._of_contingent(f"{contingents_key}[{index}]", contingent))
                yield SentenceGroup(heading, sentences, contingents_key)

    def _of_contingent(self, key: str, contingent: ScenarioContingent) -> Iterator[Sentence]:
        """The name of the contingent with that key, how it enters, and its figures."""
        yield self.entry_sentence("Name: {name}", key)
        yield self.entry_sentence("How it comes: {entry.kind}", key)
        how_it_enters = ENTRIES[self.kind_of(f"{key}.entry")]
        yield self.entry_sentence(f"It {how_it_enters}.", key)
        yield self.entry_sentence("Set-up in words: {deploy}", key)
        for unit in contingent.units:
            yield self._count(f"{key}.units.{unit}", unit)
        for work in contingent.works:
            yield self._count(f"{key}.works.{work}", work)
        for index in range(len(contingent.choices)):
            yield self._choice(f"{key}.choice[{index}]")

    def _side_group(self, key: str, side: ScenarioSide) -> SentenceGroup:
        """The side with that key, with its points and strength, between the least and the most that
        its choices allow."""
        catalog = self.rules.catalog.with_variants(self.scenario.variants)
        points, strength = side.points(catalog), side.pdg(catalog)
        total = f"{points.least} points, strength {strength.least}"
        if points.least != points.most:
            total = (
                f"{points.least} to {points.most} points, "
                f"strength {strength.least} to {strength.most}"
            )
        return SentenceGroup(
            f"{catalog.nations[side.id].people.upper()}  {total}",
            (
                self.sentence("The nation: {id}.", key),
                self.sentence("Its force is called {name}.", key),
                self.sentence("Its role is {role}.", key),
            ),
            f"{key}.contingent",
        )

    def _count(self, key: str, piece: str) -> Sentence:
        """How many of a unit or of works there are: the number is the blank."""
        catalog = self.rules.catalog.with_variants(self.scenario.variants)
        count = value_at(self.raw, key)
        # A variant may have been deleted while men of it still stand in a contingent.
        name = piece
        if piece in catalog.pieces:
            name = catalog.pieces[piece].name_for(count)
        return Sentence((FilledBlank(key, str(count)), f" {name}"), key)

    def _choice(self, key: str) -> Sentence:
        """A choice between several figures, each of them a blank."""
        options = value_at(self.raw, f"{key}.one_of")
        pieces: list[str | FilledBlank] = ["One of: "]
        for index in range(len(options)):
            if index:
                pieces.append(" or ")
            blank = f"{key}.one_of[{index}]"
            pieces.append(FilledBlank(blank, self.words_of(blank)))
        return Sentence((*pieces, "."), key)

    def victory_page(self) -> Iterator[SentenceGroup]:
        """The victory as a sentence with blanks."""
        sentences = [
            self.sentence("What decides: {kind}", "victory"),
            self.victory(),
            self.sentence("On the sheet: {text}", "victory"),
        ]
        # An author who asks for buildings should see how many there are.
        if self.kind_of("victory") in ("hold", "hold_ratio"):
            buildings = len(map_of(self.scenario).buildings)
            noun = "buildings"
            if buildings == 1:
                noun = "building"
            sentences.append(Sentence((f"The map has {buildings} {noun}.",)))
        yield SentenceGroup("WHO WINS", tuple(sentences))

    def victory(self, *, printed: bool = False) -> Sentence:
        """The terms of victory as a sentence; ``printed``: for the sheet, where nothing is left to
        be filled in."""
        parts = self._victory_parts(self.raw["victory"], printed=printed)
        template = VICTORY[self.kind_of("victory")]
        for part, words in parts.items():
            template = template.replace(f"<{part}>", words)
        return self.sentence(template, "victory")

    def _victory_parts(self, victory: Raw, *, printed: bool) -> dict[str, str]:
        """The words for the parts of a template of victory, with their blanks: terms may have one
        field in the place of another, and some have no deadline, as scenario 3."""
        strength = "a strength of {need}"
        if "share" in victory:
            strength = "{share} of their strength"
        way_out = "the {edge} edge"
        if "zone" in victory:
            way_out = "zone {zone}"
        # The blank of the mark is shown as soon as one is wanted, also before it is filled in.
        mark = ""
        if victory.get("point") == "mark" or "mark" in victory:
            mark = " {mark}"
        deadline = comma_deadline = ""
        if "by" in victory:
            deadline, comma_deadline = f" {DEADLINE}", f", {DEADLINE}"
        # On the screen the side that wins a tie is a blank, which may be left empty for a draw.
        level = "the {equal} win"
        if printed and "equal" not in victory:
            level = "it is a draw"
        return {
            "strength": strength,
            "way out": way_out,
            "mark": mark,
            "deadline": deadline,
            "comma deadline": comma_deadline,
            "level": level,
        }

    def rules_page(self) -> Iterator[SentenceGroup]:
        """Limits, happenings, special rules and footnotes."""
        limits = []
        for index in range(len(self.scenario.limits)):
            key = f"limit[{index}]"
            limits.append(
                self.entry_sentence(
                    "The {side} (contingent {contingent}) may not, before turn {before_turn}: "
                    "{text}",
                    key,
                )
            )
        yield SentenceGroup("LIMITS", tuple(limits), "limit")
        happenings: list[Sentence] = []
        for index in range(len(self.scenario.happenings)):
            happenings += self._happening(f"happening[{index}]")
        yield SentenceGroup("WHAT THE PROGRAM WATCHES", tuple(happenings), "happening")
        rules = []
        for index in range(len(self.scenario.special_rules)):
            key = f"rule[{index}]"
            rules.append(self.entry_sentence("{name}: {text}", key))
        yield SentenceGroup("RULES IN WORDS", tuple(rules), "rule")
        notes = []
        for index in range(len(self.scenario.footnotes)):
            key = f"footnote[{index}]"
            notes.append(self.entry_sentence("{mark} {text}", key))
        yield SentenceGroup("FOOTNOTES", tuple(notes), "footnote")
        yield from self._exceptions()

    def _exceptions(self) -> Iterator[SentenceGroup]:
        """Units that differ in this scenario, and what the answers to rulings change."""
        for list_key, (heading, template) in EXCEPTIONS.items():
            sentences = []
            for index in range(len(self.raw.get(list_key, ()))):
                key = f"{list_key}[{index}]"
                sentences.append(self.entry_sentence(template, key))
            yield SentenceGroup(heading, tuple(sentences), list_key)

    def _happening(self, key: str) -> Iterator[Sentence]:
        """What the happening with that key does, the rows of its table, its words on the sheet."""
        kind = self.kind_of(key)
        yield self.entry_sentence(HAPPENINGS[kind], key)
        if kind == "draw_table":
            for row in range(len(value_at(self.raw, f"{key}.table"))):
                yield self._draw_row(f"{key}.table[{row}]")
        # What is asked before play is not printed.
        if kind != "ask_at_setup":
            yield self.entry_sentence("   on the sheet: {text}", key)

    def _draw_row(self, key: str) -> Sentence:
        """A row of a draw table: which cards it is for, and what they bring."""
        result = "units {units} enter"
        row = value_at(self.raw, key)
        if row.get("choice"):
            result = "one of the other rows may be chosen"
        elif row.get("nothing"):
            result = "nobody comes"
        elif row.get("entry"):
            result = "they come at mark {entry}"
        template = f"   draw {{draw}}, ranks {{ranks[0]}} to {{ranks[1]}}: {result}"
        return self.entry_sentence(template, key)


# ------------------------------------------------------------------ the sentence on the sheet


def victory_text(scenario: Scenario, rules: ScenarioRules) -> str:
    """The terms of victory as they are printed."""
    writer = Writer(scenario, rules)
    text = writer.victory(printed=True).text
    victory: Mapping[str, Any] = writer.raw["victory"]
    if victory["kind"] in OTHERWISE:
        for side in scenario.sides:
            if side.id != victory["side"]:
                text += f" Otherwise the {rules.catalog.nations[side.id].people} win."
    elif victory["kind"] == "survivors":
        text += " If both have as many, it is a draw."
    return with_marked_distances(text)


def with_text_following(before: Scenario, after: Scenario, rules: ScenarioRules) -> Scenario:
    """The scenario after a change of its victory, with the sentence on the sheet changed alike, as
    long as its author has not worded it himself."""
    if after.victory.text != UNWORDED:
        is_unchanged = before.victory == after.victory
        is_worded_now = before.victory.text != after.victory.text
        if is_unchanged or is_worded_now:
            return after
        # A text of his own differs from what the program would have written.
        was_worded_before = before.victory.text != victory_text(before, rules)
        if was_worded_before:
            return after
    return with_value(after, "victory.text", victory_text(after, rules))


def checked_change(before: Scenario, after: Scenario, rules: ScenarioRules) -> Scenario:
    """The scenario after a change, with its sentence of victory following. Raises EditError for a
    change after which the workshop could not go on."""
    wrong = unusable(after, rules.catalog)
    if wrong:
        raise EditError(" ".join(str(problem) for problem in wrong))
    return with_text_following(before, after, rules)


# ------------------------------------------------------------------ new entries


def with_victory(scenario: Scenario, kind: str, rules: ScenarioRules) -> Scenario:
    """The scenario with another kind of victory, and the sentence of it. Raises EditError."""
    return with_text_following(scenario, with_terms(scenario, kind), rules)


def new_entry(scenario: Scenario, list_key: str, kind: str = "") -> Raw:
    """A new entry of a list of the rules page, to be filled in: of a limit, a rule, a footnote, one
    of the exceptions or, with its ``kind``, a happening. What it says is an example, about the side
    that moves first and a unit that it has."""
    side = scenario.moves_first
    unit = unit_of(scenario, side)
    # Some ruling has to stand there: one that the scenario names, or else the first of the book.
    ruling = {"ruling": next(iter(scenario.rulings), "P1"), "answer": "…"}
    match list_key:
        case "limit":
            return {"side": side, "before_turn": 2, "text": "May not leave the table."}
        case "rule":
            return {"name": "A rule", "text": "What it says."}
        case "footnote":
            return {"mark": _free_mark(scenario), "text": "What the source leaves open."}
        case "variant":
            return {"id": unit, "of": unit}
        case "swap":
            return {**ruling, "side": side, "unit": unit, "becomes": unit}
        case "clock":
            return {**ruling, "ends_after": {"side": side, "turn": 10}}
    return _new_happening(scenario, kind, unit)


def _new_happening(scenario: Scenario, kind: str, unit: str) -> Raw:
    """A new happening of that kind, for the side that moves first, with a unit that it has. Only
    ``charges`` are for the other side, which mines the bridge against it."""
    side = scenario.moves_first
    other = next((part.id for part in scenario.sides if part.id != side), side)
    happenings: dict[str, Raw] = {
        "draw_table": {
            "side": side,
            "from_turn": 2,
            "draws": 1,
            "text": "Draw a card at the start of each turn: reinforcements.",
            "table": [
                {"ranks": [1, 6], "nothing": True},
                {"ranks": [7, 12], "units": {unit: 5}},
            ],
        },
        "toggle_on_card": {
            "card": "QS",
            "state": "dust",
            "sight_in": 6,
            "text": "A drawn card of this kind begins a dust storm, and the next one ends it.",
        },
        "darkness": {
            "sight_in": 12,
            "text": "Nobody sees farther than 12 in.",
        },
        "charges": {
            "id": "charges",
            "side": other,
            "what": "the bridge",
            "from_turn": 3,
            "needs": 3,
            "cut_by": [unit],
            "text": "The bridge is mined. It is gone once the charges go off.",
        },
        "needs_service": {
            "side": side,
            "units": [unit],
            "by": unit,
            "each": 1,
            "text": "They do nothing until they are served.",
        },
        "reveal": {
            "side": side,
            "units": [unit],
            "when": "sight",
            "text": "They may be placed in secret.",
        },
        "ask_at_setup": {
            "id": "question",
            "about": "place",
            "question": "What do the players agree on?",
            "proposal": "as they like",
        },
        "convert": {
            "side": side,
            "unit": unit,
            "becomes": "machinegun",
            "text": "He may take another weapon.",
        },
        "trait": {
            "id": "trait",
            "side": side,
            "units": [unit],
            "effect": "counts_as_engineer",
            "text": "They count as engineers.",
        },
        "remind": {"phase": 1, "text": "Do not forget this."},
    }
    return {"kind": kind, **happenings[kind]}


def _free_mark(scenario: Scenario) -> str:
    """The first mark that no footnote has; where all are taken, a row of asterisks."""
    taken = {note.mark for note in scenario.footnotes}
    for mark in "*†‡§¶":
        if mark not in taken:
            return mark
    return "*" * (len(taken) + 1)
