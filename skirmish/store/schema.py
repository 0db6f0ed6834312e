"""Which form of the database this program writes, told without loading Alembic or the ORM."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from alembic.config import Config

# The newest migration. A test holds it to Alembic's head; a file that bears it needs no Alembic.
REVISION = "0002"

# "Skir" in the file's header: tells our file from another program's. The first migration sets it.
APPLICATION_ID = 0x536B6972

MIGRATIONS = Path(__file__).with_name("migrations")


def is_known(revision: str) -> bool:
    """Whether this program can bring a file of that revision to its own."""
    if revision == REVISION:
        return True
    from alembic.script import ScriptDirectory  # noqa: PLC0415 (Alembic loads slowly)

    scripts = ScriptDirectory.from_config(configuration())
    return revision in {step.revision for step in scripts.walk_revisions()}


def configuration() -> Config:
    from alembic.config import Config  # noqa: PLC0415 (Alembic loads slowly)

    config = Config()
    # A per cent sign in the path would be read as a reference to another option.
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    return config
