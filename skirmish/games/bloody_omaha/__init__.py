"""Bloody Omaha: what the printed game holds is typed in by its owner.

The playtest rules speak of tables, tokens, cards and a map that they do not print. They belong to
the publisher: nothing of them is in this package or in its data, and nothing may be invented in
their place. Whatever is needed is asked of the owner when it first matters, in lines
(``OwnersGame``) and in cells of tables (``BloodyTables``), and is offered again in his next game.

Begin with ``state``: squares, tokens, who is where, what is cleared. ``ruleset`` is what the rules
do print (``data/bloody_omaha/game.toml``) and the points, about which ``questions`` answers other
programs; ``owned`` is what the owner types in, and what may be wrong with it. ``orders`` and
``activations`` begin what a player does. A step that has to wait for another is a ``Task`` of a
``run``: ``answers`` are for those that ask, ``rolls`` settles those that roll on a table,
``attacks`` and ``entering`` are the two longest. ``commands`` ask, ``game`` is the board, the paper
and the rules, ``earlier`` reads the openings of the first hours. Numbers such as 8.1.c are
paragraphs of the rules, O1 to O33 rulings (``rulings.toml``).

Three things have no place here: the contents of a printed table, token or card; a guess at a square
that is not typed in (it is neither held nor clear); and a token that is decided before it is turned
up, since the journal or a file would give it away.
"""
