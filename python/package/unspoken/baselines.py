"""Baselines for The Mind with one simulated person, with error bars, and a cross-play matrix.

    python -m unspoken.baselines --population mixture --games 2000
    python -m unspoken.baselines --learned policy.npz --matrix crossplay.svg
    python -m unspoken.baselines --held-out held-out-v0.toml
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from . import __version__
from .learned import Policy, play
from .picture import matrix_svg
from .seats import Seat, held_out
from .simulation import Result, simulate

BASELINES = {
    "fixed pace 0.6 s": "linear:0.6",
    "fixed pace 1.0 s": "linear:1.0",
    "told the pace": "matched",
    "told everything": "told",
    "kindred": "kindred",
}
"""What each baseline is: ``linear`` waits a fixed time for each card, ``matched`` was told the
person's first pace, ``told`` all of their timing and none of their cards, ``kindred`` learns."""

CROSSPLAY = ("steady", "hasty", "dreamy", "linear:0.6", "kindred", "human:mixture")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m unspoken.baselines", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--population", default="mixture", help="the people in seat A")
    parser.add_argument("--held-out", metavar="FILE", help="judge with the held-out people instead")
    parser.add_argument("--learned", metavar="FILE.npz", help="a policy of examples/ppo.py")
    parser.add_argument("--games", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=20_261)
    parser.add_argument("--setup", default=None, help="as in \"lives=3 stars=0\"")
    parser.add_argument("--matrix", metavar="FILE.svg", help="draw who wins with whom")
    options = parser.parse_args(arguments)
    print(f"unspoken {__version__}, The Mind, 2 players, {options.games} games, no stars proposed")
    if options.held_out:
        for people in held_out(options.held_out):
            table(people, f"human:{people.name}", options)
    else:
        name = f"human:{options.population}"
        table(name, name, options)
    if options.matrix:
        matrix(options)


def table(person: Seat, name: str, options: argparse.Namespace) -> None:
    """Prints one line for each baseline with that person."""
    print(f"\nwith {name}: games won (95 % interval), levels completed")
    for label, partner in BASELINES.items():
        result = pair(person, partner, options)
        levels = f"{result.levels / result.games:.2f}"
        line(label, result.win, result.win_low, result.win_high, levels)
    if options.learned:
        policy = Policy.load(options.learned)
        score = play(person, policy, games=options.games, seed=options.seed, setup=options.setup)
        levels = f"{score.levels:.2f} ± {score.levels_half:.2f}"
        line("learned", score.won, score.won_low, score.won_high, levels)


def matrix(options: argparse.Namespace) -> None:
    """Draws the share of games that each pair of partners wins."""
    print(f"\ncross-play, games won in %: {', '.join(CROSSPLAY)}")
    shares = []
    for one in CROSSPLAY:
        shares.append([pair(one, other, options).win for other in CROSSPLAY])
        print(f"{one:15}" + "".join(f"{100 * share:8.1f}" for share in shares[-1]), flush=True)
    matrix_svg(options.matrix, CROSSPLAY, shares)
    print(f"drawn to {options.matrix}")


def pair(one: Seat, other: Seat, options: argparse.Namespace) -> Result:
    return simulate(
        [one, other],
        setup=options.setup,
        games=options.games,
        seed=options.seed,
        partners_propose_stars=False,
    )


def line(label: str, share: float, low: float, high: float, levels: str) -> None:
    interval = f"({100 * low:.1f} to {100 * high:.1f})"
    print(f"{label:18} {100 * share:5.1f} % {interval:16} {levels}", flush=True)


if __name__ == "__main__":
    main()
