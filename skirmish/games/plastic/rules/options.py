"""The optional rules, switches that players may turn before and during a battle."""

from __future__ import annotations

import msgspec


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The defaults are ruling P59's: on is what scenarios need, off what changes a whole battle."""

    pinning: bool = False
    nationalities: bool = False
    hull_down: bool = True
    rear_armor: bool = True
    entrenching: bool = True
    snipers: bool = True


WORDS = {name: name.replace("_", " ").capitalize() for name in Options.__struct_fields__}

FIRST_GAME = Options(hull_down=False, rear_armor=False, entrenching=False, snipers=False)
EVERYTHING = Options(pinning=True, nationalities=True)
