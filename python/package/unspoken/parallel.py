"""One game for PettingZoo's parallel interface."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo import ParallelEnv as PettingZooParallelEnv
from pettingzoo.utils.conversions import parallel_to_aec

from .games import Field, Games, Rewards, Setup, seed_text
from .seats import Seat

PASS = 0
"""The command that does nothing."""


class ParallelEnv(PettingZooParallelEnv):
    """One game. Agents are the letters of their seats.

    An observation is ``{"observation": float32 array, "action_mask": int8 array}``. An action is
    ``(command, wait_s)`` by the event clock and a command by the clock that ticks. A command that
    the mask does not permit does nothing, as does an agent without an action.
    """

    metadata: dict[str, Any] = {"name": "unspoken", "render_modes": [], "is_parallelizable": True}
    render_mode = None

    def __init__(self, name: str, **options: Any) -> None:
        self._games = Games(name, 1, "disabled", **options)
        self._batch = self._games.batch
        self.metadata = {**self.metadata, "name": name}
        self.possible_agents = list(self._games.agents)
        self.agents: list[str] = []
        space = spaces.Dict(
            {"observation": self._games.observation_space, "action_mask": self._games.mask_space}
        )
        self._observation_spaces = {agent: space for agent in self.possible_agents}
        self._action_spaces = {agent: self._games.action_space() for agent in self.possible_agents}
        count = len(self.possible_agents)
        self._shape = (count, self._batch.observation_len)
        self._mask_shape = (count, len(self._games.command_names))
        self._commands = np.zeros(count, np.int32)
        self._waits = np.zeros(count, np.float32)
        self._rewards = np.zeros(count, np.float32)
        self._terminated = np.zeros(1, np.bool_)
        self._truncated = np.zeros(1, np.bool_)
        self._has_waits = self._games.has_waits
        self._seeds = np.random.default_rng()

    @property
    def command_names(self) -> list[str]:
        """The commands, in the order in which actions count them."""
        return self._games.command_names

    @property
    def fields(self) -> dict[str, Field]:
        """The parts of an observation by name."""
        return self._games.fields

    def observation_space(self, agent: str) -> spaces.Space:
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space:
        return self._action_spaces[agent]

    def reset(
        self, seed: int | str | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, dict[str, np.ndarray]], dict[str, dict[str, Any]]]:
        """Deals a game. The same seed deals what the server deals for it.

        A seed is a number below 2**64 or the 64 hexadecimal digits of a seed of the server.
        Without one, seeds follow from the last one that was given.
        """
        if seed is None:
            seed = int(self._seeds.integers(0, 1 << 63))
        else:
            self._seeds = np.random.default_rng(list(str(seed).encode()))
        self.agents = self.possible_agents[:]
        observations, masks = self._arrays()
        self._batch.reset([0], [seed_text(seed)], observations, masks)
        return self._by_agent(observations, masks), {agent: {} for agent in self.agents}

    def step(self, actions: dict[str, Any]) -> tuple[
        dict[str, dict[str, np.ndarray]],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        agents = self.agents
        if not agents:
            return {}, {}, {}, {}, {}
        commands, waits = self._commands, self._waits
        for place, agent in enumerate(agents):
            action = actions.get(agent, PASS if not self._has_waits else (PASS, 0.0))
            if self._has_waits:
                commands[place], waits[place] = action
            else:
                commands[place] = action
        observations, masks = self._arrays()
        self._batch.step(
            commands, waits, observations, masks, self._rewards, self._terminated, self._truncated
        )
        terminated, truncated = bool(self._terminated[0]), bool(self._truncated[0])
        seen = self._by_agent(observations, masks)
        rewards = dict(zip(agents, self._rewards.tolist()))
        infos: dict[str, dict[str, Any]] = {agent: {} for agent in agents}
        if terminated or truncated:
            for info in infos.values():
                info["end"] = self._batch.end(0)
            self.agents = []
        return (
            seen,
            rewards,
            dict.fromkeys(agents, terminated),
            dict.fromkeys(agents, truncated),
            infos,
        )

    def view(self, agent: str) -> dict[str, Any]:
        """What the server would send the agent's seat: its view, as JSON."""
        return json.loads(self.sent(agent)[0])

    def sent(self, agent: str) -> tuple[str, str]:
        """The texts of the view and the options that the server would send the agent's seat."""
        return self._batch.sent(0, self.possible_agents.index(agent))

    def game_seed(self) -> str | None:
        """The seed of the game that is played, as 64 hexadecimal digits."""
        return self._batch.seed(0)

    def render(self) -> None:
        """There is nothing to render: ``view`` says what a seat sees."""

    def close(self) -> None:
        self.agents = []

    def _arrays(self) -> tuple[np.ndarray, np.ndarray]:
        return np.empty(self._shape, np.float32), np.empty(self._mask_shape, np.int8)

    def _by_agent(
        self, observations: np.ndarray, masks: np.ndarray
    ) -> dict[str, dict[str, np.ndarray]]:
        return {
            agent: {"observation": observations[place], "action_mask": masks[place]}
            for place, agent in enumerate(self.possible_agents)
        }


def parallel_env(
    name: str,
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
) -> ParallelEnv:
    """One game for PettingZoo's parallel interface.

    ``name`` is one of :func:`unspoken.environment_names`. ``seats`` says who sits where, seat A
    first; without it every seat has an agent. ``setup`` is a set-up in the notation or as JSON.
    """
    return ParallelEnv(
        name,
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


def aec_env(name: str, **options: Any) -> AECEnv:
    """The same game for PettingZoo's interface of agents in turn, by PettingZoo's own wrapper."""
    return parallel_to_aec(ParallelEnv(name, **options))
