"""PettingZoo's own tests, for every environment."""

import warnings

import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

import unspoken

# Royale has 14,101 commands, so it is tested for fewer steps.
NAMES = unspoken.environment_names()
SHORT = {name: 60 if name.startswith("royale") else 400 for name in NAMES}
SETUPS = {"royale": "rounds=2"}


def make(name, **options):
    return unspoken.parallel_env(name, setup=SETUPS.get(name.split("-")[0]), **options)


@pytest.mark.parametrize("name", NAMES)
def test_parallel_api(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parallel_api_test(make(name), num_cycles=SHORT[name])


@pytest.mark.parametrize("name", NAMES)
def test_parallel_seed(name):
    parallel_seed_test(lambda: make(name), num_cycles=SHORT[name])


@pytest.mark.parametrize("name", ["mind-event-v0", "extreme-tick-v0", "soulmates-event-v0"])
def test_parallel_with_partners(name):
    env = unspoken.parallel_env(name, seats=["agent", "kindred", "human:mixture"])
    assert env.possible_agents == ["A"]
    parallel_api_test(env, num_cycles=100)


@pytest.mark.parametrize("name", ["mind-event-v0", "mind-tick-v0", "soulmates-event-v0"])
def test_aec(name):
    api_test(unspoken.aec_env(name), num_cycles=100, verbose_progress=False)
    seed_test(lambda: unspoken.aec_env(name), num_cycles=50)
