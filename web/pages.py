"""The pages for people, rendered on the server; their scripts only add what moves."""

import io
import zipfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

import segno
from flask import Blueprint, Response, redirect, render_template, request, session
from werkzeug.wrappers import Response as AnyResponse

from referee.errors import RuleError
from referee.position import Phase, Position
from referee.rules import PRESETS, RuleSet, preset
from referee.statistics import match_statistics
from referee.table import Table, TableReading
from web.access import own_address
from web.archive import has_pictures, turn_of, turn_page
from web.camera_setup import may_be_changed
from web.guard import csrf_token, present_role
from web.photograph import editable_rows, tile_places
from web.preset_words import preset_words, rule_sections
from web.rules_choice import started_rules
from web.sentences import LANGUAGES, sentences
from web.services import services
from web.session import language, may_see_pictures, reader
from web.words import page_words

ROOT = Path(__file__).parents[1]
PACKAGES = ("referee", "vision", "models", "web")
SOURCE_SUFFIXES = {
    ".py",
    ".html",
    ".js",
    ".css",
    ".svg",
    ".toml",
    ".po",
    ".mo",
    ".md",
    ".woff2",
    ".txt",
    ".json",
    ".mp4",
}
ABOUT = ("LICENSE", "THIRD_PARTY.md", "README.md", "pyproject.toml")
LARGEST_SOURCE = 2_000_000
pages = Blueprint("pages", __name__)


@pages.app_context_processor
def shared() -> dict[str, object]:
    """Give what every template may use."""
    role = present_role()
    return {
        "language": language(),
        "direction": "ltr",
        "languages": LANGUAGES.items(),
        "words": page_words(),
        "session_data": {"role": str(role), "csrf": csrf_token()},
        "role": str(role),
        "loopback": services().settings.is_loopback,
    }


def position() -> Position:
    """Give where the game stands."""
    return services().desk.state.game.now


@pages.get("/")
def scoreboard() -> str:
    """The scoreboard: what stands beside the game all evening."""
    document = services().writer.document(reader())
    return render_template("scoreboard.html", state=document)


@pages.get("/game/new")
def new_game() -> str:
    """Start a game: players, rules, timer."""
    at, own = position(), services().settings
    return render_template(
        "new_game.html",
        names=list(at.next_names or own.players),
        presets=preset_words(),
        chosen=at.rules.preset if at.players else started_rules(own).preset,
        defaults={name: rules.options() for name, rules in PRESETS.items()},
        version=services().desk.version,
        underway=at.underway,
        camera=services().feed.picture is not None and not at.underway,
    )


@pages.get("/correct")
def correct_now() -> str:
    """Correct the table of the present turn, or enter it where there is no camera."""
    look, feed = services().writer.look(), services().feed
    may_see = may_see_pictures(present_role()) and feed.read_picture is not None
    is_read = may_see and isinstance(look.lies, TableReading) and look.lies is feed.sight.reading
    rows = editable_rows(look.lies) if isinstance(look.lies, TableReading) else texts_of(look.table)
    edit = {
        "turn": look.at.turn,
        "rows": rows,
        "before": str(look.at.table),
        "places": tile_places(feed) if is_read else [],
        "by_hand": not services().settings.camera and feed.picture is None and look.at.phase is Phase.PLAY,
    }
    return _corrector(edit, "/api/frame.jpg?of=reading" if may_see else "")


@pages.get("/turns/<int:number>/correct")
def correct_turn(number: int) -> str:
    """Correct what lay on the table at the end of a past turn."""
    turn, game = turn_of(position(), number), services().desk.game_id
    edit = {"turn": number, "rows": texts_of(turn.seen), "before": str(turn.before), "places": [], "by_hand": False}
    kept = f"/api/games/{game}/turns/{number}/after.jpg"
    return _corrector(edit, kept if has_pictures(game, number) else "")


def texts_of(table: Table) -> list[list[str]]:
    """Give the rows of a table, each tile in notation."""
    return [[str(tile) for tile in row] for row in table.rows]


def _corrector(edit: dict[str, object], pictures: str) -> str:
    rules, version = position().rules, services().desk.version
    counts = {"version": version, "copies": rules.copies, "jokers": rules.jokers}
    return render_template("correct.html", edit={**edit, **counts}, pictures=pictures)


@pages.get("/turns/<int:number>")
def show_turn(number: int) -> str:
    """The verdict on one turn of the present game, with its reasons."""
    return turn_page(services().desk.game_id, position(), turn_of(position(), number), "/history")


