"""The pages, one blueprint a file. A view function parses, calls one thing, renders."""

from webapp.pages import home, how_we_play, invitations, opening, players, seats, turns

BLUEPRINTS = (
    home.blueprint,
    opening.blueprint,
    how_we_play.blueprint,
    invitations.blueprint,
    turns.blueprint,
    seats.blueprint,
    players.blueprint,
)
