"""The space of plans: a command, and how long to wait before it."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from ._native import WAIT_S_MOST

SAMPLE_S = 10.0
"""Sampled waits are below this: a uniform sample of an hour would be no game."""


class PlanSpace(spaces.Tuple):
    """A command and a wait in seconds, ``(command, wait_s)``.

    ``sample(mask)`` takes the mask of commands as it stands in an observation.
    """

    def __init__(self, commands: int, seed: int | np.random.Generator | None = None) -> None:
        self.command = spaces.Discrete(commands)
        self.wait = spaces.Box(0.0, WAIT_S_MOST, (), np.float32)
        super().__init__((self.command, self.wait), seed=seed)

    def sample(self, mask: Any = None, probability: Any = None) -> tuple[Any, Any]:
        """A command that the mask permits, and a wait of at most ten seconds."""
        command_mask = mask[0] if isinstance(mask, tuple) else mask
        chances = probability[0] if isinstance(probability, tuple) else probability
        command = self.command.sample(mask=command_mask, probability=chances)
        return command, np.float32(self.wait.np_random.uniform(0.0, SAMPLE_S))

    def contains(self, x: Any) -> bool:
        """Whether it is a pair of a command and a wait; plain numbers are welcome."""
        if not isinstance(x, (tuple, list)) or len(x) != 2:
            return False
        command, wait_s = x
        return self.command.contains(command) and 0.0 <= float(wait_s) <= WAIT_S_MOST
