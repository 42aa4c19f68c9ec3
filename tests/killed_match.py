"""A match played by another process that is killed in the middle, and what must hold when its log is opened again.

`python tests/killed_match.py 200` kills 200 of them and prints what was found.
"""

import hashlib
import multiprocessing
import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[1])]

from referee.clock import PauseReason, wall_clock_ms
from referee.decisions import Setup
from referee.desk import Desk
from referee.errors import GameError
from referee.game import Game, replay
from referee.log import Log
from referee.position import Phase
from referee.rules import preset
from referee.table import Table
from referee.verdict import Ruling

TICK_MS = 100
NEAR_MS = 5
LONGEST_MS = 600
MELDS = ("R10 R11 R12", "K10 R10 B10", "B11 B12 B13", "O1 O2 O3 O4", "K5 R5 B5", "R1 R2", "K1 K2 K4")


class Sent(NamedTuple):
    """A message of the playing process: `what` is `write` before a write, `done` or `tick` after it.

    `used_ms` is what was used of the turn at the moment `at_ms`, which is that of the write.
    """

    what: str
    version: int = 0
    state: str = ""
    used_ms: int = 0
    since_ms: int | None = None
    at_ms: int = 0


def now_ms() -> int:
    return time.monotonic_ns() // 1_000_000


def digest(game: Game) -> str:
    return hashlib.sha256(repr(game.now).encode()).hexdigest()


def message(what: str, desk: Desk, at_ms: int) -> Sent:
    clock = desk.game.now.clock
    return Sent(what, desk.version, digest(desk.game), clock.used(at_ms), clock.since_ms, at_ms)


def play(path: Path, seed: int, pipe: Connection) -> None:
    """Play until killed, telling of every write before and after it."""
    now = now_ms()
    desk, dice = Desk(Log.open(path), now=now), random.Random(seed)
    with suppress(GameError):
        desk.resume(version=None, now=now)
    pipe.send(message("done", desk, now))
    ticked = now
    while True:
        pipe.send(Sent("write"))
        before, now = desk.version, now_ms()
        with suppress(GameError):
            act(desk, dice, now)
        if desk.version > before:
            pipe.send(message("done", desk, now))
        time.sleep(dice.choice([0, 0.002, 0.02]))
        now = now_ms()
        if now - ticked >= TICK_MS:
            ticked = now
            pipe.send(Sent("write"))
            desk.tick(now=now, wall_ms=wall_clock_ms())
            pipe.send(message("tick", desk, now))


def act(desk: Desk, dice: random.Random, now: int) -> None:
    at = desk.game.now
    if not at.underway or len(at.turns) > 12:
        fresh = Setup(new_match=dice.random() < 0.5, abandon=True)
        desk.start(["Ana", "Ben", "Cleo"], preset("rrrummy"), version=None, now=now, setup=fresh)
    elif at.phase is Phase.RESTORE:
        desk.restored(version=None, now=now)
    elif at.phase is Phase.VERDICT:
        desk.look_again(version=None, now=now)
    else:
        dice.choice(ACTIONS)(desk, dice, now)


def lay(desk: Desk, dice: random.Random, now: int) -> None:
    table = Table.of((*desk.game.now.table.rows, *Table.parse(dice.choice(MELDS)).rows))
    desk.end_turn(version=None, now=now, table=table)


def overrule(desk: Desk, dice: random.Random, now: int) -> None:
    desk.overrule(
        dice.randint(1, max(1, len(desk.game.now.turns))), dice.choice(list(Ruling)), "so", version=None, now=now
    )


ACTIONS = (
    lay,
    lay,
    overrule,
    lambda desk, _dice, now: desk.end_turn(version=None, now=now),
    lambda desk, _dice, now: desk.undo(version=None, now=now),
    lambda desk, _dice, now: desk.redo(version=None, now=now),
    lambda desk, _dice, now: desk.pause(version=None, now=now),
    lambda desk, _dice, now: desk.resume(version=None, now=now),
    lambda desk, _dice, now: desk.resume(version=None, now=now),
    lambda desk, dice, now: desk.set_hand("Ana", dice.randint(1, 20), version=None, now=now),
)


