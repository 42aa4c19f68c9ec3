"""Who asks, and in which language: what pages and API both need to know of a request."""

from flask import request, session

from web.access import Role
from web.guard import present_role
from web.sentences import LANGUAGES
from web.services import services
from web.state import Reader


def language() -> str:
    """Give the language of this visitor: chosen by hand, set by the owner, else as the browser prefers."""
    chosen = session.get("language")
    if chosen in LANGUAGES:
        return str(chosen)
    fixed = services().settings.language
    return fixed if fixed in LANGUAGES else request.accept_languages.best_match(list(LANGUAGES)) or "en"


def may_see_pictures(role: Role) -> bool:
    """Tell whether this role may see the camera's pictures: an oblique camera sees racks, so watchers only by leave."""
    return role > Role.WATCH or services().settings.pictures


def reader() -> Reader:
    """Give who reads."""
    role = present_role()
    return Reader(language(), role, may_see_pictures(role))
