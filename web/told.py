"""What the referee said of turns beside what is known of them: the document of `demo` and `replay`."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain

from referee.position import Undecided
from referee.sight import Seen, notation
from referee.verdict import Ruling, Verdict
from web.documents import Json, question_document
from web.sentences import Sentences

OPEN = (Ruling.UNSURE, Ruling.IMPOSSIBLE)
"""What the referee says where it cannot tell: neither right nor wrong."""


@dataclass(frozen=True)
class Truth:
    """What is known of a turn: its ruling, the codes of its faults, the fault that was planted on purpose."""

    ruling: Ruling
    codes: tuple[str, ...] = ()
    planted: str | None = None


@dataclass(frozen=True)
class Said:
    """What the referee said first: the verdict, what it saw, how long that took, the milliseconds it charged.

    `named`: of an open verdict, whether it asks about a tile that was misread; None where none was.
    """

    verdict: Verdict
    seen: Seen
    seconds: float = 0.0
    charged_ms: int = 0
    named: bool | None = None

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of the faults."""
        return tuple(code.value for code in self.verdict.codes)


@dataclass(frozen=True)
class Told:
    """One turn. `used_ms`: what the player's clock should have been charged, None where that is not known."""

    number: int
    player: str
    said: Said
    truth: Truth | None = None
    used_ms: int | None = None

    @property
    def open(self) -> bool:
        """Whether the referee could not tell."""
        return self.said.verdict.ruling in OPEN

    @property
    def right(self) -> bool:
        """Whether the same verdict was said, for the same reasons."""
        truth = self.truth
        return (
            truth is not None and self.said.verdict.ruling is truth.ruling and set(self.said.codes) == set(truth.codes)
        )

    @property
    def wrong(self) -> bool:
        """Whether another verdict was said, as certain."""
        return self.truth is not None and not self.open and not self.right

    @property
    def accused(self) -> bool:
        """Whether a fault was said, as certain, of a turn without one."""
        innocent = self.truth is not None and self.truth.ruling in (Ruling.LEGAL, Ruling.DRAW)
        return innocent and self.said.verdict.ruling is Ruling.ILLEGAL

    @property
    def missed(self) -> bool:
        """Whether a fault went unseen."""
        guilty = self.truth is not None and self.truth.ruling is Ruling.ILLEGAL
        return guilty and self.said.verdict.ruling in (Ruling.LEGAL, Ruling.DRAW)

    @property
    def overcharged_ms(self) -> int:
        """How much more was charged than was used; less than nothing where too little was."""
        return 0 if self.used_ms is None else self.said.charged_ms - self.used_ms

    @property
    def clock_error_ms(self) -> int:
        """How far what was charged is from what was used."""
        return abs(self.overcharged_ms)

    def document(self, words: Sentences) -> Json:
        """Give the turn as the contract has it."""
        said, truth = self.said, self.truth
        return {
            "n": self.number,
            "player": self.player,
            "truth": None if truth is None else {"verdict": truth.ruling.value, "codes": list(truth.codes)},
            "said": {
                "verdict": said.verdict.ruling.value,
                "codes": list(said.codes),
                "doubts": [question_document(question, words) for question in said.verdict.doubts],
            },
            "seconds": round(said.seconds, 3),
            "table": notation(said.seen),
            "planted": truth.planted if truth else None,
            "clock_error_s": round(self.clock_error_ms / 1000, 3),
            "overcharged_s": round(self.overcharged_ms / 1000, 3),
            "named": said.named,
        }


@dataclass
class Counts:
    """What else happened in a game: things that get in a camera's way, and tables a person had to say were put back.

    `shown`, `shown_right`: tiles laid open that are no play (racks to be counted, tiles drawn to see who starts), and
    how often all of them were read right.
    """

    occlusions: int = 0
    bumps: int = 0
    light_changes: int = 0
    helped: int = 0
    shown: int = 0
    shown_right: int = 0
    planted: Counter[str] = field(default_factory=Counter)

    def document(self, turns: Sequence[Told]) -> Json:
        """Give the counts as the contract has them."""
        return {
            "right": sum(turn.right for turn in turns),
            "wrong": sum(turn.wrong for turn in turns),
            "unsure": sum(turn.open for turn in turns),
            "false_illegal": sum(turn.accused for turn in turns),
            "missed_faults": sum(turn.missed for turn in turns),
            "planted": dict(sorted(self.planted.items())),
            "occlusions": self.occlusions,
            "bumps": self.bumps,
            "light_changes": self.light_changes,
            "helped": self.helped,
            "shown": self.shown,
            "shown_right": self.shown_right,
        }


def game_document(turns: Sequence[Told], counts: Counts, scores: dict[str, int], words: Sentences) -> Json:
    """Give all turns, their counts, and the largest error of any player's clock."""
    return {
        "turns": [turn.document(words) for turn in turns],
        "counts": counts.document(turns),
        "clock_error_s": round(max((turn.clock_error_ms for turn in turns), default=0) / 1000, 3),
        "scores": scores,
    }


def asks_about(undecided: Undecided, misread: set[int]) -> bool | None:
    """Say whether an open verdict asks about one of the tiles that were misread; None where none was."""
    if not misread:
        return None
    asked = {question.index for question in undecided.verdict.doubts if question.side == "after"}
    return bool(asked & misread) or any(index < 0 for index in asked)


def line(turn: Told) -> str:
    """Give a turn in one line, for people."""
    said = " ".join((turn.said.verdict.ruling.value, *turn.said.codes))
    mark = "?" if turn.truth is None or turn.open else "ok" if turn.right else "WRONG"
    truth = (
        ""
        if turn.truth is None or turn.right
        else f" (it was {' '.join((turn.truth.ruling.value, *turn.truth.codes))})"
    )
    asked = ", ".join(f"{one.tile} {one.code.value}" for one in turn.said.verdict.doubts)
    return f"{turn.number:3} {turn.player:5} {mark:5} {said}{truth}{' asks ' + asked if asked else ''}"


def printed(turns: Sequence[Told], document: Json) -> str:
    """Give a whole game as text for people."""
    scores = document["scores"]
    told = ", ".join(f"{name} {score}" for name, score in scores.items()) if isinstance(scores, dict) else ""
    counts = document["counts"]
    sums = ", ".join(f"{name} {count}" for name, count in counts.items()) if isinstance(counts, dict) else ""
    parts = (map(line, turns), [sums, f"clock error {document['clock_error_s']} s", f"scores: {told}"])
    return "\n".join(chain.from_iterable(parts))
