import json
import os
import stat

import pytest

from web.access import (
    FREE_TRIES,
    LONGEST_WAIT_S,
    TRIES_OF_ALL,
    HostGuard,
    Keys,
    PinLimiter,
    Role,
    host_name,
    load_keys,
    same_origin,
)
from web.settings import SettingsError


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


def test_roles_are_ordered_and_their_words_are_read_back():
    assert Role.WATCH < Role.PLAYER < Role.REFEREE
    assert [Role.parse(str(role)) for role in Role] == list(Role)
    with pytest.raises(ValueError, match="'king'"):
        Role.parse("king")


def test_each_pin_opens_its_role_and_no_other_text_opens_any():
    keys = Keys("s", "111111", "222222")
    assert [keys.role_of(pin) for pin in ("222222", "111111", "000000", "", "11111", "é")] == [
        Role.REFEREE,
        Role.PLAYER,
        Role.WATCH,
        Role.WATCH,
        Role.WATCH,
        Role.WATCH,
    ]


def test_the_stamp_of_a_role_changes_with_its_pin():
    assert Keys("s", "1", "2").stamp(Role.REFEREE) != Keys("s", "1", "3").stamp(Role.REFEREE)
    assert Keys("s", "1", "2").stamp(Role.PLAYER) == Keys("s", "1", "3").stamp(Role.PLAYER)


def test_made_keys_have_two_different_pins_of_six_digits():
    keys = Keys.make()
    assert keys.player_pin != keys.referee_pin
    assert all(len(pin) == 6 and pin.isdigit() for pin in (keys.player_pin, keys.referee_pin))


def test_keys_are_made_once_and_readable_by_their_owner_alone(tmp_path):
    folder = tmp_path / "data"
    first = load_keys(folder)
    assert load_keys(folder) == first
    if os.name == "posix":
        assert stat.S_IMODE((folder / "keys.json").stat().st_mode) == 0o600


@pytest.mark.parametrize("text", ["{", json.dumps({"secret": "x"}), "[]"], ids=["broken", "incomplete", "list"])
def test_damaged_keys_are_named_with_the_way_out(tmp_path, text):
    (tmp_path / "keys.json").write_text(text)
    with pytest.raises(SettingsError, match="delete"):
        load_keys(tmp_path)


def test_after_three_wrong_pins_an_address_waits_longer_each_time():
    clock = Clock()
    limiter = PinLimiter(clock)
    for _ in range(FREE_TRIES):
        assert limiter.enter("a") == 0
    first = limiter.enter("a")
    clock.now += first
    assert limiter.enter("a") == 0
    assert limiter.enter("a") == 2 * first


def test_another_address_does_not_wait():
    limiter = PinLimiter(Clock())
    for _ in range(FREE_TRIES):
        limiter.enter("a")
    assert limiter.enter("a") > 0
    assert limiter.enter("b") == 0


def test_all_addresses_together_are_limited():
    limiter = PinLimiter(Clock())
    assert all(limiter.enter(str(n)) == 0 for n in range(TRIES_OF_ALL))
    assert limiter.enter("one more") > 0


def test_a_right_pin_forgets_the_wrong_ones_before_it():
    limiter = PinLimiter(Clock())
    for _ in range(FREE_TRIES - 1):
        limiter.enter("a")
    limiter.enter("a")
    limiter.forgive("a")
    assert limiter.enter("a") == 0


def test_ten_minutes_of_guessing_from_many_addresses_try_few_pins():
    clock, tried = Clock(), 0
    limiter = PinLimiter(clock)
    while clock.now < 600:
        tried += sum(limiter.enter(f"10.0.0.{n}") == 0 for n in range(20))
        clock.now += 0.5
    assert tried <= 2 * TRIES_OF_ALL
    assert limiter.enter("10.0.0.1") <= LONGEST_WAIT_S


OWN = ["localhost", "localhost:8000", "127.0.0.1:8000", "[::1]:8000", "LOCALHOST", "localhost."]
FOREIGN = [
    "evil.com",
    "evil.com:8000",
    "127.0.0.1.evil.com",
    "localhost.evil.com",
    "",
    "localhost/x",
    "a@localhost",
    "[::1",
    "localhost:x",
    "203.0.113.9",
]


@pytest.mark.parametrize("header", OWN)
def test_our_own_names_are_allowed(header):
    assert HostGuard("127.0.0.1").allows(header)


@pytest.mark.parametrize("header", FOREIGN)
@pytest.mark.parametrize("bound", ["127.0.0.1", "0.0.0.0"])  # noqa: S104
def test_foreign_names_are_refused(header, bound):
    assert not HostGuard(bound).allows(header)


def test_names_given_by_the_owner_and_of_this_machine_are_allowed(monkeypatch):
    monkeypatch.setattr("socket.gethostname", lambda: "Kitchen")
    guard = HostGuard("0.0.0.0", ("Game.lan",))  # noqa: S104
    assert all(guard.allows(name) for name in ("game.lan:80", "kitchen", "kitchen.local:8000"))
    assert not HostGuard("127.0.0.1").allows("kitchen")


def test_a_host_header_gives_its_name():
    assert [host_name(text) for text in ("A.b:1", "[fe80::1]:2", "a b", "a:b:c")] == ["a.b", "fe80::1", "a b", ""]


ORIGINS = [
    ("http://h:1", "h:1", True),
    ("https://h", "h", True),
    ("http://h:2", "h:1", False),
    ("null", "h", False),
    ("ftp://h", "h", False),
    ("http://evil", "h", False),
]


@pytest.mark.parametrize(("origin", "host", "is_same"), ORIGINS)
def test_an_origin_is_compared_with_the_host_it_was_sent_to(origin, host, is_same):
    assert same_origin(origin, host) is is_same
