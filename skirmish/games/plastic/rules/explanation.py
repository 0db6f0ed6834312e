"""A shot in sentences: what it needed, what the draw did, who dies, and whether the weapon broke
down."""

from __future__ import annotations

from skirmish.games.plastic.rules.shot import Aim, Save, ShotVerdict
from skirmish.tabletop.chance import Draw
from skirmish.tabletop.page import capital

SAVES_IN_WORDS = {"cover": "in cover", "hull_down": "hull down"}
"""What saves a target, as the end of ``the target is ...``."""


def explain(aimed: Aim, draw: Draw, second: Draw | None, verdict: ShotVerdict) -> str:
    """The whole shot in sentences: what it needed, what the draw did, who dies, the breakdown.
    ``second``: the draw for the breakdown; None while there is none."""
    sentences = ["; ".join(aimed.why) + ".", _outcome(aimed, draw, verdict)]
    if verdict.exact_figure:
        reason = aimed.why_exact
        if draw.rank == 1:
            reason = "an ace"
        sentences.append(f"The man aimed at dies ({reason}).")
    elif verdict.hit and aimed.at_guy:
        sentences.append("The defender may choose another man of the group.")
    if verdict.breakdown == "pending":
        sentences.append(f"Breakdown: {_draw_again(draw)}.")
    elif verdict.breakdown and second:
        sentences.append(breakdown_words(aimed, second, verdict))
    return " ".join(sentences)


def _draw_again(draw: Draw) -> str:
    """What the player does for a breakdown: he draws or rolls, as he did before."""
    if draw.is_card:
        return "draw again"
    return "roll again"


def without_draw(explained: str, draw: Draw) -> str:
    """The text of ``explain`` or ``breakdown_words`` without the draw and its result, which stand
    beside it in large letters."""
    # The text is taken apart since journals have it whole, those of earlier versions too.
    shown = capital(draw.words)
    explained = explained.replace(f"{shown}: hit.", "")
    explained = explained.replace(f"{shown}: miss.", "")
    explained = explained.replace(f"{shown} would hit, but the target", "The target")
    before, breakdown, after = explained.partition(f"Breakdown draw, {draw.words}: ")
    if breakdown:
        explained = f"{before}{capital(after)}"
    # Where a sentence was taken out, two spaces are left.
    return capital(explained.replace("  ", " ").strip(" "))


def breakdown_words(aimed: Aim, second: Draw, verdict: ShotVerdict) -> str:
    """``Breakdown draw, 5 of spades: it is lost.``"""
    if verdict.breakdown == "held":
        result = "the weapon holds"
    elif aimed.breaks_into == "rifle":
        result = "he fights on as a rifleman"
    else:
        result = "it is lost"
    return f"Breakdown draw, {second.words}: {result}."


def aim_words(aimed: Aim, *, die: bool = False) -> str:
    """What is known before the draw: ``Cannon against armor: A-5; from behind: A-8.``"""
    parts = list(aimed.why)
    for save in aimed.saves:
        name = SAVES_IN_WORDS[save]
        # "hull down, black does not hit" has a comma, "in cover black does not hit" has none.
        if save == "hull_down":
            name += ","
        parts.append(f"{name} {_how_it_saves(aimed, save, die)}")
    return "; ".join(parts) + "."


def _outcome(aimed: Aim, draw: Draw, verdict: ShotVerdict) -> str:
    """What the draw did, as a sentence. ``without_draw`` takes it apart again."""
    shown = capital(draw.words)
    if verdict.hit:
        return f"{shown}: hit."
    save = verdict.saved_by
    if save:
        how = _how_it_saves(aimed, save, not draw.is_card)
        return f"{shown} would hit, but the target is {SAVES_IN_WORDS[save]}: {how}."
    return f"{shown}: miss."


def _how_it_saves(aimed: Aim, save: Save, die: bool) -> str:
    """The draws from which this saves the target, of cards or of a ``die``."""
    if not die:
        return "black does not hit"
    if save == "hull_down" and aimed.die_saves_from is not None:
        return f"{aimed.die_saves_from} to 12 does not hit"
    return "an even roll does not hit"
