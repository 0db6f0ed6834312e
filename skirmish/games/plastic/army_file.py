"""An army list as the table of a file, as the text in the store, and as a share code; and back
unchanged.

A share code is ``SK1-`` (the version) and then letters A-Z and digits 2-7, which stand for a
checksum and a compressed JSON list. A code may have been made to do harm: its length is limited
before it is decoded and while it is inflated.
"""

from __future__ import annotations

import base64
import binascii
import re
import unicodedata
import zlib
from collections.abc import Collection, Mapping
from typing import Annotated, Any

import msgspec

from skirmish.games.plastic.rules.army import Army, ArmyList
from skirmish.games.plastic.rules.army_reading import read_army
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.rules.rulings import PlasticRulingBook
from skirmish.tabletop.data_file import DataError, Problem

GAME = "plastic"
"""The id of the game to which armies belong in the store."""
LONGEST_NAME = 80
"""The most characters of the name of an army."""
LONGEST_SLUG = 40
"""The most characters of a name within the name of a file."""


def as_table(army_list: ArmyList) -> dict[str, Any]:
    """The list as the table of a file; fields that are empty are left out."""
    table = {}
    for field, value in msgspec.to_builtins(army_list).items():
        if value:
            table[field] = value
    return table


def as_body(army_list: ArmyList) -> str:
    """The list as text for the store."""
    return msgspec.json.encode(army_list).decode()


def from_body(body: str, catalog: Catalog, book: PlasticRulingBook, file: str) -> Army:
    """The army of a text in the store; ``file`` is its name in messages. Raises DataError."""
    try:
        table = msgspec.json.decode(body, type=dict[str, Any])
    except (msgspec.DecodeError, RecursionError):
        problem = Problem("", "is stored as text that is not an army list.")
        raise DataError(file, [problem]) from None
    return read_army(table, catalog, book, file)


def renamed(army_list: ArmyList, taken: Collection[str]) -> ArmyList:
    """The list under its own name, or if that is taken, with the first free number behind it: the
    copy of ``Zug 2`` is ``Zug 3``."""
    names_taken = {_folded(name) for name in taken}
    name, number = army_list.name, 1
    stem, _, last_word = name.rpartition(" ")
    # A number at the end is that of a copy only if the name without it is taken as well: an army
    # called ``Panzer 38`` keeps its number.
    is_a_copy = last_word.isdecimal() and _folded(stem) in names_taken
    if not is_a_copy:
        stem = name
    while _folded(name) in names_taken:
        number += 1
        ending = f" {number}"
        name = stem[: LONGEST_NAME - len(ending)].rstrip() + ending
    return msgspec.structs.replace(army_list, name=name)


def slug(name: str) -> str:
    """A name as it stands in the name of a file: letters and digits of any script are kept, and
    everything between them becomes a hyphen."""
    spaced = ""
    for character in unicodedata.normalize("NFC", name).casefold():
        # The categories of letters, marks and numbers.
        if unicodedata.category(character)[0] in "LMN":
            spaced += character
        else:
            spaced += " "
    hyphenated = "-".join(spaced.split())
    # A cut may leave a hyphen at the end.
    return hyphenated[:LONGEST_SLUG].strip("-") or "unnamed"


def _folded(name: str) -> str:
    """The name in a form that is equal for names that people take for the same."""
    return unicodedata.normalize("NFC", name.strip()).casefold()


# ------------------------------------------------------------------ share codes

VERSION = 1
"""The version of the share codes that this program makes and reads."""
LONGEST_CODE = 20_000
"""The most characters of a code. A list stays below that even with the longest reasons for
overriding every limit, in rare scripts."""
LARGEST_LIST = 32_768
"""The most bytes of a list once it is inflated."""

_WINDOW_BITS = -15
"""The size of zlib's window, when a list is compressed and when it is inflated. A number below 0
means no header and no checksum of zlib's own, which would make a code longer."""
_CHECKSUM_BYTES = 4
"""The bytes of the checksum: a CRC-32 over the compressed list."""
# Codes are read in small letters too: people type them.
_WHOLE_CODE = re.compile(r"[Ss][Kk](?P<version>[0-9]{1,3})-(?P<text>[A-Za-z2-7]+)")
_BEGINNING_OF_CODE = re.compile(r"\s*[Ss][Kk][0-9]{1,3}-")

# The compressor's dictionary: pieces of lists one after another, no JSON as a whole. What lists
# hold most often comes last, as zlib advises. It is a part of version 1: a change would make every
# existing code unreadable, so new units are not added to it.
_KNOWN_WORDS = (
    b'":"half":"more_than_half":"full_hundreds":"pro_rata":"base_points","P47":"P61":"P62":"P79":"'
    b'guys_third":"pillboxes_per_100":"jeeps_per_100":"cannons_per_100":"banned_unit":"nation_only'
    b'":"sandbags_two":"guy_type_sixth":"armor_half":"sniper_one":"budget":"entrenchment":'
    b'"desert_tank":"bren_carrier":"kv":"landing_craft":"amphib":"assault_raft":"armored_car":'
    b'"small_pillbox":"large_pillbox":"aa_tank":"eighty_eight":"flamethrower":"engineer":"sniper":'
    b'"mg_jeep":"truck":"jeep":"halftrack":"cannon":"tiger":"mortar":"bazooka":"grenade":'
    b'"machinegun":1,"tank":2},{"sandbags":2,"barbed_wire":6}],"elite",,"green",,"regular",{'
    b'"Army",200,null,"french","polish","japanese","british","american","russian","german",null,{'
    b'"rifle":'
)

