"""Another game at the same table, from the wish to play again until it begins."""

from dataclasses import replace

from tests.samples.cast import CAST, NASTY
from tests.samples.games import CLASSIC
from tests.samples.links import AGAIN_LINK, TABLE_LINK
from tests.samples.pages.invitations import INVITED
from tests.samples.rendering import PageSample
from tests.samples.shuffles import shuffle
from tests.samples.tables import last_game, summary
from webapp.pages.invitations import AgainPage, AgainText, again_text
from webapp.tables.again import AnotherGame, AnotherGameState


def _again(stand: AnotherGameState, agreed: str = "Ann wants") -> AgainText:
    return again_text(AnotherGame(stand, 2, agreed, "Ann"), summary(CLASSIC, states=("host", "invited")), AGAIN_LINK)


# The words of pages about another game, by its state.
AGAIN = {
    "open": replace(
        _again(AnotherGameState.OPEN), lead="Ann leads the table 4\u00a0:\u00a02\u00a0:\u00a01\u00a0:\u00a01."
    ),
    "asked": _again(AnotherGameState.ASKED, "Ann and Cy want to play again"),
    "agreed": _again(AnotherGameState.AGREED),
    "declined": _again(AnotherGameState.DECLINED),
    "closed": _again(AnotherGameState.CLOSED),
    "begun": _again(AnotherGameState.BEGUN),
}


def pages() -> dict[str, PageSample]:
    made: dict[str, PageSample] = {
        f"again-{name}": AgainPage(
            again=again, table=INVITED, table_link=TABLE_LINK, last=last_game(CAST), shuffle=shuffle()
        )
        for name, again in AGAIN.items()
    }
    begun = AgainPage(again=AGAIN["begun"], table=INVITED, table_link=TABLE_LINK, cards_link="/play/x")
    asked = replace(begun, again=AGAIN["asked"], last=last_game(NASTY), cards_link=None)
    return made | {"again-begun": begun, "again-nasty": replace(asked, table=replace(INVITED, words=NASTY[2]))}
