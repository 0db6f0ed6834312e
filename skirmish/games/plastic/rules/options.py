"""The optional rules, which players may switch before and during a battle."""

from __future__ import annotations

import msgspec


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The defaults follow ruling P59: options that scenarios need are on, those that change a whole
    battle are off."""

    pinning: bool = False
    nationalities: bool = False
    hull_down: bool = True
    rear_armor: bool = True
    entrenching: bool = True
    snipers: bool = True


WORDS = {name: name.replace("_", " ").capitalize() for name in Options.__struct_fields__}

FIRST_GAME = Options(hull_down=False, rear_armor=False, entrenching=False, snipers=False)
EVERYTHING = Options(pinning=True, nationalities=True)
