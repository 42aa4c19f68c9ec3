"""Every verdict in words that a child understands, in the language of the reader, for the pages and the command line.

The referee itself only gives codes and numbers; here they become sentences, from the catalogues in `translations/`.
"""

import gettext as catalogues
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path

from referee.ending import RackCode, RackProblem
from referee.errors import GameError, Refusal
from referee.history import Change
from referee.table import DoubtCode
from referee.tiles import Colour, Tile, format_tiles
from referee.verdict import Consequence, Fault, FaultCode, Note, Question, Ruling, Verdict

TRANSLATIONS = Path(__file__).parent / "translations"
LANGUAGES = {"en": "English", "es": "Español", "de": "Deutsch", "nl": "Nederlands"}


def N_(text: str) -> str:  # noqa: N802 -- the customary mark of a text that is translated later
    """Mark a text for the catalogues."""
    return text


FAULTS = {
    FaultCode.LOOSE_TILE: N_("The {tile} lies alone. Every tile must lie in a meld."),
    FaultCode.MELD_TOO_SHORT: N_("Here lie only two tiles. A meld has at least three."),
    FaultCode.GROUP_TOO_LONG: N_("A group has three or four tiles. Here lie {count}."),
    FaultCode.GROUP_REPEATS_COLOUR: N_("The {tile} is in this group twice. All its colours must differ."),
    FaultCode.RUN_REPEATS_NUMBER: N_("The {tile} is in this run twice."),
    FaultCode.RUN_WRAPS: N_("A run ends at 13. After 13 there is no 1."),
    FaultCode.RUN_HAS_GAP: N_("The numbers of this run do not follow one another."),
    FaultCode.NOT_A_MELD: N_(
        "This is no group (one number, different colours) and no run (one colour, numbers in order)."
    ),
    FaultCode.TOO_MANY_JOKERS: N_("A meld needs more numbered tiles than jokers."),
    FaultCode.TILE_TAKEN_BACK: N_("What lay on the table must stay there: {tiles}."),
    FaultCode.OPENING_TOO_LOW: N_("These add up to {points}. Your first melds need {needed}."),
    FaultCode.OPENING_TOUCHES_TABLE: N_("Until your first melds lie, you may not touch the other melds."),
    FaultCode.JOKER_MOVED: N_("The joker stands for another tile now. First put the right tile in its place."),
    FaultCode.JOKER_SWAP_NOT_FROM_HAND: N_("The tile that takes a joker's place must come from your hand."),
    FaultCode.JOKER_MELD_BROKEN: N_("A meld with a joker may grow, but no tile may leave it."),
    FaultCode.JOKER_REUSE: N_("A joker that you set free goes into a new meld with tiles from your hand."),
    FaultCode.TIME_OUT: N_("The time is up, and the table is not in order."),
}
RULINGS = {
    Ruling.LEGAL: N_("allowed"),
    Ruling.DRAW: N_("drawn a tile"),
    Ruling.ILLEGAL: N_("not allowed"),
    Ruling.UNSURE: N_("not sure"),
    Ruling.IMPOSSIBLE: N_("cannot be"),
}
DOUBTS = {
    DoubtCode.SIX_OR_NINE: N_("6 or 9?"),
    DoubtCode.UNREADABLE: N_("Which tile is this?"),
    DoubtCode.TWO_READINGS: N_("Which tile is this?"),
    DoubtCode.WHICH_MELD: N_("To which meld does this tile belong?"),
    DoubtCode.ONE_MELD: N_("Is this one meld? Push its tiles together."),
    DoubtCode.MISSING: N_("I do not see the {tile}. Is it still on the table?"),
    DoubtCode.EXTRA: N_("Does the {tile} really lie here?"),
    DoubtCode.TOO_MANY: N_("There are more of {tile} than the set has. Which tile is it?"),
}


