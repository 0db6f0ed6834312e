"""A programme written out as Python for numba: one game after another, every step inlined.

The text is generated for each ruleset, reading, variant and plan, so it contains no rule of its
own. Compiled it is several times as fast as steps that read their numbers from tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from skirmish.games.beach_head.simulate import programme as lowered
from skirmish.games.beach_head.simulate.policy import Plan, Policy, Uniform, When

DICE = '''
import numpy as np

BUFFER, PER_WORD = 12288, 12
LOW = np.uint64((1 << 61) - 1)


@compiled
def throw_more(stream, faces):
    """Refill ``faces``. Each word of xoshiro256++ is read as a fraction in base six; the twelve
    digits taken of it are fair to one part in a thousand million."""
    s0, s1, s2, s3 = stream[0], stream[1], stream[2], stream[3]
    for word in range(BUFFER // PER_WORD):
        both = s0 + s3
        value = ((both << np.uint64(23)) | (both >> np.uint64(41))) + s0
        shifted = s1 << np.uint64(17)
        s2 ^= s0
        s3 ^= s1
        s1 ^= s2
        s0 ^= s3
        s2 ^= shifted
        s3 = (s3 << np.uint64(45)) | (s3 >> np.uint64(19))
        fraction = value >> np.uint64(3)
        for digit in range(PER_WORD):
            fraction = fraction * np.uint64(6)
            faces[word * PER_WORD + digit] = np.int8(fraction >> np.uint64(61)) + 1
            fraction = fraction & LOW
    stream[0], stream[1], stream[2], stream[3] = s0, s1, s2, s3


@compiled
def lot(stream, faces, at, among):
    """A number from 0 up to, but without, ``among``, out of as many dice as it takes; and the place
    of the next die."""
    while True:
        value, reach = 0, 1
        while reach < among:
            if at >= BUFFER:
                throw_more(stream, faces)
                at = 0
            value = value * 6 + faces[at] - 1
            at += 1
            reach *= 6
        if value < reach - reach % among:
            return value % among, at
'''

BEGIN = '''

@compiled
def play_all(stream, matrix, turn_first, stage_first, stages, most_turns):
    """Play every column of ``matrix`` in place, to its end or for ``stages`` stages (-1: to the
    end); the games that would not end are counted."""
    faces = np.empty(BUFFER, np.int8)
    throw_more(stream, faces)
    at = 0
    endless = 0
    for game in range(matrix.shape[1]):
'''

LOOP = """\
        turn, place, left, won = turn_first, stage_first, stages, False
        while True:
            if place == 0:
                craft_before, craft = craft, 0
                traps_at_turn, squads_at_turn = {traps}, squads
"""

NEXT_TURN = """\
            place = 0
            turn += 1
            if turn > most_turns:
                endless += 1
                break
"""
END = """\
    return endless
