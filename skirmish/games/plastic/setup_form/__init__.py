"""The set-up form of a battle: its fields, and the opening that results.

Begin reading at ``form``. It asks for the battle first and has the other modules ask for the rest:
``scenario_fields`` for what only a scenario leaves open, ``side_fields`` for each side,
``option_fields`` for the optional rules, ``rulings_of_form`` for the rulings. ``names`` are the
names of fields and the answers that mean something to the program, and ``choices`` makes a field
of a few answers.
"""
