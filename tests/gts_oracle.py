"""Fire of the Grand Tactical Series worked out a second time, from the rules summary and from the
values of the online module. It shares neither code nor data with the game: every number below was
typed in by hand, and the fire table is that of the vectors. ``verdict`` answers a question as
``skirmish gts resolve`` does."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

Question = dict[str, Any]

COLORS = ("white", "pink", "purple", "blue", "green", "yellow", "orange", "brown", "black")
VECTORS = Path(__file__).parent / "conformance" / "gts.jsonl"
# Terrain: at a target that is not armored, at one that is.
TERRAIN = {
    "orchard": (-2, -1),
    "woods": (-2, -2),
    "dunes": (-1, 0),
    "beach": (1, 0),
    "marsh": (1, 0),
    "hedgerow": (-2, -1),
    "village": (-1, 0),
    "town": (-2, -1),
    "city": (-3, -2),
    "fortified": (-4, -3),
    "swamp": (1, 1),
    "rubble": (-1, -1),
}
HEIGHT = (-1, -2)
"""A hill hex, or a ridge between firer and target."""
MORTARS = ("green", "purple")
ARTILLERY = ("orange", "brown", "black")
"""Indirect high explosive, dedicated artillery, coastal batteries: they fire directly up to 3
hexes, and with the yellow row."""
NEVER_ASSAULT = ("green", "orange", "brown", "black")


def verdict(question: Question) -> dict[str, Any]:
    """``legal``; then ``needs``, ``hit`` and ``result``, or the set of reasons against it."""
    shot = question["fire"]
    literal = question.get("rulings", {}).get("G1") == "literal"
    against = reasons_against(shot, question.get("rulings", {}))
    if against:
        return {"legal": False, "why": against}
    needs = shot["rating"] + sum(modifiers(shot))
    roll = question["roll"]
    below = roll < needs if literal else roll <= needs
    hit = roll == 0 or (roll != 9 and below)
    if shot.get("empty"):
        hit = False
    result = "miss"
    if hit:
        result = fire_table()[row_of_the_table(shot), side_of_the_table(shot), roll]
    return {"legal": True, "needs": needs, "hit": hit, "result": result}


def reasons_against(shot: Question, rulings: dict[str, str]) -> set[str]:
    """What the boxes of the flow charts are not satisfied with."""
    reasons = set()
    mode, color = shot["mode"], shot["color"]
    firer = shot.get("firer", {})
    range_ = shot.get("range")
    if shot.get("plain"):
        return reasons
    # A suppressed unit has a fire rating of No. It stays out of assaults, but one that is assaulted
    # fires once, with its assault rating.
    if firer.get("suppressed"):
        if mode == "assault":
            reasons.add("suppressed")
        if mode in ("direct", "op", "indirect") and rulings.get("G26") != "yes":
            reasons.add("suppressed")
    # "The firing unit is not a green FR mortar."
    if mode in ("direct", "op", "defense") and color == "green":
        reasons.add("indirect_only")
    # "Select firing unit & one target unit."
    if mode != "indirect" and shot.get("empty"):
        reasons.add("empty_hex")
    # "It's an Indirect HE, Mortar, Coastal Battery, or Dedicated Artillery unit."
    if mode == "indirect" and color not in (*MORTARS, *ARTILLERY):
        reasons.add("no_indirect")
    # "If the firing unit is not a Mortar, the target is 4 or more hexes from it."
    if mode == "indirect" and color not in MORTARS and range_ is not None and range_ < 4:
        reasons.add("too_near")
    if mode == "assault":
        # "Not have a Green, Orange, Black, or Brown Fire Rating." "Not be in an ENT." "Not be under
        # a Heavy Barrage."
        if color in NEVER_ASSAULT:
            reasons.add("never_assaults")
        if firer.get("entrenched"):
            reasons.add("entrenched")
        if firer.get("barrage") == "heavy":
            reasons.add("heavy_barrage")
    if range_ is None:
        return reasons
    if mode in ("assault", "defense") and range_ > 1:
        reasons.add("not_adjacent")
    if mode == "indirect" and "max_range" in shot and range_ > shot["max_range"]:
        reasons.add("too_far")
    if mode in ("direct", "op"):
        if range_ > direct_range(shot):
            reasons.add("too_far")
        sight = 8
        if shot.get("night") or shot.get("rain") or shot.get("fog"):
            sight = 3 if rulings.get("G27") == "three" else 2
        if range_ > sight:
            reasons.add("out_of_sight")
    return reasons


def direct_range(shot: Question) -> int:
    """ "It's a unit's printed range (or 1 if a unit has no printed range) except ..." """
    if shot.get("firer", {}).get("barrage"):
        return 1
    if shot["color"] in ARTILLERY:
        return 3
    return max(shot.get("max_range", 1), 1)


def row_of_the_table(shot: Question) -> str:
    if shot["mode"] != "indirect" and shot["color"] in ARTILLERY:
        return "yellow"
    return str(shot["color"])


def side_of_the_table(shot: Question) -> str:
    """ "Use black side for unit in an ENT (if not Op Fire)." """
    target = shot.get("target", {})
    if target.get("armored"):
        return "armored"
    if target.get("entrenched") and shot["mode"] != "op":
        return "armored"
    return "unarmored"


@cache
def fire_table() -> dict[tuple[str, str, int], str]:
    """The cells by row, side and roll. They stand in the vectors, once each, under names such as
    ``pink-armored-4``; no table of the card is written down in the tests."""
    cells = {}
    for line in VECTORS.read_text("utf-8").splitlines():
        vector = json.loads(line)
        row, _, rest = vector["name"].partition("-")
        side, _, roll = rest.partition("-")
        if row in COLORS and side in ("armored", "unarmored"):
            cells[row, side, int(roll)] = vector["out"]["result"]
    return cells


def modifiers(shot: Question) -> list[int]:
    """The numbers that change the fire rating."""
    if shot.get("plain"):
        return []
    found = [*of_the_firer(shot), *of_the_sky(shot)]
    if not shot.get("empty"):
        found += of_the_target(shot)
        found += of_the_terrain(shot)
    return found


def of_the_firer(shot: Question) -> list[int]:
    firer, mode = shot.get("firer", {}), shot["mode"]
    found = [{0: 0, 1: -1, 2: -2}[firer.get("cohesion", 0)]]
    found.append({None: 0, "light": -1, "heavy": -2}[firer.get("barrage")])
    if firer.get("column"):
        found.append(-1)
    if firer.get("step_loss"):
        found.append(-1)
    if firer.get("entrenched"):
        found.append(1)
    if firer.get("bocage"):
        found.append(1)
    if firer.get("suppressed") and mode == "defense":
        found.append(-2)
    if shot.get("company_bonus") and mode != "op":
        found.append(2)
    if mode == "op":
        found.append({"": 0, "to_zone": 2, "left": -1}[shot.get("zone", "")])
        if shot.get("running"):
            found.append(2)
    if mode == "indirect" and shot.get("counter_battery"):
        found.append(-2)
    return found


def of_the_sky(shot: Question) -> list[int]:
    found = []
    if shot.get("night"):
        found.append(-2)
    if shot.get("fog"):
        found.append(-1)
    if shot.get("rain"):
        found.append(-2)
    return found


def of_the_target(shot: Question) -> list[int]:
    target, mode = shot.get("target", {}), shot["mode"]
    found = [target.get("defense", 0)]
    if target.get("column"):
        found.append(2)
    if target.get("ip"):
        found.append(-1)
    if target.get("entrenched") and mode != "op":
        found.append(-2)
    mass = shot.get("mass")
    if mass is not None:
        found.append((-1, 0, 0, 0, 1, 1, 2, 2, 3)[min(mass, 8)])
    hexes = shot.get("range") or 1
    if mode in ("direct", "op") and hexes > 1:
        if not target.get("armored") and not target.get("entrenched"):
            found.append(1 - hexes)
        elif hexes == direct_range(shot):
            found.append(-2)
        else:
            found.append(-1)
    return found


def of_the_terrain(shot: Question) -> list[int]:
    """ "Apply + but not - terrain modifiers to units In Column." The defender of an assault: "Do
    not apply negative terrain mods." A hill and a ridge are terrain, as woods are."""
    target, mode = shot.get("target", {}), shot["mode"]
    hard = 1 if target.get("armored") else 0
    found = []
    if target.get("terrain"):
        found.append(TERRAIN[target["terrain"]][hard])
    if mode != "indirect":
        if target.get("hill"):
            found.append(HEIGHT[hard])
        if target.get("ridge"):
            found.append(HEIGHT[hard])
    if target.get("column") or mode == "defense":
        found = [number for number in found if number > 0]
    return found


