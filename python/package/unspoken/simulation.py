"""Whole games of partners among themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from . import _native
from .games import Setup, setup_text
from .seats import Seat, seat_arguments


@dataclass(frozen=True)
class Result:
    """What games came to; ``win_low`` and ``win_high`` are the 95 % interval of ``win``, by Wilson."""

    games: int
    won: int
    levels: int
    lives: int
    stars: int
    mistakes: int
    play_s: float
    win: float
    win_low: float
    win_high: float


def simulate(
    seats: Sequence[Seat],
    *,
    game: str = "mind",
    setup: Setup = None,
    games: int = 1_000,
    seed: int = 0,
    partners_propose_stars: bool = True,
) -> Result:
    """Plays whole games without agents, on all cores, as ``unspoken simulate`` does.

    >>> simulate(["human:base", "kindred"], games=20, seed=7).games
    20
    """
    found = _native.simulate(
        game,
        setup_text(setup, len(seats)),
        seat_arguments(seats),
        games=games,
        seed=seed,
        partners_propose_stars=partners_propose_stars,
    )
    whole = ("games", "won", "levels", "lives", "stars", "mistakes")
    return Result(**{name: int(n) if name in whole else n for name, n in found.items()})
