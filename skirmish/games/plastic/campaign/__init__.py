"""A campaign: several battles, in each of which the survivors of those before fight again. The
rules of WWII Plastic Skirmish have no campaigns; all rules here are our own.

Begin with ``groups`` (who is where), ``state`` (how the campaign stands) and ``orders`` (what the
players decide between battles). The rules that orders need are in ``fielding`` (what is brought to
a battle) and ``position`` (works of the defender), ``returns`` (what becomes of the lost),
``evening`` (replacements and quality), ``outcome`` (who has won) and ``recount`` (a battle that is
counted again).

A campaign is a game of the registry, so its journal, undo, storage and screens are those of every
game. It never reads the store: ``battle_opening`` makes the opening of its next battle, and
``facts`` reads what a finished battle came to. The order that counts the battle holds these facts.
"""
