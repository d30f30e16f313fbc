"""Fair games to check: each is dealt under the seal of the vectors, and played at random."""

import json
import random

from hearts.cycle import apply_to_hand, new_cycle
from hearts.deal import dealer_after
from hearts.fair import Secrets, fair_deal, leaf_of, part_of, secret_of
from hearts.game import Stage
from hearts.record import record_mapping, record_of, with_proofs
from hearts.rules import preset_rules
from tests.hearts.builders import random_turn

MASTER = bytes(range(32))
SECRETS = Secrets(MASTER)
SEAL = SECRETS.seal
WORDS = ("the cat is fat", "", "Grüße aus Köln", "7 ♥ for luck")
CAST = ("Ann", "Bo", "Cy", "Di")
CLASSIC = preset_rules("classic", target=500)
PARTS = tuple(part_of(SEAL, seat, words) for seat, words in enumerate(WORDS))


def fair_game(hands=4, parts=lambda hand: PARTS, era=lambda hand: 0, rules=CLASSIC, at_once=1, secrets=SECRETS):
    """The record of so many hands, as a mapping; by hand, the parts of all seats and the era."""
    cycle, chance, turns, dealer = new_cycle(rules, at_once), random.Random(5), [], None
    while not (cycle.stage is Stage.DEAL and cycle.next_hand > hands):
        if cycle.stage is Stage.DEAL:
            number = cycle.next_hand
            leaf = leaf_of(number, era(number))
            secret = secret_of(MASTER, leaf) if secrets is SECRETS else secrets.proof(leaf).secret
            turn = fair_deal(rules, secrets.seal, leaf, secret, parts(number), dealer)
            dealer = dealer_after(turn.dealer, rules)
        else:
            game = cycle.open_hands[0]
            number, turn = game.hand, random_turn(game, chance, None)
        cycle = apply_to_hand(cycle, number, turn)
        turns.append((number, turn))
    names = CAST if rules.players == 4 else [f"Player {seat}" for seat in range(rules.players)]
    played = [turn for _, turn in sorted(turns, key=lambda one: one[0])]
    record = record_of(rules, names, played, at_once)
    proofs = {hand: (secrets.proof(leaf_of(hand, era(hand))), tuple(parts(hand))) for hand in range(1, hands + 1)}
    return json.loads(json.dumps(record_mapping(with_proofs(record, secrets.seal, proofs))))