REFUSED = {
    Refusal.NO_ANSWER: N_("That is no answer to this question."),
    Refusal.NO_DOUBT: N_("This question is no longer asked."),
    Refusal.NOT_ASKED: N_("No turn waits for an answer."),
    Refusal.NOT_PLAYED: N_("Turn {turn} has not been played."),
    Refusal.NO_RULING: N_("A turn is allowed, not allowed, or a draw."),
    Refusal.NOT_LEGAL: N_("No tile was played, so the turn cannot be allowed: correct the table first."),
    Refusal.NOT_RESTORING: N_("No table has to be put back."),
    Refusal.UNDER_WAY: N_("A game is under way. End it first."),
    Refusal.SETUP: N_("The starter must be one of the players."),
    Refusal.NO_TEXT: N_("This text cannot be written down."),
    Refusal.PLAYERS: N_("With this set {least} to {most} can play, not {count}."),
    Refusal.NAMES: N_("Every player needs a name of their own."),
    Refusal.NAME: N_("Every player needs a name of their own."),
    Refusal.NO_PLAYER: N_("{name} does not play in this game."),
    Refusal.NO_GAME: N_("No game is under way. Start one first."),
    Refusal.HAND: N_("{name} cannot hold {count} tiles."),
    Refusal.NOT_IN_TURN: N_("That can only be done while a turn is played."),
    Refusal.NEW_TILES: N_("There are tiles that did not lie on the table before."),
    Refusal.STILL_THERE: N_("{tile} still lies on the table."),
    Refusal.NO_MELD_LEFT: N_("Without {tile} its meld is none: correct the table first."),
    Refusal.NOT_MISSING: N_("{tile} is not missing."),
    Refusal.CLOCK: N_("The clock runs only while a turn is played."),
    Refusal.NO_LIMIT: N_("This game has no clock."),
    Refusal.NO_UNDO: N_("There is nothing to undo."),
    Refusal.NO_REDO: N_("There is nothing to redo."),
    Refusal.NO_TURN: N_("No turn is being played."),
    Refusal.OTHERS_TURN: N_("It is {name}'s turn."),
    Refusal.NOT_ENDED: N_("The tiles are counted when the game is over."),
    Refusal.CANNOT_BE: N_("That cannot be: there would be more tiles than the set has, or than {name} held."),
    Refusal.OUT_OF_NOTHING: N_("That cannot be: there would be {count} tiles more than the set has."),
    Refusal.SCORED_PLAYERS: N_("A game has two players or more, each with a name of their own."),
    Refusal.TWO_OUT: N_("Only one player can go out. Without tiles are: {names}."),
    Refusal.NOBODY_OUT: N_("Nobody went out: one player must have no tiles left, or the pool must be empty."),
}


INKS = {Colour.BLACK: N_("black"), Colour.RED: N_("red"), Colour.BLUE: N_("blue"), Colour.ORANGE: N_("orange")}


