"""What the form asks for each side: who draws for it, its force quality, who commands it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

import msgspec

from skirmish.games.plastic.battle.commanders import TEMPERAMENTS
from skirmish.games.plastic.battle.setup import Level
from skirmish.games.plastic.battle.setup_choices import WAYS_TO_DRAW
from skirmish.games.plastic.rules.army import Army
from skirmish.games.plastic.rules.catalog import Quality
from skirmish.games.plastic.setup_form.choices import (
    DEFAULT_IN_SETTINGS,
    SIDES,
    choice_field,
)
from skirmish.games.plastic.setup_form.names import (
    A_PLAYER,
    ALOUD,
    AS_LISTED,
    LEDGER,
    NO_QUALITY,
    Answers,
    commander_field,
    draws_field,
    plan_field,
    player_field,
    quality_field,
)
from skirmish.tabletop.page import capital
from skirmish.tabletop.set_up_form import Field
from skirmish.tabletop.slots import AnswerRow, Words

DRAWS = (
    AnswerRow(
        "deck",
        "referee: the program draws cards",
        "You move and say who fires at whom. The program draws and explains the result.",
    ),
    AnswerRow(
        "die", "referee: the program rolls a d12", "The program rolls and explains the result."
    ),
    AnswerRow(
        "own_deck",
        "clerk: you draw cards and type them in",
        "You draw from your own deck and type the card. The program works out the result.",
    ),
    AnswerRow(
        "own_die",
        "clerk: you roll a d12 and type it in",
        "You roll your own d12 and type the roll. The program works out the result.",
    ),
    AnswerRow(
        LEDGER,
        "ledger: losses and clock only",
        "You resolve fire yourselves. The program records only losses and turns.",
    ),
)
"""How a side uses the program, as a question of the form."""
PLANS = (
    AnswerRow(
        "sealed", "sealed until the end", "You read it in the report when the battle is over."
    ),
    AnswerRow(ALOUD, "said aloud", "You hear it whenever it is made anew."),
)
"""Whether players hear the plan of the program's commander."""
BY_PROGRAM = (
    "You move its figures as it orders, and say what happened: W asks for its orders and its fire."
)
"""What is said of every commander of the program."""
LONGEST_NAME = 20
"""The most characters of a player's name."""


def commanders() -> list[AnswerRow]:
    """Who commands a side, as rows of a choice: a player, or the program with one of its
    characters."""
    rows = [AnswerRow(A_PLAYER, "a player")]
    for temperament, meaning in TEMPERAMENTS.items():
        note = f"{BY_PROGRAM} {capital(meaning)}."
        rows.append(AnswerRow(temperament, f"the program, {temperament}", note))
    return rows


class SideFields(msgspec.Struct, frozen=True, kw_only=True):
    """The questions about one side."""

    side: str
    """The side or the army, as the names of its fields have it."""
    people: str
    """What the form calls the side: ``Germans``, or ``First army`` in the basic game."""
    level: Level
    """How the player's side usually uses the program."""
    chance: Literal["cards", "die"]
    """What the player usually draws from."""
    qualities: Mapping[str, Quality]
    cards_only: bool = False
    """Whether the scenario needs cards: where a card starts something, a die could never do so."""
    army: Army | None = None
    """Its army in the basic game; None in a scenario."""

    @property
    def _people_in_sentence(self) -> str:
        """``Germans``, but ``first army``, which is no name."""
        if self.army is not None:
            return self.people.lower()
        return self.people

    def fields(self, answers: Answers) -> Iterator[Field]:
        """The questions about the side; that about its plan only if the program commands it."""
        yield self._who_draws()
        yield self._force_quality()
        yield choice_field(
            SIDES,
            commander_field(self.side),
            text=f"Who commands the {self._people_in_sentence}?",
            label=f"{self.people}: commanded by",
            rows=commanders(),
        )
        if answers.get(commander_field(self.side), A_PLAYER) != A_PLAYER:
            yield choice_field(
                SIDES,
                plan_field(self.side),
                text="Does it say what it is up to?",
                label=f"{self.people}: its plan",
                rows=PLANS,
            )
        player = Words(
            name=player_field(self.side),
            label=f"{self.people}: player's name",
            text=f"Who plays the {self._people_in_sentence}?",
            default="",
            longest=LONGEST_NAME,
        )
        yield Field(slot=player, group=SIDES)

    def _who_draws(self) -> Field:
        """Who draws for the side, and from what; the player's usual way is proposed."""
        default = self._usual_way_to_draw()
        program_default, *_ = DRAWS
        rows = []
        for row in DRAWS:
            if self.cards_only and WAYS_TO_DRAW[row.value].kind == "die":
                continue
            note = row.note
            # The program proposes its own default even to players who have changed no setting.
            if row.value == default and row != program_default:
                note = f"{row.note} {DEFAULT_IN_SETTINGS}"
            rows.append(AnswerRow(row.value, row.label, note))
        text = (
            f"Who draws or rolls for the {self._people_in_sentence}? You can change this during "
            "the battle."
        )
        return choice_field(
            SIDES,
            draws_field(self.side),
            text=text,
            label=f"{self.people}: who draws",
            rows=rows,
            default=default,
        )

    def _usual_way_to_draw(self) -> str:
        """The way to draw by the player's settings."""
        if self.level == LEDGER:
            return LEDGER
        kind = "die"
        if self.cards_only or self.chance == "cards":
            kind = "deck"
        if self.level == "referee":
            return kind
        # The players of a clerk draw or roll themselves.
        return f"own_{kind}"

    def _force_quality(self) -> Field:
        """The force quality of the side; that of its army list is proposed."""
        rows = []
        if self.army is not None:
            listed = "none"
            if self.army.army_list.quality:
                listed = self.qualities[self.army.army_list.quality].name
            rows.append(AnswerRow(AS_LISTED, f"as in the army list: {listed}"))
        rows.append(AnswerRow(NO_QUALITY, "none"))
        for quality in self.qualities.values():
            meaning = _what_ends_movement(quality.movement_ends_from)
            rows.append(AnswerRow(quality.id, quality.name, meaning))
        text = f"How steady are the {self._people_in_sentence}, if you play with force quality?"
        return choice_field(
            SIDES,
            quality_field(self.side),
            text=text,
            label=f"{self.people}: force quality",
            rows=rows,
        )


def _what_ends_movement(ends_from: int | None) -> str:
    """What a force quality means for movement ("Troop Quality"): the lowest card that ends
    it."""
    if ends_from is None:
        return "Nothing stops their movement."
    return f"Each group that moves draws a card: {ends_from} or higher ends its side's movement."
