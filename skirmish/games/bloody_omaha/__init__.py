"""Bloody Omaha: what the printed game holds is typed in by its owner.

The playtest rules speak of tables, tokens, cards and a map that they do not print. They belong to
the publisher: nothing of them is in this package or in its data, and nothing may be invented in
their place. Whatever is needed is asked of the owner when it first matters, in lines
(``OwnersGame``) and in cells of tables (``BloodyTables``), and is offered again in his next game.

Begin with ``state``: squares, tokens, who is where, what is cleared. ``ruleset`` is what the rules
do print (``data/bloody_omaha/game.toml``), the check of an owner's lines, the points. ``orders``
begin what a player does; a step that has to wait for another is a ``Task``, and ``rolls`` settles
those that roll on a table. ``commands`` ask, ``game`` is the board, the paper and the rules,
``earlier`` reads the openings of the first hours. Numbers such as 8.1.c are paragraphs of the
rules, O1 to O33 rulings (``rulings.toml``).

What may not be done here: no contents of a printed table, token or card; no guess at a square that
is not typed in (it is neither held nor clear); no token decided before it is turned up, so that
neither the journal nor a file gives it away.
"""
