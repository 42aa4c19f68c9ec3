"""The single checks of `doctor`."""

import os
import shutil
import time
from statistics import median
from typing import NamedTuple

from referee.errors import LogError
from referee.log import Log
from referee.table import TableReading
from vision.errors import CameraError, ModelError
from web.camera_checks import BRIGHT, DARK, ENOUGH_PIXELS, SHARP, SURE, tile_height
from web.settings import Settings

WATCHED_S = 3.0
LEAST_RATE = 5.0
TESSERACT = (
    "install it (Debian: apt-get install tesseract-ocr; macOS: brew install tesseract); reading goes on without it"
)


class Finding(NamedTuple):
    """One check: its name, whether all is well, what was found, and what to do where it is not."""

    name: str
    ok: bool
    value: str
    remedy: str = ""


def check_data(settings: Settings) -> Finding:
    """Check that the data folder can be written."""
    folder = settings.data_folder
    existing = next((one for one in (folder, *folder.parents) if one.exists()), folder)
    can_write = os.access(existing, os.W_OK)
    return Finding("data folder", can_write, str(folder), "" if can_write else "choose another folder with --data")


def check_database(settings: Settings) -> Finding:
    """Check that the log can be opened; one that is not there yet is made at the first run."""
    file = settings.database_file
    if not file.exists():
        return Finding("database", ok=True, value=f"{file} (not made yet)")
    try:
        Log.open(file, who="rummy-referee doctor").close()
    except LogError as error:
        return Finding("database", ok=False, value=str(file), remedy=str(error))
    return Finding("database", ok=True, value=str(file))


def check_model(settings: Settings) -> Finding:
    """Check that the networks can be loaded, and how long that takes."""
    from web.eyes import load_eyes  # noqa: PLC0415 -- a second to load

    start = time.perf_counter()
    try:
        load_eyes(settings)
    except ModelError as error:
        return Finding("model", ok=False, value="cannot be loaded", remedy=str(error))
    return Finding("model", ok=True, value=f"loaded in {time.perf_counter() - start:.1f} s")


def check_tesseract() -> Finding:
    """Check for tesseract, the second opinion on numbers."""
    found = shutil.which("tesseract")
    return Finding("tesseract", found is not None, found or "not found", "" if found else TESSERACT)


def check_camera(settings: Settings) -> list[Finding]:
    """Check the camera: whether it gives pictures and how many, their light and sharpness, and the tiles in them."""
    from web.eyes import load_eyes, look_at, open_camera  # noqa: PLC0415

    try:
        source = open_camera(settings)
    except CameraError as error:
        return [Finding("camera", ok=False, value=settings.camera, remedy=str(error))]
    try:
        look = look_at(source, WATCHED_S)
    except CameraError as error:
        return [Finding("camera", ok=False, value=settings.camera, remedy=str(error))]
    finally:
        source.close()
    if look is None:
        return [
            Finding(
                "camera", ok=False, value=settings.camera, remedy="it gives no picture: check the cable, or the folder"
            )
        ]
    width, height = look.frame.full_size
    findings = [
        Finding("camera", ok=True, value=f"{settings.camera}: {width} x {height}"),
        *_picture(look.light, look.sharpness),
    ]
    if look.rate is not None:
        findings.append(_rate(look.rate))
    try:
        return [*findings, *_tiles(load_eyes(settings).read(look.frame))]
    except ModelError:
        return findings


def _picture(light: float, sharpness: float) -> list[Finding]:
    """Judge light (mean brightness, 0 to 255) and sharpness (variance of the Laplacian)."""
    advice = "turn on a lamp" if light < DARK else "less light, or a lamp that does not shine into the camera"
    well_lit, sharp = DARK <= light <= BRIGHT, sharpness >= SHARP
    return [
        Finding("light", well_lit, f"{light:.0f} of 255", "" if well_lit else advice),
        Finding(
            "focus", sharp, f"{sharpness:.0f}", "" if sharp else "clean the lens, focus on the table, and hold it still"
        ),
    ]


def _rate(rate: float) -> Finding:
    enough = rate >= LEAST_RATE
    return Finding(
        "frame rate",
        enough,
        f"{rate:.1f} a second",
        "" if enough else "a nearer network, a smaller picture, or more light",
    )


def _tiles(reading: TableReading) -> list[Finding]:
    if not reading.tiles:
        return [
            Finding("tiles", ok=False, value="none seen", remedy="lay some tiles on the table, in view of the camera")
        ]
    height = median(map(tile_height, reading.tiles))
    sure = sum(tile.confidence >= SURE for tile in reading.tiles) / len(reading.tiles)
    return [
        Finding(
            "pixels per tile",
            height >= ENOUGH_PIXELS,
            f"{height:.0f}",
            "" if height >= ENOUGH_PIXELS else "bring the camera nearer",
        ),
        Finding(
            "sure tiles",
            sure >= SURE,
            f"{100 * sure:.0f} %",
            "" if sure >= SURE else "more light, less glare, or teach this set",
        ),
    ]
