"""Random rules, over all options."""

from hypothesis import strategies as st

from hearts.rules import OPTIONS, Rules, choices

FREE = [
    name for name in OPTIONS if name not in ("packs", "players", "partnership", "kitty", "opening", "target", "hands")
]


@st.composite
def any_rules(draw, **fixed):
    """Rules whose options fit together, every option drawn; `fixed` ones are as they are given."""
    packs = fixed.get("packs") or draw(st.sampled_from((1, 1, 2)))
    players = fixed.get("players") or draw(st.integers(3, 7) if packs == 1 else st.integers(6, 11))
    drawn = {name: draw(st.sampled_from(choices(name))) for name in FREE}
    drawn["target"] = draw(st.integers(10, 60))
    drawn["hands"] = draw(st.sampled_from((0, 0, 1, 2, 3, 4, 5, 6, 40)))
    drawn["partnership"] = players == 4 and draw(st.booleans())
    if packs == 1:
        drawn["kitty"] = draw(st.sampled_from(choices("kitty")))
        drawn["opening"] = draw(st.sampled_from(choices("opening")))
    else:
        drawn["opening"] = choices("opening")[-1]
    return Rules(**{**drawn, "packs": packs, "players": players, **fixed})
