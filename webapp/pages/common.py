"""What every page needs: the parts of this process, who is signed in, a rendered template."""

from typing import Any, cast

from flask import current_app, render_template, session

from webapp.looks import Look, look_of, player_look
from webapp.models import PlayerRow
from webapp.parts import Parts

PLAYER = "player"  # in the session cookie: the id of who is signed in


def parts() -> Parts:
    return cast(Parts, current_app.extensions["parts"])


def page(template: str, /, *, reader: int | None = None, **context: Any) -> str:
    """The template `pages/TEMPLATE.html`, with what the frame of every page shows.

    `reader` is the player whose page it is by its link: cards look as she has chosen, whoever else is signed in.
    """
    player = signed_in()
    look = player_look(player) if reader is None else _look_of(reader)
    frame = {"mailbox": parts().settings.keeps_mail, "player_name": player.name if player else None, "look": look}
    return render_template(f"pages/{template}.html", **frame, **context)


def signed_in() -> PlayerRow | None:
    """The player whose sign-in link this browser has followed."""
    player_id = session.get(PLAYER)
    if player_id is None:
        return None
    with parts().database.reading() as rows:
        return rows.get(PlayerRow, player_id)


def _look_of(player_id: int) -> Look:
    with parts().database.reading() as rows:
        return look_of(rows, player_id)
