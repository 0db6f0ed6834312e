"""Finding an army or a battle by what a person types: its name, a part of it, or its number."""

import unicodedata
from collections.abc import Sequence
from difflib import get_close_matches
from typing import NamedTuple, TypeAlias

from skirmish.store.errors import StoreError, quoted

MOST_SHOWN = 5
"""Names that a sentence lists at most."""


class NumberedName(NamedTuple):
    """The number and the name of an army, a battle or something else that can be picked."""

    number: int
    name: str


Names: TypeAlias = Sequence[NumberedName]


def pick(typed: str, names: Names, noun: str = "army", nouns: str = "armies") -> int:
    """The number of the `noun` called `typed` among these `names`.

    The first of these rules by which anything matches decides: the exact name; the number, as lists
    show it; the name regardless of case; the beginning of a name; a part of a name. Raises
    StoreError, with similar names, where nothing matches, and with the numbers to choose from where
    several match. `nouns` is the plural.
    """
    wanted = _folded(typed)
    for matches in (
        _with_name(typed, names),
        _with_number(typed, names),
        _with_folded_name(wanted, names),
        _beginning_with(wanted, names),
        _containing(wanted, names),
    ):
        if matches:
            return _only(typed, matches, nouns)
    raise none_called(typed, names, noun)


def none_called(typed: str, names: Names, noun: str) -> StoreError:
    """The error where no `noun` among these `names` is called `typed`, with similar names."""
    return StoreError(f"No {noun} is called {quoted(typed)}; {_similar(_folded(typed), names)}.")


def _with_name(typed: str, names: Names) -> Names:
    return [entry for entry in names if entry.name == typed]


def _with_number(typed: str, names: Names) -> Names:
    if not typed.isascii() or not typed.isdigit():
        return []
    # Compared as text: Python refuses to turn thousands of digits into a number.
    digits = typed.lstrip("0")
    return [entry for entry in names if str(entry.number) == digits]


def _with_folded_name(wanted: str, names: Names) -> Names:
    return [entry for entry in names if _folded(entry.name) == wanted]


def _beginning_with(wanted: str, names: Names) -> Names:
    if not wanted:  # every name begins with the empty text
        return []
    return [entry for entry in names if _folded(entry.name).startswith(wanted)]


def _containing(wanted: str, names: Names) -> Names:
    if not wanted:  # every name contains the empty text
        return []
    return [entry for entry in names if wanted in _folded(entry.name)]


def _folded(name: str) -> str:
    """A name as it is compared: regardless of case, and without blanks around it."""
    # A letter with an accent may be one code point or two, depending on the system it was typed on.
    return unicodedata.normalize("NFC", name.strip()).casefold()


def _only(typed: str, matches: Names, nouns: str) -> int:
    """The number of the only match; raises StoreError where there are several."""
    if len(matches) == 1:
        return matches[0].number
    choices = [f"{match.number} {quoted(match.name)}" for match in matches]
    raise StoreError(
        f"{quoted(typed)} could mean {len(matches)} {nouns}: {_first_few(choices)}; "
        "type more of the name, or the number."
    )


def _first_few(words: Sequence[str]) -> str:
    """The first words, and how many more there are: ``a, b, c, d, e and 3 more``."""
    text = ", ".join(words[:MOST_SHOWN])
    if len(words) > MOST_SHOWN:
        text += f" and {len(words) - MOST_SHOWN} more"
    return text


def _similar(wanted: str, names: Names) -> str:
    """The end of a sentence: the names that look like the wanted one; if none does, the first of
    all names."""
    if not names:
        return "none is saved yet"
    by_folded_name = {_folded(entry.name): entry.name for entry in names}
    # 0.5, how alike two names must be, is our choice: Python's 0.6 is somewhat stricter.
    close_matches = get_close_matches(wanted, by_folded_name, n=MOST_SHOWN, cutoff=0.5)
    if close_matches:
        quotes = [quoted(by_folded_name[match]) for match in close_matches]
        return f"similar names: {', '.join(quotes)}"
    all_names = [quoted(name) for name in by_folded_name.values()]
    return f"there is {_first_few(all_names)}"
