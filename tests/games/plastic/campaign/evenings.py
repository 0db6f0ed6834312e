"""Campaigns for tests: opened from a file, and their battles ended by chance."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from random import Random
from typing import Any

from msgspec.structs import replace

from skirmish.games.plastic.campaign import orders
from skirmish.games.plastic.campaign.battle_facts import BattleFacts, PieceFate
from skirmish.games.plastic.campaign.battle_opening import opening
from skirmish.games.plastic.campaign.facts import digest_of
from skirmish.games.plastic.campaign.game import CampaignGame, CampaignPlay
from skirmish.games.plastic.campaign.groups import GroupBattle
from skirmish.games.plastic.campaign.state import CampaignState
from skirmish.registry import load

LADDERS = ("any_two_armies", "desert", "dog_beach_and_after", "kursk")


def the_game() -> CampaignGame:
    game = load("campaign")
    assert isinstance(game, CampaignGame)
    return game


def opened(
    campaign: str = "kursk", seed: int = 7, *, last_battle: int = 0, **answers: Any
) -> CampaignPlay:
    """A campaign that has begun; ``answers`` are those of the set-up form. ``last_battle``:
    another than its file names."""
    game = the_game()
    seeds = count(seed)
    entry = game.opening({"campaign": campaign, **answers}, lambda: next(seeds))
    if last_battle:
        (opening_event,) = entry.events
        setup = opening_event.setup
        setup = replace(setup, file=replace(setup.file, last_battle=last_battle))
        entry = replace(entry, events=(replace(opening_event, setup=setup),))
    return game.codec.play([entry])


def give(play: CampaignPlay, *given: orders.CampaignOrder) -> CampaignState:
    """The state after these orders."""
    for order in given:
        play.accept(play.consider(order))
    return play.state


def begin(play: CampaignPlay) -> CampaignState:
    """Both sides bring what is proposed, and the battle begins."""
    first, second = play.state.setup.ids
    return give(
        play,
        orders.BringForces(side=first),
        orders.BringForces(side=second),
        orders.BeginBattle(seed=5),
    )


def ended(
    state: CampaignState,
    winner: str | None,
    lost: Callable[[PieceFate], bool],
    **changes: Any,
) -> BattleFacts:
    """The facts of the battle that was set up, if these pieces were lost in it."""
    books = the_game()._books()
    fought = state.fought[-1]
    setup = opening(state, fought, books, state.seed)
    campaign = setup.campaign
    assert campaign is not None
    fates: list[PieceFate] = []
    rows: dict[str, GroupBattle] = {}
    for piece in setup.pieces:
        fate = PieceFate(
            id=piece.id,
            side=campaign.sides[piece.side],
            group=campaign.groups.get(piece.id),
            unit=piece.unit,
            fate="alive",
        )
        if lost(fate):
            fate = replace(fate, fate="lost", turn=3)
        fates.append(fate)
        if fate.group is not None:
            row = rows.get(fate.group, GroupBattle(battle=fought.number, brought=0, lost=0))
            fallen = row.lost + (fate.fate == "lost")
            rows[fate.group] = replace(row, brought=row.brought + 1, lost=fallen)
    facts = BattleFacts(
        battle=fought.number,
        entries=2,
        digest="",
        title=setup.title,
        scenario=None,
        winner=winner,
        how="victory" if winner else "draw",
        exited=False,
        turn=9,
        reason="By chance.",
        pieces=tuple(fates),
        groups=rows,
    )
    facts = replace(facts, **changes)
    return replace(facts, digest=digest_of(facts))


def by_chance(state: CampaignState, random: Random) -> BattleFacts:
    """A battle that ends as coins fall: the loser loses more, now and then nobody wins."""
    winner = random.choice((*state.setup.ids, *state.setup.ids, None))
    shares = {
        side: random.uniform(0.1, 0.4) if side == winner else random.uniform(0.3, 0.6)
        for side in state.setup.ids
    }
    facts = ended(state, winner, lambda piece: random.random() < shares[piece.side])
    return with_hazards(facts, state, random)


def with_hazards(facts: BattleFacts, state: CampaignState, random: Random) -> BattleFacts:
    """The same battle in which some who were lost died aboard a model, and the weapons of some who
    live broke down, where the campaign has rulings for that."""
    models = [
        piece.id
        for piece in facts.pieces
        if piece.fate == "lost" and not state.setup.units[piece.unit].guy
    ]
    pieces = []
    for piece in facts.pieces:
        guy = state.setup.units[piece.unit].guy
        carrier = turned = ""
        if guy and piece.fate == "lost" and models and state.setup.terms.passengers_share:
            carrier = random.choice([*models, ""])
        has_weapon = guy and piece.unit != "rifle" and piece.fate == "alive"
        if has_weapon and not state.setup.terms.mends_weapons and random.random() < 0.1:
            turned = "rifle"
        pieces.append(replace(piece, carrier=carrier, turned=turned))
    facts = replace(facts, pieces=tuple(pieces))
    return replace(facts, digest=digest_of(facts))


def evening(play: CampaignPlay, random: Random) -> CampaignState:
    """The evening after a counted battle, as proposed; the loser takes points or ground."""
    while play.state.due:
        give(play, orders.DrawReturns())
    if play.state.step == "catch_up":
        give(play, orders.CatchUp(ground=random.random() < 0.3))
    if play.state.step == "replacements":
        for side in play.state.setup.ids:
            give(play, orders.BuyReplacements(side=side))
    return play.state


def conserved(state: CampaignState) -> None:
    """Nobody is lost or made: every man is in one place, and was there at the start or bought."""
    the_game().check(state)
    for group in state.groups.values():
        for unit in {*group.strength, *group.recruits, *group.turned}:
            here = sum(
                group.count(place, unit)
                for place in ("ready", "away", "fielded", "prisoner", "gone")
            )
            made = (group.strength, group.recruits, group.turned)
            assert here == sum(counts.get(unit, 0) for counts in made)


def changed(facts: BattleFacts, state: CampaignState, random: Random) -> BattleFacts:
    """The same battle with another end: some who were lost live, some who lived are lost."""
    pieces = []
    for piece in facts.pieces:
        if random.random() < 0.2:
            fate = "alive" if piece.fate == "lost" else "lost"
            pieces.append(replace(piece, fate=fate))
        else:
            pieces.append(piece)
    facts = replace(facts, pieces=tuple(pieces), winner=random.choice([facts.winner, None]))
    return with_hazards(facts, state, random)


def disturbed(play: CampaignPlay, random: Random) -> None:
    """Now and then an order is undone and redone, or a battle that was counted is changed."""
    if random.random() < 0.4 and len(play.acts) > 1:
        play.accept(play.possible("undo"))
        conserved(play.state)
        play.accept(play.possible("redo"))
    counted = [fought for fought in play.state.fought if fought.facts is not None]
    if counted and random.random() < 0.3:
        facts = random.choice(counted).facts
        assert facts is not None
        give(play, orders.CountAgain(facts=changed(facts, play.state, random)))
        conserved(play.state)


def random_answers(random: Random) -> dict[str, str]:
    """Any answers to the rulings of a campaign, with force quality or without."""
    answers = {"quality": random.choice(["on", "off"])}
    for id, ruling in the_game()._books().terms.rulings.items():
        answers[id] = random.choice(list(ruling.answers))
    return answers


def played_by_chance(campaign: str, random: Random, answers: dict[str, str]) -> CampaignPlay:
    """A campaign by chance in everything, played to its end, with concessions, undo and redo, and
    battles that change after they were counted; after each step nobody may be lost or made."""
    if campaign == "any_two_armies":
        # The ready armies that it is opened with cost more than the smallest pool.
        answers = {**answers, "C1": "240"}
    play = opened(campaign, seed=random.randrange(2**32), rulings="own", **answers)
    for _ in range(20):
        if play.state.outcome is not None:
            break
        if random.random() < 0.1:
            give(play, orders.Concede(side=random.choice(play.state.setup.ids)))
        else:
            begin(play)
            conserved(play.state)
            give(play, orders.CountBattle(facts=by_chance(play.state, random)))
        conserved(play.state)
        disturbed(play, random)
        evening(play, random)
        conserved(play.state)
        disturbed(play, random)
        evening(play, random)
    assert play.state.outcome is not None
    return play


def every_order(seed: int) -> CampaignPlay:
    """A campaign in which every order is given, and which is closed before its end."""
    random = Random(seed)
    play = opened("kursk", seed=seed)
    german, russian = play.state.setup.ids
    give(play, orders.Rename(group="german-1", name="The last tanks"))
    give(play, orders.HandOver(side=german, player="Anna"))
    begin(play)
    give(
        play,
        orders.CountBattle(facts=ended(play.state, german, lambda piece: piece.unit == "rifle")),
    )
    give(play, orders.DrawReturns(), orders.CatchUp())
    give(play, orders.ListReplacements(side=german, bought={}))
    give(play, orders.BuyReplacements(side=german), orders.BuyReplacements(side=russian))
    give(
        play,
        orders.CountAgain(facts=ended(play.state, german, lambda piece: piece.unit == "mortar")),
    )
    while play.state.due:
        give(play, orders.DrawReturns())
    give(play, orders.Concede(side=russian))
    evening(play, random)
    give(play, orders.GiveHonour(group="german-1", text="Never seen again"), orders.EndCampaign())
    return play
