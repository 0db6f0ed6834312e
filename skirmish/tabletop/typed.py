"""Text from outside made safe for a sentence: what people typed and what the system reports."""

from __future__ import annotations

import re
import unicodedata

DOT = "·"
"""What stands for a sign that is not shown."""
_JOINERS = "\u200c\u200d"
"""They shape words of Persian and Hindi and families of emoji, and are harmless."""
_FIRST_PICTURE = 0x2400
_PICTURES = {chr(code): chr(_FIRST_PICTURE + code) for code in range(0x20)}
"""Unicode's pictures of control characters, such as ␛ for escape, which stand in the same order."""
_PICTURES["\x7f"] = "␡"  # delete stands apart from the others
_QUOTED = re.compile(r'(?<!\w)"(?P<words>\S(?:[^"]*\S)?)"(?!\w)')
"""Words between straight quotation marks, of which neither touches a letter or number outside."""


def plain(text: str, *, pictures: bool = False) -> str:
    """The text on one line. Invisible characters and those that could control a terminal are shown
    as a dot: controls, line ends, direction marks, unpaired surrogates. With ``pictures`` each is
    shown by a sign of its own: ␛ for escape, ``\\udcff`` for half a character."""
    # Most texts have none of them, and a screen asks for hundreds at a time.
    if text.isprintable():
        return text
    signs = []
    for sign in text:
        if _is_shown(sign):
            signs.append(sign)
        elif pictures:
            signs.append(_picture(sign))
        else:
            signs.append(DOT)
    return "".join(signs)


def plain_lines(text: str) -> str:
    """The text with its line ends, each of its lines as ``plain`` has it."""
    return "\n".join(map(plain, text.split("\n")))


def with_curly_quotes(text: str) -> str:
    """A text that a player wrote, with curly quotation marks. Marks right behind a letter or number
    stay straight: they mean inches.

    >>> with_curly_quotes('We read "no men" as none at all.')
    'We read “no men” as none at all.'
    >>> with_curly_quotes('a board of 24" by 30"')
    'a board of 24" by 30"'
    """
    return _QUOTED.sub("“\\g<words>”", text)


def harmless_json(text: str) -> str:
    """JSON on one line with terminal controls escaped; its meaning is unchanged."""
    if text.isprintable():
        return text
    import json  # noqa: PLC0415 (the app needs none of it before it is painted)

    signs = []
    for sign in text:
        if _is_shown(sign):
            signs.append(sign)
        else:
            escape = json.dumps(sign)[1:-1]  # without the quotation marks around it
            signs.append(escape)
    return "".join(signs)


def reason(error: Exception) -> str:
    """Why the system refused, as the end of a sentence: ``no space left on device``."""
    text = str(error)
    # For these ``str`` adds the number of the error and the name of the file.
    if isinstance(error, OSError) and error.strerror:
        text = error.strerror
    return text.lower()


def _is_shown(sign: str) -> bool:
    """Whether a sign is visible and harmless; spaces of every kind (Zs) are."""
    return sign.isprintable() or unicodedata.category(sign) == "Zs" or sign in _JOINERS


def _picture(sign: str) -> str:
    """What stands for a sign that is not shown, and says which it is."""
    if unicodedata.category(sign) == "Cs":  # half of a pair of surrogates
        return f"\\u{ord(sign):04x}"
    return _PICTURES.get(sign, DOT)
