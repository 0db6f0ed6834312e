"""The player's settings and key map.

Begin with `screen` (settings and rulings: a line each, applied and saved at once); `keys` lists the
bindings of all screens and gives them other keys. What is stored, and where, is in
`store.settings`: a setting is added there, with a default, and here as a line of ``SETTINGS``. The
id of a binding is stored in settings files: it never changes.
"""
