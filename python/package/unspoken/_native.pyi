"""The native module: `crates/environment` of the Unspoken repository."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

WAIT_S_MOST: float

SeatArgument = list[tuple[str, str | None]] | None

def environment_names() -> list[str]: ...
def population_names() -> list[str]: ...
def partner_names(game: str) -> list[str]: ...
def best_row(
    pack: str | None = None, rows: Sequence[tuple[str, str]] = ()
) -> tuple[str, int, float, float] | None: ...
def read_people(text: str) -> list[tuple[str, str]]: ...
def simulate(
    game: str,
    setup: str,
    seats: Sequence[SeatArgument],
    *,
    games: int,
    seed: int,
    partners_propose_stars: bool = True,
) -> dict[str, float]: ...

class Batch:
    def __new__(
        cls,
        name: str,
        setup: str,
        seats: Sequence[SeatArgument],
        games: int,
        autoreset: str,
        *,
        tick_s: float | None = None,
        rewards: tuple[float, float, float] = (1.0, 0.0, 0.0),
        limit_steps: int = 100_000,
        limit_s: float = 7_200.0,
        partners_propose_stars: bool = True,
        encore: bool = False,
    ) -> Batch: ...
    @property
    def games(self) -> int: ...
    @property
    def agent_seats(self) -> list[str]: ...
    @property
    def observation_len(self) -> int: ...
    @property
    def command_names(self) -> list[str]: ...
    @property
    def fields(self) -> list[tuple[str, int, int, float]]: ...
    def reset(
        self,
        games: Sequence[int],
        seeds: Sequence[str],
        observations: NDArray[np.float32],
        masks: NDArray[np.int8],
    ) -> None: ...
    def step(
        self,
        commands: NDArray[np.int32],
        waits_s: NDArray[np.float32],
        observations: NDArray[np.float32],
        masks: NDArray[np.int8],
        rewards: NDArray[np.float32],
        terminated: NDArray[np.bool_],
        truncated: NDArray[np.bool_],
        final_observations: NDArray[np.float32] | None = None,
        final_masks: NDArray[np.int8] | None = None,
    ) -> None: ...
    def sent(self, game: int, agent: int) -> tuple[str, str]: ...
    def seed(self, game: int) -> str | None: ...
    def end(self, game: int) -> str | None: ...
