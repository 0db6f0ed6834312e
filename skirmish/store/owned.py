"""The figures that a player owns, by game and piece. What the pieces are only the game knows."""

from collections.abc import Mapping

from sqlalchemy import delete, insert, select
from sqlmodel import Session, col

from skirmish.store.tables import OwnedRow


def counts(session: Session, game: str) -> dict[str, int]:
    """How many there are of each piece that there is at least one of."""
    query = select(col(OwnedRow.piece), col(OwnedRow.count)).where(col(OwnedRow.game) == game)
    # A damaged line is left out; `skirmish db check` says that there is one.
    return {
        piece: count
        for piece, count in session.execute(query)
        if isinstance(piece, str) and isinstance(count, int)
    }


def put(session: Session, game: str, changed: Mapping[str, int]) -> None:
    """Set the counts that are given; all others stay, as another program may have set them."""
    session.execute(
        delete(OwnedRow).where(col(OwnedRow.game) == game, col(OwnedRow.piece).in_(list(changed)))
    )
    rows = [
        {"game": game, "piece": piece, "count": count} for piece, count in changed.items() if count
    ]
    if rows:
        session.execute(insert(OwnedRow), rows)
