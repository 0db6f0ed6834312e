"""Finding what a person means by a name."""

import unicodedata
from collections.abc import Sequence
from difflib import get_close_matches

from skirmish.store.errors import StoreError, quoted

SHOWN = 5  # names in a sentence


def pick(
    ref: str, named: Sequence[tuple[int, str]], noun: str = "army", nouns: str = "armies"
) -> int:
    """The id of the `noun` called `ref` among (id, name) pairs.

    The first that finds anything decides: the exact name; a number, as lists show it; the name
    but for upper and lower case; a name that begins so. Raises StoreError with near names when
    nothing fits, and with the numbers to choose from when several do.
    """
    exact = [pair for pair in named if pair[1] == ref]
    if exact:
        return _only(ref, exact, nouns)
    if ref.isascii() and ref.isdigit():
        for number, _ in named:
            if str(number) == ref.lstrip("0"):
                return number
    wanted = _folded(ref)
    same = [pair for pair in named if _folded(pair[1]) == wanted]
    if same:
        return _only(ref, same, nouns)
    if wanted:
        begins = [pair for pair in named if _folded(pair[1]).startswith(wanted)]
        if begins:
            return _only(ref, begins, nouns)
    raise StoreError(f"No {noun} is called {quoted(ref)}; {_near(wanted, named)}.")


def _folded(name: str) -> str:
    # The same letter may arrive as one sign or as two, depending on the keyboard's system.
    return unicodedata.normalize("NFC", name.strip()).casefold()


def _only(ref: str, found: Sequence[tuple[int, str]], nouns: str) -> int:
    if len(found) == 1:
        return found[0][0]
    choices = [f"{number} {quoted(name)}" for number, name in found[:SHOWN]]
    more = f" and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
    raise StoreError(
        f"{quoted(ref)} could mean {len(found)} {nouns}: {', '.join(choices)}{more}; "
        "type more of the name, or the number."
    )


def _near(wanted: str, named: Sequence[tuple[int, str]]) -> str:
    if not named:
        return "none is saved yet"
    by_fold = {_folded(name): name for _, name in named}
    near = get_close_matches(wanted, by_fold, n=SHOWN, cutoff=0.5)
    near += [fold for fold in by_fold if wanted and wanted in fold and fold not in near]
    if near:
        return f"similar names: {', '.join(quoted(by_fold[fold]) for fold in near[:SHOWN])}"
    listed = list(by_fold.values())
    more = f" and {len(listed) - SHOWN} more" if len(listed) > SHOWN else ""
    return f"there is {', '.join(quoted(name) for name in listed[:SHOWN])}{more}"