# ------------------------------------------------------------------ questions at random


def some_question(random: Random) -> Question:
    """Any shot, allowed or not, with a roll."""
    mode = random.choice(("direct", "op", "indirect", "assault", "defense"))
    shot: Question = {
        "mode": mode,
        "color": random.choice(COLORS),
        "rating": random.randint(-1, 9),
        "target": _some_target(random),
        "firer": _some_firer(random),
        "zone": random.choice(("", "to_zone", "left")),
        "mass": random.choice((None, *range(11))),
    }
    if random.random() < 0.7:
        shot["range"] = random.choice((1, 1, 1, 2, 3, 4, 5, 8, 9))
    if random.random() < 0.8:
        shot["max_range"] = random.choice((1, 2, 3, 5, 9, 20))
    for name in ("company_bonus", "night", "fog", "rain", "running", "counter_battery"):
        shot[name] = random.random() < 0.2
    for name in ("plain", "empty"):
        shot[name] = random.random() < 0.03
    rulings = {}
    if random.random() < 0.2:
        rulings["G1"] = random.choice(("equal", "literal"))
    if random.random() < 0.2:
        rulings["G26"] = random.choice(("no", "yes"))
    if random.random() < 0.2:
        rulings["G27"] = random.choice(("two", "three"))
    roll = random.randrange(10)
    return {"fire": shot, "roll": roll, "tables": "community", "rulings": rulings}


def _some_target(random: Random) -> Question:
    target: Question = {"defense": random.randint(-4, 3)}
    target["terrain"] = random.choice(("", "", *TERRAIN))
    for name in ("armored", "column", "ip", "entrenched", "hill", "ridge"):
        target[name] = random.random() < 0.3
    return target


def _some_firer(random: Random) -> Question:
    firer: Question = {"cohesion": random.choice((0, 0, 1, 2))}
    firer["barrage"] = random.choice((None, None, None, "light", "heavy"))
    for name in ("column", "step_loss", "entrenched", "bocage"):
        firer[name] = random.random() < 0.2
    firer["suppressed"] = random.random() < 0.1
    return firer
