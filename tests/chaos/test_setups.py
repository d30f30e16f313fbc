"""The set-ups of a run, and its scenes."""

from tests.chaos.setups import NAMES, Scene, scenes_of


def test_every_second_seed_has_the_other_scenes() -> None:
    assert {scene for seed in (6, 8) for name in NAMES for scene in scenes_of(seed, name)} == set(Scene)


def test_the_two_set_ups_have_different_scenes() -> None:
    assert all(len({scenes_of(seed, name) for name in NAMES}) == len(NAMES) for seed in range(10))
