"""Partners in any seat, populations, and the held-out set."""

from pathlib import Path

import pytest

import unspoken
from unspoken.learned import play

HELD_OUT = Path(__file__).parents[2] / "humans" / "held-out-v0.toml"


@pytest.mark.parametrize("game", ["mind", "extreme", "soulmates", "royale"])
def test_every_partner_plays_with_an_agent(game):
    names = unspoken.partner_names(game)
    assert len(names) >= 5
    for name in names:
        if name in ("knowing", "matched", "told", "informed"):
            continue  # They are told of a person; see below.
        setup = "rounds=2" if game == "royale" else None
        env = unspoken.parallel_env(f"{game}-event-v0", seats=[name, "agent"], setup=setup)
        observations, _ = env.reset(seed=2)
        env.action_space("B").seed(1)
        for _ in range(12):
            if env.agents:
                mask = observations["B"]["action_mask"]
                observations, *_ = env.step({"B": env.action_space("B").sample(mask=mask)})


def test_partners_with_knowledge_need_a_person():
    with pytest.raises(ValueError, match="seat one: human:POPULATION"):
        unspoken.simulate(["matched", "steady"], games=1)
    for name in ("matched", "knowing", "told"):
        assert unspoken.simulate(["human:base", name], games=20, seed=1).games == 20


def test_every_population_plays():
    names = unspoken.population_names()
    assert {"base", "mixture", "thesis"} <= set(names)
    for name in names:
        assert unspoken.simulate([f"human:{name}", "kindred"], games=4, seed=1).games == 4


def test_one_of_several_partners_is_drawn_for_each_game():
    seats = ["agent", ["linear:0.05", "linear:2.0"]]
    env = unspoken.parallel_env("mind-event-v0", seats=seats)
    rest = env.command_names.index("rest")
    quick = 0
    for seed in range(24):
        observations, _ = env.reset(seed=seed)
        while not observations["A"]["observation"][env.fields["phase"].slice][1]:
            action = rest if observations["A"]["action_mask"][rest] else 0
            observations, *_ = env.step({"A": (action, 0.1)})
        observations, *_ = env.step({"A": (0, 0.0)})
        quick += observations["A"]["observation"][env.fields["passed_s"].start] < 6
    assert 4 <= quick <= 20


def test_the_held_out_set_is_the_published_file():
    people = unspoken.held_out(HELD_OUT)
    assert len(people) == 5
    score = play(people[0], None, games=20, seed=1)
    assert score.games == 20


def test_another_file_is_no_held_out_set(tmp_path):
    other = tmp_path / "other.toml"
    other.write_text(HELD_OUT.read_text() + "\n# changed\n")
    with pytest.raises(unspoken.HeldOutError, match="whose SHA-256 is"):
        unspoken.held_out(other)


def test_the_held_out_set_is_not_in_the_package():
    package = Path(unspoken.__file__).parent
    for path in package.rglob("*"):
        if path.is_file():
            assert b"held-out-slow" not in path.read_bytes(), path


def test_people_of_a_file_play():
    people = unspoken.People.parse('name = "own"\n[pace]\nmedian_s = 0.5\n')
    assert unspoken.simulate([people[0], "steady"], games=4).games == 4
    with pytest.raises(ValueError, match="pace.median_s is 0, write a number above 0"):
        unspoken.People.parse('name = "own"\n[pace]\nmedian_s = 0\n')
