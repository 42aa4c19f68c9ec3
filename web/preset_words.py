"""The presets in plain words, for the page that starts a game."""

from collections.abc import Callable, Iterable
from itertools import groupby
from typing import NamedTuple

from flask_babel import gettext

from referee.rules import PRESETS, EmptyPool, JokerReuse, JokerSwap, RuleSet


def _(text: str, **values: object) -> str:
    return str(gettext(text, **values))


class PresetWords(NamedTuple):
    """A preset's name, and what is particular about it, in sentences."""

    name: str
    title: str
    says: tuple[str, ...]


def preset_words() -> tuple[PresetWords, ...]:
    """Give every preset in the language of the page, the default first."""
    return tuple(PresetWords(name, _title(name), tuple(rule_words(rules))) for name, rules in _ordered())


def _ordered() -> list[tuple[str, RuleSet]]:
    return sorted(PRESETS.items(), key=lambda item: item[0] != RuleSet().preset)


def _title(name: str) -> str:
    return " ".join(word if word.isdigit() else word.capitalize() for word in name.split("-"))


def rule_words(rules: RuleSet) -> list[str]:
    """Say in sentences what players ask about first."""
    says = [_("First melds: at least %(points)s points.", points=rules.opening_points), _joker(rules)]
    if rules.joker_reuse is not JokerReuse.ANYWHERE:
        says.append(_("A joker that is set free goes into a new meld of your own."))
    if rules.open_and_play_on:
        says.append(_("Whoever opens may play on at once."))
    says.append(
        _("No clock.") if rules.turn_seconds is None else _("%(seconds)s seconds a turn.", seconds=rules.turn_seconds)
    )
    says.append(
        _("A mistake costs %(count)s tiles.", count=rules.fault_draw)
        if rules.fault_draw != 1
        else _("A mistake costs one tile.")
    )
    if rules.empty_pool is EmptyPool.ENDS:
        says.append(_("The game ends when the pool is empty."))
    if rules.winning_call:
        says.append(_("Whoever goes out calls “Rummy!”"))
    return says


def _joker(rules: RuleSet) -> str:
    if rules.joker_swap is JokerSwap.FREE:
        return _("A joker moves like any other tile.")
    if rules.joker_swap is JokerSwap.HAND:
        return _("A joker on the table is freed with the right tile from your hand.")
    return _("A joker on the table is freed with the right tile.")


class Section(NamedTuple):
    """A section of the rulebook, with its paragraphs (number and text)."""

    number: int
    title: str
    paragraphs: tuple[tuple[str, str], ...]


SECTIONS: tuple[Callable[[], str], ...] = (
    lambda: _("The set"),
    lambda: _("Setting up"),
    lambda: _("Melds"),
    lambda: _("A turn"),
    lambda: _("The first melds"),
    lambda: _("Jokers"),
    lambda: _("The clock"),
    lambda: _("Mistakes"),
    lambda: _("The end of a game"),
    lambda: _("Counting"),
    lambda: _("The match"),
)


def rule_sections(paragraphs: Iterable[tuple[str, str]]) -> list[Section]:
    """Put the paragraphs of the rulebook under the titles of their sections."""
    grouped = groupby(paragraphs, key=lambda paragraph: int(paragraph[0].partition(".")[0]))
    return [Section(number, SECTIONS[number - 1](), tuple(group)) for number, group in grouped]
