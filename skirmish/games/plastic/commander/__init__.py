"""The solo commander: what each group of a side should do, and why.

A pure function of what one side may know. Begin with ``weights``: all that can be tuned, from
``data/plastic/commander.toml``. ``kills`` holds the expected kills of a shot, from the exact odds;
``stakes`` says what victory is worth in points; ``terms`` weighs kills, ground and danger.

Where things stand is told in ``cells`` of six inches. ``ground`` knows what lies in each, ``sight``
who sees whom (``crests`` what hills hide), ``paths`` how many turns it is from one to another.

``situation`` is what a side may know. In it ``fire`` says who can hit whom, ``danger`` what a group
may lose to it, and ``firepower`` what groups kill; ``contact`` is what a charge is worth. ``moves``
says where groups can go and what that is worth, alone or in one wave. ``board`` holds all of it for
one table.

What he does: ``groups`` forms the groups of a side from its contingents, ``placing`` finds the
cells in which they may start, ``objectives`` the ground that decides, and ``aims`` says what the
side wants there. ``plan_maker`` gives each group its place in a ``plan``: one of the ``roles`` and
one of the ``goals``, chosen by ``measures`` of distance and strength; from these it makes the tasks
of each turn. ``actions`` are what a group can do, each a class that scores itself by the
``outlook``; ``possible_actions`` lists those of a group, ``vetoes`` what is never done. ``leading``
chooses the orders of a turn: the ``best_order`` of each group alone, ``joint_orders`` of several,
and what they do instead where there are ``clashes``; ``words`` says each in a sentence, with its
reason. In the enemy's turn, ``op_fire`` names three things to wait for while he moves (phase 1), by
the moves that are expected of him, and ``defensive_fire`` lists who fires at whom afterwards
(phase 2).

All of it is pure. In a battle ``battle/headquarters`` asks it, for the orders and commands
called ``commanding`` (the key ``W``). The package ``field`` plays whole scenarios in cells, to set
commanders against one another (``benchmarks/commander.py``).
"""
