"""What must not be lost: armies and battles in one SQLite file. Knows no rule of any game.

`errors`, `records`, `place`, `readers` and `writer` are light: a program may import them before its
first paint. `database` (the `Store` itself) brings the ORM with it; `writer.StoreThread` loads it
in its own thread. Nothing is imported here, so that `import skirmish.store` stays free.
"""
