"""What teaching a set of tiles says: what was learnt, what is missing, what is odd about a picture."""

from collections.abc import Sequence

from referee.tiles import COLOURS, JOKER, Colour, Tile
from vision.lessons import Remark, RemarkCode
from web.sentences import N_, Sentences

REMARKS = {
    RemarkCode.NO_TILES: N_("I see no tiles in this picture."),
    RemarkCode.NO_ROWS: N_("I see {count} tiles, but no rows: lay each colour in a row from 1 to 13."),
    RemarkCode.MISPLACED: N_("Where the {expected} should lie I see the {looks}: put the row in order."),
    RemarkCode.UNKNOWN: N_("{count} tiles lie outside of the rows; I did not learn them."),
    RemarkCode.TOO_SMALL: N_("The tiles are only {count} pixels tall: take the picture from nearer."),
}


def remark(remark: Remark, words: Sentences) -> str:
    """Say one thing about one picture."""
    expected, looks = (words.tile(tile) if tile else "" for tile in (remark.expected, remark.looks))
    return words.say(REMARKS[remark.code], expected=expected, looks=looks, count=remark.count)


def missing(tiles: Sequence[Tile], words: Sentences) -> str:
    """Say what no picture shows yet, and what to do; or that the set is known."""
    if not tiles:
        return words.say(N_("I know this set now."))
    jokers = tiles.count(JOKER)
    numbered = [tile for tile in tiles if tile != JOKER]
    whole = [colour for colour in COLOURS if sum(tile.colour is colour for tile in numbered) == 13]
    named = [words.say(N_("all of the {ink} ones"), ink=words.ink(colour)) for colour in whole]
    named += [words.tile(tile) for tile in numbered if tile.colour not in whole]
    if jokers:
        named.append(words.say(N_("one joker")) if jokers == 1 else words.say(N_("{count} jokers"), count=jokers))
    return words.say(
        N_("Not in the pictures yet: {tiles}. Lay them down and take another photo."), tiles=words.listed(named)
    )


def inks(seen: dict[Colour, str], names: dict[Colour, str]) -> str:
    """Give the inks in notation, each with its name, and with what it looks like where that is another word."""
    return ", ".join(
        f"{colour.value}={names.get(colour, look)}{f' ({look})' if names.get(colour, look) != look else ''}"
        for colour, look in seen.items()
    )
