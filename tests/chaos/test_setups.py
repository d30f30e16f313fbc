"""The set-ups of a run, and its scenes."""

from tests.chaos.setups import NAMES, Scene, scenes_of


def test_two_seeds_in_a_row_have_every_scene() -> None:
    assert {scene for seed in (6, 7) for name in NAMES for scene in scenes_of(seed, name)} == set(Scene)


def test_the_two_set_ups_have_different_scenes() -> None:
    assert all(len({scenes_of(seed, name) for name in NAMES}) == len(NAMES) for seed in range(10))
