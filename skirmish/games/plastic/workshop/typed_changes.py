"""Changes of a scenario that are typed a line at a time: ``road 0,30 96,30``, ``move 7 by 0,-3``,
``victory hold side=american need=2``. Begin with ``changed_by``.

Places are table inches from the lower left corner. A line either lays a feature on the map
(``laid_features``) or begins with a command: a function that reads the words behind its own
(``typed_line``). The commands for the map are in ``feature_commands``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.scenarios.grid import FOOT
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.games.plastic.workshop.blanks import with_typed_answer
from skirmish.games.plastic.workshop.draft import EditError, ScenarioRules, with_table_size
from skirmish.games.plastic.workshop.draft_fields import field_at
from skirmish.games.plastic.workshop.examples import new_entry
from skirmish.games.plastic.workshop.feature_commands import FEATURE_COMMANDS, Edit, lay
from skirmish.games.plastic.workshop.forces import with_contingent, with_nation
from skirmish.games.plastic.workshop.keyed_values import with_value, without
from skirmish.games.plastic.workshop.laid_features import FEATURE_VERBS
from skirmish.games.plastic.workshop.sentence_templates import ENTRIES, HAPPENINGS, VICTORY
from skirmish.games.plastic.workshop.typed_line import TypedLine, size_of, words_of_line
from skirmish.games.plastic.workshop.typed_values import counts_in
from skirmish.games.plastic.workshop.victory_sentence import (
    checked_change,
    with_victory,
    with_victory_text,
)
from skirmish.tabletop.data_file import nearest_name, suggest
from skirmish.tabletop.slots import UnfitAnswer

LEAST_SIDE, MOST_SIDE = 12, 240
"""The shortest and the longest side of a table, in inches."""
HELP = """\
Places are inches from the lower left corner: 48,30. Quote texts of several words.
On the map   road|river|hedge|wall|...  X,Y X,Y ...  [curve] [width W]
             woods|field|orchard|...    X,Y X,Y X,Y ...  [curve] [angle DEGREES]
             hill  X,Y X,Y X,Y ...      its foot; slope X,Y ... foot X,Y ...
             house|church|ruin|...  X,Y [LxD] [turn DEGREES] [number N|unnumbered]
             zone A SIDE X,Y X,Y X,Y ...  [edge]      arrow SIDE X,Y X,Y ...
             tank|mg|gun|objective|...  X,Y [SIDE] [facing DEGREES] [mark M]
             distance X,Y X,Y ["what it means"]      circle X,Y RADIUS
             name "TEXT" X,Y [water|town|feature|minor] [turn DEGREES]
             ground grass|desert|steppe|rubble
Features     list   move N by X,Y   turn N by DEGREES   size N by INCHES   bend N
             corner N K X,Y   copy N by X,Y   delete N   mirror left-right|top-bottom|half-turn
Forces       contingent SIDE "NAME"   units SIDE CONTINGENT rifle=20 tank=2
             entry SIDE CONTINGENT zone|edge|road|corner|marks|anywhere KEY=VALUE ...
             nation SIDE NATION
Victory      victory exit|destroy|destroy_then_exit|hold|hold_ratio|clear|survivors|count KEY=VALUE ...
All else     table WxD   set KEY VALUE   clear KEY   add limit|rule|footnote   add happening KIND
             (keys as in the file: set title "The Mill", set side[0].name "Mill garrison")
