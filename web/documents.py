"""The JSON documents of the contract, made from the referee's values."""

from referee.table import TableReading
from referee.tiles import Tile
from referee.verdict import Fault, Question, Verdict
from web.sentences import Sentences

Json = dict[str, object]


def texts(tiles: tuple[Tile, ...]) -> list[str]:
    """Give tiles as a list of their notations."""
    return [str(tile) for tile in tiles]


def verdict_document(verdict: Verdict, words: Sentences) -> Json:
    """Give a verdict as `judge --json` prints it."""
    return {
        "verdict": verdict.ruling.value,
        "played": texts(verdict.played),
        "removed": texts(verdict.removed),
        "points": verdict.points,
        "opens": verdict.opens,
        "faults": [fault_document(fault, words) for fault in verdict.faults],
        "notes": [words.note(note) for note in verdict.notes],
        "doubts": [question_document(question, words) for question in verdict.doubts],
        "consequence": verdict.consequence._asdict(),
    }


def fault_document(fault: Fault, words: Sentences) -> Json:
    """Give one fault, with its sentence."""
    return {
        "code": fault.code.value,
        "paragraph": fault.paragraph,
        "meld": " ".join(texts(fault.meld)) if fault.meld else None,
        "tiles": texts(fault.tiles),
        "message": words.fault(fault),
    }


def question_document(question: Question, words: Sentences) -> Json:
    """Give one doubt that a verdict hangs on, with what each answer leads to."""
    return {
        "side": question.side,
        "index": question.index,
        "tile": question.tile,
        "code": question.code.value,
        "why": words.question(question),
        "answers": [{"tile": answer.tile, "verdict": answer.ruling.value} for answer in question.answers],
    }


def tiles_document(reading: TableReading) -> list[Json]:
    """Give the seen tiles as `read --json` prints them; corners in pixels, rounded to a tenth."""
    return [
        {
            "corners": [[round(x, 1), round(y, 1)] for x, y in seen.corners],
            "where": seen.where.value,
            "tile": "back" if seen.back else str(seen.best) if seen.best else None,
            "confidence": round(seen.confidence, 4),
            "alternatives": [
                [str(choice.tile), round(choice.probability, 4)] for choice in seen.choices[1 if seen.best else 0 :]
            ],
        }
        for seen in reading.tiles
    ]


def reading_document(reading: TableReading, words: Sentences) -> Json:
    """Give what one picture's reading holds, without the picture's own name and size."""
    return {
        "tiles": tiles_document(reading),
        "melds": [list(meld) for meld in reading.melds],
        "table": reading.notation,
        "doubts": [
            {
                "code": doubt.code.value,
                "tiles": list(doubt.tiles),
                "why": words.doubt(doubt.code, _said(reading, doubt.tiles), doubt.answers),
                "answers": list(doubt.answers),
            }
            for doubt in reading.doubts
        ],
        "notes": list(reading.notes),
    }


def _said(reading: TableReading, places: tuple[int, ...]) -> str:
    """Give what the first tile of a doubt is said to be, `?` where it is not."""
    return str(reading.tiles[places[0]].best or "?") if places else "?"
