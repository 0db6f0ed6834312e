"""The rules in our own words, and the rulings.

Begin with `screen` (contents, search, references); `rulings` finds which rulings apply where the
player is. The texts are data of the game (`games.plastic.reference`): nothing is worded here.
"""
