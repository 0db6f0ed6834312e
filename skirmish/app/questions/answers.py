"""One question at a time, as data: what is asked, what can be answered, what an answer does.

An answer is keys that a mode understands, an order, or something that the screen does. So the view
for newcomers asks what the battle screen asks, and holds no rule of its own.
"""

from __future__ import annotations

import msgspec

from skirmish.app.battle.mode import DraftError, Mode, Step
from skirmish.games.plastic.battle.orders import AnyOrder
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.rows import Row, rows
from skirmish.games.plastic.battle.state import State


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """One line, or a button where ``large``: its key, its ``words``, what ``says`` more of it.

    ``presses`` are keys of the mode, one after the other; else ``order`` is given, or ``action`` is
    done by the screen. ``settles`` names the thing seen that this answers. ``why_not`` is why it
    cannot be chosen; ``doubtful``: the rules advise against it; ``aside``: it answers something
    else than what is asked.
    """

    words: str
    key: str = ""
    shown: str = ""
    says: str = ""
    presses: tuple[str, ...] = ()
    order: AnyOrder | None = None
    action: str = ""
    settles: str = ""
    why_not: str = ""
    doubtful: bool = False
    aside: bool = False
    large: bool = False

    @property
    def sign(self) -> str:
        """The key as it is shown."""
        return self.shown or self.key


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked now. ``name`` tells one question from the next; ``large`` is read from across
    the table, ``because`` stands beside it; ``asks`` is the question, ``says`` what helps to answer
    it. ``usual`` is the answer that Enter takes if nobody moves the cursor."""

    name: str
    asks: str
    answers: tuple[Answer, ...]
    large: str = ""
    because: tuple[str, ...] = ()
    says: tuple[str, ...] = ()
    usual: int = 0
    typed: bool = False

    def answer(self, key: str) -> int | None:
        """The place of the answer with that key."""
        places = (at for at, answer in enumerate(self.answers) if answer.key == key)
        return next(places, None)


def taken(answer: Answer, mode: Mode, play: BattlePlay) -> Step:
    """What an answer comes to; raises DraftError where the mode will not have it."""
    if answer.why_not:
        raise DraftError(answer.why_not)
    if answer.order is not None:
        return answer.order
    for key in answer.presses:
        step = mode.press(key, play)
        if not isinstance(step, Mode):
            return step
        mode = step
    return mode


def yes_or_no(name: str, flips: tuple[str, ...], *, usual: str) -> tuple[Answer, ...]:
    """Yes and no to something seen; the one that is not ``usual`` presses ``flips``."""
    return tuple(
        Answer(
            words=words,
            key=key,
            large=True,
            settles=name,
            presses=() if words == usual else flips,
        )
        for words, key in (("Yes", "y"), ("No", "n"))
    )


def of_whom(state: State, row: Row) -> str:
    """Whose they are, where a side has several rows of that name: ``, 116th Regiment``."""
    same = sum(other.unit.short == row.unit.short for other in rows(state, row.side))
    return f", {row.contingent.name}" if same > 1 else ""


UNDO = Answer(key="backspace", shown="⌫", words="Undo", action="undo", aside=True)
"""The last order, at any question."""
AMEND = Answer(
    key="tab",
    shown="Tab",
    words="That was wrong",
    says="another card, or something seen",
    action="judge_again",
    aside=True,
)
"""The last shot judged again."""
FULL = Answer(key="f2", shown="F2", words="The full screen", action="full", aside=True)
"""Everything that is rarer."""
