"""A whole file of turns, judged in one process (`judge --cases`)."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from referee.doubts import judge_reading, parse_seen
from referee.judge import Situation
from referee.rules import DEFAULT_PRESET, RuleSet, preset
from web.documents import Json, verdict_document
from web.errors import InputError
from web.sentences import Sentences


class CaseError(InputError):
    """A case, or a file of cases, that cannot be read; the message says what is wrong."""


def judge_cases(file: Path, words: Sentences) -> Json:
    """Judge every case of a file, in order; one that cannot be read is answered with its error.

    Raises:
        CaseError: the file is no JSON list.
    """
    try:
        cases = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        msg = f"the cases in {str(file)!r} cannot be read: {error}"
        raise CaseError(msg) from error
    if not isinstance(cases, list):
        msg = f"the cases in {str(file)!r} must be a JSON list of objects"
        raise CaseError(msg)
    return {"results": [judge_case(case, words) for case in cases]}


def judge_case(case: object, words: Sentences) -> Json:
    """Judge one case; its answer bears its id."""
    own_id = case.get("id") if isinstance(case, Mapping) else None
    try:
        return {"id": own_id, **_judged(case, words)}
    except ValueError as error:
        return {"id": own_id, "error": {"code": _code(error), "message": str(error)}}


def _code(error: ValueError) -> str:
    """Give the error's kind as a code: `NotationError` is `notation`."""
    return type(error).__name__.removesuffix("Error").lower()


def _judged(case: object, words: Sentences) -> Json:
    if not isinstance(case, Mapping):
        msg = f"a case must be an object, not {case!r:.80}"
        raise CaseError(msg)
    before, after = (parse_seen(_field(case, side, str)) for side in ("before", "after"))
    situation = Situation(
        opened=_field(case, "opened", bool, default=True),
        hand=_field(case, "hand", int, default=None),
        timed_out=_field(case, "timed_out", bool, default=False),
    )
    if situation.hand is not None and situation.hand < 0:
        msg = f"the field 'hand' cannot be {situation.hand}"
        raise CaseError(msg)
    return verdict_document(judge_reading(before, after, _rules(case), situation), words)


def _rules(case: Mapping[str, Any]) -> RuleSet:
    base = preset(_field(case, "rules", str, default=DEFAULT_PRESET))
    return base.with_options(_field(case, "options", dict, default={}))


def _field(case: Mapping[str, Any], name: str, kind: type, **default: object) -> Any:  # noqa: ANN401
    """Give a field of a case; without `default` it must be there, and `null` is good where that is the default.

    Raises:
        CaseError: it is missing or of another kind.
    """
    if name not in case and "default" not in default:
        msg = f"the field {name!r} is missing"
        raise CaseError(msg)
    value = case.get(name, default.get("default"))
    is_default = "default" in default and value is None and default["default"] is None
    if not is_default and (not isinstance(value, kind) or (kind is int and isinstance(value, bool))):
        msg = f"the field {name!r} cannot be {value!r:.80}"
        raise CaseError(msg)
    return value
