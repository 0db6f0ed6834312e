"""What the pages of sentences of the workshop ask in windows: the value of a blank, a new entry of
a list, an army for a side."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

import msgspec

from skirmish import library
from skirmish.app.asking import OfferedChoice
from skirmish.app.workshop.asker import Asker, not_empty
from skirmish.app.workshop.edited_scenario import EditedScenario
from skirmish.app.workshop.sentence_board import SentenceRequest
from skirmish.games.plastic.rules.army import Army
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.games.plastic.workshop import blank_slots, blanks, draft_fields
from skirmish.games.plastic.workshop.examples import new_entry
from skirmish.games.plastic.workshop.forces import with_army, with_contingent
from skirmish.games.plastic.workshop.keyed_values import steps_of, value_at, with_value, without
from skirmish.games.plastic.workshop.sentence_templates import HAPPENING_PURPOSES
from skirmish.tabletop.data_file import DataError, table_of
from skirmish.tabletop.slots import Choose, Option, Slot

LONGEST_ENTRY = 4000
"""The most characters of an entry as JSON."""
NEW_CHOICE = {"one_of": [{"machinegun": 1}, {"mortar": 1}]}
"""A new choice of units: an example, which the player changes."""


class SentenceChange(NamedTuple):
    """A changed scenario."""

    scenario: Scenario
    go_to: str = ""
    """The key of the value that is chosen on the page afterwards; empty: the choice stays."""


class SentenceQuestions:
    """Asks what a page of sentences needs to know; returns the change for the screen to store."""

    def __init__(self, asker: Asker, edited: EditedScenario) -> None:
        self._asker = asker
        self._edited = edited

    @property
    def _scenario(self) -> Scenario:
        """The scenario as it is now: its file may change while a question is open."""
        return self._edited.scenario

    async def answer(self, request: SentenceRequest, key: str) -> SentenceChange | None:
        """What the answer changes; None if the player gives up. ``key`` is that of the value, the
        list, the contingent or the entry that the request is about. Raises EditError."""
        match request:
            case "write":
                return await self._write(key)
            case "add":
                return await self._add(key)
            case "unit":
                return await self._add_unit(key)
            case "choice":
                return self._add_choice(key)
            case "army":
                return await self._take_army(key)
            case "values":
                return await self._write_entry(key)
            case "delete":
                return SentenceChange(without(self._scenario, key))

    # ------------------------------------------------------------------ values

    async def _write(self, key: str) -> SentenceChange | None:
        """Ask for a value: one of its options, or a text."""
        slot = blank_slots.slot_at(self._scenario, key, self._edited.rules)
        # A choice among things of the scenario has no options while it has none of them.
        if isinstance(slot, Choose) and slot.options:
            return await self._choose_value(key, slot.options)
        return await self._type_value(key, slot)

    async def _choose_value(self, key: str, options: Sequence[Option]) -> SentenceChange | None:
        """Ask which of its options the value becomes."""
        labels = [option.label for option in options]
        index = await self._asker.choose_index("What stands here?", labels)
        if index is None:
            return None
        return SentenceChange(blanks.with_answer(self._scenario, key, options[index].value))

    async def _type_value(self, key: str, slot: Slot) -> SentenceChange | None:
        """Ask for the text of the value."""
        value = draft_fields.field_at(self._scenario, key).value
        text_now = ""  # of a value that is left out so far
        if value is not None:
            text_now = slot.shown(value)
        how_to_type = slot.keyless_hint or "Type it; empty leaves it out."
        return await self._typed_change("What stands here?", how_to_type, key, text_now)

    async def _write_entry(self, key: str) -> SentenceChange | None:
        """Ask for all values of an entry at once, as JSON, which also has those that no sentence
        shows."""
        entry = value_at(table_of(self._scenario), key)
        return await self._typed_change(
            "All its values",
            "Change what stands behind the colons; what may be left out can be deleted.",
            key,
            msgspec.json.encode(entry).decode(),
            longest=LONGEST_ENTRY,
        )

    async def _typed_change(
        self,
        title: str,
        question: str,
        key: str,
        text_now: str,
        *,
        longest: int = blank_slots.LONGEST_TEXT,
    ) -> SentenceChange | None:
        """Ask for the text of a value; returns the change. ``text_now`` is the text of its present
        value, which stands in the window at first."""

        def changed_by(text: str) -> Scenario:
            return blanks.with_typed_answer(self._scenario, key, text, self._edited.rules)

        # A text that would be refused is already refused in the window.
        typed = await self._asker.text(
            title, question, changed_by, at_first=text_now, longest=longest
        )
        if typed is None:
            return None
        return SentenceChange(changed_by(typed))

    # ------------------------------------------------------------------ new entries

    async def _add(self, list_key: str) -> SentenceChange | None:
        """Add an entry to a list: a contingent, a limit, a happening, a rule and so on. What must
        be known of it is asked first."""
        if list_key.endswith(".contingent"):
            return await self._add_contingent(list_key)
        kind = ""
        if list_key == "happening":  # the only list with entries of several kinds
            kinds = [OfferedChoice(kind, words) for kind, words in HAPPENING_PURPOSES.items()]
            chosen = await self._asker.choose("What shall the program watch?", kinds)
            if chosen is None:
                return None
            kind = chosen
        key = self._next_key(list_key)
        entry = new_entry(self._scenario, list_key, kind)
        return SentenceChange(with_value(self._scenario, key, entry), go_to=key)

    def _next_key(self, list_key: str) -> str:
        """The key of an entry that is added at the end of a list."""
        entries = value_at(table_of(self._scenario), list_key) or []
        return f"{list_key}[{len(entries)}]"

    async def _add_contingent(self, list_key: str) -> SentenceChange | None:
        """Ask for the name of a new contingent, and add it."""
        side = self._scenario.sides[_side_index(list_key)].id
        name = await self._asker.text("A new contingent", "What is it called?", not_empty)
        if name is None:
            return None
        return SentenceChange(with_contingent(self._scenario, side, name.strip()))

    async def _add_unit(self, contingent_key: str) -> SentenceChange | None:
        """Ask which unit or works join a contingent, and add one. If it has some already, only go
        to its sentence, where their number is changed."""
        catalog = self._edited.rules.catalog.with_variants(self._scenario.variants)
        pieces = [OfferedChoice(piece.id, piece.name) for piece in catalog.pieces.values()]
        piece_id = await self._asker.choose("Which unit joins?", pieces)
        if piece_id is None:
            return None
        table = "works"
        if piece_id in catalog.units:
            table = "units"
        key = f"{contingent_key}.{table}.{piece_id}"
        count = draft_fields.field_at(self._scenario, key).value
        if count:
            return SentenceChange(self._scenario, go_to=key)
        return SentenceChange(with_value(self._scenario, key, 1), go_to=key)

    def _add_choice(self, contingent_key: str) -> SentenceChange:
        """Let the players of a contingent choose between two units before play."""
        key = self._next_key(f"{contingent_key}.choice")
        return SentenceChange(with_value(self._scenario, key, NEW_CHOICE), go_to=f"{key}.one_of[0]")

    # ------------------------------------------------------------------ armies

    async def _take_army(self, list_key: str) -> SentenceChange | None:
        """Ask for an army, one of the player's own or a template; its groups become the contingents
        of the side whose list has this key."""
        armies = [*await self._own_armies(), *library.templates()]
        labels = [_army_label(army) for army in armies]
        title = "Which army takes the place of this side's forces?"
        index = await self._asker.choose_index(title, labels)
        if index is None:
            return None
        changed = with_army(self._scenario, _side_index(list_key), armies[index])
        return SentenceChange(changed, go_to=list_key)

    async def _own_armies(self) -> list[Army]:
        """The player's armies that can be read."""
        app = self._asker.app
        armies: list[Army] = []
        async with app.reporting("The armies cannot be read"):
            for record in await app.stored(lambda store: store.armies()):
                with suppress(DataError):  # the list of armies says what is wrong with it
                    armies.append(library.stored_army(record.body, record.name))
        return armies


def _army_label(army: Army) -> str:
    """An army in a list: its name, its terms if it has any, its points."""
    about = f"{army.spent} points"
    if army.terms:
        about = f"{army.terms}, {about}"
    return f"{army.army_list.name} ({about})"


def _side_index(list_key: str) -> int:
    """The index of the side that a list belongs to: 1 for ``side[1].contingent``."""
    _, index, *_ = steps_of(list_key)
    assert isinstance(index, int)
    return index
