"""Words for the tables of cases about jokers (RULEBOOK 6)."""

import pytest

LOCKED = {"joker_meld_locked": True}
FREE = {"joker_meld_locked": False}
ANY = {"joker_swap": "any"}
OWN = {"joker_reuse": "new_meld_own"}
TWO_OWN = {"joker_reuse": "new_meld_two_own"}
BIG = {"copies": 3, "jokers": 4}
MOVED, NOT_HAND, BROKEN, REUSE = "joker_moved", "joker_swap_not_from_hand", "joker_meld_broken", "joker_reuse"


def case(before, after, says, title, **options):
    return pytest.param(before, after, options, says, id=title)
