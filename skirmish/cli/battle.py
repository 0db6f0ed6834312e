"""``skirmish battle``: the commands of every game, and the log, luck and totals of battles."""

from __future__ import annotations

import typer
from msgspec import to_builtins

from skirmish.cli.console import complain, harmless, say, say_json, say_page, say_wrapped
from skirmish.cli.files import AsJson
from skirmish.cli.games import GameVerbs
from skirmish.cli.journals import Everything, journal_data, journal_lines, mark_of
from skirmish.cli.stored_games import GameNumber, finished_games, load_game
from skirmish.games.plastic.luck import luck as luck_of
from skirmish.games.plastic.luck_page import luck_page
from skirmish.games.plastic.totals import totals as totals_of
from skirmish.games.plastic.totals import totals_page
from skirmish.registry import BATTLE, load
from skirmish.store.settings import read_settings, settings_file

app = typer.Typer(help="List, show, export and import battles.")
GameVerbs(BATTLE, "skirmish battle").add_to(app)


@app.command()
def log(battle: GameNumber, everything: Everything = False, as_json: AsJson = False) -> None:
    """Print a battle's journal, one numbered line for each event.

    Example: skirmish battle log 3 --all
    """
    _, game, play = load_game(battle, BATTLE)
    lines = journal_lines(game, play, everything)
    if as_json:
        say_json(journal_data(lines))
        return
    for line in lines:
        number = f"{line.number:>5}  "
        text = f"{mark_of(line)}{harmless(line.text)}"
        say_wrapped(number + text, hanging=" " * len(number))


@app.command()
def luck(battle: GameNumber, as_json: AsJson = False) -> None:
    """Show how lucky each side was: kills expected and kills made.

    Expected kills are the sum of the chances of all shots, each from the cards that were left.

    Example: skirmish battle luck 3
    """
    record, _, play = load_game(battle, BATTLE)
    knowledge = read_settings(settings_file()).deck_knowledge
    if as_json:
        head = {"id": record.id, "title": record.title, "over": play.state.outcome is not None}
        # JSON has no fractions: expected kills are written as texts such as 7/12.
        kills = to_builtins(luck_of(play, knowledge), enc_hook=str)
        say_json(head | kills)
    else:
        say(f"{record.id}  {harmless(record.title)}")
        say_page(luck_page(play, knowledge), title=False)


@app.command()
def totals(as_json: AsJson = False) -> None:
    """Add up all finished battles.

    How often each side won each scenario, and what each type of unit killed for its points.

    Example: skirmish battle totals
    """
    finished, unread = finished_games(load(BATTLE.id))
    sums = totals_of(game.state for game in finished)
    if as_json:
        say_json(to_builtins(sums) | {"unread": unread})
        return
    say_page(totals_page(sums), title=False)
    for number in unread:
        complain(f"Battle {number} could not be read and is left out.")
