"""Proximal policy optimisation for The Mind with a simulated person, in NumPy alone.

    python examples/ppo.py --partner human:mixture --out policy.npz --plot training.svg

The policy decides how long to wait before its lowest card (``unspoken.learned``). It is trained
with the event clock: each step is one event of the game, and the reward of a step is what it
brought, one for a completed level, less than nothing for a lost life.
"""

from __future__ import annotations

import argparse
import os
import time

# The matrices are small: more threads would only wait for each other.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
from gymnasium.vector import AutoresetMode

from unspoken import Rewards, vector_env
from unspoken.learned import FEATURES, Network, Policy, Watcher, play
from unspoken.picture import lines_svg

GAMES, STEPS = 256, 64
DISCOUNT, LAMBDA, CLIP = 0.99, 0.95, 0.2
EPOCHS, MINIBATCHES = 4, 4
REWARDS = Rewards(level=0.2, life=-1.0, win=1.0)


class Adam:
    """Adam with a learning rate that falls linearly to zero."""

    def __init__(self, parameters: list[np.ndarray], rate: float) -> None:
        self.parameters, self.rate, self.count = parameters, rate, 0
        self.first = [np.zeros_like(p) for p in parameters]
        self.second = [np.zeros_like(p) for p in parameters]

    def step(self, gradients: list[np.ndarray], left: float) -> None:
        self.count += 1
        norm = np.sqrt(sum(float((g * g).sum()) for g in gradients))
        scale = min(1.0, 0.5 / (norm + 1e-8))
        for p, g, m, v in zip(self.parameters, gradients, self.first, self.second):
            g = g * scale
            m += 0.1 * (g - m)
            v += 0.001 * (g * g - v)
            hat = (m / (1 - 0.9**self.count)) / (np.sqrt(v / (1 - 0.999**self.count)) + 1e-8)
            p -= self.rate * left * hat


def train(partner: str, minutes: float, updates: int, seed: int) -> tuple[Policy, list[tuple]]:
    """Trains until the minutes or the updates are used up."""
    env = vector_env(
        "mind-event-v0",
        GAMES,
        autoreset_mode=AutoresetMode.SAME_STEP,
        seats=["agent", partner],
        rewards=REWARDS,
        partners_propose_stars=False,
    )
    random = np.random.default_rng(seed)
    actor = Network((FEATURES, 64, 64, 1), seed)
    critic = Network((FEATURES, 64, 64, 1), seed + 1, last_scale=1.0)
    log_sd = np.full(1, -1.0, np.float32)
    actor_steps = Adam([*actor.parameters, log_sd], 1e-3)
    critic_steps = Adam(critic.parameters, 2e-3)
    watcher, buffers = Watcher(env), env.make_buffers()
    env.reset_into(buffers, [seed + game for game in range(GAMES)])
    features = watcher.features(buffers.observations)
    curve: list[tuple[float, float]] = []
    begun = time.monotonic()
    for update in range(updates):
        left = 1.0 - max(update / updates, (time.monotonic() - begun) / (60 * minutes))
        if left <= 0.0:
            break
        # Collect: what was seen, decided and earned in STEPS events of each game.
        seen = np.empty((STEPS, GAMES, FEATURES), np.float32)
        chosen, rewards = np.empty((2, STEPS, GAMES), np.float32)
        ended, decided = np.empty((2, STEPS, GAMES), bool)
        for step in range(STEPS):
            mean = actor.forward(features)[0][:, 0]
            action = mean + np.exp(log_sd) * random.standard_normal(GAMES, np.float32)
            commands, waits = watcher.actions(buffers.observations, buffers.masks, action)
            seen[step], chosen[step] = features, action
            # Only where the card was to be played did the number decide anything.
            decided[step] = commands == watcher.play
            env.step_into(commands, waits, buffers)
            rewards[step] = buffers.rewards
            ended[step] = buffers.terminated | buffers.truncated
            watcher.forget(ended[step])
            features = watcher.features(buffers.observations)
        # Advantages, by generalised estimation.
        values = critic.forward(seen.reshape(-1, FEATURES))[0].reshape(STEPS, GAMES)
        following = critic.forward(features)[0][:, 0]
        advantages = np.empty_like(rewards)
        carried = np.zeros(GAMES, np.float32)
        for step in range(STEPS - 1, -1, -1):
            goes_on = 1.0 - ended[step]
            error = rewards[step] + DISCOUNT * following * goes_on - values[step]
            carried = error + DISCOUNT * LAMBDA * goes_on * carried
            advantages[step], following = carried, values[step]
        returns = (advantages + values).reshape(-1)
        x, a, use = seen.reshape(-1, FEATURES), chosen.reshape(-1), decided.reshape(-1)
        scaled = advantages.reshape(-1)
        scaled = (scaled - scaled[use].mean()) / (scaled[use].std() + 1e-8)
        old_mean, old_sd = actor.forward(x)[0][:, 0], float(np.exp(log_sd[0]))
        old_log = -0.5 * ((a - old_mean) / old_sd) ** 2 - np.log(old_sd)
        for _ in range(EPOCHS):
            for rows in np.array_split(random.permutation(len(a)), MINIBATCHES):
                out, passed = critic.forward(x[rows])
                error = (out[:, 0] - returns[rows])[:, None] / len(rows)
                critic_steps.step(critic.backward(passed, error.astype(np.float32)), left)
                rows = rows[use[rows]]
                out, passed = actor.forward(x[rows])
                sd = np.exp(log_sd)
                z = (a[rows] - out[:, 0]) / sd
                ratio = np.exp(-0.5 * z * z - log_sd - old_log[rows])
                advantage = scaled[rows]
                inside = np.where(advantage > 0, ratio < 1 + CLIP, ratio > 1 - CLIP)
                weight = -advantage * ratio * inside / len(rows)
                gradients = actor.backward(passed, (weight * z / sd)[:, None].astype(np.float32))
                gradients.append(np.array([(weight * (z * z - 1.0)).sum()], np.float32))
                actor_steps.step(gradients, left)
        seconds = time.monotonic() - begun
        curve.append((seconds, float(rewards.sum() / max(ended.sum(), 1))))
        if update % 20 == 0:
            print(f"{seconds:6.0f} s  update {update:4d}  return {curve[-1][1]:7.3f}", flush=True)
    return Policy(actor), curve


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--partner", default="human:mixture")
    parser.add_argument("--minutes", type=float, default=15.0)
    parser.add_argument("--updates", type=int, default=400)
    parser.add_argument("--games", type=int, default=2_000, help="games of the comparison")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", default="policy.npz")
    parser.add_argument("--plot", metavar="FILE.svg")
    arguments = parser.parse_args()
    policy, curve = train(arguments.partner, arguments.minutes, arguments.updates, arguments.seed)
    print(f"trained in {curve[-1][0]:.0f} s, {time.process_time():.0f} s of processor time")
    policy.save(arguments.out)
    if arguments.plot:
        lines_svg(arguments.plot, {"return of a game": curve}, "seconds", "return")
    # Seeds that training never dealt.
    for name, player in (("fixed pace", None), ("learned", policy)):
        score = play(arguments.partner, player, games=arguments.games, seed=10_000_000)
        print(
            f"{name:12} won {100 * score.won:5.1f} % ({100 * score.won_low:.1f} to "
            f"{100 * score.won_high:.1f}), levels {score.levels:.2f} ± {score.levels_half:.2f}"
        )


if __name__ == "__main__":
    main()