@dataclass(frozen=True)
class Killed:
    """A match that was killed: its last word of a write that was done, when it was killed, and whether in a write."""

    last: Sent
    at_ms: int
    in_write: bool = False


def kill_one(path: Path, seed: int, *, near_a_write: bool) -> Killed:
    """Let a process play for a random while, then kill it: at any moment, or within 5 ms of the start of a write."""
    dice = random.Random(seed)
    ours, theirs = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(target=play, args=(path, seed, theirs), daemon=True)
    process.start()
    theirs.close()
    last = ours.recv()
    end = now_ms() + dice.uniform(0, LONGEST_MS)
    for sent in _until(ours, end):
        last = sent if sent.what != "write" else last
    if near_a_write:
        for sent in iter(ours.recv, None):
            if sent.what == "write":
                break
            last = sent
        time.sleep(dice.uniform(0, NEAR_MS) / 1000)
    os.kill(process.pid, signal.SIGKILL)
    at_ms = now_ms()
    process.join()
    return _rest(ours, Killed(last, at_ms, near_a_write))


def _until(pipe: Connection, end_ms: float) -> Iterator[Sent]:
    while (left := end_ms - now_ms()) > 0:
        if pipe.poll(left / 1000):
            yield pipe.recv()


def _rest(pipe: Connection, killed: Killed) -> Killed:
    """Take in what was still on the way."""
    with suppress(EOFError):
        while True:
            sent = pipe.recv()
            written = Killed(sent, killed.at_ms)
            killed = replace(killed, in_write=True) if sent.what == "write" else written
    return killed


class Found(NamedTuple):
    """What the log held after a kill: events beyond the last that was told of, and how far the clock was off."""

    beyond: int
    in_write: bool
    clock_error_ms: int | None


def check(path: Path, killed: Killed) -> Found:
    """Open the log again and see that nothing is lost, nothing is there twice, and the clock stands where it was."""
    log = Log.open(path)
    logged = log.present()
    numbers = [row[0] for row in log._raw.execute("SELECT seq FROM events ORDER BY seq")]
    assert numbers == list(range(1, logged.version + 1)), "an event is missing or there twice"
    beyond = logged.version - killed.last.version
    assert beyond >= 0, f"{-beyond} acknowledged events are missing"
    known = logged.events[: len(logged.events) - beyond]
    assert not known or digest(replay(known)) == killed.last.state, "what was told of is not in the log"
    desk = Desk(log, now=now_ms())
    assert desk.game == replay(log.present().events), "the state is not the fold"
    error = clock_error(desk, killed) if beyond == 0 and killed.last.since_ms is not None else None
    desk.close()
    return Found(beyond, killed.in_write, error)


def clock_error(desk: Desk, killed: Killed) -> int:
    """Give how many milliseconds of the turn were lost; its clock ran when the process was killed."""
    clock, last = desk.game.now.clock, killed.last
    assert clock.pause is PauseReason.RESTART
    used = last.used_ms + killed.at_ms - last.at_ms
    assert last.used_ms <= clock.used_ms <= used, "time that was saved is lost"
    return used - clock.used_ms


def kill_many(path: Path, kills: int) -> list[Found]:
    """Kill a match again and again, half of the times near a write; each goes on where the one before it was killed."""
    return [check(path, kill_one(path, seed, near_a_write=seed % 2 == 0)) for seed in range(kills)]


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        found = kill_many(Path(folder) / "log.db", int(sys.argv[1]))
    errors = sorted(one.clock_error_ms for one in found if one.clock_error_ms is not None)
    written = sum(one.beyond > 0 for one in found)
    in_write = sum(one.in_write for one in found)
    sys.stdout.write(
        f"{len(found)} kills, {in_write} in a write: no acknowledged event missing, none twice, state = fold; "
        f"{written} with an event that was not yet acknowledged; of {len(errors)} clocks that ran, off by "
        f"{errors[len(errors) // 2]} ms in the middle, {errors[-1]} ms at most\n"
    )
