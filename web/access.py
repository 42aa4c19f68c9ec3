"""Who may do what: roles, PINs, the limiter of wrong PINs, and the names under which this machine may be called."""

import hashlib
import hmac
import json
import os
import secrets
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum
from ipaddress import ip_address
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

from web.settings import SettingsError, is_loopback

PIN_DIGITS = 6
FREE_TRIES = 3
LONGEST_WAIT_S = 600.0
TRIES_OF_ALL = 40
WINDOW_OF_ALL_S = 600.0
REMEMBERED_ADDRESSES = 1000


class Role(IntEnum):
    """What a visitor may do; each role may do what the lower ones may."""

    WATCH = 0
    PLAYER = 1
    REFEREE = 2

    def __str__(self) -> str:
        """Give the role's word in the JSON: `watch`, `player`, `referee`."""
        return self.name.lower()

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a role's word.

        Raises:
            ValueError: `text` is no role.
        """
        try:
            return cls[text.upper()]
        except KeyError:
            msg = f"{text!r} is no role: watch, player or referee"
            raise ValueError(msg) from None


@dataclass(frozen=True)
class Keys:
    """The secrets of one installation: the key that signs cookies and the two PINs."""

    secret: str
    player_pin: str
    referee_pin: str

    @classmethod
    def make(cls) -> Self:
        """Draw new secrets; the two PINs differ."""
        player, referee = _pin(), _pin()
        while referee == player:
            referee = _pin()
        return cls(secrets.token_hex(32), player, referee)

    def role_of(self, pin: str) -> Role:
        """Give the role that a PIN opens, `watch` for a wrong one; takes the same time for any PIN."""
        is_referee = hmac.compare_digest(pin.encode(), self.referee_pin.encode())
        is_player = hmac.compare_digest(pin.encode(), self.player_pin.encode())
        return Role.REFEREE if is_referee else Role.PLAYER if is_player else Role.WATCH

    def stamp(self, role: Role) -> str:
        """Give the mark a cookie of this role must bear; it changes with the PIN, so that old cookies lose the role."""
        pin = {Role.REFEREE: self.referee_pin, Role.PLAYER: self.player_pin}.get(role, "")
        return hmac.new(self.secret.encode(), f"{role} {pin}".encode(), hashlib.sha256).hexdigest()[:24]


def _pin() -> str:
    return f"{secrets.randbelow(10**PIN_DIGITS):0{PIN_DIGITS}d}"


def load_keys(folder: Path) -> Keys:
    """Read the secrets kept in `folder`, making them on the first run, readable by their owner alone.

    Raises:
        SettingsError: the folder cannot be written, or the file is damaged; the message says what to do.
    """
    file = folder / "keys.json"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not file.exists():
            _write_private(file, Keys.make())
        return Keys(**json.loads(file.read_text(encoding="utf-8")))
    except OSError as error:
        msg = f"the secrets in {str(file)!r} cannot be kept ({error.strerror}); choose another folder with --data"
        raise SettingsError(msg) from error
    except (ValueError, TypeError) as error:
        msg = f"the secrets in {str(file)!r} are damaged; delete that file, new PINs are then made"
        raise SettingsError(msg) from error


def _write_private(file: Path, keys: Keys) -> None:
    """Write the secrets so that nobody else can read them at any moment (where the system knows such rights)."""
    handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as stream:
        json.dump({"secret": keys.secret, "player_pin": keys.player_pin, "referee_pin": keys.referee_pin}, stream)


@dataclass
class _Tries:
    """Wrong PINs of one address: how many in a row, and until when the next is refused."""

    wrong: int = 0
    closed_until: float = 0.0


@dataclass
class PinLimiter:
    """Slows the guessing of PINs: each address on its own, and all together.

    After three wrong PINs an address waits 4, 8, 16 … seconds, up to ten minutes; of all addresses together at most
    forty wrong ones are heard in ten minutes. `now` is a monotonic clock in seconds.
    """

    now: Callable[[], float]
    _addresses: dict[str, _Tries] = field(default_factory=dict)
    _wrong_at: list[float] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def enter(self, address: str) -> float:
        """Ask for one try: 0 admits it and counts it as wrong until `forgive`; else the seconds to wait first.

        Counting before the PIN is looked at keeps tries at the same moment from slipping through together.
        """
        with self._lock:
            now = self.now()
            self._wrong_at = [then for then in self._wrong_at if then > now - WINDOW_OF_ALL_S]
            tries = self._addresses.pop(address, _Tries())
            own = tries.closed_until - now
            of_all = self._wrong_at[0] + WINDOW_OF_ALL_S - now if len(self._wrong_at) >= TRIES_OF_ALL else 0.0
            if own <= 0 and of_all <= 0:
                tries = self._counted(tries, now)
            self._addresses[address] = tries
            while len(self._addresses) > REMEMBERED_ADDRESSES:
                del self._addresses[next(iter(self._addresses))]
            return max(own, of_all, 0.0)

    def _counted(self, tries: _Tries, now: float) -> _Tries:
        self._wrong_at.append(now)
        wrong = tries.wrong + 1
        wait = min(2.0 ** (wrong - FREE_TRIES + 2), LONGEST_WAIT_S) if wrong >= FREE_TRIES else 0.0
        return _Tries(wrong, now + wait)

    def forgive(self, address: str) -> None:
        """Take back the last try of this address, whose PIN was right, and forget the wrong ones before it."""
        with self._lock:
            self._addresses.pop(address, None)
            if self._wrong_at:
                self._wrong_at.pop()


@dataclass(frozen=True)
class HostGuard:
    """Knows the names of this machine, so that a foreign site's name that resolves here (rebinding) is refused."""

    bound_to: str
    extra: tuple[str, ...] = ()

    def allows(self, host_header: str) -> bool:
        """Tell whether a Host header is one of our own addresses or names; the port is not looked at."""
        host = host_name(host_header)
        if not host:
            return False
        if host in {name.lower() for name in self.extra} or is_loopback(host):
            return True
        return not is_loopback(self.bound_to) and (host == self.bound_to.lower() or is_own(host))


def host_name(host_header: str) -> str:
    """Give the name or address of a Host header without its port, in lower case; empty where it is malformed."""
    try:
        parts = urlsplit(f"//{host_header}")
        malformed = parts.path or parts.query or parts.fragment or parts.username is not None
        return "" if malformed or (parts.port or 0) < 0 else (parts.hostname or "").lower().removesuffix(".")
    except ValueError:
        return ""


def is_own(host: str) -> bool:
    """Tell whether a name is this machine's host name (with or without `.local`) or an address of one of its cards."""
    try:
        address = ip_address(host)
    except ValueError:
        own = socket.gethostname().lower().removesuffix(".local")
        return host in {own, f"{own}.local"}
    return not (address.is_unspecified or address.is_multicast) and _can_bind(str(address))


def _can_bind(address: str) -> bool:
    """Only an address of this machine can be bound to; works on every system and without listing its cards."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.bind((address, 0))
    except OSError:
        return False
    return True


def own_address() -> str:
    """Give the address under which the home network most likely sees this machine; sends nothing."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
    except OSError:
        return "127.0.0.1"


def same_origin(origin: str, host_header: str) -> bool:
    """Tell whether an Origin header names the host (and port) that the request was sent to."""
    parts = urlsplit(origin)
    return parts.scheme in {"http", "https"} and parts.netloc.lower() == host_header.lower()
