"""A small policy for The Mind with one partner: when to play the lowest card.

The policy decides one number, the logarithm of the wait before the next card, from a few features
of its seat's observations. Everything else is fixed: it lays its hand on the table, agrees to stars
and proposes none. ``examples/ppo.py`` trains it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from .games import Setup
from .seats import Seat
from .vector import VectorEnv

FEATURES = 12
PACE_S = 0.6
"""The policy's waits are a factor times this pace: 1 is a fixed pace of 0.6 seconds a card."""

Array = NDArray[np.float32]


class Watcher:
    """Turns observations into features. It keeps what a partner's waits told about their pace."""

    def __init__(self, env: VectorEnv) -> None:
        self._columns = {name: field.start for name, field in env.fields.items()}
        names = env.command_names
        self.rest, self.raise_, self.play = (names.index(n) for n in ("rest", "raise", "play"))
        self._top = np.zeros(env.games, np.float32)
        self._level = np.zeros(env.games, np.float32)
        self._began = np.zeros(env.games, np.float32)
        self._pace = np.zeros((env.games, 3), np.float32)  # sum of log paces, squares, count

    def forget(self, games: NDArray[np.bool_]) -> None:
        """The partner of these games is a new one."""
        self._pace[games] = 0.0
        self._top[games] = 0.0
        self._level[games] = 0.0

    def features(self, rows: Array) -> Array:
        """The features of the observations, one row for each game; call it once for each step."""
        at = self._columns
        now, since, level = rows[:, at["now_s"]], rows[:, at["since_s"]], rows[:, at["level"]]
        lives, lowest, top = rows[:, at["lives"]], rows[:, at["lowest"]], rows[:, at["top"]]
        mine, theirs = rows[:, at["hand_sizes"]], rows[:, at["hand_sizes"] + 1]
        by_partner = rows[:, at["top_by"] + 1] > 0
        # A card of the partner tells their pace: the time since the last card over the gap.
        played = by_partner & (top > self._top) & (level == self._level)
        gap = np.maximum(top - self._top, 1.0)
        log_pace = np.log(np.maximum(now - self._began, 0.05) / gap)
        update = np.stack([log_pace, log_pace**2, np.ones_like(log_pace)], axis=1)
        self._pace[played] += update[played]
        self._began = now - since
        self._top, self._level = top.copy(), level.copy()
        count = self._pace[:, 2]
        prior = np.log(PACE_S)
        mean = (self._pace[:, 0] + 1.5 * prior) / (count + 1.5)
        spread = np.sqrt(np.maximum(self._pace[:, 1] / np.maximum(count, 1.0) - mean**2, 0.0))
        room = np.maximum(100.0 - top, 1.0)
        own_gap = np.maximum(lowest - top, 1.0)
        return np.stack(
            [
                np.log(own_gap) - 2.0,
                own_gap / 25.0 - 1.0,
                mean - prior,
                np.minimum(spread, 2.0),
                np.log1p(count) - 1.0,
                level / 6.0 - 1.0,
                lives / 2.5 - 1.0,
                mine / 6.0 - 1.0,
                theirs / 6.0 - 1.0,
                np.log(theirs + 1.0) + np.log(own_gap / room),
                by_partner.astype(np.float32),
                np.minimum(since, 20.0) / 10.0,
            ],
            axis=1,
        ).astype(np.float32)

    def actions(self, rows: Array, masks: NDArray[np.int8], log_factor: Array) -> tuple:
        """Commands and waits: the card after its wait, a hand on the table, consent to a star."""
        at = self._columns
        own_gap = np.maximum(rows[:, at["lowest"]] - rows[:, at["top"]], 1.0)
        alone = rows[:, at["hand_sizes"] + 1] == 0
        waits = np.where(alone, 0.2, PACE_S * own_gap * np.exp(np.clip(log_factor, -3.0, 3.0)))
        proposed = (rows[:, at["raised"] + 1] > 0) & (masks[:, self.raise_] > 0)
        commands = np.where(
            proposed,
            self.raise_,
            np.where(
                masks[:, self.play] > 0, self.play, np.where(masks[:, self.rest] > 0, self.rest, 0)
            ),
        ).astype(np.int32)
        return commands, np.where(commands == self.play, waits, 0.5).astype(np.float32)