@pages.get("/history")
def history() -> str:
    """Every turn of this game, and the games of the match before it."""
    at, desk = position(), services().desk
    return render_template(
        "history.html",
        at=at,
        sentences=sentences(language()),
        statistics=match_statistics(at),
        running=at.phase is not Phase.SETUP,
        game=desk.game_id,
        undo={"version": desk.version, "can_undo": desk.game.can_undo, "can_redo": desk.game.can_redo},
    )


@pages.get("/table")
def at_the_table() -> str:
    """Players who come and go, counts set by hand, lost tiles."""
    return render_template("table.html", at=position(), services_version=services().desk.version)


@pages.get("/racks")
def racks() -> str:
    """The end of a game: the tiles left in each hand."""
    at = position()
    return render_template(
        "racks.html",
        at=at,
        ended=at.phase is Phase.ENDED,
        count={
            "version": services().desk.version,
            "joker_points": at.rules.joker_points,
            "camera": services().feed.picture is not None,
        },
    )


@pages.get("/camera")
def camera() -> str:
    """The set-up of the camera: what it sees, and how well."""
    return render_template(
        "camera.html",
        version=services().desk.version,
        allowed=may_see_pictures(present_role()),
        may_choose=may_be_changed(),
    )


@pages.get("/rules")
def rules() -> str:
    """The rulebook as it reads under the rules of this game, or of a preset (`?preset=`)."""
    at = position()
    shown = at.rules if at.players else started_rules(services().settings)
    wanted = request.args.get("preset", "")
    if wanted in PRESETS:
        shown = preset(wanted)
    return render_template("rules.html", rules=shown, sections=rule_sections(paragraphs(shown)), presets=preset_words())


def paragraphs(shown: RuleSet) -> tuple[tuple[str, str], ...]:
    """Give the rulebook in the language of the page; in English where it is not translated."""
    try:
        return shown.paragraphs(language())
    except RuleError:
        return shown.paragraphs()


@pages.get("/join")
def join() -> str:
    """Connect a tablet: the address as a QR code, and the PIN."""
    own = services().settings
    port = request.host.rpartition(":")[2] if ":" in request.host else "80"
    address = f"http://{own_address() if not own.is_loopback else own.host}:{port}/"
    return render_template("join.html", address=address, role=str(present_role()))


@pages.get("/join.svg")
def join_code() -> Response:
    """The address of this page as a QR code."""
    picture = io.BytesIO()
    own = services().settings
    host = own.host if own.is_loopback else own_address()
    segno.make(f"http://{host}:{request.host.rpartition(':')[2]}/", error="m").save(
        picture, kind="svg", border=2, scale=8, dark="#1e2430", light="#ffffff"
    )
    return Response(picture.getvalue(), mimetype="image/svg+xml")


@pages.get("/help")
def help_page() -> str:
    """How to put up the camera and the tablet."""
    return render_template("help.html")


@pages.get("/language")
def choose_language() -> AnyResponse:
    """Choose the language by hand, and go back to one of our own pages."""
    wanted = request.args.get("to", "")
    if wanted in LANGUAGES:
        session["language"] = wanted
        session.permanent = True
    back = urlsplit(request.args.get("back", "/")).path
    return redirect(back if back.startswith("/") and not back.startswith(("//", "/\\")) else "/")


@pages.get("/source.zip")
def source() -> Response:
    """The source of the running program (AGPL, section 13)."""
    answer = Response(source_archive(), mimetype="application/zip")
    answer.headers["Content-Disposition"] = "attachment; filename=rummy-referee-source.zip"
    return answer


@cache
def source_archive() -> bytes:
    """Pack our packages' files as they are installed here, the weights left out (they are data, and large)."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in source_files():
            archive.write(file, file.relative_to(ROOT))
    return packed.getvalue()


def source_files() -> Iterator[Path]:
    """Give every file of the program's source, its licence and its instructions."""
    for folder in PACKAGES:
        yield from (file for file in sorted((ROOT / folder).rglob("*")) if _is_source(file))
    yield from (ROOT / name for name in ABOUT if (ROOT / name).is_file())


def _is_source(file: Path) -> bool:
    kept = file.suffix in SOURCE_SUFFIXES and "__pycache__" not in file.parts
    return kept and file.is_file() and file.stat().st_size < LARGEST_SOURCE


def error_page(message: str) -> Response:
    """Give an error to people."""
    return Response(render_template("error.html", message=message), mimetype="text/html")
