"""Take a picture of every page, in both themes and two sizes, into the ignored folder `screenshots/`.

python tests/screenshots.py [part of a name ...]
"""

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright
from web_stage import CHROMIUM, FLAGS, SCENES, staged

FOLDER = Path("screenshots")
SIZES = {"tablet": (1024, 768), "phone": (390, 844)}
THEMES = ("light", "dark")
PAGES = {
    "new-game": "/game/new",
    "correct": "/correct",
    "history": "/history",
    "turn": "/turns/1",
    "table": "/table",
    "camera": "/camera",
    "rules": "/rules",
    "join": "/join",
    "help": "/help",
}
PATIENCE_MS = 600_000


def main(wanted: list[str]) -> None:
    """Take the pictures whose names hold one of the wanted parts, or all."""
    FOLDER.mkdir(exist_ok=True)
    shots = [(scene, scene, "/") for scene in SCENES] + [(name, "play", path) for name, path in PAGES.items()]
    shots += [("racks", "end", "/racks")]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        for name, scene, path in shots:
            if not wanted or any(part in name for part in wanted):
                shoot(browser, name, scene, path)
        browser.close()


def shoot(browser: Browser, name: str, scene: str, path: str) -> None:
    """Take one page in every theme and size."""
    with tempfile.TemporaryDirectory() as folder, staged(Path(folder)) as server:
        SCENES[scene](server.world)
        for size, (width, height) in SIZES.items():
            for theme in THEMES:
                context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=theme)
                context.set_default_timeout(PATIENCE_MS)
                page = context.new_page()
                page.goto(server.url + path, wait_until="domcontentloaded")
                page.wait_for_timeout(500)
                page.screenshot(path=str(FOLDER / f"{name}-{size}-{theme}.png"))
                context.close()


if __name__ == "__main__":
    main(sys.argv[1:])
