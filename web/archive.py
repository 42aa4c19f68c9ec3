"""Every game that was played here: its turns, its figures, its file to take away, and its end when it is deleted."""

import csv
import io
import zipfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from flask import Blueprint, Response, jsonify, render_template, request
from flask_babel import format_date, format_time
from flask_babel import gettext as _

from referee.desk import Desk
from referee.errors import LogError
from referee.exchange import export_game
from referee.game import replay
from referee.history import Turn
from referee.log import LoggedGame
from referee.position import Position
from referee.statistics import game_statistics
from web.access import Role
from web.body import ApiError, Body
from web.evidence import SIDES, Side
from web.guard import check_role, present_role, requires
from web.sentences import sentences
from web.services import services
from web.session import language, may_see_pictures
from web.state import spoken_verdict

archive = Blueprint("archive", __name__)


class PastGame(NamedTuple):
    """A game of the log, its number there, when it began, where it stands, and whether it is of the present match."""

    number: int
    logged: LoggedGame
    at: Position
    is_present: bool

    @property
    def began(self) -> str:
        """When it began, in the words of the page's language."""
        return written_time(self.logged.started.wall_ms)


def turn_of(at: Position, number: int) -> Turn:
    """Give a past turn of a game.

    Raises:
        ApiError: 404, there is none of that number.
    """
    found = at.past(number)
    if found is None:
        raise ApiError(404, "no_turn", _("There is no turn %(number)s in this game.", number=number))
    return found


def written_time(wall_ms: int) -> str:
    """Give a time on the wall (milliseconds since 1970) as people write it."""
    moment = datetime.fromtimestamp(wall_ms / 1000, UTC).astimezone().replace(tzinfo=None)
    return f"{format_date(moment, 'long', rebase=False)}, {format_time(moment, 'short', rebase=False)}"


def past_game(number: int) -> PastGame:
    """Give a game of the log by its number there.

    Raises:
        ApiError: 404, there is no such game.
    """
    desk = services().desk
    logged = desk.log.games()
    found = next((one for one in logged if one.game == number), None)
    if found is None:
        raise ApiError(404, "no_game", _("There is no such game."))
    at = desk.game.now if number == desk.game_id else replay(desk.log.events(number)).now
    return PastGame(number, found, at, found.match == _present_match(logged, desk))


def _present_match(logged: Sequence[LoggedGame], desk: Desk) -> int:
    return next((one.match for one in logged if one.game == desk.game_id), 0)


def picture_files(game: int) -> list[Path]:
    """Give the pictures that were kept of a game and that this visitor may see, in the order of the turns."""
    evidence = services().evidence
    if evidence is None or not may_see_pictures(present_role()):
        return []
    return evidence.of_game(game)


# --- pages ---


@archive.get("/games")
def games() -> str:
    """Every game, the newest first."""
    desk = services().desk
    logged = desk.log.games()
    listed = [(one, written_time(one.started.wall_ms)) for one in reversed(logged)]
    match = _present_match(logged, desk)
    present = {one.game for one in logged if one.match == match}
    return render_template("games.html", games=listed, present=present, version=desk.version)


@archive.get("/games/<int:number>")
def game(number: int) -> str:
    """One game: its figures and its turns."""
    past = past_game(number)
    return render_template(
        "game.html",
        past=past,
        at=past.at,
        sentences=sentences(language()),
        statistics=game_statistics([player.name for player in past.at.players], past.at.turns),
        pictures=len(picture_files(number)),
        version=services().desk.version,
        is_present=past.is_present,
    )


@archive.get("/games/<int:number>/turns/<int:turn>")
def game_turn(number: int, turn: int) -> str:
    """One turn of a game that is over."""
    past = past_game(number)
    return turn_page(number, past.at, turn_of(past.at, turn), f"/games/{number}")


def turn_page(game: int, at: Position, turn: Turn, back: str) -> str:
    """Show a turn of a game (its number in the log); `back` is the page of its game."""
    words, name = sentences(language()), at.players[turn.seat].name
    return render_template(
        "turn.html",
        turn=turn,
        player=name,
        verdict=spoken_verdict(turn.verdict, words, name),
        ruling=words.ruling(turn.ruling),
        pictures=f"/api/games/{game}/turns/{turn.number}" if has_pictures(game, turn.number) else None,
        back=back,
        is_present=game == services().desk.game_id,
        version=services().desk.version,
    )


def has_pictures(game: int, turn: int) -> bool:
    """Tell whether both pictures of a turn were kept and may be shown."""
    evidence = services().evidence
    if evidence is None or not may_see_pictures(present_role()):
        return False
    return all(evidence.file(turn, side, game).is_file() for side in SIDES)


# --- files to take away ---


@archive.get("/api/games")
def list_games() -> Response:
    """Give every game of the log, the newest first."""
    desk = services().desk
    return jsonify(
        {
            "games": [
                {
                    "game": one.game,
                    "match": one.match,
                    "number": one.started.number,
                    "began_ms": one.started.wall_ms,
                    "players": list(one.started.names),
                    "rules": one.started.rules.name,
                }
                for one in reversed(desk.log.games())
            ]
        }
    )


