"""A campaign: several battles in which the men who lived fight the next one. All of its rules are
ours.

Begin with ``groups`` (who is where), ``state`` (how the campaign stands) and ``orders`` (what the
players decide between battles). A campaign is a game of the registry, so its journal, undo, storage
and screens are the shell's. It never reads the store: ``fielding`` makes the opening of its next
battle, and ``facts`` reads what a finished battle came to; the order that counts the battle brings
those facts along.
"""