"""  # noqa: E501  (a table for people, as wide as a terminal)


def changed_by(line: str, scenario: Scenario, rules: ScenarioRules) -> Edit:
    """The scenario after a typed line. Raises EditError, which says what would be right."""
    verb, *words = words_of_line(line)
    verb = verb.casefold()
    typed_line = TypedLine(scenario, rules, words)
    if verb in COMMANDS:
        edit = COMMANDS[verb](typed_line)
    elif verb in FEATURE_VERBS:
        edit = lay(typed_line, verb)
    else:
        raise EditError(f"{verb} is no command; {_suggested_verb(verb)}")
    return edit._replace(scenario=checked_change(scenario, edit.scenario, rules))


def _suggested_verb(verb: str) -> str:
    """What an author may have meant by an unknown word. If no word is like it, ``suggest`` would
    list all of them, which are too many."""
    verbs = [*COMMANDS, *FEATURE_VERBS]
    if nearest_name(verb, verbs) is None:
        return "help lists them."
    return suggest(verb, verbs)


def _table(line: TypedLine) -> Edit:
    """``table 8x5``: in feet."""
    word = line.next("A size in feet such as 8x5")
    feet_wide, feet_deep = size_of(word.casefold())
    width, depth = round(feet_wide * FOOT), round(feet_deep * FOOT)
    if not (LEAST_SIDE <= width <= MOST_SIDE and LEAST_SIDE <= depth <= MOST_SIDE):
        raise EditError(f"{word} is no size of a table; each side has 1 to 20 feet.")
    return Edit(
        with_table_size(line.scenario, width, depth), f"The table is {width} by {depth} in."
    )


def _contingent(line: TypedLine) -> Edit:
    """``contingent german "Mill garrison"``"""
    side = line.side()
    name = line.next("The name of the contingent")
    return Edit(
        with_contingent(line.scenario, side, name), f"{name} joins the {side.capitalize()} side."
    )


def _contingent_key(line: TypedLine) -> str:
    """The key of the contingent that a side and an id name: ``side[0].contingent[1]``."""
    side_id = line.side()
    side_index = [side.id for side in line.scenario.sides].index(side_id)
    contingents = line.scenario.sides[side_index].contingents
    contingent_ids = [contingent.id for contingent in contingents]
    word = line.next("A contingent").casefold()
    if word not in contingent_ids:
        hint = suggest(word, contingent_ids)
        raise EditError(f"The {side_id} side has no contingent {word}; {hint}")
    return f"side[{side_index}].contingent[{contingent_ids.index(word)}]"


def _units(line: TypedLine) -> Edit:
    """``units german mill_garrison rifle=20 tank=0``"""
    key = _contingent_key(line)
    catalog: Catalog = line.rules.catalog.with_variants(line.scenario.variants)
    try:
        counts = counts_in(" ".join(line.words), [*catalog.units, *catalog.works])
    except UnfitAnswer as error:
        raise EditError(str(error)) from None
    scenario = line.scenario
    for piece, count in counts.items():
        units_or_works = "works"
        if piece in catalog.units:
            units_or_works = "units"
        count_key = f"{key}.{units_or_works}.{piece}"
        # A scenario file leaves out the pieces of which there are none.
        if count:
            scenario = with_value(scenario, count_key, count)
        elif field_at(scenario, count_key).value:
            scenario = without(scenario, count_key)
    return Edit(scenario, f"{key} has them.")


def _entry(line: TypedLine) -> Edit:
    """``entry german mill_garrison edge edge=S turn=4``"""
    key = _contingent_key(line)
    kind = line.next("A kind of entry").casefold()
    if kind not in ENTRIES:
        raise EditError(f"{kind} is no kind of entry; {suggest(kind, ENTRIES)}")
    entry: dict[str, Any] = {"kind": kind, **_pairs(line.words)}
    return Edit(with_value(line.scenario, f"{key}.entry", entry), "The entry is changed.")


def _nation(line: TypedLine) -> Edit:
    """``nation german french``: the German side becomes French."""
    side = line.side()
    nation = line.next("A nation").casefold()
    nations = line.rules.catalog.nations
    if nation not in nations:
        raise EditError(f"There is no nation {nation}; {suggest(nation, nations)}")
    people = nations[nation].people
    return Edit(with_nation(line.scenario, side, nation), f"They are the {people} now.")


def _victory(line: TypedLine) -> Edit:
    """``victory hold side=american need=2``"""
    kind = line.next("A kind of victory").casefold()
    if kind not in VICTORY:
        raise EditError(f"{kind} is no kind of victory; {suggest(kind, VICTORY)}")
    scenario = with_victory(line.scenario, kind, line.rules)
    for name, value in _pairs(line.words).items():
        changed = with_value(scenario, f"victory.{name}", value)
        # After each value, since one of them may be the author's own text.
        scenario = with_victory_text(scenario, changed, line.rules)
    return Edit(scenario, scenario.victory.text)


def _pairs(words: Sequence[str]) -> dict[str, Any]:
    """``need=2 at=german:12 marks=A,B`` as the data of a file. Raises EditError.

    Authors type these from nothing, so turns and lists have a short form. (Those of
    ``feature_text.with_values`` are changed in a text that the program wrote, and are JSON.)"""
    pairs: dict[str, Any] = {}
    for word in words:
        name, equals, text = word.partition("=")
        if not equals:
            raise EditError(f"{word} is not clear; type KEY=VALUE, such as need=2.")
        pairs[name] = _value_of_pair(name, text)
    return pairs


def _value_of_pair(name: str, text: str) -> Any:
    """The value of a pair: a number, a turn (``german:12``), a list (``A,B``), or else a text.
    Whether the field of that name may hold it is checked when the scenario is read again."""
    if text.isdecimal():
        return int(text)
    if name in ("at", "by") and ":" in text:
        side, _, turn = text.partition(":")
        if turn.isdecimal():
            return {"side": side, "turn": int(turn)}
    is_list = name in ("marks", "corners", "units", "sides")
    # ``units=guys`` of a victory by count names no list of units.
    if is_list and text != "guys":
        return text.split(",")
    return text


def _set(line: TypedLine) -> Edit:
    """``set title The Mill``"""
    key = line.next("A key")
    value = " ".join(line.words)
    return Edit(with_typed_answer(line.scenario, key, value, line.rules), f"{key} is changed.")


def _clear(line: TypedLine) -> Edit:
    """``clear map.note``"""
    key = line.next("A key")
    return Edit(without(line.scenario, key), f"{key} is left out.")


def _add(line: TypedLine) -> Edit:
    """``add rule``, ``add happening reveal``"""
    list_name = line.next("limit, rule, footnote or happening").casefold()
    lengths = {
        "limit": len(line.scenario.limits),
        "rule": len(line.scenario.special_rules),
        "footnote": len(line.scenario.footnotes),
        "happening": len(line.scenario.happenings),
    }
    if list_name not in lengths:
        raise EditError(f"{list_name} cannot be added like this; {suggest(list_name, lengths)}")
    kind = ""
    if list_name == "happening":
        kind = line.next(f"A kind ({', '.join(HAPPENINGS)})").casefold()
        if kind not in HAPPENINGS:
            raise EditError(f"There is no kind {kind}; {suggest(kind, HAPPENINGS)}")
    key = f"{list_name}[{lengths[list_name]}]"  # the place behind the last entry
    entry = new_entry(line.scenario, list_name, kind)
    return Edit(with_value(line.scenario, key, entry), f"{key} is new; set {key}.text changes it.")


COMMANDS: dict[str, Callable[[TypedLine], Edit]] = {
    **FEATURE_COMMANDS,
    "table": _table,
    "contingent": _contingent,
    "units": _units,
    "entry": _entry,
    "nation": _nation,
    "victory": _victory,
    "set": _set,
    "clear": _clear,
    "add": _add,
}
"""The commands by the first words of their lines; a line may also begin with the word of a feature
that it lays."""
