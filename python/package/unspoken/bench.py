"""How many agent events a second, beside other environments in the same run.

    python -m unspoken.bench

An agent event is one action of one agent taken in and one observation and mask given out. All
measurements are of one thread. ``--cpu`` counts processor time instead of time, for a machine that
is busy with other things. Environments of other packages are measured if they are installed:
``pip install open_spiel "pettingzoo[classic]"``.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import platform
import time
from collections.abc import Callable, Iterator

import numpy as np

from . import __version__
from .parallel import parallel_env
from .vector import vector_env


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m unspoken.bench", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--seconds", type=float, default=3.0, help="of each measurement")
    parser.add_argument("--repeat", type=int, default=3, help="measurements of each, of which the best is printed")
    parser.add_argument("--cpu", action="store_true", help="count processor time")
    options = parser.parse_args()
    clock = time.process_time if options.cpu else time.perf_counter
    print(f"Python {platform.python_version()}, unspoken {__version__}, ", end="")
    print(", ".join(f"{name} {version}" for name, version in versions()))
    for label, measured in MEASUREMENTS.items():
        try:
            steps = [rate(measured(), options.seconds, clock) for _ in range(options.repeat)]
        except ImportError as error:
            print(f"{label:58} not installed ({error.name})")
        else:
            print(f"{label:58} {max(steps):12,.0f} a second", flush=True)


def versions() -> Iterator[tuple[str, str]]:
    for name in ("numpy", "gymnasium", "pettingzoo", "open_spiel"):
        try:
            yield name, importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue


def rate(run: Callable[[], int], seconds: float, clock: Callable[[], float]) -> float:
    """Agent events a second of a function that returns how many it made."""
    run()
    count, begun = 0, clock()
    while (passed := clock() - begun) < seconds:
        count += run()
    return count / passed


def vector_waiting(games: int = 256) -> Callable[[], int]:
    """The Mind with two agents that lay their hands and play after a wait."""
    env = vector_env("mind-event-v0", games)
    buffers = env.make_buffers()
    env.reset_into(buffers, range(games))
    names = env.command_names
    rest, play = names.index("rest"), names.index("play")
    gap = (env.fields["lowest"].start, env.fields["top"].start)
    commands = np.empty(env.num_envs, np.int32)
    waits = np.empty(env.num_envs, np.float32)

    def run() -> int:
        for _ in range(64):
            # A hand is laid where it may be, and otherwise the card is played or nothing is done.
            np.multiply(buffers.masks[:, rest], rest, out=commands, casting="unsafe")
            np.add(commands, buffers.masks[:, play] * np.int32(play), out=commands)
            np.subtract(buffers.observations[:, gap[0]], buffers.observations[:, gap[1]], out=waits)
            np.clip(waits, 0.1, None, out=waits)
            env.step_into(commands, waits, buffers)
        return 64 * env.num_envs

    return run


def vector_with(partner: str, games: int = 256) -> Callable[[], int]:
    """One agent that plays at a fixed pace, and a partner."""
    env = vector_env("mind-event-v0", games, seats=["agent", partner])
    buffers = env.make_buffers()
    env.reset_into(buffers, range(games))
    names = env.command_names
    rest, play = names.index("rest"), names.index("play")
    gap = (env.fields["lowest"].start, env.fields["top"].start)

    def run() -> int:
        for _ in range(4):
            masks, rows = buffers.masks, buffers.observations
            commands = np.where(masks[:, play] > 0, play, np.where(masks[:, rest] > 0, rest, 0))
            waits = 0.6 * np.maximum(rows[:, gap[0]] - rows[:, gap[1]], 0.5)
            env.step_into(commands.astype(np.int32), waits.astype(np.float32), buffers)
        return 4 * games

    return run


def parallel_waiting() -> Callable[[], int]:
    """The same through PettingZoo's parallel interface."""
    env = parallel_env("mind-event-v0")
    names = env.command_names
    rest, play = names.index("rest"), names.index("play")
    lowest, top = env.fields["lowest"].start, env.fields["top"].start
    observations, _ = env.reset(seed=0)

    def run() -> int:
        nonlocal observations
        count = 0
        for _ in range(256):
            actions = {}
            for agent, seen in observations.items():
                mask, row = seen["action_mask"], seen["observation"]
                if mask[play]:
                    actions[agent] = (play, max(row[lowest] - row[top], 0.1))
                else:
                    actions[agent] = (rest if mask[rest] else 0, 0.5)
            observations, *_ = env.step(actions)
            count += len(observations)
            if not env.agents:
                observations, _ = env.reset()
        return count

    return run


def open_spiel_hanabi(observe: bool) -> Callable[[], int]:
    """OpenSpiel's Hanabi with two players: a random action, and the acting player's observation."""
    import pyspiel

    game = pyspiel.load_game("hanabi(players=2)")
    random = np.random.default_rng(0)
    state = game.new_initial_state()

    def run() -> int:
        nonlocal state
        count = 0
        while count < 256:
            if state.is_terminal():
                state = game.new_initial_state()
            is_chance = state.is_chance_node()
            if observe and not is_chance:
                state.observation_tensor()
            actions = state.legal_actions()
            state.apply_action(actions[int(random.random() * len(actions))])
            count += not is_chance
        return count

    return run


def pettingzoo_classic(module: str) -> Callable[[], int]:
    """A classic of PettingZoo's own: a random legal action, and the next agent's observation."""
    env = importlib.import_module(f"pettingzoo.classic.{module}").env()
    env.reset(seed=0)
    random = np.random.default_rng(0)

    def run() -> int:
        count = 0
        while count < 64:
            if not env.agents:
                env.reset()
            observation, _, terminated, truncated, info = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            has_mask = "action_mask" in observation
            legal = np.flatnonzero((observation if has_mask else info)["action_mask"])
            env.step(int(legal[int(random.random() * len(legal))]))
            count += 1
        return count

    return run


MEASUREMENTS: dict[str, Callable[[], Callable[[], int]]] = {
    "unspoken vector, mind-event-v0, 2 agents, waiting": vector_waiting,
    "unspoken vector, mind-event-v0, 1 agent and a person": lambda: vector_with("human:mixture"),
    "unspoken vector, mind-event-v0, 1 agent and kindred": lambda: vector_with("kindred", 64),
    "unspoken parallel (PettingZoo), mind-event-v0, 2 agents": parallel_waiting,
    "OpenSpiel hanabi, 2 players": lambda: open_spiel_hanabi(observe=True),
    "OpenSpiel hanabi, 2 players, no observations": lambda: open_spiel_hanabi(observe=False),
    "PettingZoo classic tictactoe_v3": lambda: pettingzoo_classic("tictactoe_v3"),
    "PettingZoo classic connect_four_v3": lambda: pettingzoo_classic("connect_four_v3"),
    "PettingZoo classic hanabi_v5 (by OpenSpiel)": lambda: pettingzoo_classic("hanabi_v5"),
}


if __name__ == "__main__":
    main()
