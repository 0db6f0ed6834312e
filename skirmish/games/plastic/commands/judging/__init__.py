"""Shots that are judged again, since something about them was wrong.

Begin with ``command``. It asks one of two forms: ``shot_form`` about a shot or a volley of single
cards, ``count_form`` about a counted volley; ``form`` has what both ask. ``tab_stops`` says which
shot Tab leads to next, each time to a command of its own.
"""
