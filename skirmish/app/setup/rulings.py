"""The lines for rulings: a fold, with those that this battle's footnotes name in front."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from skirmish.app.setup.lines import Fold, Line, Pick
from skirmish.app.setup.parts import RULINGS, RULINGS_FOLD
from skirmish.app.setup.usual import AS_LIKED
from skirmish.games.plastic.rules.rulings import Ruling


def ruling_lines(
    rulings: Iterable[Ruling],
    usual: Mapping[str, str],
    before: Mapping[str, Line],
    *,
    named: Collection[str] = (),
    liked: Collection[str] = (),
    apart: Mapping[str, str] | None = None,
) -> list[Line]:
    """A line for each ruling, those ``apart`` (with why) in sight, the others in a fold.

    ``usual`` is what holds if nobody chooses; lines of ``before`` keep what was chosen on them.
    ``named`` by a footnote come first in the fold; ``liked`` are answered by the player's settings.
    """
    apart = apart or {}
    lines: list[Line] = []
    for ruling in sorted(rulings, key=lambda one: (one.id not in named, one.mode != "live")):
        line = _line(ruling, usual[ruling.id], before.get(ruling.id))
        line.under = "" if ruling.id in apart else RULINGS_FOLD
        line.label = ruling.title if ruling.id in apart else f"  {ruling.title}"
        told = [
            apart.get(ruling.id, ""),
            ""
            if ruling.mode == "live"
            else "The program does not apply this one; play it at the table.",
            "A footnote of this scenario raises it." if ruling.id in named else "",
            AS_LIKED if ruling.id in liked and ruling.id not in apart and line.usual else "",
            ruling.question,
        ]
        line.meaning = " ".join(filter(None, told))
        lines.append(line)
    fold = before.get(RULINGS_FOLD) or Fold(
        id=RULINGS_FOLD,
        label="Rulings",
        topic=RULINGS,
        meaning="How you play where the rules leave a choice. If in doubt, keep the defaults.",
    )
    in_sight = [line for line in lines if not line.under]
    return [*in_sight, fold, *(line for line in lines if line.under)] if lines else []


def _line(ruling: Ruling, answer: str, before: Line | None) -> Pick:
    """Its line, standing where it stood, or at the usual answer."""
    proposed = list(ruling.answers).index(answer)
    if not isinstance(before, Pick):
        return Pick(
            id=ruling.id,
            label=ruling.title,
            topic=RULINGS,
            values=tuple(ruling.answers.items()),
            at=proposed,
            proposed=proposed,
            explained=ruling.answers,
        )
    if before.usual:
        before.at = proposed
    before.proposed = proposed
    return before