@dataclass(frozen=True)
class Sentences:
    """Makes sentences in one language."""

    catalogue: catalogues.NullTranslations = field(default_factory=catalogues.NullTranslations)
    inks: Mapping[Colour, str] = field(default_factory=dict)

    def _(self, text: str, **values: object) -> str:
        return self.catalogue.gettext(text).format(**values)

    def _n(self, one: str, many: str, count: int, **values: object) -> str:
        return self.catalogue.ngettext(one, many, count).format(count=count, **values)

    def say(self, text: str, **values: object) -> str:
        """Give a sentence that is marked for the catalogues elsewhere (`N_`)."""
        return self.catalogue.gettext(text).format(**values)

    def tile(self, tile: Tile) -> str:
        """Name a tile: `red 7`, `joker`; with the owner's name of its ink where the set was taught one: `green 7`."""
        if tile.colour in self.inks:
            return f"{self.inks[tile.colour]} {tile.number}"
        match tile.colour:
            case Colour.BLACK:
                return self._("black {number}", number=tile.number)
            case Colour.RED:
                return self._("red {number}", number=tile.number)
            case Colour.BLUE:
                return self._("blue {number}", number=tile.number)
            case Colour.ORANGE:
                return self._("orange {number}", number=tile.number)
        return self._("joker")

    def tiles(self, tiles: Sequence[Tile]) -> str:
        """Name several tiles: `red 7, red 8 and joker`."""
        return self.listed([self.tile(tile) for tile in tiles])

    def ink(self, colour: Colour) -> str:
        """Name an ink: `red`, or as its owner calls it."""
        return self.inks.get(colour) or self._(INKS[colour])

    def listed(self, names: Sequence[str]) -> str:
        """Give names as a list in words: `red 7, red 8 and joker`."""
        if len(names) < 2:
            return "".join(names)
        return self._("{first} and {last}", first=", ".join(names[:-1]), last=names[-1])

    def fault(self, fault: Fault) -> str:
        """Say what is wrong, and what would be right."""
        numbered = [tile for tile in fault.meld or () if not tile.is_joker] or list(fault.tiles)
        low, high = _only_gap(numbered)
        if fault.code is FaultCode.RUN_HAS_GAP and low:
            return self._("In this run something is missing between {low} and {high}.", low=low, high=high)
        said = self._(
            FAULTS[fault.code],
            tile=self.tile(_repeated(numbered)) if numbered else "",
            tiles=self.tiles(fault.tiles),
            count=len(fault.meld or ()),
            points=fault.points,
            needed=fault.needed,
        )
        return said[:1].upper() + said[1:]

    def verdict(self, verdict: Verdict, player: str | None = None) -> str:
        """Say the verdict in one sentence; without a player's name it speaks to the player."""
        played = len(verdict.played)
        match verdict.ruling:
            case Ruling.LEGAL if verdict.opens:
                return self._legal_opening(verdict.points, player)
            case Ruling.LEGAL:
                return self._legal(played, player)
            case Ruling.DRAW:
                return (
                    self._("{name} plays nothing and draws.", name=player)
                    if player
                    else self._("Nothing played: draw.")
                )
            case Ruling.ILLEGAL:
                return (
                    self._("{name}'s turn is not allowed.", name=player)
                    if player
                    else self._("This turn is not allowed.")
                )
            case Ruling.UNSURE:
                return self._("I am not sure what lies on the table. Please help me.")
        return self._("This cannot be: I see tiles that nobody can have. Please look at the table with me.")

    def _legal(self, played: int, player: str | None) -> str:
        if player:
            return self._n("Right! {name} plays a tile.", "Right! {name} plays {count} tiles.", played, name=player)
        return self._n("Right! You play a tile.", "Right! You play {count} tiles.", played)

    def _legal_opening(self, points: int, player: str | None) -> str:
        if player:
            return self._("Right! {name} opens with {points} points.", name=player, points=points)
        return self._("Right! You open with {points} points.", points=points)

    def consequence(self, consequence: Consequence, player: str | None = None) -> str:
        """Say what the turn costs; the empty text when it costs nothing."""
        if consequence.restore:
            who = player or self._("the player")
            return self._n(
                "Put the table back as it was; {name} takes a tile from the pool.",
                "Put the table back as it was; {name} takes {count} tiles from the pool.",
                consequence.draw,
                name=who,
            )
        return ""

    def note(self, note: Note) -> str:
        """Say what was remarked about a row."""
        melds = " / ".join(map(format_tiles, note.melds))
        return self._("The row {row} was read as {melds}.", row=format_tiles(note.row), melds=melds)

    def change(self, change: Change, player: str) -> str:
        """Say what a correction did to one turn."""
        if change.now is None:
            return self._("Turn {turn} ({name}) no longer counts.", turn=change.turn, name=player)
        return self._(
            "Turn {turn} ({name}): was {was}, is now {now}.",
            turn=change.turn,
            name=player,
            was=self.ruling(change.was),
            now=self.ruling(change.now),
        )

    def overruled(self, ruling: Ruling, reason: str) -> str:
        """Say that a person decided otherwise, and why."""
        said = self._("A person decided: {ruling}.", ruling=self.ruling(ruling))
        return f"{said} {reason}".rstrip()

    def small_set_reminder(self) -> str:
        """Remind five players that the small set is short (2.1)."""
        return self._("Five players with the small set: the pool will be short. The big set has 160 tiles.")

    def swap_reminder(self) -> str:
        """Remind of duplicates (2.3)."""
        return self._("Whoever was dealt the same tile twice may give one back and take another.")

    def last_tile_reminder(self, player: str) -> str:
        """Remind of the last tile (9.2)."""
        return self._("{name} has one tile left, and should say so.", name=player)

    def winning_reminder(self, player: str) -> str:
        """Remind of the call (9.1)."""
        return self._("{name}, did you call “Rummy!”?", name=player)

    def rack_problem(self, problem: RackProblem) -> str:
        """Say what does not fit about the racks."""
        tiles = self.tiles(problem.tiles)
        if problem.code is RackCode.COUNT:
            counted, expected = len(problem.tiles), problem.expected
            return self._(
                "{name} should have {expected} tiles, not {count}.",
                name=problem.player,
                expected=expected,
                count=counted,
            )
        if problem.code is RackCode.TOO_MANY:
            return self._("There are more than the set has: {tiles}.", tiles=tiles)
        return self._("These must be somewhere: {tiles}.", tiles=tiles)

    def refusal(self, error: GameError) -> str:
        """Say why the game does not allow an action."""
        if error.code not in REFUSED:
            return str(error)
        named = {key: self._named(str(value)) if key == "tile" else value for key, value in error.values.items()}
        said = self._(REFUSED[error.code], **named)
        return said[:1].upper() + said[1:]

    def light(self, light: str, *, dark: bool) -> str:
        """Say how well lit a picture is: `light` is green, amber or red."""
        if light == "green":
            return self._("The light is good.")
        if dark:
            return self._("It is dark: turn on a lamp beside the camera.")
        return self._("It is very bright: less light, or a lamp that does not shine into the camera.")

    def focus(self, light: str) -> str:
        """Say how sharp a picture is: `light` is green, amber or red."""
        if light == "green":
            return self._("The picture is sharp.")
        return self._("The picture is not sharp: clean the lens, focus on the table, and hold the camera still.")

    def no_tiles(self) -> str:
        """Say that the camera sees no tiles."""
        return self._("I see no tiles. Lay some on the table, and look at the picture.")

    def tiles_learnt(self, count: int) -> str:
        """Say how many tiles a picture taught."""
        return self._n("one tile learnt", "{count} tiles learnt", count)

    def tiles_seen(self, count: int) -> str:
        """Say how many tiles the camera sees."""
        return self._n("I see one tile.", "I see {count} tiles.", count)

    def tile_pixels(self, pixels: int, *, enough: bool) -> str:
        """Say how large the tiles are in the picture."""
        if enough:
            return self._("The tiles are {pixels} pixels tall: enough.", pixels=pixels)
        return self._("The tiles are only {pixels} pixels tall: bring the camera nearer (40 is enough).", pixels=pixels)

    def unsure_tiles(self, percent: int, *, few: bool) -> str:
        """Say how many tiles cannot be read for certain."""
        if few:
            return self._("The tiles can be read well.")
        return self._(
            "Of the tiles, {percent} % are hard to read: more light, less glare, a sharper picture.", percent=percent
        )

    def ruling(self, ruling: Ruling) -> str:
        """Give a ruling as a word."""
        return self._(RULINGS[ruling])

    def question(self, question: Question) -> str:
        """Ask what a verdict hangs on."""
        return self.doubt(question.code, question.tile, tuple(answer.tile for answer in question.answers))

    def doubt(self, code: DoubtCode, tile: str = "?", answers: Sequence[str] = ()) -> str:
        """Ask about one tile, read as `tile`; the answers are in notation."""
        if code is DoubtCode.TWO_READINGS and len(answers) > 1 and "-" not in answers:
            return self._("{one} or {other}?", one=self._named(answers[0]), other=self._named(answers[1]))
        return self._(DOUBTS[code], tile=self._named(tile))

    def _named(self, notation: str) -> str:
        """Name a tile in notation; what is no single tile is left as it is."""
        try:
            return self.tile(Tile.parse(notation))
        except ValueError:
            return notation


