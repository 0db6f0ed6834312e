"""``--readings``: a preset, single answers to rulings, or both."""

from __future__ import annotations

from skirmish import library
from skirmish.cli.speaking import Complaint, clipped
from skirmish.tabletop.reading import suggest


def answered(words: str) -> dict[str, str]:
    """``printed``, ``B7=tank,B18=end_phase`` or ``draft_1d6,B18=end_phase`` as answers to the
    rulings that are named; what comes later counts. Raises Complaint."""
    book = library.beach_rulings()
    found: dict[str, str] = {}
    for word in filter(None, (one.strip() for one in words.split(","))):
        name, equals, answer = (part.strip() for part in word.partition("="))
        if equals:
            found[name.upper()] = answer.lower()
        elif preset := book.presets.get(name.lower()):
            found |= preset.answers
        else:
            hint = suggest(name, book.presets)
            raise Complaint(
                f"--readings: “{clipped(name, 40)}” is no preset; {hint} "
                "Single rulings are written as in B7=tank."
            )
    for problem in book.problems(found, "--readings"):
        raise Complaint(str(problem))
    return found
