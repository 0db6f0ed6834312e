"""What players write down: notes, orders against advice, and secrets in envelopes."""

from __future__ import annotations

import zlib
from base64 import b85decode, b85encode

from msgspec.structs import replace

from skirmish.games.plastic.battle.shown import Advice, Envelope, PublicText
from skirmish.games.plastic.battle.state import NOTE, SURPRISE, Event, State

MOST_SEALED = 2000
"""The most bytes unpacked from an envelope. The longest secret, of 500 characters, has no more: in
UTF-8 a character has at most four bytes."""
NO_ENVELOPE = "what is sealed cannot be opened"
"""The message of the ValueError for a damaged envelope."""


class NoteAdded(Event, frozen=True, kw_only=True, tag="noted"):
    """A note of the players, open to all."""

    text: PublicText

    def narrate(self, state: State) -> str:
        return f"Note: {self.text}"

    def weight(self) -> int:
        return NOTE


class Overruled(Event, frozen=True, kw_only=True, tag="overruled"):
    """An order was given against the program's advice. Advice against a shot is stored with the
    shot itself instead (``Aimed``)."""

    says: Advice

    def narrate(self, state: State) -> str:
        return f"[Against the rules: {self.says}]"


class Sealed(Event, frozen=True, kw_only=True, tag="sealed"):
    """A side seals a secret. The ``envelope`` is packed, not encrypted."""

    side: PublicText
    envelope: Envelope

    def apply(self, state: State) -> State:
        return replace(state, sealed={**state.sealed, self.side: self.envelope})

    def narrate(self, state: State) -> str:
        return f"{state.setup.does(self.side, 'seal', 'seals', article='The')} a secret."


class Unsealed(Event, frozen=True, kw_only=True, tag="unsealed"):
    """A side opens its envelope; ``text``: what it had sealed in it."""

    side: PublicText
    text: PublicText

    def apply(self, state: State) -> State:
        sealed = dict(state.sealed)
        # The side has no envelope if the line that sealed it is void by now.
        sealed.pop(self.side, None)
        return replace(state, sealed=sealed)

    def narrate(self, state: State) -> str:
        reveal = state.setup.does(self.side, "reveal", "reveals", article="The")
        return f"{reveal} a secret: {self.text}"

    def weight(self) -> int:
        return SURPRISE


def enveloped(text: str) -> str:
    """The text packed so that nobody reads it in passing; not encrypted."""
    # Half a pair of surrogates, which UTF-8 cannot encode, becomes a question mark.
    encoded = text.encode("utf-8", "replace")
    compressed = zlib.compress(encoded)
    return b85encode(compressed).decode("ascii")


def unpacked(envelope: str) -> str:
    """The text of an envelope. Raises ValueError if it is damaged or too large, also where it does
    not decode."""
    unpacking = zlib.decompressobj()
    try:
        # With a limit: a few bytes of a file from elsewhere could unpack to gigabytes.
        text = unpacking.decompress(b85decode(envelope), MOST_SEALED)
    except zlib.error:
        raise ValueError(NO_ENVELOPE) from None
    # The envelope goes on beyond the limit, or is cut off.
    if not unpacking.eof:
        raise ValueError(NO_ENVELOPE)
    return text.decode("utf-8")
