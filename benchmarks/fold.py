"""How long folding a log takes: `python -m benchmarks.fold [EVENTS]`.

A log of games of 60 turns, each with its pauses, corrections, overrulings and undone turns; times are of the processor,
so that what else runs on the machine does not count.
"""

import random
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from itertools import chain, cycle, islice
from pathlib import Path

from referee import appeals, decisions
from referee.clock import PauseReason
from referee.decisions import Events, Moment
from referee.errors import GameError
from referee.events import Event
from referee.game import EMPTY_GAME, Game, replay
from referee.judging import decide
from referee.log import Log, Stamp
from referee.position import Call, Phase
from referee.rules import preset
from referee.sight import Sight
from referee.table import Table
from referee.verdict import Ruling

MELDS = [row for c in "KRBO" for row in (f"{c}1 {c}2 {c}3", f"{c}4 {c}5 {c}6", f"{c}7 {c}8 {c}9", f"{c}10 {c}11 {c}12")]
TURNS, GAMES = 60, 6


def game_events(dice: random.Random) -> list[Event]:
    """Play a game: its table grows to what the set has, and each kind of decision is met."""
    names = ["Ana", "Ben", "Cleo", "Dov"]
    events = list(decisions.start(EMPTY_GAME, names, preset("easy-rummy"), when=Moment(0, 0)))
    game = replay(events)
    while game.now.underway and len(game.now.turns) < TURNS:
        for decision in turn_decisions(dice):
            with suppress(GameError):
                new = decision(game)
                events += new
                game = replay(new, game)
    return events


def turn_decisions(dice: random.Random) -> list[Callable[[Game], Events]]:
    """Say what happens in a turn: most often it is played, now and then something is decided besides."""
    some = [
        lambda game: decisions.pause(game, PauseReason.PERSON, 1),
        lambda game: decisions.resume(game, 2),
        lambda game: decisions.undo(game, None, 3),
        lambda game: appeals.overrule(game, max(1, game.now.turn - 2), dice.choice(list(Ruling)), "", now=4),
        lambda game: appeals.correct(game, max(1, game.now.turn - 2), game.now.table, Sight(), now=5),
        lambda game: decisions.set_hand(game, "Ana", 9, 6),
    ]
    besides = [one for one in some if dice.random() < 0.05]
    return [lambda game: play(game, dice), lambda game: appeals.restored(game, now=7), *besides]


def play(game: Game, dice: random.Random) -> Events:
    """End a turn: with a meld more, with none, or with a row that is none."""
    if game.now.phase is not Phase.PLAY:
        return ()
    rows = [Table.parse(dice.choice([*MELDS, "R1 R2"])).rows[0]] if dice.random() < 0.6 else []
    return (decide(game.now, Table.of((*game.now.table.rows, *rows)), Call(1000, 8), 8),)


def match_events(count: int) -> list[Event]:
    """Give so many events of one match: some games, played over and over."""
    dice = random.Random(1)
    games = [game_events(dice) for _ in range(GAMES)]
    again = chain.from_iterable([replace(game[0], number=2), *game[1:]] for game in cycle(games))
    return [replace(next(again), number=1), *islice(again, count - 1)]


def reference() -> None:
    """Do work of a known size, by which to compare machines, and how busy they are."""
    total = 0
    for number in range(3_000_000):
        total += number


def best_ms(work: Callable[[], object], times: int = 5) -> float:
    """Give the shortest time of several, in milliseconds of the processor."""
    took = []
    for _ in range(times):
        start = time.process_time()
        work()
        took.append(1000 * (time.process_time() - start))
    return min(took)


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    events = match_events(count)
    with tempfile.TemporaryDirectory() as folder:
        log = Log.open(Path(folder) / "log.db")
        log.append(events, Stamp(0, 0, 0), after=0)
        assert log.present().events == tuple(events)
        turns = sum(type(event).__name__ == "TurnEnded" for event in events)
        print(f"reference loop: {best_ms(reference):.0f} ms")
        print(f"{count} events, {turns} of them turns")
        print(f"fold: {best_ms(lambda: replay(events)):.0f} ms (bar: 200 ms for 10,000)")
        print(f"read from the log, and fold: {best_ms(lambda: replay(log.present().events)):.0f} ms")
        log.close()


if __name__ == "__main__":
    main()
