"""What both forms of judging again ask: which row it really was, and which suits the cards had."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import NamedTuple, Self, TypeGuard

from skirmish.games.plastic.battle.agenda import Shooting
from skirmish.games.plastic.battle.events import Judged
from skirmish.games.plastic.battle.names import piece_side
from skirmish.games.plastic.battle.orders import CountHits, Rejudge, why_not
from skirmish.games.plastic.battle.rows import Row, rows
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.commands.battle_now import BattleNow
from skirmish.games.plastic.commands.own_draws import SUIT_OPTIONS
from skirmish.tabletop.commands import Answers, Toggle
from skirmish.tabletop.page import Paragraph
from skirmish.tabletop.refusal import Refusal
from skirmish.tabletop.slots import Choose, Slot

TARGET, SHOOTER = "target", "shooter"
"""What may have been wrong besides the circumstances and the draw. The answer ``what`` is one of
these words. The question that follows, for the true row, has the same word as its name, and so has
the field of the order that takes this row."""
AS_JUDGED = "That is how it was judged."


class JudgingForm(ABC):
    """What is asked about a shot or a volley that is judged again, and the order that the answers
    come to. The answer ``what`` says what was wrong."""

    def __init__(self, state: State, shot: Shooting) -> None:
        self.state = state
        self.side = piece_side(shot.piece)

    @abstractmethod
    def slots(self, facts: Answers) -> tuple[Slot, ...]:
        """The questions answered so far, and the next one."""

    @abstractmethod
    def toggles(self, facts: Answers) -> tuple[Toggle, ...]:
        """What a key switches now."""

    @abstractmethod
    def heading(self) -> Paragraph:
        """What is judged again, and how it was judged."""

    @abstractmethod
    def words_for_others(self) -> str:
        """What the other side reads while the shot is judged again."""

    @abstractmethod
    def order(self, facts: Answers) -> Rejudge | CountHits:
        """The order that the answers come to."""

    @abstractmethod
    def order_with_row(self, wrong: str, row: Row) -> Rejudge | CountHits:
        """The order if that row was the target or the shooter (``wrong``)."""

    def which_row(self, wrong: str) -> Slot:
        """The question which row was really the target or the shooter (``wrong``). Rows that cannot
        have been it are refused with the reason."""
        battle = BattleNow(self.state)
        side = self.side
        text = f"{battle.people(side)}: who fired?"
        if wrong == TARGET:
            side = battle.enemy(self.side)
            text = f"{battle.people(side)}: at whom was it?"
        options = []
        for row in rows(self.state, side):
            options.append(battle.option(row, why_not=self.why_not_row(wrong, row)))
        return battle.choose(wrong, text, side, options, tab_switches=False)

    def why_not_row(self, wrong: str, row: Row) -> str:
        """Why that row cannot have been the target or the shooter; empty if it can."""
        refusal = why_not(self.state, self.order_with_row(wrong, row))
        if not rules_it_out(refusal):
            return ""
        if refusal.code == "no_change":
            return AS_JUDGED
        # What the rules advise against may have happened all the same. The advice is given with the
        # order.
        if not refusal.firm:
            return ""
        return refusal.message

    def suit_slots(
        self, order: Rejudge | CountHits, facts: Answers, *, of_several: bool
    ) -> list[Slot]:
        """The questions for suits: those already answered, and the next that the order needs.
        ``of_several``: the question names the card, since there are several."""
        slots: list[Slot] = []
        for shot in suits_given(facts):
            slots.append(_suit_slot(shot, ""))  # without a text: it is not asked again
        for verdict in order.suits_wanted(self.state)[:1]:
            slots.append(_suit_slot(verdict.shot.id, _which_suit(verdict, of_several=of_several)))
        return slots

    def turn_words(self, shot: int) -> str:
        """``turn 3, `` before a shot of an earlier turn; empty for one of the present turn."""
        past = self.state.past_turn_of(shot)
        if past is None:
            return ""
        return f"turn {past.turn}, "


def _suit_slot(shot: int, text: str) -> Choose:
    """The question which suit the card of a shot had."""
    return Choose(name=SuitOfShot(shot).name, text=text, options=SUIT_OPTIONS)


def _which_suit(verdict: Judged, *, of_several: bool) -> str:
    """The text of the question for a suit."""
    card = "it"
    if of_several:
        card = f"the {verdict.draw.rank_words}"
    return f"Which suit had {card}?"


class SuitOfShot(NamedTuple):
    """The answer which suit the card of a ``shot`` had. A volley may need one for each shot, and
    answers differ by their names only, so the name has the number of the shot: ``suit3``."""

    shot: int

    @property
    def name(self) -> str:
        """The name of the answer."""
        return f"suit{self.shot}"

    @classmethod
    def from_name(cls, name: str) -> Self | None:
        """The answer of that name; None if it is the name of another answer."""
        if not name.startswith("suit"):
            return None
        return cls(int(name.removeprefix("suit")))


def suits_given(facts: Answers) -> dict[int, str]:
    """The suits among the answers, by the number of their shot."""
    suits = {}
    for name, answer in facts.items():
        suit = SuitOfShot.from_name(name)
        if suit is not None:
            suits[suit.shot] = answer
    return suits


def rules_it_out(refusal: Refusal | None) -> TypeGuard[Refusal]:
    """Whether a refusal keeps players from an answer. A missing suit does not: it is asked next."""
    return refusal is not None and refusal.code != "no_suit"


def hits_among(verdicts: Iterable[Judged]) -> int:
    """How many of these shots hit."""
    return len([verdict for verdict in verdicts if verdict.hit])


def unit_that_fired(state: State, shot: Shooting) -> str:
    """The id of the shooter's unit when it fired."""
    present_unit = state.unit_of(shot.piece)
    if shot.weapon in state.setup.unit(present_unit).weapons:
        return present_unit
    # Its weapon has broken down since, and it fights on as a unit without it. The piece still has
    # the unit as which it was set up.
    return state.piece(shot.piece).unit
