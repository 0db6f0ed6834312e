"""A verdict as a player accepts it: the number, what changed it, the draw, the result."""

from __future__ import annotations

from skirmish.games.plastic.rules.shot import Aim, Save, Verdict
from skirmish.tabletop.chance import Draw


def explain(aim: Aim, draw: Draw, second: Draw | None, verdict: Verdict) -> str:
    """One line for the screen, the journal and the command line."""
    parts = [reckoning(aim), _outcome(aim, draw, verdict)]
    if verdict.exact_figure:
        parts.append(f"The man aimed at dies ({'an ace' if draw.rank == 1 else aim.exact}).")
    elif verdict.hit and aim.at_guy:
        parts.append("The defender may choose another man of the group.")
    if verdict.breakdown == "pending":
        parts.append("Breakdown: draw again.")
    elif verdict.breakdown and second:
        parts.append(tested(aim, second, verdict))
    return " ".join(parts)


def without_draw(explained: str, draw: Draw) -> str:
    """What ``explain`` or ``tested`` gave, beside the draw and its result in large letters."""
    shown = draw.words[:1].upper() + draw.words[1:]
    for said, instead in (
        (f"{shown}: hit.", ""),
        (f"{shown}: miss.", ""),
        (f"{shown} would hit, but the target", "The target"),
        (f"Breakdown draw, {draw.words}: ", ""),
    ):
        explained = explained.replace(said, instead)
    found = explained.replace("  ", " ").strip(" ")
    return found[:1].upper() + found[1:]


def tested(aim: Aim, second: Draw, verdict: Verdict) -> str:
    """The breakdown draw alone."""
    return f"Breakdown draw, {second.words}: {_breakdown(aim, verdict)}."


def before(aim: Aim, *, die: bool = False) -> str:
    """What is known before the draw, of a card or a ``die``: the number, and what could still save
    the target."""
    high = die and aim.die_saves_from is not None
    saving = "an even roll does not hit" if die else "black does not hit"
    behind = f"{aim.die_saves_from} to 12 does not hit" if high else saving
    saves = [
        f"in cover {saving}" if save == "cover" else f"hull down, {behind}" for save in aim.saves
    ]
    return reckoning(aim) if not saves else f"{reckoning(aim)[:-1]}; {'; '.join(saves)}."


def reckoning(aim: Aim) -> str:
    """How the number needed came about: ``Cannon against armor: A-5; from behind: A-8.``"""
    return "; ".join(aim.why) + "."


def _outcome(aim: Aim, draw: Draw, verdict: Verdict) -> str:
    shown = draw.words[:1].upper() + draw.words[1:]
    if verdict.hit:
        return f"{shown}: hit."
    if verdict.saved_by:
        where = "in cover" if verdict.saved_by == "cover" else "hull down"
        return (
            f"{shown} would hit, but the target is {where}: {_saving(aim, draw, verdict.saved_by)}."
        )
    return f"{shown}: miss."


def _saving(aim: Aim, draw: Draw, save: Save) -> str:
    if draw.is_card:
        return "black does not hit"
    if save == "hull_down" and aim.die_saves_from is not None:
        return f"{aim.die_saves_from} to 12 does not hit"
    return "an even roll does not hit"


def _breakdown(aim: Aim, verdict: Verdict) -> str:
    if verdict.breakdown == "held":
        return "the weapon holds"
    return "he fights on as a rifleman" if aim.breaks_into == "rifle" else "it is lost"
