"""``skirmish odds``: what is the chance, exactly, with the cards that are left?"""

from __future__ import annotations

from typing import Annotated

import typer


def odds(  # noqa: PLR0917  (typer gives them by name)
    shooter: Annotated[str, typer.Argument(metavar="SHOOTER", hidden=True)],
    target: Annotated[str, typer.Argument(metavar="TARGET", hidden=True)],
    weapon: Annotated[str | None, typer.Option(help="Which of the shooter's.")] = None,
    distance: Annotated[
        float | None,
        typer.Option(metavar="INCHES", help="Distance; 0 is contact.", show_default=False),
    ] = None,
    phase: Annotated[int | None, typer.Option(metavar="1-4", help="Phase of the turn.")] = None,
    cover: Annotated[bool, typer.Option("--cover", help="The target is in cover.")] = False,
    hull_down: Annotated[bool, typer.Option("--hull-down", help="It is hull down.")] = False,
    rear: Annotated[bool, typer.Option("--rear", help="It is hit from behind.")] = False,
    count: Annotated[int, typer.Option(metavar="N", help="How many shooters fire.")] = 1,
    targets: Annotated[int, typer.Option(metavar="N", help="How many targets are in reach.")] = 1,
    also: Annotated[
        list[str] | None,
        typer.Option("--and", metavar="ROW", show_default=False,
                     help='Also: "2 rifle" at TARGET, or "1 tank at 3 truck".'),
    ] = None,
    deck: Annotated[
        str | None, typer.Option(metavar="CARDS", help='Such as "gone: QS 4H".')
    ] = None,
    die: Annotated[bool, typer.Option("--die", help="Use a d12 instead of cards.")] = False,
    rulings: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE|ID=ANSWER", help="Change a ruling.",
                     show_default=False),
    ] = None,
    nation: Annotated[str | None, typer.Option(help="The shooters' nation.")] = None,
    quality: Annotated[str | None, typer.Option(help="Quality of the pinned.")] = None,
    breaks: Annotated[
        int | None,
        typer.Option(metavar="N", help="Strength left to lose.", show_default=False),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print exact fractions as JSON.")] = False,
) -> None:  # fmt: skip
    """Work out the exact odds of a shot or a volley.

    Example: skirmish odds machinegun rifle --cover --deck "gone: QS 4H"
    """
    from skirmish.cli import odds_lines
    from skirmish.cli.odds_question import Asked
    from skirmish.cli.speaking import Complaint, say_json
    from skirmish.games.plastic.odds.pack import OddsError

    asked = Asked(
        shooter=shooter,
        target=target,
        weapon=weapon,
        distance=distance,
        phase=phase,
        cover=cover,
        hull_down=hull_down,
        rear=rear,
        count=count,
        targets=targets,
        also=tuple(also or ()),
        deck=deck,
        die=die,
        rulings=tuple(rulings or ()),
        nation=nation,
        quality=quality,
        breaks=breaks,
    )
    try:
        told = odds_lines.tell(asked)
    except OddsError as error:
        raise Complaint(str(error)) from None
    if as_json:
        say_json(odds_lines.as_data(told))
    else:
        odds_lines.show(told)