@archive.get("/api/games/<int:number>/game.json")
def game_json(number: int) -> Response:
    """Give a game as one file: every event, as the log has it."""
    past = past_game(number)
    return attachment(export_game(services().desk.log, past.number), "application/json", f"game-{number}.json")


@archive.get("/api/games/<int:number>/scores.csv")
def game_csv(number: int) -> Response:
    """Give the scores and figures of a game, a line a player."""
    past = past_game(number)
    return attachment(as_csv(player_lines(past.at)), "text/csv", f"game-{number}.csv")


@archive.get("/api/games/<int:number>/game.zip")
def game_zip(number: int) -> Response:
    """Give a game with all there is of it: its file, its scores, its turns in words, its pictures."""
    return attachment(packed(past_game(number)), "application/zip", f"game-{number}.zip")


@archive.get("/api/games/<int:number>/turns/<int:turn>/<any(before, after):side>.jpg")
def game_picture(number: int, turn: int, side: Side) -> Response:
    """Give the picture that was kept of a turn."""
    return kept_picture(turn, side, number)


def kept_picture(turn: int, side: Side, game: int | None = None) -> Response:
    """Give the picture that was kept of a turn, in the present game where none is named.

    Raises:
        ApiError: 401, who asks may see no pictures; 404, there is none.
    """
    if not may_see_pictures(present_role()):
        check_role(Role.PLAYER)
    evidence = services().evidence
    picture = evidence.load(turn, side, game) if evidence else None
    if picture is None:
        raise ApiError(404, "no_picture", _("No such picture was kept."))
    return Response(picture, mimetype="image/jpeg")


def packed(past: PastGame) -> bytes:
    """Pack a game: pictures are stored as they are, JPEGs do not get smaller."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as files:
        files.writestr("game.json", export_game(services().desk.log, past.number))
        files.writestr("scores.csv", as_csv(player_lines(past.at)))
        files.writestr("turns.csv", as_csv(turn_lines(past.at)))
        for file in picture_files(past.number):
            files.write(file, f"pictures/{file.name.partition('-turn-')[2]}", zipfile.ZIP_STORED)
    return content.getvalue()


def player_lines(at: Position) -> list[list[str]]:
    """Give a head, and a line a player: score of the match, points of the game, and how they played."""
    lines = [["player", "score", "points", "tiles_left", "turns", "seconds", "tiles", "mistakes", "draws", "time_outs"]]
    figures = game_statistics([player.name for player in at.players], at.turns)
    for seat, one in enumerate(figures):
        points = str(at.result.points[seat]) if at.result else ""
        rack = " ".join(map(str, at.result.racks[seat])) if at.result else ""
        played = [str(one.turns), f"{one.seconds:.1f}", f"{one.tiles:.1f}"]
        counts = [str(one.faults), str(one.draws), str(one.time_outs)]
        lines.append([as_text(one.name), str(at.players[seat].score), points, rack, *played, *counts])
    return lines


def turn_lines(at: Position) -> list[list[str]]:
    """Give a head, and a line a turn: who, the verdict in a word and in a sentence, and the table after it."""
    words = sentences(language())
    lines = [["turn", "player", "verdict", "codes", "played", "drawn", "seconds", "table", "said"]]
    for turn in at.turns:
        name = at.players[turn.seat].name
        said = " ".join([words.verdict(turn.verdict, name), *map(words.fault, turn.verdict.faults)])
        codes = " ".join(code.value for code in turn.verdict.codes)
        played = " ".join(map(str, turn.played))
        seconds = f"{turn.used_ms / 1000:.1f}"
        told = [turn.ruling.value, codes, played, str(turn.drawn), seconds, as_text(str(turn.after)), as_text(said)]
        lines.append([str(turn.number), as_text(name), *told])
    return lines


def as_text(text: str) -> str:
    """Give a text that no spreadsheet runs as a formula."""
    return f"'{text}" if text[:1] in "=+-@\t\r" and text != "-" else text


def as_csv(lines: list[list[str]]) -> str:
    """Write lines as CSV."""
    content = io.StringIO()
    csv.writer(content).writerows(lines)
    return content.getvalue()


def attachment(content: str | bytes, kind: str, name: str) -> Response:
    """Give a file to keep."""
    answer = Response(content, mimetype=kind)
    answer.headers["Content-Disposition"] = f"attachment; filename={name}"
    return answer


# --- deleting ---


@archive.post("/api/delete")
@requires(Role.REFEREE)
def delete_game() -> Response:
    """Delete a game of the log and its pictures for good; those of the match under way stay."""
    own, body = services(), Body.of(request)
    body.check_version(own.desk.state)
    past = past_game(body.whole("game", 1))
    if past.is_present and not past.logged.imported:
        raise ApiError(422, "present_match", _("This game belongs to the present match. Begin a new match first."))
    files = picture_files(past.number)
    own.desk.log.delete_game(past.number)
    for file in files:
        _forget(file)
    return jsonify({"version": own.desk.version, "deleted": past.number})


def _forget(file: Path) -> None:
    """Delete a picture; what cannot be deleted is the owner's disk, and is told.

    Raises:
        LogError: it cannot be deleted.
    """
    try:
        file.unlink(missing_ok=True)
    except OSError as error:
        msg = f"the game is deleted, but its picture {file} is not: {error.strerror}"
        raise LogError(msg) from error
