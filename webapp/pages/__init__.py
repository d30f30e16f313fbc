"""The pages, one blueprint a file. A view function parses, calls one thing, renders."""

from webapp.pages import (
    again,
    home,
    how_we_play,
    install,
    invitations,
    opening,
    players,
    practice,
    relive,
    seats,
    turns,
    wishes,
)

BLUEPRINTS = (
    home.blueprint,
    install.blueprint,
    practice.blueprint,
    opening.blueprint,
    how_we_play.blueprint,
    invitations.blueprint,
    turns.blueprint,
    seats.blueprint,
    again.blueprint,
    relive.blueprint,
    players.blueprint,
    wishes.blueprint,
)
