"""The form in which a shot, or a volley of single cards, is judged again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from msgspec.structs import replace

from skirmish.games.plastic.battle.events import Judged, Recalled
from skirmish.games.plastic.battle.orders import Rejudge, decide, why_not
from skirmish.games.plastic.battle.orders.rejudge import as_judged
from skirmish.games.plastic.battle.rows import Row
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.commands.counted_volley import shooter_words, target_words
from skirmish.games.plastic.commands.judging.form import (
    SHOOTER,
    TARGET,
    JudgingForm,
    hits_among,
    rules_it_out,
    suits_given,
    unit_that_fired,
)
from skirmish.games.plastic.commands.own_draws import (
    ESC_LEAVES,
    TAB_TO_SHOTS,
    WHICH_DRAW,
    Corrected,
    NumberedDraw,
    OwnDraws,
    drawn_word,
)
from skirmish.games.plastic.rules.explanation import without_draw
from skirmish.games.plastic.shot_circumstances import CIRCUMSTANCES, DEFAULTS
from skirmish.tabletop.commands import Answers, Toggle
from skirmish.tabletop.page import Paragraph, capital
from skirmish.tabletop.refusal import Refusal, Refused
from skirmish.tabletop.slots import Choose, Either, Option, Slot, UnfitAnswer

JUDGED_AGAIN = tuple(name for name in CIRCUMSTANCES if name != "apart")
"""The circumstances that ``Rejudge`` states anew. Whether the shooter was in contact is not one of
them: it decides if there was a shot at all."""
WRONG_ROWS = (
    Option(value=TARGET, label="at another target", key="t"),
    Option(value=SHOOTER, label="another fired", key="f"),
)
"""The answers that another row was shot at, or fired."""
TAKE_BACK = "back"
"""The answer that takes back the repeat shots after a hit that is none now."""


class CircumstanceChange(NamedTuple):
    """A circumstance that may have been other: its name, its key, in words what it would be, and
    the reason against it."""

    name: str
    key: str
    words: str
    refusal: Refusal | None


class ShotForm(JudgingForm):
    """A shot, or a ``volley`` of single cards. The answer ``what`` is the circumstance that was
    wrong, ``TARGET`` or ``SHOOTER``, or the correct draw. Then missing suits are asked for, and
    what becomes of repeat shots after a hit that is none now."""

    def __init__(self, state: State, judged: Judged, volley: Sequence[Judged] = ()) -> None:
        super().__init__(state, judged.shot)
        self.judged, self.volley = judged, volley
        # The program does not misread its own draws, but players may misread theirs.
        self.may_be_misread = state.sources[state.source_of(self.side)].typed
        # As it was drawn: the side may have changed to another source since.
        self.by_die = not judged.draw.is_card

    def heading(self) -> Paragraph:
        explain = ""
        if not self.volley:
            explain = without_draw(self.judged.explain, self.judged.draw)
        return Paragraph(explain, lead=f"Judge again: {self._summary()}")

    def words_for_others(self) -> str:
        return f"The shot is judged again: {self._summary()}"

    def _summary(self) -> str:
        """``Rifle > Rifle, 5S: hit.``, with the turn if it is over."""
        state, judged = self.state, self.judged
        turn = self.turn_words(judged.shot.id)
        target = target_words(state, judged.shot)
        if self.volley:
            result = f"the whole volley: {hits_among(self.volley)} of {len(self.volley)} hit."
            return f"{turn}{self._squads()} > {target}, {result}"
        shooter = shooter_words(state, judged.shot, unit_that_fired(state, judged.shot))
        result = "miss"
        if judged.hit:
            result = "hit"
        return f"{turn}{shooter} > {target}, {judged.draw}: {result}."

    def _squads(self) -> str:
        """``3 Rifle Guys, Machinegun``: who fired in the volley."""
        # A set, since with repeat fire one piece has several shots.
        pieces_of_unit: dict[str, set[str]] = {}
        for verdict in self.volley:
            unit_id = unit_that_fired(self.state, verdict.shot)
            pieces_of_unit.setdefault(unit_id, set()).add(verdict.shot.piece)
        squads = []
        for unit_id, pieces in pieces_of_unit.items():
            unit = self.state.setup.unit(unit_id)
            if len(pieces) > 1:
                squads.append(unit.named(len(pieces)))
            else:
                squads.append(unit.short)
        return ", ".join(squads)

    def slots(self, facts: Answers) -> tuple[Slot, ...]:
        wrong = facts.get("what")
        slots: list[Slot] = [self._what_was_wrong()]
        if not wrong:
            return tuple(slots)
        if wrong in (TARGET, SHOOTER):
            slots.append(self.which_row(wrong))
            if not facts.get(wrong):
                return tuple(slots)
        order = self.order(facts)
        slots += self.suit_slots(order, facts, of_several=bool(self.volley))
        # Without its suit it is not known yet whether the card still hits.
        if not order.suits_wanted(self.state):
            slots += self._repeat_shot_slots(order)
        return tuple(slots)

    def toggles(self, facts: Answers) -> tuple[Toggle, ...]:
        """None: circumstances are options of the first question here."""
        del facts
        return ()

    # ------------------------------------------------------------------ the order

    def order(self, facts: Answers) -> Rejudge:
        order = self._corrected(facts)
        takes_back = facts.get("chain") == TAKE_BACK
        return replace(order, suits=suits_given(facts), chain=takes_back)

    def order_with_row(self, wrong: str, row: Row) -> Rejudge:
        return replace(self.unchanged, **{wrong: row.key})

    @cached_property
    def unchanged(self) -> Rejudge:
        """The order that would change nothing. All others are made from it."""
        return replace(as_judged(self.state, self.judged.shot), volley=bool(self.volley))

    def _corrected(self, facts: Answers) -> Rejudge:
        """The order with what was wrong put right."""
        match facts.get("what"):
            case None:
                return self.unchanged
            case str(row) if row in (TARGET, SHOOTER):
                return replace(self.unchanged, **{row: facts.get(row)})
            case str(circumstance):
                return _flipped(self.unchanged, circumstance)
            case Corrected(numbers=numbers):
                # ``NumberedDraw`` takes one draw at a time. Only the shot with this draw is judged
                # again, not the whole volley.
                [(number, draw)] = numbers.items()
                shot = self.volley[number - 1].shot  # players count from 1
                return replace(as_judged(self.state, shot), draw=draw)
            case (draw, *_):  # that of a single shot, as it was typed
                return replace(self.unchanged, draw=draw)
        raise AssertionError("the first question has no other answers")

    # ------------------------------------------------------------------ what was wrong

    def _what_was_wrong(self) -> Slot:
        """The first question. Its options are the circumstances and the rows; a draw is typed."""
        text = "What was wrong?"
        choice = self._choice_of_what(text)
        if not self.may_be_misread:
            return choice
        key_note = ""
        if self.volley:
            draw: OwnDraws = NumberedDraw(
                name="what", text="", die=self.by_die, shot_count=len(self.volley)
            )
        else:
            draw = OwnDraws(name="what", text="", die=self.by_die, single=True)
            text = f"{text} Another {drawn_word(self.by_die)}?"
            key_note = "Just type what it really was."
        return Either(name="what", text=text, key_note=key_note, ways=(choice, draw))

    def _choice_of_what(self, text: str) -> Choose:
        """The circumstances that would change the shot, and the rows."""
        who = "he was"
        if self.volley:
            who = "they were"
        options = []
        for change in self.changes:
            if not rules_it_out(change.refusal):
                label = f"{who} {change.words}"
                options.append(Option(value=change.name, key=change.key, label=label))
        keys = "No other circumstance changes this shot."
        if options:
            keys = "Type its key."
        if not self.may_be_misread:
            keys = f"{keys} {ESC_LEAVES}"
        return Choose(
            name="what",
            text=text,
            options=(*options, *WRONG_ROWS),
            key_sentence=keys,
            refusal_of_unknown=self.refusal_of,
        )

    @cached_property
    def changes(self) -> list[CircumstanceChange]:
        """Each circumstance the other way round than it was judged."""
        changes = []
        for name in JUDGED_AGAIN:
            circumstance = CIRCUMSTANCES[name]
            words = circumstance.default
            if getattr(self.unchanged, name) == DEFAULTS[name]:
                words = circumstance.alternative
            refusal = why_not(self.state, _flipped(self.unchanged, name))
            changes.append(CircumstanceChange(name, circumstance.key, words, refusal))
        return changes

    def refusal_of(self, typed: str) -> UnfitAnswer | None:
        """The refusal of a key that is none of the options; None: the usual one of the question."""
        if self.volley and self.may_be_misread:
            # A digit is probably meant as a card or roll, which needs its number in the volley.
            if typed[:1].isdigit():
                return UnfitAnswer(WHICH_DRAW, key_note=TAB_TO_SHOTS)
            return None
        for change in self.changes:
            if change.key == typed and change.refusal is not None:
                return UnfitAnswer(f"{capital(change.words)}: {change.refusal}")
        all_keys = ", ".join(self._all_keys())
        if not self.may_be_misread:
            return UnfitAnswer(f"{all_keys}.", key_note=ESC_LEAVES)
        sample = "7h"
        if self.by_die:
            sample = "7"
        text = f"{all_keys}; or the true {drawn_word(self.by_die)}, {sample}, and Enter."
        return UnfitAnswer(text, key_note=ESC_LEAVES)

    def _all_keys(self) -> Iterator[str]:
        """The keys of the first question with their meaning, also of circumstances that do not
        change this shot."""
        for change in self.changes:
            yield f"{change.key} {CIRCUMSTANCES[change.name].alternative}"
        for option in WRONG_ROWS:
            yield f"{option.key} {option.label}"

    # ------------------------------------------------------------------ repeat shots after it

    def _repeat_shot_slots(self, order: Rejudge) -> list[Slot]:
        """The question what becomes of the repeat shots after one that now misses; none if none
        followed."""
        repeat_shots = _repeat_shots_without_hit(self.state, order)
        if not repeat_shots:
            return []
        shots = f"{repeat_shots} repeat shots"
        if repeat_shots == 1:
            shots = "1 repeat shot"
        options = (
            Option(value=TAKE_BACK, label="take back what they did", key="n"),
            Option(value="stay", label="leave it", key="k"),
        )
        text = f"Now a miss, but {shots} followed."
        return [Choose(name="chain", text=text, options=options, default=TAKE_BACK)]


def _flipped(order: Rejudge, name: str) -> Rejudge:
    """The order with a circumstance the other way round."""
    return replace(order, **{name: not getattr(order, name)})


def _repeat_shots_without_hit(state: State, order: Rejudge) -> int:
    """How many repeat shots lose the hit that allowed them by this order; 0 if it would be
    refused."""
    try:
        # With ``chain``, the events say which repeat shots are taken back.
        events = decide(state, replace(order, chain=True))
    except Refused:
        return 0
    return sum(len(event.chain) for event in events if isinstance(event, Recalled))
