"""The optional rules in the form: presets of them, and a switch for each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace

from skirmish.games.plastic.rules.options import EVERYTHING, FIRST_GAME, OPTION_NAMES, Options
from skirmish.games.plastic.setup_form.choices import RULES, choice_field
from skirmish.games.plastic.setup_form.names import (
    NO,
    OWN,
    PRESET,
    YES,
    Answers,
    switch_field,
    yes_or_no,
)
from skirmish.tabletop.set_up_form import Field, Fold
from skirmish.tabletop.slots import AnswerRow, Choose, Option


class OptionPreset(NamedTuple):
    """A set of optional rules that are chosen at once. One without a ``label`` is called as each
    form says: "what the scenario needs", "the default rules"."""

    options: Options
    label: str
    note: str


USUAL = "usual"
"""The preset that is proposed."""
PRESETS = {
    "first_game": OptionPreset(
        FIRST_GAME, "first game", "Only moving, firing and counting. Good with children."
    ),
    USUAL: OptionPreset(
        Options(), "", "What the lists need, hull down and rear armor. No pinning or nationalities."
    ),
    "everything": OptionPreset(
        EVERYTHING,
        "all optional rules",
        "All of them. Choose the force quality of each side above.",
    ),
}
"""The presets of options by their ids."""
OPTIONS_MEAN = {
    "pinning": "Guys under machine-gun fire may be pinned: they draw, and pinned guys stay put.",
    "nationalities": "Most nations have a trait. Armies bought with a nation always have it.",
    "hull_down": "Some hits miss a model that stands behind a rise.",
    "rear_armor": "Tanks are weaker from behind.",
    "entrenching": "Guys may dig in during the battle.",
    "snipers": "Snipers choose their target. If off, leave them in the box.",
}
"""What each optional rule changes, for those who do not know it."""
SWITCHES = Fold(
    "switches",
    "Single rules",
    "Switch each optional rule on or off. You can also do so during the battle.",
)


def option_fields(usual_label: str) -> Iterator[Field]:
    """The preset of optional rules, then the switches; ``usual_label`` is that of the preset which
    is proposed."""
    yield Field(slot=_preset_slot(usual_label), group=RULES)
    off_or_on = (AnswerRow(NO, "off"), AnswerRow(YES, "on"))
    for option, label in OPTION_NAMES.items():
        switch = choice_field(
            RULES,
            switch_field(option),
            text=OPTIONS_MEAN[option],
            label=label,
            rows=off_or_on,
            default=_switch_in(Options(), option),
        )
        yield replace(switch, fold=SWITCHES)


def _preset_slot(usual_label: str) -> Choose:
    """The question for a preset. The players' own choice is named there, but made at the
    switches."""
    presets = []
    for name, preset in PRESETS.items():
        label = preset.label or usual_label
        presets.append(Option(value=name, label=label, note=preset.note))
    own = Option(
        value=OWN,
        label="your own choice",
        note="As set below, one by one.",
        why_not="Switch the optional rules on or off one by one.",
    )
    return Choose(
        name=PRESET,
        text="Which optional rules are played?",
        label="Play with",
        options=(*presets, own),
        default=USUAL,
    )


def with_matching_preset_and_switches(changed: str, answers: Answers) -> Answers:
    """The answers after the field ``changed``: with a new preset the switches are as it has them,
    and with a new switch the preset is that with just these rules."""
    if changed == PRESET and answers[PRESET] != OWN:
        options = PRESETS[answers[PRESET]].options
        switches = {switch_field(option): _switch_in(options, option) for option in OPTION_NAMES}
        return {**answers, **switches}
    fields_of_switches = [switch_field(option) for option in OPTION_NAMES]
    if changed in fields_of_switches:
        return {**answers, PRESET: _preset_of(options_in(answers))}
    return answers


def _switch_in(options: Options, option: str) -> str:
    """The answer that the switch of an ``option`` (a field of ``Options``) has in these options."""
    return yes_or_no(getattr(options, option))


def options_in(answers: Answers) -> Options:
    """The optional rules as their switches stand."""
    are_on = {option: answers[switch_field(option)] == YES for option in OPTION_NAMES}
    return Options(**are_on)


def _preset_of(options: Options) -> str:
    """The preset with these options; OWN if none has them."""
    for name, preset in PRESETS.items():
        if preset.options == options:
            return name
    return OWN
