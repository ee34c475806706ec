"""Whole games through the parallel interface: every game, number of players and clock."""

import json

import numpy as np
import pytest

import unspoken

TABLES = [
    ("mind", 2, None),
    ("mind", 3, "face=blind lives=5"),
    ("mind", 4, "preset=research"),
    ("extreme", 2, None),
    ("extreme", 4, "levels=3"),
    ("soulmates", 2, None),
    ("soulmates", 5, "table=gentle"),
    ("royale", 2, "rounds=2 aid_count=on"),
    ("royale", 3, "rounds=3"),
]


@pytest.mark.parametrize("game,players,setup", TABLES)
@pytest.mark.parametrize("clock", ["event", "tick"])
def test_games_are_played_to_their_end(game, players, setup, clock):
    env = unspoken.parallel_env(
        f"{game}-{clock}-v0", players=players, setup=setup, limit_steps=400, limit_s=1e6
    )
    observations, _ = env.reset(seed=3)
    for agent in env.possible_agents:
        env.action_space(agent).seed(5)
    steps = 0
    while env.agents:
        for agent in env.agents:
            assert env.observation_space(agent).contains(observations[agent])
            assert observations[agent]["action_mask"][0] == 1
        actions = {
            agent: env.action_space(agent).sample(mask=observations[agent]["action_mask"])
            for agent in env.agents
        }
        observations, rewards, terminated, truncated, infos = env.step(actions)
        assert set(rewards) == set(env.possible_agents)
        steps += 1
    assert steps > 5
    assert infos["A"]["end"] in ("won", "lost", "best", "cut off")
    assert terminated["A"] != truncated["A"]


def test_a_seed_repeats_a_game_and_the_server_form_is_the_same_seed():
    env = unspoken.parallel_env("mind-event-v0")
    env.reset(seed=7)
    by_number, digits = env.sent("A"), env.game_seed()
    env.reset(seed=digits)
    assert env.sent("A") == by_number
    env.reset(seed=8)
    assert env.sent("A") != by_number


def test_the_view_is_what_the_server_sends():
    env = unspoken.parallel_env("mind-event-v0", players=3)
    env.reset(seed=7)
    view = env.view("B")
    (game, body), = view.items()
    assert game == "mind"
    assert body["public"]["level"] == 1
    # Seat B knows its own card and how many the others hold.
    assert [type(hand) for hand in body["hands"]] == [int, list, int]
    assert json.loads(env.sent("B")[1]) == {"mind": ["rest"]}


def test_an_observation_shows_the_seat_its_own_cards_and_no_others():
    env = unspoken.parallel_env("mind-event-v0", players=4, setup="first_level=6")
    observations, _ = env.reset(seed=21)
    dealt = []
    for place, agent in enumerate(env.possible_agents):
        own = env.view(agent)["mind"]["hands"][place]
        row = observations[agent]["observation"]
        hand = np.flatnonzero(row[env.fields["hand"].slice]) + 1
        assert hand.tolist() == own
        assert row[env.fields["lowest"].slice] == own[0]
        for name in ("pile", "aside"):
            assert not row[env.fields[name].slice].any()
        dealt += own
    assert len(set(dealt)) == 24


def test_the_earliest_plan_happens_and_the_other_plans_anew():
    env = unspoken.parallel_env("mind-event-v0")
    env.reset(seed=7)
    rest, play = (env.command_names.index(name) for name in ("rest", "play"))
    env.step({"A": (rest, 1.0), "B": (rest, 2.0)})
    observations, *_ = env.step({"B": (rest, 2.0)})
    row = observations["A"]["observation"]
    assert row[env.fields["now_s"].start] == pytest.approx(3.0)
    # The player with the lower card is quicker: no life is lost, and level 2 is dealt.
    cards = {agent: env.view(agent)["mind"]["hands"][k][0] for k, agent in enumerate("AB")}
    waits = {agent: (play, 0.1 * card) for agent, card in cards.items()}
    env.step(waits)
    low, high = sorted(cards, key=cards.get)
    observations, rewards, *_ = env.step({high: (play, 0.5), low: (0, 0.0)})
    assert rewards == {"A": 1.0, "B": 1.0}
    assert observations["A"]["observation"][env.fields["level"].start] == 2


def test_ticks_have_a_fixed_length():
    env = unspoken.parallel_env("mind-tick-v0", seats=["agent", "steady"], tick_s=0.25)
    observations, _ = env.reset(seed=7)
    at = env.fields["now_s"].start
    for tick in range(1, 40):
        observations, *_ = env.step({"A": 0})
        assert observations["A"]["observation"][at] == pytest.approx(0.25 * tick)


@pytest.mark.parametrize(
    "options,text",
    [
        ({"players": 9}, "it takes 2 to 6"),
        ({"setup": "lives=9"}, "choose 1 to 5"),
        ({"seats": ["agent", "nonesuch"]}, "choose from random, steady"),
        ({"seats": ["agent", "human:nonesuch"]}, "choose from base, fast"),
        ({"seats": ["steady", "steady"]}, '"agent"'),
        ({"seats": ["agent", []]}, "name at least one"),
        ({"tick_s": 0.1}, "leave tick_s out"),
        ({"limit_steps": 0}, "at least one step"),
        ({"rewards": unspoken.Rewards(level=float("nan"))}, "finite"),
        ({"setup": {"royale": {}}}, "set-up"),
    ],
)
def test_wrong_arguments_say_what_would_be_right(options, text):
    with pytest.raises(ValueError, match=text):
        unspoken.parallel_env("mind-event-v0", **options)


def test_wrong_actions_say_what_would_be_right():
    with pytest.raises(ValueError, match="choose from mind-event-v0"):
        unspoken.parallel_env("mind-event-v9")
    env = unspoken.parallel_env("mind-event-v0")
    with pytest.raises(ValueError, match="reset it first"):
        env.agents = ["A", "B"]
        env.step({})
    env.reset(seed=1)
    with pytest.raises(ValueError, match="choose 0 to 8"):
        env.step({"A": (99, 0.0), "B": (0, 0.0)})
    with pytest.raises(ValueError, match="0 seconds or more"):
        env.step({"A": (1, float("nan")), "B": (0, 0.0)})
    with pytest.raises(ValueError, match="hexadecimal"):
        env.reset(seed="abc")


def test_the_solver_names_the_best_row():
    row, codes, least, most = unspoken.best_row("A1,A2,B1,B3,C5,D1,D5")
    assert (codes, round(210 * least), round(210 * most)) == (210, 996, 996)
    after = unspoken.best_row("A1,A2,B1,B3,C5,D1,D5", [(row, "1b")])
    assert after is not None and after[1] < codes
    with pytest.raises(ValueError, match="a row is three colours"):
        unspoken.best_row(rows=[("XYZ", "1b")])