_LIST_FIELDS = [field.encode_name for field in msgspec.structs.fields(ArmyList)]
_FIELDS = [name for name in _LIST_FIELDS if name != "format"]
"""The fields of a code in their order. New fields come at the end of a list, and so of a code."""
_Values = Annotated[list[Any], msgspec.Meta(min_length=2, max_length=len(_FIELDS))]
"""The values of the fields in their order, at least the first two, name and points, which are
never empty."""


class CodeError(ValueError):
    """What is wrong with a share code, as a sentence."""


def looks_like_code(text: str) -> bool:
    """Whether a text that was pasted is meant as a share code, whole or not."""
    return _BEGINNING_OF_CODE.match(text) is not None


def code_of(army_list: ArmyList) -> str:
    """The share code of a list. Raises CodeError if it would be too long to be read."""
    table = msgspec.to_builtins(army_list)
    values = [table[field] for field in _FIELDS]
    # A code is shorter without the empty values at its end.
    while not values[-1]:
        values.pop()
    plain = msgspec.json.encode(values)
    # The shortest code that zlib can make: the highest level, with the most memory.
    packer = zlib.compressobj(
        level=9, method=zlib.DEFLATED, wbits=_WINDOW_BITS, memLevel=9, zdict=_KNOWN_WORDS
    )
    packed = packer.compress(plain) + packer.flush()
    code = f"SK{VERSION}-{_base32(_checksum(packed) + packed)}"
    if len(plain) > LARGEST_LIST or len(code) > LONGEST_CODE:
        raise CodeError("This army is too long for a share code; send its file instead.")
    return code


def army_of(code: str, catalog: Catalog, book: PlasticRulingBook) -> Army:
    """The army of a share code. Raises CodeError."""
    table = _unpacked(_packed_list(code))
    try:
        return read_army(table, catalog, book, "share code")
    except DataError as error:
        raise CodeError(
            "The share code is whole, but this Skirmish does not know what it holds; "
            f"a newer one may have made it ({error.problems[0]})"
        ) from None


def _packed_list(code: str) -> bytes:
    """The compressed list in a code. Raises CodeError."""
    text = _text_of(code)
    # Base 32 is decoded in blocks of eight characters, filled up with =.
    padding = "=" * (-len(text) % 8)
    try:
        data = base64.b32decode(text + padding)
    except binascii.Error:
        # Refused below: no data means no checksum.
        data = b""
    checksum, packed = data[:_CHECKSUM_BYTES], data[_CHECKSUM_BYTES:]
    # Another last letter may stand for the same bytes, which the checksum does not notice. A code
    # has to be spelled as this program spells it.
    if checksum != _checksum(packed) or _base32(data) != text:
        raise CodeError(
            "The share code is damaged: a character is wrong, missing or too many; "
            "copy it again, from SK1- to its end."
        )
    return packed


def _text_of(code: str) -> str:
    """The part of a code after ``SK1-``, in capitals. Raises CodeError."""
    if len(code) > LONGEST_CODE:
        raise CodeError(
            f"That is no share code: it has {len(code)} characters, and {LONGEST_CODE} is the most."
        )
    # Mail programs break long lines.
    match = _WHOLE_CODE.fullmatch("".join(code.split()))
    if match is None:
        raise CodeError(
            "That is no share code: one begins with SK1- and goes on with the letters A to Z "
            "and the digits 2 to 7 only."
        )
    version = int(match["version"])
    if version != VERSION:
        raise CodeError(
            f"This share code is of version {version} and this Skirmish reads "
            f"version {VERSION}; update Skirmish, or ask for the army's file."
        )
    return match["text"].upper()


def _checksum(packed: bytes) -> bytes:
    """The checksum of a compressed list, as it stands before the list in a code."""
    return zlib.crc32(packed).to_bytes(_CHECKSUM_BYTES, "big")


def _base32(data: bytes) -> str:
    """The letters and digits for these bytes, without the ``=`` that fill up the last block."""
    return base64.b32encode(data).decode().rstrip("=")


def _unpacked(packed: bytes) -> Mapping[str, Any]:
    """The fields of the list. Raises CodeError. Of a list that is too large no more than one byte
    over the limit is inflated."""
    opener = zlib.decompressobj(wbits=_WINDOW_BITS, zdict=_KNOWN_WORDS)
    try:
        plain = opener.decompress(packed, LARGEST_LIST + 1)
        is_whole_list = len(plain) <= LARGEST_LIST and opener.eof
        if not is_whole_list or opener.unused_data:
            raise CodeError("That share code holds more than an army; it was not made by Skirmish.")
        values = msgspec.json.decode(plain, type=_Values)
    except (zlib.error, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise CodeError("That share code holds no army; it was not made by Skirmish.") from None
    # The code may have fewer values than there are fields (``code_of``).
    return dict(zip(_FIELDS, values, strict=False))
