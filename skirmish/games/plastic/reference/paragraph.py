"""A paragraph of the rules, as it is written in the file."""

from __future__ import annotations

from typing import Annotated

import msgspec

from skirmish.tabletop.data_file import Refers


class RuleParagraph(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, rename={"topics": "for"}
):
    """A paragraph of the rules, with the places where it helps."""

    id: str = ""
    """With ``chapter`` the key of its table in the file; filled in by the reader."""
    chapter: str = ""
    title: str
    text: Annotated[tuple[str, ...], msgspec.Meta(min_length=1)]
    charts: tuple[Annotated[str, Refers("chart")], ...] = ()
    """The names of the charts below it."""
    rulings: tuple[Annotated[str, Refers("ruling")], ...] = ()
    """The ids of the rulings that fill its gaps."""
    see: tuple[Annotated[str, Refers("paragraph")], ...] = ()
    """The ids of related paragraphs."""
    topics: tuple[str, ...] = ()
    """The places in the program where it helps, such as ``refusal range``."""
    words: str = ""
    """Search terms that do not occur in its text."""
