"""Names that somebody may have meant by a misspelt one."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def nearest_name(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate that was probably meant; None if none is near.

    >>> nearest_name("riffle", ["rifle", "mortar"])
    'rifle'
    """
    best_match = difflib.get_close_matches(word.lower(), list(candidates), n=1)
    if not best_match:
        return None
    return best_match[0]


def suggest(word: str, candidates: Iterable[str]) -> str:
    """A hint for the end of a sentence: the nearest of the ``candidates``, or all of them.

    >>> suggest("riffle", ["rifle", "mortar"])
    'did you mean rifle?'
    >>> suggest("elephant", ["rifle", "mortar"])
    'known are: rifle, mortar.'
    """
    names = list(candidates)
    nearest = nearest_name(word, names)
    if nearest is not None:
        return f"did you mean {nearest}?"
    if len(names) == 1:
        return f"only {names[0]} is known."
    if not names:
        return "none is known."
    return f"known are: {', '.join(names)}."
