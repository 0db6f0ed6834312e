"""The rules as pure functions of numbers and answers: what is bought, what a shot needs, what a
draw does.

Begin with ``catalog`` (the numbers of ``data/plastic``, typed; ``catalog_files`` reads them) and
``shot`` (``why_not``, ``aim``, ``judge``: a shot from the first question to the verdict), which
``explanation`` puts into sentences. ``checks`` are the other draws. ``army`` is an army list with
its price and strength (``army_reading`` reads one from a file), ``limits`` are the purchase limits,
``breaches`` their repairs (which ``picks`` searches for), ``advice`` is what the army builder
proposes. ``options`` are the optional rules, ``firing_table`` is the printed table of shots,
``unit_shapes`` are the symbols of units. ``rulings`` are the gaps: code that depends on one takes a
plain mapping of answers.

No number of the rules stands here, only in the data; and nothing here knows a battle, its turns or
who may see what.
"""
