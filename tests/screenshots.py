"""Take a picture of every page, in both themes and three sizes, into the ignored folder `screenshots/`.

python tests/screenshots.py [part of a name ...]
"""

import sys
import tempfile
from pathlib import Path

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
    "results": {"games": "/games", "game": "/games/2", "match": "/history"},
}
PATIENCE_MS = 600_000
LOADED = "() => [...document.images].every(image => image.complete)"


def main(wanted: list[str]) -> None:
    """Take the pictures whose names hold one of the wanted parts, or all."""
    FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        for scene in SCENES:
            shoot_scene(browser, scene, {scene: "/", **PAGES.get(scene, {})}, wanted)
        browser.close()


def shoot_scene(
    browser: Browser, scene: str, pages: dict[str, str], wanted: list[str], host: str = "127.0.0.1"
) -> None:
    """Take the wanted pages of a scene."""
    chosen = {name: path for name, path in pages.items() if not wanted or any(part in name for part in wanted)}
    if not chosen:
        return
    with tempfile.TemporaryDirectory() as folder, staged(Path(folder), host) as server:
        SCENES[scene](server.world)
        for name, path in chosen.items():
            shoot(browser, name, server.url + path)


def shoot(browser: Browser, name: str, address: str) -> None:
    """Take one page in every theme and size."""
    for size, (width, height) in SIZES.items():
        for theme in THEMES:
            context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=theme)
            context.set_default_timeout(PATIENCE_MS)
            page = context.new_page()
            page.goto(address, wait_until="domcontentloaded")
            page.wait_for_timeout(300)
            page.wait_for_function(LOADED)
            page.screenshot(path=str(FOLDER / f"{name}-{size}-{theme}.png"))
            context.close()


if __name__ == "__main__":
    main(sys.argv[1:])
