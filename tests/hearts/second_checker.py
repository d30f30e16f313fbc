"""A second checker of fair deals, written from docs/fairness.md alone: it imports nothing of this project.

`python tests/hearts/second_checker.py RECORD [SEAL]` prints how many deals agree with the seal.
"""

import json
import sys
import unicodedata
from hashlib import sha256
from hmac import new


class Wrong(Exception):
    """A deal is not the one that had to come."""


def four(number):
    return bytes([number >> 24 & 255, number >> 16 & 255, number >> 8 & 255, number & 255])


def enc(tag, fields):
    out = bytearray()
    for field in [f"hearts-by-mail/fair/1/{tag}".encode("ascii"), *fields]:
        out += four(len(field))
        out += field
    return bytes(out)


def H(tag, *fields):
    return sha256(enc(tag, fields)).digest()


def M(key, tag, *fields):
    return new(key, enc(tag, fields), "sha256").digest()


def seal_of(master):
    row = [H("leaf", four(i), M(master, "secret", four(i))) for i in range(4096)]
    while len(row) > 1:
        row = [H("node", left, right) for left, right in zip(row[::2], row[1::2], strict=True)]
    return row[0]


def climbed(i, secret, path):
    node = H("leaf", four(i), secret)
    for sister in path:
        node = H("node", sister, node) if i % 2 else H("node", node, sister)
        i //= 2
    return node


def tidy(words):
    text = unicodedata.normalize("NFC", "".join(" " if "\ud800" <= sign <= "\udfff" else sign for sign in words))
    blank = "".join(" " if sign <= " " or "\u007f" <= sign <= "\u00a0" else sign for sign in text)
    return " ".join(word for word in blank.split(" ") if word)[:100].removesuffix(" ")


def part(root, seat, words):
    return H("part", root, four(seat), tidy(words).encode()) if tidy(words) else None


def list_of(parts):
    return H("list", *[b"" if one is None else one for one in parts])


def pack_of(rules):
    preset, players = rules.get("preset", "classic"), rules.get("players", 4)
    two = rules.get("packs", 2 if preset == "cancellation" else 1) == 2
    kitty = rules.get("kitty", "on" if preset == "kitty" else "off") != "off"
    lacking = {3: "2D", 5: "2C 2D", 6: "2D 3D 3C 4C", 7: "2D 3C 3D"}.get(players, "")
    pack = []
    for suit in "CDSH":
        for rank in "23456789TJQKA":
            if two:
                pack += [rank + suit, rank + suit]
            elif kitty or rank + suit not in lacking.split():
                pack.append(rank + suit)
    return pack, 12 if kitty and players == 4 else len(pack) // players, players


def key_of(rules, root, i, secret, parts):
    pack, each, players = pack_of(rules)
    return M(secret, "deal", root, four(i), list_of(parts), four(players), four(each), " ".join(pack).encode())


class Numbers:
    def __init__(self, key, tag):
        self.key, self.tag, self.at = key, tag, 0

    def below(self, bound):
        while True:
            byte = M(self.key, self.tag, four(self.at // 32))[self.at % 32]
            self.at += 1
            if byte < 256 - 256 % bound:
                return byte % bound


def dealt(rules, key):
    """The hands and the kitty as texts, cards in order."""
    pack, each, players = pack_of(rules)
    cards, numbers = list(pack), Numbers(key, "shuffle")
    for n in range(len(cards), 1, -1):
        j = numbers.below(n)
        cards[n - 1], cards[j] = cards[j], cards[n - 1]
    hands = [cards[seat * each : (seat + 1) * each] for seat in range(players)]
    return [in_order(hand) for hand in hands], in_order(cards[players * each :])


def in_order(codes):
    return " ".join(sorted(codes, key=lambda code: ("CDSH".index(code[1]), "23456789TJQKA".index(code[0]))))


def of_hex(text):
    return None if text is None else bytes.fromhex(text)


def check(record, seal=None, seat=None, words=""):
    """How many deals agree. Raises Wrong with the number of the first hand that does not; 0 is the record itself."""
    root, parts, dealer = of_hex(record["fair"]["root"]), [of_hex(one) for one in record["fair"]["parts"]], None
    if seal is not None and seal != record["fair"]["root"]:
        raise Wrong(0)
    rules = record["rules"]
    for number, hand in enumerate(record["hands"], 1):
        fair = hand["fair"]
        before, parts = parts, [of_hex(one) for one in fair["parts"]] if "parts" in fair else parts
        taken_out = any(one is None is not old for old, one in zip(before, parts, strict=True))
        i, secret = fair["leaf"], of_hex(fair["secret"])
        is_sealed = climbed(i, secret, map(of_hex, fair["path"])) == root and len(fair["path"]) == 12
        if not is_sealed or i % 256 != number - 1 or taken_out:
            raise Wrong(number)
        if seat is not None and parts[seat] != part(root, seat, words):
            raise Wrong(number)
        key = key_of(rules, root, i, secret, parts)
        found = [in_order(one.split()) for one in (*hand["deal"], hand["kitty"])]
        hands, kitty = dealt(rules, key)
        first = Numbers(key, "dealer").below(len(hands)) if dealer is None else dealer
        if found != [*hands, kitty] or hand["dealer"] != first:
            raise Wrong(number)
        dealer = (first + 1) % len(hands)
    return len(record["hands"])


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        sys.stdout.write(f"{check(json.load(file), *sys.argv[2:3])} deals agree\n")
