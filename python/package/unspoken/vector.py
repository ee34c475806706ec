"""Many games at once, for Gymnasium's vector interface and for arrays of the caller."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from .games import Field, Games, Rewards, Setup, seed_text
from .seats import Seat

_MODES = {
    AutoresetMode.NEXT_STEP: "next-step",
    AutoresetMode.SAME_STEP: "same-step",
    AutoresetMode.DISABLED: "disabled",
}


@dataclass
class Buffers:
    """Arrays that a step writes to. Rows are agents, game by game."""

    observations: NDArray[np.float32]
    masks: NDArray[np.int8]
    rewards: NDArray[np.float32]
    terminated: NDArray[np.bool_]
    """One for each game."""
    truncated: NDArray[np.bool_]
    """One for each game."""
    final_observations: NDArray[np.float32] | None = None
    """The observations of games that ended in this step, where they are reset in the same step."""
    final_masks: NDArray[np.int8] | None = None


class VectorEnv(gymnasium.vector.VectorEnv):
    """Many games of one set-up.

    Each agent of each game is one environment of Gymnasium's: environment ``game * agents + k`` is
    the k-th agent of that game. Masks stand in ``infos["action_mask"]``. By the event clock actions
    are two arrays, commands and waits in seconds; by the clock that ticks one of commands.
    """

    def __init__(
        self,
        name: str,
        games: int,
        *,
        autoreset_mode: AutoresetMode = AutoresetMode.NEXT_STEP,
        **options: Any,
    ) -> None:
        self._games = Games(name, games, _MODES[AutoresetMode(autoreset_mode)], **options)
        self._batch = self._games.batch
        self.metadata = {"name": name, "autoreset_mode": AutoresetMode(autoreset_mode)}
        self.games = games
        self.agents = list(self._games.agents)
        self.num_envs = games * len(self.agents)
        self.single_observation_space = self._games.observation_space
        self.single_action_space = self._games.action_space()
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._mode = AutoresetMode(autoreset_mode)
        self._buffers = self.make_buffers()
        self._no_waits = np.zeros(0, np.float32)
        self._seeds = np.random.default_rng()

    @property
    def command_names(self) -> list[str]:
        """The commands, in the order in which actions count them."""
        return self._games.command_names

    @property
    def fields(self) -> dict[str, Field]:
        """The parts of an observation by name."""
        return self._games.fields

    def make_buffers(self) -> Buffers:
        """New arrays of the right sizes for :meth:`reset_into` and :meth:`step_into`."""
        shape = (self.num_envs, self._batch.observation_len)
        mask_shape = (self.num_envs, len(self._games.command_names))
        has_finals = self._mode == AutoresetMode.SAME_STEP
        return Buffers(
            np.zeros(shape, np.float32),
            np.zeros(mask_shape, np.int8),
            np.zeros(self.num_envs, np.float32),
            np.zeros(self.games, np.bool_),
            np.zeros(self.games, np.bool_),
            np.zeros(shape, np.float32) if has_finals else None,
            np.zeros(mask_shape, np.int8) if has_finals else None,
        )

    def reset_into(
        self, buffers: Buffers, seeds: Sequence[int | str], games: Sequence[int] | None = None
    ) -> None:
        """Deals games, all of them or the given ones, each with its own seed."""
        chosen = list(range(self.games)) if games is None else list(games)
        texts = [seed_text(seed) for seed in seeds]
        self._batch.reset(chosen, texts, buffers.observations, buffers.masks)

    def step_into(
        self, commands: NDArray[np.int32], waits_s: NDArray[np.float32] | None, buffers: Buffers
    ) -> None:
        """Steps all games and writes to the caller's arrays. Other Python threads run meanwhile."""
        self._batch.step(
            commands,
            self._no_waits if waits_s is None else waits_s,
            buffers.observations,
            buffers.masks,
            buffers.rewards,
            buffers.terminated,
            buffers.truncated,
            buffers.final_observations,
            buffers.final_masks,
        )

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Deals all games, or those of ``options["reset_mask"]``.

        One seed is counted up from game to game; a list has one for each game.
        """
        if isinstance(seed, int):
            self._seeds = np.random.default_rng(seed)
            seeds: list[int | None] = [seed + game for game in range(self.games)]
        else:
            seeds = list(seed) if seed is not None else [None] * self.games
        mask = (options or {}).get("reset_mask")
        if mask is None:
            chosen = list(range(self.games))
        else:
            flags = np.asarray(mask, np.bool_)
            if flags.size == self.num_envs:
                flags = flags.reshape(self.games, -1).any(axis=1)
            chosen = np.flatnonzero(flags).tolist()
        drawn = [
            int(self._seeds.integers(0, 1 << 63)) if seeds[game] is None else seeds[game]
            for game in chosen
        ]
        self.reset_into(self._buffers, drawn, chosen)
        return self._buffers.observations.copy(), {"action_mask": self._buffers.masks.copy()}

    def step(self, actions: Any) -> tuple[
        NDArray[np.float32],
        NDArray[np.float32],
        NDArray[np.bool_],
        NDArray[np.bool_],
        dict[str, Any],
    ]:
        if self._games.has_waits:
            commands, waits = actions
            waits = np.ascontiguousarray(waits, np.float32).reshape(self.num_envs)
        else:
            commands, waits = actions, None
        commands = np.ascontiguousarray(commands, np.int32).reshape(self.num_envs)
        buffers = self._buffers
        self.step_into(commands, waits, buffers)
        agents = len(self.agents)
        terminated = np.repeat(buffers.terminated, agents)
        truncated = np.repeat(buffers.truncated, agents)
        infos: dict[str, Any] = {"action_mask": buffers.masks.copy()}
        if buffers.final_observations is not None and buffers.final_masks is not None:
            ended = terminated | truncated
            if ended.any():
                infos["final_obs"] = buffers.final_observations.copy()
                infos["_final_obs"] = ended
                infos["final_info"] = {"action_mask": buffers.final_masks.copy()}
                infos["_final_info"] = ended
        return (
            buffers.observations.copy(),
            buffers.rewards.copy(),
            terminated,
            truncated,
            infos,
        )

    def game_seed(self, game: int) -> str | None:
        """The seed of the game that is played there, as 64 hexadecimal digits."""
        return self._batch.seed(game)

    def end(self, game: int) -> str | None:
        """How the game there ended; ``None`` if it goes on."""
        return self._batch.end(game)

    def sent(self, game: int, agent: int = 0) -> tuple[str, str]:
        """The texts of the view and the options that the server would send an agent's seat."""
        return self._batch.sent(game, agent)


def vector_env(
    name: str,
    games: int,
    *,
    autoreset_mode: AutoresetMode = AutoresetMode.NEXT_STEP,
    players: int = 2,
    setup: Setup = None,
    seats: Sequence[Seat] | None = None,
    rewards: Rewards = Rewards(),
    tick_s: float | None = None,
    limit_steps: int = 100_000,
    limit_s: float = 7_200.0,
    partners_propose_stars: bool = True,
    encore: bool = False,
) -> VectorEnv:
    """Many games at once; the arguments are those of :func:`unspoken.parallel_env`."""
    return VectorEnv(
        name,
        games,
        autoreset_mode=autoreset_mode,
        players=players,
        setup=setup,
        seats=seats,
        rewards=rewards,
        tick_s=tick_s,
        limit_steps=limit_steps,
        limit_s=limit_s,
        partners_propose_stars=partners_propose_stars,
        encore=encore,
    )
