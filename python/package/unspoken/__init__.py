"""Wordless card games in continuous time, for learning agents.

>>> import unspoken
>>> env = unspoken.parallel_env("mind-event-v0", players=2)
>>> observations, infos = env.reset(seed=7)
>>> sorted(observations)
['A', 'B']

The rules are those of the Unspoken server: nothing is decided in Python.
"""

from ._native import (
    WAIT_S_MOST,
    best_row,
    environment_names,
    partner_names,
    population_names,
)
from .games import Field, Rewards, Setup
from .parallel import ParallelEnv, aec_env, parallel_env
from .seats import HELD_OUT_SHA256, HeldOutError, People, Seat, held_out
from .simulation import Result, simulate
from .spaces import PlanSpace
from .vector import Buffers, VectorEnv, vector_env

__version__ = "0.1.0"

__all__ = [
    "HELD_OUT_SHA256",
    "WAIT_S_MOST",
    "Buffers",
    "Field",
    "HeldOutError",
    "ParallelEnv",
    "People",
    "PlanSpace",
    "Result",
    "Rewards",
    "Seat",
    "Setup",
    "VectorEnv",
    "aec_env",
    "best_row",
    "environment_names",
    "held_out",
    "parallel_env",
    "partner_names",
    "population_names",
    "simulate",
    "vector_env",
]
