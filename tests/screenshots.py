"""Take a picture of every page, in both themes and three sizes, into the ignored folder `screenshots/`.

python tests/screenshots.py [part of a name ...]
"""

import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, sync_playwright
from web_stage import CHROMIUM, FLAGS, SCENES, staged

FOLDER = Path("screenshots")
SIZES = {"tablet": (1024, 768), "phone": (390, 844), "tv": (1920, 1080)}
THEMES = ("light", "dark")
PAGES = {
    "play": {
        "new-game": "/game/new",
        "correct": "/correct",
        "history": "/history",
        "turn": "/turns/1",
        "table": "/table",
        "camera": "/camera",
        "rules": "/rules",
        "help": "/help",
    },
    "guest": {"join": "/join"},
    "end": {"racks": "/racks"},
    "results": {"games": "/games", "game": "/games/1", "match": "/history"},
}
PATIENCE_MS = 600_000
LOADED = "() => [...document.images].every(image => image.complete)"


class Shot(NamedTuple):
    """One picture to take: its name, the page, the size of the screen, the theme."""

    name: str
    path: str
    size: tuple[int, int]
    theme: str


def main(wanted: list[str]) -> None:
    """Take the pictures whose names hold one of the wanted parts, or all."""
    FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        for scene in SCENES:
            shoot_scene(browser, scene, {scene: "/", **PAGES.get(scene, {})}, wanted)
        browser.close()


def shoot_scene(browser: Browser, scene: str, pages: dict[str, str], wanted: list[str]) -> None:
    """Take the wanted pages of a scene, as the owner sees them; the one that asks for PINs as a guest does."""
    host = "0.0.0.0" if scene == "guest" else "127.0.0.1"  # noqa: S104 -- given as an owner gives it
    shots = [shot for name, path in pages.items() for shot in shots_of(name, path, wanted)]
    if not shots:
        return
    with tempfile.TemporaryDirectory() as folder, staged(Path(folder), host) as server:
        SCENES[scene](server.world)
        for shot in shots:
            shoot(browser, server.url, shot)


def shots_of(name: str, path: str, wanted: list[str]) -> list[Shot]:
    """Give a page's pictures in every size and theme, as far as they are wanted."""
    shots = [Shot(f"{name}-{size}-{theme}", path, SIZES[size], theme) for size in SIZES for theme in THEMES]
    return [shot for shot in shots if not wanted or any(part in shot.name for part in wanted)]


def shoot(browser: Browser, address: str, shot: Shot) -> None:
    """Take one picture."""
    width, height = shot.size
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=shot.theme)
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    page.goto(address + shot.path, wait_until="domcontentloaded")
    page.wait_for_timeout(300)
    page.wait_for_function(LOADED)
    page.screenshot(path=str(FOLDER / f"{shot.name}.png"))
    context.close()


if __name__ == "__main__":
    main(sys.argv[1:])
