"""The rest of what the pages may change: players who come and go, lost tiles, the count of the racks; and exports."""

from flask import Response, jsonify, request

from referee.desk import Desk
from referee.ending import RackError
from referee.exchange import export_game
from referee.laid_open import Drawn, LaidOpen, drawn
from referee.ledger import State
from referee.position import Position
from referee.rules import PRESETS, preset
from referee.tiles import Tile, parse_tiles
from web.access import Role
from web.api import MOST_TILES, When, api, change
from web.archive import as_csv, as_text, attachment
from web.body import ApiError, Body
from web.documents import Json, texts
from web.rules_choice import started_rules
from web.sentences import sentences
from web.services import services
from web.session import language

MOST_RACKS = 6
__all__ = ["api"]  # with the routes of `api` and this module


@change("/api/rename", Role.REFEREE)
def rename(desk: Desk, body: Body, when: When) -> State:
    """Call a player otherwise."""
    return desk.rename(body.text("player"), body.text("name"), **when)


@change("/api/leave", Role.REFEREE)
def leave(desk: Desk, body: Body, when: When) -> State:
    """Let a player leave the game."""
    return desk.leave(body.text("player"), **when)


@change("/api/join", Role.REFEREE)
def join(desk: Desk, body: Body, when: When) -> State:
    """Let somebody play from the next game on."""
    return desk.join(body.text("name"), **when)


@change("/api/turn", Role.REFEREE)
def choose_turn(desk: Desk, body: Body, when: When) -> State:
    """Say whose turn it is."""
    return desk.choose_turn(body.text("player"), **when)


@change("/api/lost", Role.REFEREE)
def lost(desk: Desk, body: Body, when: When) -> State:
    """Go on without a tile that is missing."""
    return desk.play_without(Tile.parse(body.text("tile")), **when)


@change("/api/found", Role.REFEREE)
def found(desk: Desk, body: Body, when: When) -> State:
    """Put a tile that was found into the pool."""
    return desk.found(Tile.parse(body.text("tile")), **when)


@change("/api/racks", Role.REFEREE)
def racks(desk: Desk, body: Body, when: When) -> State:
    """Score the game by the tiles left, `{"racks": {"Ben": "R7 J"}}`; `anyway` where they do not fit what is known."""
    given = body.options("racks")
    if len(given) > MOST_RACKS:
        raise ApiError(422, "unfit", "there are more racks than players")
    tiles = {name: parse_tiles(Body({"tiles": text}).text("tiles", "")) for name, text in given.items()}
    if sum(map(len, tiles.values())) > MOST_TILES:
        raise ApiError(422, "unfit", "there are more tiles than in any set")
    try:
        return desk.count_racks(tiles, anyway=body.flag("anyway"), **when)
    except RackError as error:
        words = sentences(language())
        raise ApiError(422, "racks", " ".join(map(words.rack_problem, error.problems))) from error


@api.get("/api/racks")
def seen_racks() -> Response:
    """Give the tiles that lie open on the table since the game has ended, for counting them without typing."""
    return jsonify(laid_open_document(services().writer.look().beyond))


@api.get("/api/drawn")
def drawn_tiles() -> Response:
    """Give the tiles that lie open while no turn is played, one drawn by each player, and the highest of them (2.2)."""
    look = services().writer.look()
    wanted = request.args.get("rules", "")
    rules = preset(wanted) if wanted in PRESETS else started_rules(services().settings)
    found = Drawn(LaidOpen()) if look.at.underway else drawn(look.seen, rules)
    return jsonify(
        laid_open_document(found.laid) | {"highest": found.highest and str(found.highest), "again": texts(found.again)}
    )


def laid_open_document(laid: LaidOpen) -> Json:
    """Give tiles laid open, those that may be another with their answers, and how many cannot be read."""
    return {
        "tiles": texts(laid.tiles),
        "doubtful": [texts(answers) for answers in laid.doubtful],
        "unread": laid.unread,
    }


@api.get("/api/game.json")
def save_game() -> Response:
    """Give the present game as one file: every event, as the log has it."""
    desk = services().desk
    if not desk.game_id:
        raise ApiError(404, "no_game", "no game has been started yet")
    return attachment(export_game(desk.log, desk.game_id), "application/json", "game.json")


@api.get("/api/scores.csv")
def save_scores() -> Response:
    """Give the scores of the match, a line a game."""
    return attachment(as_csv(score_lines(services().desk.game.now)), "text/csv", "scores.csv")


def score_lines(at: Position) -> list[list[str]]:
    """Give the table of scores: a head, a line a game, the sum; text that a spreadsheet cannot take for a formula."""
    names = [as_text(player.name) for player in at.players]
    lines = [["game", *names]]
    lines += [[str(game.number), *map(str, game.result.points)] for game in at.match.games]
    return [*lines, ["sum", *(str(player.score) for player in at.players)]]
