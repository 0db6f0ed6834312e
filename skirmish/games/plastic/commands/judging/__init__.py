"""Shots that are judged again, since something about them was wrong.

Begin with ``command``. It asks one of two forms: ``shot_form`` about a shot or a volley of single
cards, ``count_form`` about a counted volley; ``form`` has what both ask.
"""
