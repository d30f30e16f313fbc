"""Fair deals: the vectors of docs/fairness.md, in the package and in the second program, and what chance would do."""

import json
import math
from collections import Counter
from pathlib import Path

import pytest

from bench.deals import hypergeometric, tail
from hearts.fair import Proof, Secrets, below, digest_of, fair_deal, part_of, secret_of, tidy
from hearts.rules import preset_rules
from tests.hearts import second_checker as second
from tests.hearts.fair_games import SEAL, SECRETS

VECTORS = json.loads((Path(__file__).parent / "fair_vectors.json").read_text(encoding="utf-8"))
MASTER = bytes.fromhex(VECTORS["master"])
DEALS = 2_000


def of_hex(parts):
    return [None if part is None else bytes.fromhex(part) for part in parts]


def hexed(part):
    return part and part.hex()


def test_the_seal_is_that_of_the_vectors():
    assert Secrets(MASTER).seal.hex() == second.seal_of(MASTER).hex() == VECTORS["root"]


@pytest.mark.parametrize("leaf", VECTORS["leaves"], ids=lambda leaf: str(leaf["leaf"]))
def test_each_secret_leads_to_the_seal(leaf):
    proof = SECRETS.proof(leaf["leaf"])
    assert proof.secret.hex() == leaf["secret"] == second.M(MASTER, "secret", second.four(leaf["leaf"])).hex()
    assert proof.seal() == SEAL == second.climbed(proof.leaf, proof.secret, proof.path)
    assert Proof(proof.leaf ^ 1, proof.secret, proof.path).seal() != SEAL


def test_a_path_is_that_of_the_vectors():
    path = [step.hex() for step in SECRETS.proof(VECTORS["path"]["leaf"]).path]
    assert path == VECTORS["path"]["path"]


def test_fields_are_encoded_with_their_lengths():
    encoding = VECTORS["encoding"]
    assert second.enc(encoding["tag"], map(bytes.fromhex, encoding["fields"])).hex() == encoding["bytes"]


@pytest.mark.parametrize("one", VECTORS["words"], ids=lambda one: ascii(one["words"])[:20])
def test_words_become_tidy_and_a_part(one):
    assert tidy(one["words"]) == second.tidy(one["words"]) == one["tidy"]
    assert hexed(part_of(SEAL, one["seat"], one["words"])) == one["part"]
    assert hexed(second.part(SEAL, one["seat"], one["words"])) == one["part"]


def test_half_a_character_counts_as_a_blank():
    assert tidy("a\ud800b") == second.tidy("a\ud800b") == "a b"


def test_the_list_has_a_field_for_each_seat():
    parts = [part_of(SEAL, one["seat"], one["words"]) for one in VECTORS["words"][:4]]
    assert digest_of(parts).hex() == second.list_of(parts).hex() == VECTORS["list"]
    assert digest_of([None] * 4).hex() == second.list_of([None] * 4).hex() == VECTORS["list_of_none"]


@pytest.mark.parametrize("one", VECTORS["below"], ids=lambda one: str(len(one["bounds"])))
def test_numbers_are_drawn_without_a_bias(one):
    numbers = second.Numbers(bytes.fromhex(one["key"]), one["tag"])
    assert [numbers.below(bound) for bound in one["bounds"]] == one["numbers"]
    bytes_left = iter([255, 250, 249])  # 256 - 256 % 10 is 250
    assert below(10, bytes_left) == 9


@pytest.mark.parametrize("one", VECTORS["deals"], ids=lambda one: f"{one['rules']} {one['leaf']}")
def test_each_deal_is_that_of_the_vectors(one):
    rules, secret, parts = preset_rules(**one["rules"]), secret_of(MASTER, one["leaf"]), of_hex(one["parts"])
    found = fair_deal(rules, SEAL, one["leaf"], secret, parts, None)
    assert ([*map(str, found.held)], str(found.kitty), found.dealer) == (one["deal"], one["kitty"], one["first_dealer"])
    key = second.key_of(one["rules"], SEAL, one["leaf"], secret, parts)
    assert (key.hex(), second.dealt(one["rules"], key)) == (one["key"], (one["deal"], one["kitty"]))


def test_few_seeded_deals_are_as_chance_has_them():
    rules, hearts, queens = preset_rules("classic"), Counter(), Counter()
    for number in range(DEALS):
        deal = fair_deal(rules, SEAL, number, secret_of(b"a test of deals", number), [b"one", None, None, None], None)
        hearts[sum(card >= 39 for card in deal.held[0])] += 1
        queens.update(seat for seat, held in enumerate(deal.held) if 36 in held)
    chances = [hypergeometric(length, 52, 13, 13) for length in range(14)]
    common = [length for length in range(14) if DEALS * chances[length] > 10]
    assert tail(sum((hearts[n] - DEALS * chances[n]) ** 2 / (DEALS * chances[n]) for n in common), len(common)) > 0.001
    assert all(abs(queens[seat] - DEALS / 4) < 4 * math.sqrt(DEALS * 3 / 16) for seat in range(4))
