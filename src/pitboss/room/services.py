"""What commands of a room may look up beside its books: secrets, and probabilities that a worker counts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from pitboss.commands import Services
from pitboss.room.hit_probabilities import HitProbabilities
from pitboss.room.people.vault import Vault


@dataclass(slots=True)
class RoomServices(Services):
    """The books and the clock of a room, its vault where it has one, and the probabilities of hits."""

    open_vault: Callable[[], Vault] | None = None
    probabilities: HitProbabilities = field(default_factory=HitProbabilities)

    @property
    def vault(self) -> Vault | None:
        """The secrets of the room, opened when they are first asked for."""
        return None if self.open_vault is None else self.open_vault()