"""

SPARE = 128
"""Faces that one stage finds on the table; more are thrown before it."""


def script(programme: lowered.Programme, policy: Policy) -> str | None:
    """The text of a module with ``play_all``; None for a policy that is not data."""
    if not isinstance(policy, Uniform | Plan):
        return None
    return _Writer(programme, policy).module()


class _Writer:
    def __init__(self, programme: lowered.Programme, policy: Uniform | Plan) -> None:
        self.programme, self.policy = programme, policy
        self.lines: list[str] = []
        self.depth = 0
        self.phase = ""
        self.nested = False
        names = [f"d_{name}" for name in programme.defences]
        names += [f"t_{name}" for name in programme.tanks]
        names += ["squads", "casualties", "tanks_lost", "craft", "craft_before"]
        names += ["traps_at_turn", "squads_at_turn"]
        self.names = names
        self.defences = names[: len(programme.defences)]
        self.tanks = names[len(programme.defences) : lowered.rows(programme).squads]

    def say(self, *lines: str) -> None:
        self.lines.extend("    " * self.depth + line for line in lines)

    @contextmanager
    def under(self, line: str) -> Iterator[None]:
        self.say(line)
        self.depth += 1
        yield
        self.depth -= 1

    def module(self) -> str:
        programme = self.programme
        self.depth = 2
        for row, name in enumerate(self.names):
            self.say(f"{name} = np.int64(matrix[{row}, game])")
        self.lines += LOOP.format(traps=self.defences[programme.traps]).splitlines()
        self.depth = 3
        for number, stage in enumerate(programme.stages):
            with self.under(f"if place <= {number}:  # {stage.phase}"):
                self.stage(stage)
                self.say("left -= 1")
                with self.under("if left == 0:"):
                    self.say("break")
        self.lines += NEXT_TURN.splitlines()
        self.depth = 2
        for row, name in enumerate(self.names):
            self.say(f"matrix[{row}, game] = {name}")
        with self.under("if won:"):
            self.say(f"matrix[{lowered.rows(programme).turn}, game] = turn")
        text = "\n".join(self.lines) + "\n"
        return DICE + BEGIN + text + END

    # -------------------------------------------------------------- stages

    def stage(self, stage: lowered.Stage) -> None:
        self.phase = stage.phase
        if stage.phase == "end":
            self.win()
        if not stage.acts:
            return
        needed = " + ".join(self.tanks[kind] for kind in stage.needs)
        asked = [f"turn >= {stage.from_turn}"] if stage.from_turn > 1 else []
        asked += [f"{needed} > 0"] if needed else []
        asked += [f"{self.defences[stage.without]} > 0"] if stage.without != lowered.NONE else []
        asked += ["squads > 0"] if stage.needs_squads else []
        with self.under(f"if {' and '.join(asked) or True}:"):
            for name in self.looked_back(stage):
                self.say(f"b_{name} = {name}")
            if not stage.each_tank:
                self.acts(stage.acts)
                return
            with self.under(f"for _ in range({needed}):"):
                self.nested = True
                self.acts(stage.acts)
                self.nested = False
            with self.under("if won:"):
                self.say("break")

    def looked_back(self, stage: lowered.Stage) -> list[str]:
        found = {
            column
            for act in stage.acts
            if isinstance(act, lowered.RemoveAct) and act.looks_back
            for column in act.once
        }
        return [self.defences[column] for column in sorted(found)]

    def acts(self, acts: tuple[lowered.Act, ...]) -> None:
        with self.under(f"if at > BUFFER - {SPARE}:"):
            self.say("throw_more(stream, faces)", "at = 0")
        craters = [act.crater for act in acts if isinstance(act, lowered.RemoveAct) and act.crater]
        later = [] if self.programme.ruled("B38", "craters") else craters
        if later:
            self.say("cratered = False")
        for act in acts:
            match act:
                case lowered.RemoveAct():
                    self.remove(act)
                case lowered.SquadsAct():
                    self.roll("total", act.throw)
                    self.say("squads += total")
                case lowered.TanksAct():
                    self.land_tanks(act)
                case lowered.TableAct():
                    self.look_up(act)
        for crater in later:
            with self.under("if cratered:"):
                self.dig(crater)

    def win(self) -> None:
        standing = " | ".join(self.defences[column] for column in self.programme.wins)
        with self.under(f"if ({standing}) == 0:"):
            self.say("won = True", "break")

    # -------------------------------------------------------------- dice

    def roll(self, into: str, throw: lowered.RollSpec) -> None:
        programme = self.programme
        parts = [f"faces[at + {number}]" if number else "faces[at]" for number in range(throw.dice)]
        parts += [str(throw.plus)] if throw.plus else []
        if throw.traps:
            at_turn = programme.ruled("B17", "turn_start")
            traps = "traps_at_turn" if at_turn else self.defences[programme.traps]
            parts.append(f"({throw.traps} if {traps} > 0 else 0)")
        if throw.craft_hit:
            hits = "craft_before" if programme.ruled("B6", "each") else "min(1, craft_before)"
            parts.append(f"{throw.craft_hit} * {hits}")
        if throw.half_bunkers or throw.no_bunkers:
            half, none = throw.half_bunkers, throw.no_bunkers
            if not none or programme.ruled("B3", "cumulative"):
                none += half
            bunkers = self.defences[programme.bunkers]
            least = programme.points[programme.bunkers] // 2
            parts.append(f"({none} if {bunkers} == 0 else {half} if {bunkers} <= {least} else 0)")
        if throw.per_dozen:
            squads = "squads_at_turn" if programme.ruled("B34", "turn_start") else "squads"
            parts.append(f"{throw.per_dozen} * ({squads} // {programme.dozen})")
        self.say(f"{into} = max(0, {' + '.join(parts)})", f"at += {throw.dice}")

    # -------------------------------------------------------------- removals

    def remove(self, act: lowered.RemoveAct) -> None:
        if not act.every:
            return
        seen = [
            f"b_{self.defences[column]}" if act.looks_back else self.defences[column]
            for column in act.once
        ]
        if seen:
            self.say(f"if ({' | '.join(seen)}) == 0:")
            self.depth += 1
        if len(act.every) == 1:
            self.roll("total", act.throw)
            self.take_off(act, act.targets[0])
        else:
            self.choose_and_remove(act)
        if seen:
            self.depth -= 1

    def take_off(self, act: lowered.RemoveAct, column: int) -> None:
        name = self.defences[column]
        self.say(f"{name} = max(0, {name} - total)")
        if column == act.cratered and act.crater:
            if self.programme.ruled("B38", "craters"):
                self.dig(act.crater)
            else:
                self.say("cratered = True")
        if self.programme.ruled("B18", "at_once") and column in self.programme.wins:
            self.win()

    def dig(self, crater: lowered.RollSpec) -> None:
        ditches = self.defences[self.programme.ditches]
        self.roll("dug", crater)
        if self.programme.ruled("B15", "cap"):
            first = self.programme.points[self.programme.ditches]
            self.say(f"dug = min(dug, max(0, {first} - {ditches}))")
        self.say(f"{ditches} += dug")

    def choose_and_remove(self, act: lowered.RemoveAct) -> None:
        stands = [f"{self.defences[column]} > 0" for column in act.every]
        if act.also:
            way = " | ".join(self.defences[column] for column in act.also_once)
            for place in range(len(act.targets), len(act.every)):
                stands[place] = f"{stands[place]} and ({way}) == 0"
        with self.under(f"if {' or '.join(f'({one})' for one in stands)}:"):
            if self.programme.ruled("B40", "after"):
                self.roll("total", act.throw)
            if isinstance(self.policy, Plan):
                self.wish(self.policy, act, stands)
            else:
                may = stands
                if idle := self.programme.idle:
                    may = [
                        stands[place].removeprefix(f"{self.defences[column]} > 0 and ")
                        if place >= len(act.targets)
                        else str(column in idle)
                        for place, column in enumerate(act.every)
                    ]
                self.draw_lots("target", [f"({one})" for one in may])
            if not self.programme.ruled("B40", "after"):
                self.roll("total", act.throw)
            for place, column in enumerate(act.every):
                with self.under(f"{'el' if place else ''}if target == {place}:"):
                    self.take_off(act, column)

    def draw_lots(self, into: str, there: Sequence[str]) -> None:
        """Draws one of ``there``, all equally likely; at least one is true."""
        if len(there) == 2:
            self.say(f"{into} = 1 if not {there[0]} else 0")
            with self.under(f"if {there[0]} and {there[1]}:"):
                self.say(f"{into} = faces[at] & 1", "at += 1")
            return
        self.say(f"among = {' + '.join(there)}", "number, at = lot(stream, faces, at, among)")
        self.say(f"{into} = -1")
        for place, one in enumerate(there):
            with self.under(f"if {one}:"):
                with self.under("if number == 0:"):
                    self.say(f"{into} = {place}")
                self.say("number -= 1")

    def wish(self, plan: Plan, act: lowered.RemoveAct, stands: list[str]) -> None:
        names = [self.programme.defences[column] for column in act.every]
        self.say("target = -1")
        for number, (place, when) in enumerate(plan.offers(self.phase, names)):
            asked = [f"({stands[place]})", *map(self.condition, when)]
            with self.under(f"{'el' if number else ''}if {' and '.join(asked)}:"):
                self.say(f"target = {place}")

    def condition(self, one: When) -> str:
        names = dict(zip(self.programme.defences, self.defences, strict=True))
        names |= dict(zip(self.programme.tanks, self.tanks, strict=True))
        names |= {"turn": "turn", "squads": "squads"}
        names["points"] = "total" if self.programme.ruled("B40", "after") else "9999"
        return f"{one.least} <= {names[one.what]} <= {one.most}"

    # -------------------------------------------------------------- tanks and tables

    def land_tanks(self, act: lowered.TanksAct) -> None:
        self.roll("total", act.throw)
        with self.under("for _ in range(total):"):
            self.say("face = faces[at]", "at += 1")
            for kind in sorted(set(act.kinds) - {lowered.NONE}):
                faces = [f"face == {face}" for face, one in enumerate(act.kinds, 1) if one == kind]
                with self.under(f"if {' or '.join(faces)}:"):
                    self.say(f"{self.tanks[kind]} += 1")

    def look_up(self, act: lowered.TableAct) -> None:
        self.roll("result", act.throw)
        for number, row in enumerate(act.rows):
            last = number == len(act.rows) - 1
            head = "else:" if last else f"{'el' if number else ''}if result <= {row.highest}:"
            with self.under(head if len(act.rows) > 1 else "if True:"):
                self.row(row)

    def row(self, row: lowered.TableActRow) -> None:
        if row.kill:
            self.roll("total", row.kill)
            self.say("killed = min(total, squads)", "squads -= killed")
            rolled = self.programme.ruled("B2", "rolled")
            self.say(f"casualties += {'total' if rolled else 'killed'}")
        elif row.craft:
            self.say("craft += 1")
        elif row.loses:
            self.lose_tank(row)
        elif row.remove:
            self.remove(row.remove)
        else:
            self.say("pass")

    def lose_tank(self, row: lowered.TableActRow) -> None:
        there = [self.tanks[kind] for kind in row.loses]
        with self.under(f"if {' + '.join(there)} > 0:"):
            self.say("tanks_lost += 1")
            if row.given and isinstance(self.policy, Plan):
                gives = [f"t_{name}" for name in self.policy.gives]
                order = sorted(there, key=lambda name: (*gives, name).index(name))
                for number, name in enumerate(order):
                    with self.under(f"{'el' if number else ''}if {name} > 0:"):
                        self.say(f"{name} -= 1")
                return
            if row.given:
                self.draw_lots("kind", [f"({name} > 0)" for name in there])
                for place, name in enumerate(there):
                    with self.under(f"if kind == {place}:"):
                        self.say(f"{name} -= 1")
                return
            self.say(f"number, at = lot(stream, faces, at, {' + '.join(there)})")
            for place in range(len(there)):
                before = " + ".join(there[:place]) or "0"
                upto = " + ".join(there[: place + 1])
                self.say(f"take_{place} = {before} <= number < {upto}")
            for place, name in enumerate(there):
                self.say(f"{name} -= take_{place}")
