"""Small numbers in words, for sentences."""

from __future__ import annotations

_WORDS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def number_word(number: int) -> str:
    """``none``, ``one`` to ``ten``; larger numbers in digits, as is usual in print.

    >>> number_word(3), number_word(12)
    ('three', '12')
    """
    if 0 <= number < len(_WORDS):
        return _WORDS[number]
    return str(number)
