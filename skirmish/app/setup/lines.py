"""The lines of a set-up screen: what can be chosen, typed, or unfolded. No screen in here.

A line shows its ``label`` and what it says now; one that is not as proposed stands out. What a
line says may come from people's typing, so it is only ever painted as plain content.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import msgspec


class Line(msgspec.Struct, kw_only=True):
    """One line. ``topic`` is the heading it stands under, ``meaning`` what is told about it while
    it is chosen, ``under`` the fold that hides it while shut."""

    id: str
    label: str
    topic: str = ""
    meaning: str = ""
    under: str = ""

    @property
    def says(self) -> str:
        """What it stands at, in a few words."""
        return ""

    @property
    def usual(self) -> bool:
        """Whether it is as we propose."""
        return True

    @property
    def matters(self) -> bool:
        """Whether it is a choice, and not only a way to others."""
        return True

    @property
    def turns(self) -> bool:
        """Whether the arrows change it, and are shown."""
        return False

    @property
    def told(self) -> str:
        """What is told about it while it is chosen."""
        return self.meaning

    def turn(self, step: int) -> bool:
        """Go on by ``step``; False where there is nothing to turn."""
        return False


class Pick(Line, kw_only=True):
    """One of several ``values`` (id and words). ``at`` starts at what is ``proposed``."""

    values: Sequence[tuple[str, str]]
    at: int = 0
    proposed: int = 0
    explained: dict[str, str] = {}

    @property
    def value(self) -> str:
        """The id of what is chosen."""
        return self.values[self.at][0]

    @property
    def says(self) -> str:
        """Its words."""
        return self.values[self.at][1]

    @property
    def turns(self) -> bool:
        """Where there is a choice."""
        return len(self.values) > 1

    @property
    def usual(self) -> bool:
        """Whether it stands where it began."""
        return self.at == self.proposed

    @property
    def told(self) -> str:
        """Its meaning, and that of the value; the words in full, if there is no more to say."""
        more = self.explained.get(self.value, "")
        return " ".join(filter(None, (self.meaning, more))) or self.values[self.at][1]

    def turn(self, step: int) -> bool:
        """The next value, the first again after the last."""
        self.at = (self.at + step) % len(self.values)
        return len(self.values) > 1

    def choose(self, value: str) -> None:
        """Stand at a value; raises ValueError for one that is not offered."""
        self.at = [name for name, _ in self.values].index(value)


class Typed(Line, kw_only=True):
    """Something written. ``text`` starts as our ``proposal``; ``read`` makes the answer of it and
    raises ValueError (a sentence). ``stepped``: a number, which the arrows change by one.
    ``empty`` stands there while nothing is written."""

    question: str
    text: str
    proposal: str
    read: Callable[[str], object]
    stepped: bool = False
    empty: str = ""

    @property
    def value(self) -> object:
        """The answer; only what could be read is ever taken into ``text``."""
        return self.read(self.text)

    @property
    def says(self) -> str:
        """The text."""
        return self.text or self.empty

    @property
    def usual(self) -> bool:
        """Whether it is as proposed."""
        return self.text == self.proposal

    @property
    def turns(self) -> bool:
        """Numbers."""
        return self.stepped

    @property
    def told(self) -> str:
        """The question with all of the answer, which the line may have to cut."""
        return f"{self.question} Now: {self.says.rstrip('.')}. Press Enter to edit."

    def turn(self, step: int) -> bool:
        """One more, one less; where that is no answer it stays."""
        if not self.stepped:
            return False
        changed = str(int(self.text) + step)
        try:
            self.read(changed)
        except ValueError:
            return True
        self.text = changed
        return True


class Secret(Line, kw_only=True):
    """Text that a side seals before play. Once written nobody reads it here again."""

    question: str
    text: str = ""

    @property
    def says(self) -> str:
        """Only whether there is something."""
        return "written; sealed when the battle begins" if self.text else "nothing"

    @property
    def usual(self) -> bool:
        """Whether nothing is sealed."""
        return not self.text


class Fold(Line, kw_only=True):
    """A line that hides others until it is opened; ``summed`` says what they come to."""

    open: bool = False
    summed: str = "defaults"
    changed: bool = False

    @property
    def matters(self) -> bool:
        """What it hides does; it does not."""
        return False

    @property
    def says(self) -> str:
        """What is inside, in short."""
        return f"{'▾' if self.open else '▸'} {self.summed}"

    @property
    def usual(self) -> bool:
        """Whether everything inside is."""
        return not self.changed

    def turn(self, step: int) -> bool:
        """Open it or shut it."""
        self.open = not self.open
        return True


def shown(lines: Iterable[Line]) -> list[Line]:
    """The lines that are not folded away."""
    lines = list(lines)
    shut = {line.id for line in lines if isinstance(line, Fold) and not line.open}
    return [line for line in lines if line.under not in shut]
