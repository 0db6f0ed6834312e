"""A scenario as pages of sentences with blanks: the table, the forces, the victory, the rules. Each
blank is a value of the scenario's file; screens fill it in, and the sentence on the sheet is the
same with its blanks filled. Most of the words are in ``sentence_templates``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from skirmish.games.plastic.scenarios.order_of_battle import ScenarioContingent, ScenarioSide
from skirmish.games.plastic.scenarios.own import Raw
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.games.plastic.workshop.blanks import EMPTY, answer_in_words
from skirmish.games.plastic.workshop.draft import EditError, ScenarioRules, map_of
from skirmish.games.plastic.workshop.keyed_values import value_at
from skirmish.games.plastic.workshop.sentence_templates import (
    DEADLINE,
    ENTRIES,
    EXCEPTIONS,
    HAPPENINGS,
    VICTORY,
)
from skirmish.tabletop.data_file import table_of


class FilledBlank(NamedTuple):
    """A blank of a sentence: the ``key`` of the value that stands in it, and its words."""

    key: str
    words: str


class Sentence(NamedTuple):
    """Words and blanks in their order."""

    pieces: tuple[str | FilledBlank, ...]
    entry_key: str = ""
    """The key of what the sentence is about, if an author can delete it or type all its values at
    once: an entry of a list (``happening[2]``), or the number of a unit in a contingent. Empty for
    any other sentence."""

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
    """Sentences under a heading."""

    heading: str
    sentences: tuple[Sentence, ...]
    list_key: str = ""
    """The key of the list to which an author can add an entry here; empty if there is none."""


_BLANK = re.compile(r"\{([a-z_.\[\]0-9]+)\}")
"""A blank of a template, with its key: ``{by.turn}``, ``{ranks[0]}``."""


class Writer:
    """Writes a scenario as pages of sentences; ``raw`` is the scenario as the data of its file."""

    def __init__(self, scenario: Scenario, rules: ScenarioRules) -> None:
        self.scenario = scenario
        self.rules = rules
        self.raw: Raw = table_of(scenario)

    def entry_sentence(self, template: str, entry_key: str) -> Sentence:
        """A sentence about the entry of a list: its blanks are values of that entry."""
        return self.sentence(template, inside=entry_key, entry_key=entry_key)

    def sentence(self, template: str, inside: str = "", entry_key: str = "") -> Sentence:
        """A template with its blanks filled. The keys in the template are those of the table with
        the key ``inside``, or of the whole file. ``entry_key``: see ``Sentence``."""
        pieces: list[str | FilledBlank] = []
        # ``split`` returns words and, at every second place, the key of a blank between them.
        for index, part in enumerate(_BLANK.split(template)):
            is_key = index % 2 == 1
            if is_key:
                key = part
                if inside:
                    key = f"{inside}.{part}"
                pieces.append(FilledBlank(key, self.words_of(key)))
            elif part:
                pieces.append(part)
        return Sentence(tuple(pieces), entry_key)

    def words_of(self, key: str) -> str:
        """What stands in a blank. An ellipsis if nothing does, which includes the keys that a table
        of this kind cannot have."""
        try:
            return answer_in_words(self.scenario, key, self.rules)
        except EditError:
            return EMPTY

    def kind_of(self, key: str) -> str:
        """The kind of the victory, entry or happening with that key."""
        kind: str = value_at(self.raw, key)["kind"]
        return kind

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
                heading = f"{people.upper()}: {contingent.name_in_words}"
                sentences = tuple(
                    self._contingent_sentences(f"{contingents_key}[{index}]", contingent)
                )
                yield SentenceGroup(heading, sentences, list_key=contingents_key)

    def _contingent_sentences(self, key: str, contingent: ScenarioContingent) -> Iterator[Sentence]:
        """The name of the contingent with that key, how it enters, and its figures."""
        yield self.entry_sentence("Name: {name}", key)
        yield self.entry_sentence("How it comes: {entry.kind}", key)
        how_it_enters = ENTRIES[self.kind_of(f"{key}.entry")]
        yield self.entry_sentence(f"It {how_it_enters}.", key)
        yield self.entry_sentence("Set-up in words: {deploy}", key)
        for unit in contingent.units:
            yield self._count_sentence(f"{key}.units.{unit}", unit)
        for work in contingent.works:
            yield self._count_sentence(f"{key}.works.{work}", work)
        for index in range(len(contingent.choices)):
            yield self._choice_sentence(f"{key}.choice[{index}]")

    def _side_group(self, key: str, side: ScenarioSide) -> SentenceGroup:
        """The side with that key. Its heading has its points and its strength: the least and the
        most, if they depend on choices that players make before a battle."""
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
                self.sentence("The nation: {id}.", inside=key),
                self.sentence("Its force is called {name}.", inside=key),
                self.sentence("Its role is {role}.", inside=key),
            ),
            list_key=f"{key}.contingent",
        )

    def _count_sentence(self, key: str, piece: str) -> Sentence:
        """How many of a unit or of works there are: the number is the blank."""
        catalog = self.rules.catalog.with_variants(self.scenario.variants)
        count = value_at(self.raw, key)
        # The unit of a variant has no name any more if its variant was deleted.
        name = piece
        if piece in catalog.pieces:
            name = catalog.pieces[piece].name_for(count)
        return Sentence((FilledBlank(key, str(count)), f" {name}"), entry_key=key)

    def _choice_sentence(self, key: str) -> Sentence:
        """A choice between several figures, each of them a blank."""
        options = value_at(self.raw, f"{key}.one_of")
        pieces: list[str | FilledBlank] = ["One of: "]
        for index in range(len(options)):
            if index > 0:
                pieces.append(" or ")
            option_key = f"{key}.one_of[{index}]"
            pieces.append(FilledBlank(option_key, self.words_of(option_key)))
        return Sentence((*pieces, "."), entry_key=key)

    def victory_page(self) -> Iterator[SentenceGroup]:
        """The victory as a sentence with blanks."""
        sentences = [
            self.sentence("What decides: {kind}", inside="victory"),
            self.victory_terms(),
            self.sentence("On the sheet: {text}", inside="victory"),
        ]
        # An author who asks for buildings should see how many there are.
        if self.kind_of("victory") in ("hold", "hold_ratio"):
            buildings = len(map_of(self.scenario).buildings)
            noun = "buildings"
            if buildings == 1:
                noun = "building"
            sentences.append(Sentence((f"The map has {buildings} {noun}.",)))
        yield SentenceGroup("WHO WINS", tuple(sentences))

    def victory_terms(self, *, printed: bool = False) -> Sentence:
        """The terms of victory as a sentence. ``printed``: for the sheet, where a blank that may be
        left empty is not shown."""
        template = VICTORY[self.kind_of("victory")]
        for part, words in self._victory_parts(printed=printed).items():
            template = template.replace(f"<{part}>", words)
        return self.sentence(template, inside="victory")

    def _victory_parts(self, *, printed: bool) -> dict[str, str]:
        """The words for the ``<parts>`` of the templates of victories, with blanks in them. They
        depend on the fields that the victory terms have: a share or a number, a zone or an edge,
        and a deadline or none, as in scenario 3."""
        victory = self.raw["victory"]
        strength = "a strength of {need}"
        if "share" in victory:
            strength = "{share} of their strength"
        way_out = "the {edge} edge"
        if "zone" in victory:
            way_out = "zone {zone}"
        # An author who has chosen the mark as the point gets the blank in which to say which mark.
        mark = ""
        point_is_mark = victory.get("point") == "mark"
        if point_is_mark or "mark" in victory:
            mark = " {mark}"
        deadline, comma_deadline = "", ""
        if "by" in victory:
            deadline, comma_deadline = f" {DEADLINE}", f", {DEADLINE}"
        # On the screen the side that wins a tie is a blank; if it stays empty, a tie is a draw.
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
        """Limits, happenings, special rules, footnotes and exceptions."""
        limit = "The {side} (contingent {contingent}) may not, before turn {before_turn}: {text}"
        limits = self._entry_sentences("limit", limit)
        yield SentenceGroup("LIMITS", limits, list_key="limit")
        happenings: list[Sentence] = []
        for index in range(len(self.scenario.happenings)):
            happenings += self._happening_sentences(f"happening[{index}]")
        yield SentenceGroup("WHAT THE PROGRAM WATCHES", tuple(happenings), list_key="happening")
        rules = self._entry_sentences("rule", "{name}: {text}")
        yield SentenceGroup("RULES IN WORDS", rules, list_key="rule")
        footnotes = self._entry_sentences("footnote", "{mark} {text}")
        yield SentenceGroup("FOOTNOTES", footnotes, list_key="footnote")
        # Units that differ in this scenario, and what changes if a ruling is answered otherwise.
        for list_key, (heading, template) in EXCEPTIONS.items():
            sentences = self._entry_sentences(list_key, template)
            yield SentenceGroup(heading, sentences, list_key)

    def _entry_sentences(self, list_key: str, template: str) -> tuple[Sentence, ...]:
        """A sentence for each entry of the list with that key."""
        count = len(self.raw.get(list_key, ()))
        return tuple(
            self.entry_sentence(template, f"{list_key}[{index}]") for index in range(count)
        )

    def _happening_sentences(self, key: str) -> Iterator[Sentence]:
        """What the happening with that key does, then the rows of its table and its words on the
        sheet, if it has any."""
        kind = self.kind_of(key)
        yield self.entry_sentence(HAPPENINGS[kind], key)
        if kind == "draw_table":
            for row in range(len(value_at(self.raw, f"{key}.table"))):
                yield self._draw_row_sentence(f"{key}.table[{row}]")
        # A question before play is put on the screen, and has no words on the sheet.
        if kind != "ask_at_setup":
            yield self.entry_sentence("   on the sheet: {text}", key)

    def _draw_row_sentence(self, key: str) -> Sentence:
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
