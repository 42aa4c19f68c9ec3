from pathlib import Path

import pytest

from referee.desk import Desk
from referee.log import Log
from referee.rules import RuleSet
from referee.table import Table
from web.commands.run import start_game
from web.settings import Settings

SETTINGS = Settings(players=("Ana", "Ben"))


def begun(log: Path, names: list[str]) -> None:
    """Play a turn of a game, and be killed."""
    desk = Desk(Log.open(log), now=1)
    desk.start(names, RuleSet(), version=None, now=1)
    desk.end_turn(version=None, now=2000, table=Table.parse("R10 R11 R12"))
    desk.close()


@pytest.mark.parametrize("names", [["Ana", "Ben"], ["Ben", "Ana"], ["Ana", "Benny"]], ids=["same", "order", "renamed"])
def test_started_again_with_the_same_command_the_game_goes_on(tmp_path: Path, names: list[str]):
    begun(tmp_path / "log.db", names)
    desk = Desk(Log.open(tmp_path / "log.db"), now=1)
    start_game(desk, SETTINGS)
    assert [player.name for player in desk.game.now.players] == names
    assert len(desk.game.now.turns) == 1
    desk.close()


def test_a_game_that_has_ended_waits_for_its_count(tmp_path: Path):
    desk = Desk(Log.open(tmp_path / "log.db"), now=1)
    start_game(desk, SETTINGS)
    desk.end_game(version=None, now=2000)
    start_game(desk, SETTINGS)
    assert desk.game.now.phase.value == "ended"
    desk.close()


def test_others_begin_a_game_of_their_own(tmp_path: Path):
    begun(tmp_path / "log.db", ["Cleo", "Dan"])
    desk = Desk(Log.open(tmp_path / "log.db"), now=1)
    start_game(desk, SETTINGS)
    assert [player.name for player in desk.game.now.players] == ["Ana", "Ben"]
    desk.close()
