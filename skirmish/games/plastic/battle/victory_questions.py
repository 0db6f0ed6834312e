"""What every kind of terms of victory is asked in a battle: who has won, who leads, what each side
has achieved and what is still possible. ``OneSided`` has the answers that follow where one side has
to meet the terms, and the other wins if it does not. The kinds are in ``victory`` and
``counted_victory``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import msgspec

from skirmish.games.plastic.battle.events import Finished
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.scenarios import victory_terms
from skirmish.games.plastic.scenarios.victory_terms import moment_of
from skirmish.tabletop.refusal import Refusal

CLEAR_LEAD = Fraction(1, 10)
"""The least lead, as a share of the goal, that counts: with less the sides are even."""
_LONGEST_NAME = 16
"""The letters that a side's name may have in a list before it is cut."""


class VictoryStatus(msgspec.Struct, frozen=True):
    """A side's progress by its terms, and by its break point if that is played."""

    side: str
    terms: str
    """What the side needs and has; empty if only losses decide."""
    can_win: bool = True
    breaks: str = ""
    """At which loss it breaks, and its loss so far; empty without a break point."""

    @property
    def text(self) -> str:
        """How it stands by the terms of victory and by losses, in one line."""
        return "; ".join(part for part in (self.terms, self.breaks) if part)


class Leader(msgspec.Struct, frozen=True):
    """Who is ahead, and how it stands."""

    side: str | None
    """None: neither is, or nobody knows."""
    text: str


class VictoryKind:
    """The terms of victory of one kind, evaluated in one state. Each kind is a class of its own.
    The basic game has no ``terms``."""

    terms: victory_terms.Terms | None

    def __init__(self, state: State, terms: victory_terms.Terms | None) -> None:
        self.state = state
        self.terms = terms
        self.setup = state.setup

    @property
    def counted_sides(self) -> tuple[str, ...]:
        """The sides for which the players count something by eye."""
        return ()

    @property
    def question(self) -> str:
        """What the players count by eye, as a heading."""
        return ""

    @property
    def exiting_sides(self) -> tuple[str, ...]:
        """The sides for which leaving the table counts."""
        return ()

    @property
    def early_end(self) -> Finished | None:
        """An end before the last player turn: the terms are met or out of reach."""
        return None

    def result(self) -> Finished:
        """The end if the last player turn is over now."""
        return Finished(winner=None, reason="")

    def status(self) -> list[VictoryStatus]:
        """The status of the sides that the terms name."""
        raise NotImplementedError

    def leader(self) -> Leader | None:
        """Who is ahead; None if only losses can decide it."""
        return None

    def why_not_exit(self, side: str) -> Refusal | None:
        """The advice against leaving the table, if it does not count for this side."""
        if side in self.exiting_sides:
            return None
        return Refusal("no_exit", "Leaving the table does not count in this scenario.", "Scenario")

    def exit_value(self, pieces: Sequence[str]) -> int:
        """What these pieces count if they leave the table now."""
        del pieces
        return 0

    @property
    def _in_time(self) -> str:
        """`` by the end of German turn 8``; empty without a clock."""
        if self.terms is None:
            return ""
        moment = moment_of(self.terms)
        if moment is None:
            return ""
        nation = self.setup.catalog.nations[moment.side].name
        return f" by the end of {nation} turn {moment.turn}"

    def _pieces(self, side: str, unit: str | None = None) -> list[str]:
        """All pieces a side ever had, of one unit or of any."""
        pieces = []
        for piece in self.state.pieces():
            if piece.side == side and unit in (None, piece.unit):
                pieces.append(piece.id)
        return pieces

    def _remaining(self, side: str, unit: str | None = None) -> list[str]:
        """The pieces of a side, of one unit or of any, that are neither lost nor exited."""
        return [piece for piece in self._pieces(side, unit) if self.state.is_in_play(piece)]

    def _has_guys(self, side: str) -> bool:
        """Whether a side has anybody who could hold a place: models without men hold none."""
        return any(self.state.unit(piece).is_guy for piece in self._remaining(side))

    def _by_side(self, values: Mapping[str, int]) -> str:
        """``Germans 3, Poles 2``."""
        parts = [f"{listed_people(self.state, side)} {value}" for side, value in values.items()]
        return ", ".join(parts)


class OneSided(VictoryKind):
    """Terms that one ``side`` has to meet; the ``foe`` wins if it does not."""

    def __init__(self, state: State, terms: victory_terms.OneSidedTerms) -> None:
        super().__init__(state, terms)
        self.side = terms.side
        self.foe = state.setup.enemy_of(terms.side).id
        self.people = listed_people(state, self.side)

    @property
    def is_met(self) -> bool:
        """Whether the side wins if the battle ends now."""
        raise NotImplementedError

    @property
    def reason(self) -> str:
        """Why the side wins or does not, as a sentence."""
        raise NotImplementedError

    @property
    def can_still_win(self) -> bool:
        """Whether the side can still win."""
        raise NotImplementedError

    @property
    def progress(self) -> str:
        """What the side needs and has, to follow its name."""
        raise NotImplementedError

    @property
    def share_done(self) -> Fraction:
        """The share of the goal that is reached; 1 and more: all of it."""
        return Fraction(0)

    @property
    def share_denied(self) -> Fraction:
        """How much has gone wrong for the side, as a share of what is enough to make it lose: at 1
        it can no longer win."""
        return Fraction(0)

    @property
    def standing(self) -> str:
        """What the side has and needs, for the headline, to follow who is ahead."""
        return ""

    def result(self) -> Finished:
        return self._decided(self.is_met, self.reason)

    def status(self) -> list[VictoryStatus]:
        return [VictoryStatus(self.side, self.progress, self.can_still_win)]

    def leader(self) -> Leader | None:
        """Who is nearer to the goal: the side by what it has done, its foe by what it denied."""
        if self.share_done >= 1:
            return Leader(self.side, self.standing)
        if not self.can_still_win:
            return Leader(self.foe, self.standing)
        # As long as both are about as near to their goal, neither is ahead.
        if abs(self.share_done - self.share_denied) < CLEAR_LEAD:
            return Leader(None, self.standing)
        if self.share_done > self.share_denied:
            return Leader(self.side, self.standing)
        return Leader(self.foe, self.standing)

    def _decided(self, met: bool, reason: str) -> Finished:
        """The end: the side has won if it met its terms, else its foe."""
        if met:
            return Finished(winner=self.side, reason=reason)
        return Finished(winner=self.foe, reason=reason)


def side_with_most(values: Mapping[str, int]) -> str | None:
    """The side with the largest number; None for a tie."""
    largest = max(values.values())
    leaders = [side for side, number in values.items() if number == largest]
    if len(leaders) > 1:
        return None
    return leaders[0]


def listed_people(state: State, side: str) -> str:
    """A side's name in a list, cut if it is long."""
    name = state.setup.side_by_id[side].people
    if len(name) <= _LONGEST_NAME:
        return name
    return f"{name[: _LONGEST_NAME - 1]}…"
