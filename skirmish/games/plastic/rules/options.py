"""The optional rules, which players may switch before and during a battle."""

from __future__ import annotations

import msgspec


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which optional rules are played. Each is named after its paragraph in the rules ("Pinning",
    "Nationalities" and so on). The defaults follow ruling P59: options that scenarios need are on,
    those that change a whole battle are off. Hull down and rear armor are on, since the text states
    them without an "if"."""

    pinning: bool = False
    nationalities: bool = False
    hull_down: bool = True
    rear_armor: bool = True
    entrenching: bool = True
    snipers: bool = True


OPTION_NAMES = {name: name.replace("_", " ").capitalize() for name in Options.__struct_fields__}
"""The names of the options as players read them, such as ``Hull down``, by the field of each."""

FIRST_GAME = Options(hull_down=False, rear_armor=False, entrenching=False, snipers=False)
"""No options: those not named here are off by default."""
EVERYTHING = Options(pinning=True, nationalities=True)
"""All options: those not named here are on by default."""
