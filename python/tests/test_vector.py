"""Many games at once, by every autoreset mode."""

import threading

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import unspoken


def act(env, masks):
    names = env.command_names
    rest, play = names.index("rest"), names.index("play")
    commands = np.where(masks[:, play] > 0, play, np.where(masks[:, rest] > 0, rest, 0))
    return commands, np.full(env.num_envs, 0.5, np.float32)


def test_it_is_a_vector_environment_that_declares_its_mode():
    for mode in AutoresetMode:
        env = unspoken.vector_env("mind-event-v0", 3, autoreset_mode=mode)
        assert isinstance(env, gymnasium.vector.VectorEnv)
        assert env.metadata["autoreset_mode"] == mode
        observations, infos = env.reset(seed=1)
        assert env.num_envs == 6
        assert observations.shape == (6, env.single_observation_space.shape[0])
        assert infos["action_mask"].shape == (6, len(env.command_names))
        assert env.observation_space.contains(observations)


def test_the_next_step_deals_the_next_game():
    env = unspoken.vector_env("mind-event-v0", 4, setup="lives=1")
    _, infos = env.reset(seed=1)
    first_seeds = [env.game_seed(game) for game in range(4)]
    ended = np.zeros(8, bool)
    resets = 0
    for _ in range(300):
        observations, rewards, terminated, truncated, infos = env.step(
            act(env, infos["action_mask"])
        )
        assert not (ended & (terminated | truncated)).any()
        if ended.any():
            assert (rewards[ended] == 0).all()
            assert (observations[ended, env.fields["level"].start] == 1).all()
            assert (observations[ended, env.fields["now_s"].start] == 0).all()
            resets += 1
        ended = terminated | truncated
    assert resets > 3
    assert all(env.game_seed(game) != first_seeds[game] for game in range(4))


def test_the_same_step_has_the_observation_of_the_end_in_infos():
    env = unspoken.vector_env(
        "mind-event-v0", 4, setup="lives=1", autoreset_mode=AutoresetMode.SAME_STEP
    )
    _, infos = env.reset(seed=1)
    found = 0
    for _ in range(300):
        observations, _, terminated, _, infos = env.step(act(env, infos["action_mask"]))
        if terminated.any():
            at = env.fields["now_s"].start
            assert (infos["_final_obs"] == terminated).all()
            assert (infos["final_obs"][terminated, at] > 0).all()
            assert (observations[terminated, at] == 0).all()
            found += 1
    assert found > 3


def test_without_autoreset_the_caller_resets():
    env = unspoken.vector_env(
        "mind-event-v0", 2, setup="lives=1", autoreset_mode=AutoresetMode.DISABLED
    )
    _, infos = env.reset(seed=[1, 2])
    terminated = np.zeros(4, bool)
    while not terminated.any():
        _, _, terminated, _, infos = env.step(act(env, infos["action_mask"]))
    with pytest.raises(ValueError, match="reset it first"):
        env.step(act(env, infos["action_mask"]))
    _, infos = env.reset(options={"reset_mask": terminated.reshape(2, 2).any(axis=1)})
    env.step(act(env, infos["action_mask"]))


def test_the_vector_plays_the_games_of_the_parallel_interface():
    vector = unspoken.vector_env("mind-event-v0", 1, seats=["agent", "human:mixture"])
    single = unspoken.parallel_env("mind-event-v0", seats=["agent", "human:mixture"])
    observations, infos = vector.reset(seed=5)
    seen, _ = single.reset(seed=5)
    for _ in range(200):
        assert (seen["A"]["observation"] == observations[0]).all()
        commands, waits = act(vector, infos["action_mask"])
        observations, rewards, *_, infos = vector.step((commands, waits))
        seen, earned, *_ = single.step({"A": (commands[0], waits[0])})
        assert earned["A"] == rewards[0]
        if not single.agents:
            return
    raise AssertionError("the game has not ended")


def test_arrays_of_the_caller_are_written_to_and_checked():
    env = unspoken.vector_env("mind-event-v0", 2)
    buffers = env.make_buffers()
    env.reset_into(buffers, [1, 2])
    before = buffers.observations.copy()
    commands, waits = act(env, buffers.masks)
    env.step_into(commands.astype(np.int32), waits, buffers)
    assert (buffers.observations != before).any()
    buffers.rewards = np.zeros(3, np.float32)
    with pytest.raises(ValueError, match="rewards has 3 numbers, give 4"):
        env.step_into(commands.astype(np.int32), waits, buffers)
    buffers.rewards = np.zeros(8, np.float32)[::2]
    with pytest.raises(ValueError, match="contiguous"):
        env.step_into(commands.astype(np.int32), waits, buffers)


def test_other_threads_run_while_games_are_stepped():
    env = unspoken.vector_env("mind-event-v0", 64, seats=["agent", "kindred"])
    buffers = env.make_buffers()
    env.reset_into(buffers, range(64))
    counts = {"during": 0}
    stepping, done = threading.Event(), threading.Event()

    def count():
        stepping.wait()
        while not done.is_set():
            counts["during"] += 1

    thread = threading.Thread(target=count)
    thread.start()
    stepping.set()
    for _ in range(30):
        commands, waits = act(env, buffers.masks)
        env.step_into(commands.astype(np.int32), waits, buffers)
    done.set()
    thread.join()
    # With the lock held a thread gets one turn at most between two calls.
    assert counts["during"] > 1_000
