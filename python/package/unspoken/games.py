"""What parallel and vector environments have in common: set-ups, rewards and fields."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Union

import gymnasium.spaces
import numpy as np

from . import _native
from .seats import Seat, seat_arguments
from .spaces import PlanSpace

Setup = Union[str, Mapping[str, Any], None]
"""A set-up in the notation, as in ``"lives=5 stars=0"``, or the JSON of messages as a mapping."""


@dataclass(frozen=True)
class Rewards:
    """What a step is worth: a number for each completed level, lost life and victory.

    By default only levels count, so that the return of a game is the number of levels completed.
    In Royale ``level`` is for each point more than the mean of the other players.
    """

    level: float = 1.0
    life: float = 0.0
    win: float = 0.0


@dataclass(frozen=True)
class Field:
    """A named part of an observation: ``observation[field.slice]``."""

    name: str
    start: int
    length: int
    high: float

    @property
    def slice(self) -> slice:
        return slice(self.start, self.start + self.length)


class Games:
    """A native batch of games with its spaces."""

    def __init__(
        self,
        name: str,
        games: int,
        autoreset: str,
        *,
        players: int = 2,
        setup: Setup = None,
        seats: Sequence[Seat] | None = None,
        rewards: Rewards = Rewards(),
        tick_s: float | None = None,
        limit_steps: int = 100_000,
        limit_s: float = 7_200.0,
        partners_propose_stars: bool = True,
        encore: bool = False,
    ) -> None:
        if seats is not None:
            players = len(seats)
        self.batch = _native.Batch(
            name,
            setup_text(setup, players),
            seat_arguments(["agent"] * players if seats is None else seats),
            games,
            autoreset,
            tick_s=tick_s,
            rewards=(rewards.level, rewards.life, rewards.win),
            limit_steps=limit_steps,
            limit_s=limit_s,
            partners_propose_stars=partners_propose_stars,
            encore=encore,
        )
        self.name = name
        self.agents = self.batch.agent_seats
        self.command_names = self.batch.command_names
        self.fields = {name: Field(name, *rest) for name, *rest in self.batch.fields}
        self.has_waits = "-event-" in name
        high = np.empty(self.batch.observation_len, np.float32)
        for field in self.fields.values():
            high[field.slice] = field.high
        self.observation_space = gymnasium.spaces.Box(np.zeros_like(high), high, dtype=np.float32)
        self.mask_space = gymnasium.spaces.Box(0, 1, (len(self.command_names),), np.int8)

    def action_space(self) -> PlanSpace | gymnasium.spaces.Discrete:
        """A new space of actions: plans by the event clock, commands by the clock that ticks."""
        count = len(self.command_names)
        return PlanSpace(count) if self.has_waits else gymnasium.spaces.Discrete(count)


def setup_text(setup: Setup, players: int) -> str:
    """The set-up as the native module reads it."""
    if setup is None:
        return f"players={players}"
    if isinstance(setup, str):
        named = any(word.startswith("players=") for word in setup.split())
        return setup if named or setup.lstrip().startswith("{") else f"players={players} {setup}"
    return json.dumps(setup)


def seed_text(seed: int | str) -> str:
    """A seed as the native module reads it: a number below 2**64 or 64 hexadecimal digits."""
    return str(seed) if isinstance(seed, str) else str(int(seed))
