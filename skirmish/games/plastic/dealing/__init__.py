"""Deals battles: a theme and a seed give a table, two forces and what they fight for.

``themes`` reads what themes and regions say, ``squares`` knows what covers which square inch,
``ground`` lays the table, ``forces`` chooses the figures, and ``deal`` makes a scenario of it.
"""
