"""Reading what a client sends, strictly: every wrong body becomes an answer that says what is wrong, never a crash."""

import json
import unicodedata
from dataclasses import dataclass
from typing import Any

from flask import Request

from referee.ledger import StaleError, State

LONGEST_TEXT = 500
LARGEST_NUMBER = 10**9


@dataclass(frozen=True)
class ApiError(Exception):
    """An answer other than 200: its status, a short code for scripts, a sentence for people, further fields."""

    status: int
    code: str
    message: str
    extra: tuple[tuple[str, object], ...] = ()


def _unfit(message: str) -> ApiError:
    return ApiError(422, "unfit", message)


@dataclass(frozen=True)
class Body:
    """The JSON object of a request; each reader raises ApiError 422 where its field cannot be."""

    fields: dict[str, Any]

    @classmethod
    def of(cls, request: Request) -> "Body":
        """Read the request's body.

        Raises:
            ApiError: 415 it is not said to be JSON, 400 it is none, 422 it is no object.
        """
        if request.mimetype != "application/json":
            raise ApiError(415, "not_json", "send a JSON body with Content-Type: application/json")
        try:
            content = json.loads(request.get_data(cache=False).decode("utf-8"))
        except (ValueError, RecursionError) as error:
            raise ApiError(400, "bad_json", "the body is no JSON text") from error
        if not isinstance(content, dict):
            raise _unfit("the body must be a JSON object")
        return cls(content)

    @property
    def version(self) -> int:
        """The state's version that the client saw; every change must name it."""
        if "version" not in self.fields:
            raise ApiError(422, "no_version", "the field 'version' is missing: say which version of the state you saw")
        return self.whole("version", 0)

    def check_version(self, present: State) -> None:
        """See that the client saw the present state, where no action of the desk does.

        Raises:
            StaleError: it saw another one.
        """
        if self.version != present.version:
            raise StaleError(present, self.version)

    def text(self, name: str, default: str | None = None, *, longest: int = LONGEST_TEXT) -> str:
        """Give a text without control characters; without `default` it must be there and not blank."""
        value = self.fields.get(name, default)
        if not isinstance(value, str) or (default is None and not value.strip()):
            msg = f"the field {name!r} must be a text"
            raise _unfit(msg)
        return clean(value, name, longest)

    def texts(self, name: str, most: int) -> tuple[str, ...]:
        """Give a list of texts that are not blank."""
        values = self.fields.get(name)
        if not isinstance(values, list) or len(values) > most:
            msg = f"the field {name!r} must be a list of at most {most} texts"
            raise _unfit(msg)
        return tuple(Body({name: value}).text(name) for value in values)

    def whole(self, name: str, lowest: int, highest: int = LARGEST_NUMBER, default: int | None = None) -> int:
        """Give a whole number in a range; without `default` it must be there."""
        value = self.fields.get(name, default)
        if isinstance(value, bool) or not isinstance(value, int) or not lowest <= value <= highest:
            msg = f"the field {name!r} must be a whole number from {lowest} to {highest}"
            raise _unfit(msg)
        return value

    def choice(self, name: str, words: tuple[str, ...]) -> str:
        """Give one of a few words."""
        value = self.fields.get(name)
        if not isinstance(value, str) or value not in words:
            msg = f"the field {name!r} must be one of: {', '.join(words)}"
            raise _unfit(msg)
        return value

    def flag(self, name: str) -> bool:
        """Give true or false; false where it is not there."""
        value = self.fields.get(name, False)
        if not isinstance(value, bool):
            msg = f"the field {name!r} must be true or false"
            raise _unfit(msg)
        return value

    def options(self, name: str) -> dict[str, object]:
        """Give an object of plain values; empty where it is not there."""
        value = self.fields.get(name) or {}
        if not isinstance(value, dict) or not all(
            one is None or isinstance(one, bool | int | str) for one in value.values()
        ):
            msg = f"the field {name!r} must be an object of plain values"
            raise _unfit(msg)
        return value


def clean(text: str, name: str, longest: int = LONGEST_TEXT) -> str:
    """Give a text without blanks around it.

    Raises:
        ApiError: it is too long, or holds control characters or halves of characters.
    """
    text = text.strip()
    if len(text) > longest:
        msg = f"the field {name!r} may have at most {longest} characters"
        raise _unfit(msg)
    if any(unicodedata.category(sign) in {"Cc", "Cs"} for sign in text):
        msg = f"the field {name!r} holds characters that cannot be shown"
        raise _unfit(msg)
    return text