class Network:
    """Two hidden layers of tanh, in NumPy."""

    def __init__(self, sizes: tuple[int, ...], seed: int, last_scale: float = 0.01) -> None:
        random = np.random.default_rng(seed)
        self.parameters: list[Array] = []
        for place, (fan_in, fan_out) in enumerate(zip(sizes, sizes[1:])):
            scale = last_scale if place == len(sizes) - 2 else 1.0
            weights = random.normal(0.0, scale / np.sqrt(fan_in), (fan_in, fan_out))
            self.parameters += [weights.astype(np.float32), np.zeros(fan_out, np.float32)]

    def forward(self, x: Array) -> tuple[Array, list[Array]]:
        """The output, and what the layers passed on for :meth:`backward`."""
        passed = [x]
        for place in range(0, len(self.parameters), 2):
            x = x @ self.parameters[place] + self.parameters[place + 1]
            if place + 2 < len(self.parameters):
                x = np.tanh(x)
            passed.append(x)
        return x, passed

    def backward(self, passed: list[Array], gradient: Array) -> list[Array]:
        """The gradients of all parameters, given that of the output."""
        gradients: list[Array] = []
        for place in range(len(self.parameters) - 2, -1, -2):
            layer = place // 2
            if place + 2 < len(self.parameters):
                gradient = gradient * (1.0 - passed[layer + 1] ** 2)
            gradients = [passed[layer].T @ gradient, gradient.sum(axis=0), *gradients]
            gradient = gradient @ self.parameters[place].T
        return gradients


class Policy:
    """The mean of the logarithm of a wait's factor, by a small network."""

    def __init__(self, network: Network) -> None:
        self.network = network

    def log_factor(self, features: Array) -> Array:
        return self.network.forward(features)[0][:, 0]

    def save(self, path: str | Path) -> None:
        np.savez(path, *self.network.parameters)

    @staticmethod
    def load(path: str | Path) -> Policy:
        with np.load(path) as stored:
            parameters = [stored[name] for name in sorted(stored, key=lambda n: int(n[4:]))]
        network = Network((FEATURES, 1), 0)
        network.parameters = parameters
        return Policy(network)


@dataclass(frozen=True)
class Score:
    """What a player reached in whole games, with the halves of 95 % intervals."""

    games: int
    won: float
    won_low: float
    won_high: float
    levels: float
    levels_half: float


def play(
    partner: Seat,
    policy: Policy | None,
    *,
    games: int,
    seed: int,
    setup: Setup = None,
    at_once: int = 256,
) -> Score:
    """Plays whole games of The Mind with a partner. Without a policy it keeps the fixed pace."""
    env = VectorEnv(
        "mind-event-v0",
        min(at_once, games),
        autoreset_mode=AutoresetMode.DISABLED,
        seats=["agent", partner],
        setup=setup,
        partners_propose_stars=False,
    )
    watcher, buffers = Watcher(env), env.make_buffers()
    levels, won = [], 0
    running = np.zeros(env.games)
    begun = env.games
    env.reset_into(buffers, [seed + game for game in range(env.games)])
    open_games = np.ones(env.games, bool)
    while open_games.any():
        features = watcher.features(buffers.observations)
        zero = np.zeros(env.games, np.float32)
        log_factor = zero if policy is None else policy.log_factor(features)
        commands, waits = watcher.actions(buffers.observations, buffers.masks, log_factor)
        env.step_into(commands, waits, buffers)
        running += buffers.rewards
        ended = buffers.terminated | buffers.truncated
        for game in np.flatnonzero(ended).tolist():
            if open_games[game]:
                levels.append(running[game])
                won += env.end(game) == "won"
            # Games that are no longer counted go on until the last one ends.
            open_games[game] &= begun < games
            running[game] = 0.0
            env.reset_into(buffers, [seed + begun], [game])
            begun += 1
        watcher.forget(ended)
    count = len(levels)
    share, low, high = wilson(won, count)
    half = 1.96 * float(np.std(levels)) / np.sqrt(count)
    return Score(count, share, low, high, float(np.mean(levels)), float(half))


def wilson(part: int, count: int) -> tuple[float, float, float]:
    """A share with its 95 % interval."""
    z, n = 1.959964, max(count, 1)
    share = part / n
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * np.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return share, max(float(centre - half), 0.0), min(float(centre + half), 1.0)
