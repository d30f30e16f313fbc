"""A finished hand, relived step by step."""

from tests.samples.hands import CAST, CLASSIC, CROWD, ELEVEN, KITTY, NASTY, PARTNERS, Sample, relived


def pages() -> dict[str, Sample]:
    made: dict[str, Sample] = {
        f"relive-{name}": ("relive", relived(CLASSIC, CAST, 1, step, reviewed=reviewed))
        for name, step, reviewed in (("deal", 1, False), ("pass", 2, True), ("card", 24, True), ("score", 55, False))
    }
    may_ask = {**relived(CLASSIC, CAST, 1, 20, reviewed=False), "may_ask": True}
    return made | {
        "relive-may-ask": ("relive", may_ask),
        "relive-nasty": ("relive", relived(CLASSIC, NASTY, 2, 30)),
        "relive-three": ("relive", relived(KITTY, CAST[:3], 1, 7)),
        "relive-partners": ("relive", relived(PARTNERS, CAST, 4, 12)),
        "relive-eleven": ("relive", relived(ELEVEN, CROWD, 1, 33)),
        "relive-eleven-deal": ("relive", relived(ELEVEN, CROWD, 2, 1)),
    }