def _repeated(tiles: Sequence[Tile]) -> Tile:
    """Give the first tile that is there twice; the first of all where none is (faces equal, jokers in between)."""
    return next((tile for place, tile in enumerate(tiles) if tile in tiles[:place]), tiles[0])


def _only_gap(tiles: Sequence[Tile]) -> tuple[int, int]:
    """Give the numbers around the one gap of a run, (0, 0) where there is none or more than one."""
    gaps = [(low, high) for low, high in pairwise(sorted(tile.number for tile in tiles)) if high - low > 1]
    return gaps[0] if len(gaps) == 1 else (0, 0)


@cache
def sentences(language: str) -> Sentences:
    """Give the sentences of a language; English where there is no catalogue for it."""
    found = catalogues.translation("messages", str(TRANSLATIONS), languages=[language], fallback=True)
    return Sentences(found)


def spoken_here(inks: Mapping[Colour, str] | None = None) -> Sentences:
    """Give the sentences of this machine's language (LANGUAGE, LC_ALL, LC_MESSAGES, LANG), for the command line.

    `inks`: what the owner of the tiles calls them.
    """
    return Sentences(catalogues.translation("messages", str(TRANSLATIONS), fallback=True), inks or {})


def language_here() -> str:
    """Give the language of `spoken_here`, such as `de`."""
    return spoken_here().catalogue.info().get("language", "en")
