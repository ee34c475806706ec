"""Who sits where: agents, bots, simulated people, and people that are held out of training."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Union

from . import _native

HELD_OUT_SHA256 = "768898466f175b01d703b7d5c048bf602fdde90724fed6ae9102f01cdab5fd1e"
"""The SHA-256 of the file of held-out people. The file itself is not part of the package."""


class HeldOutError(ValueError):
    """The file is not the published set of held-out people."""


@dataclass(frozen=True)
class People:
    """A population of simulated people, described by a file of its own."""

    name: str
    text: str

    @staticmethod
    def read(path: str | Path) -> list[People]:
        """Reads a file with one population, or with several under ``[[people]]``."""
        return People.parse(Path(path).read_text(encoding="utf-8"))

    @staticmethod
    def parse(text: str) -> list[People]:
        """Reads the text of such a file."""
        return [People(name, own) for name, own in _native.read_people(text)]


Partner = Union[str, People]
Seat = Union[Partner, Sequence[Partner]]
"""``"agent"``, a partner's name, a population, or several of which one is drawn for each game."""


def held_out(path: str | Path) -> list[People]:
    """The populations that policies are judged with and never trained with.

    The file is accepted only if its SHA-256 is :data:`HELD_OUT_SHA256`, so that two people who
    report results with it have used the same one.
    """
    content = Path(path).read_bytes()
    found = hashlib.sha256(content).hexdigest()
    if found != HELD_OUT_SHA256:
        raise HeldOutError(
            f"{path} has the SHA-256 {found}, give the file whose SHA-256 is {HELD_OUT_SHA256}"
        )
    return People.parse(content.decode("utf-8"))


def seat_arguments(seats: Sequence[Seat]) -> list[list[tuple[str, str | None]] | None]:
    """The seats as the native module reads them."""
    return [_seat_argument(seat) for seat in seats]


def _seat_argument(seat: Seat) -> list[tuple[str, str | None]] | None:
    if isinstance(seat, str) and seat == "agent":
        return None
    if isinstance(seat, (str, People)):
        return [_partner(seat)]
    return [_partner(one) for one in seat]


def _partner(partner: Partner) -> tuple[str, str | None]:
    if isinstance(partner, People):
        return partner.name, partner.text
    if isinstance(partner, str):
        return partner, None
    raise TypeError(f"{partner!r} is no partner, give a name or unspoken.People")
