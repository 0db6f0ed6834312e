"""Which form of the database this program writes, told without loading Alembic or the ORM."""

from pathlib import Path

# The newest migration. A test holds it to Alembic's head; a file that bears it needs no Alembic.
REVISION = "0002"

# "Skir" in the file's header: tells our file from another program's. The first migration sets it.
APPLICATION_ID = 0x536B6972

MIGRATIONS = Path(__file__).with_name("migrations")


def is_known(revision: str) -> bool:
    """Whether this program can bring a file of that revision to its own."""
    if revision == REVISION:
        return True
    from skirmish.store import upkeep  # noqa: PLC0415 (Alembic loads slowly)

    return upkeep.is_known(revision)
