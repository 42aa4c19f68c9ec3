"""Readings of a table, written in notation, for the tests of doubts."""

from referee.doubts import judge_reading
from referee.judge import Situation
from referee.rules import preset
from referee.table import Choice, SeenTile, Table, TableReading
from referee.tiles import Tile

RULES = preset("rrrummy")
NOWHERE = ((0.0, 0.0),) * 4


def look(text, *, unseen=(), doubts=()):
    """Read a table: tiles in notation with `:probability`, choices with `|`, `~` before a tile's presence."""
    rows = [[seen(word) for word in row.split()] for row in text.split(" / ")]
    places = iter(range(sum(map(len, rows))))
    melds = tuple(tuple(next(places) for _ in row) for row in rows)
    return TableReading(tuple(tile for row in rows for tile in row), melds, tuple(doubts), unseen=unseen)


def seen(word):
    name, _, presence = word.partition("~")
    choices = []
    for one in name.split("|"):
        face, _, chance = one.partition(":")
        if face != "?":
            choices.append(Choice(Tile.parse(face), float(chance or 1)))
    choices.sort(key=lambda choice: -choice.probability)
    return SeenTile(NOWHERE, tuple(choices), presence=float(presence or 1))


def judged(before, after, rules=RULES, **situation):
    sides = [Table.parse(side) if isinstance(side, str) else side for side in (before, after)]
    return judge_reading(*sides, rules, Situation(**situation))


def asked(verdict):
    return [
        (q.index, q.tile, q.code.value, {answer.tile: answer.ruling.value for answer in q.answers})
        for q in verdict.doubts
    ]
