"""How quickly many watching tablets hear of a change and one paints it, and what it costs: a real server on loopback.

python -m benchmarks.pages [tablets=50] [seconds=30]

The painted page is measured where Playwright and Chromium are there. Bars: every change is heard, 95 % are heard and
painted within 100 ms, at most a fifth of a core.
"""

import http.client
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

CHANGES_A_SECOND = 2
LATEST_MS = 100
MOST_OF_A_CORE = 0.2
PAINTINGS = 40
CHROMIUM = Path("/usr/bin/chromium")
WATCH_PAINTING = """() => {
  window.painted = {};
  const number = () => document.querySelector("#players .hand b").textContent;
  new MutationObserver(() => {
    const shown = number();
    requestAnimationFrame(() => setTimeout(() => { window.painted[shown] = window.painted[shown] || Date.now(); }));
  }).observe(document.querySelector("#players"), {childList: true, subtree: true, characterData: true});
}"""
SERVER = """
import sys, time, threading
from pathlib import Path
from referee.desk import Desk
from referee.log import Log
from referee.rules import RuleSet
from web.app import create_app, now_ms
from web.serve import address_of, make_server
from web.settings import Settings

desk = Desk(Log.open(Path(sys.argv[1])), now=now_ms())
desk.start(["Ana", "Ben"], RuleSet(), version=None, now=now_ms())
settings = Settings(port=0, clients=100)
server = make_server(create_app(settings, desk), settings)
print(address_of(server)[1], flush=True)

def change():
    for line in sys.stdin:
        start, wall = time.monotonic(), time.time()
        version = desk.set_hand("Ana", int(line), version=None, now=now_ms()).version
        print(version, start, time.process_time(), wall, flush=True)

threading.Thread(target=change, daemon=True).start()
server.run()
"""


class Tablet(threading.Thread):
    """One open page: notes when each state came."""

    def __init__(self, port: int) -> None:
        """Open the stream."""
        super().__init__(daemon=True)
        self.heard: dict[int, float] = {}
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self._connection.request("GET", "/api/events", headers={"Host": "localhost"})
        self._stream = self._connection.getresponse()

    def run(self) -> None:
        """Read until the server ends."""
        for line in self._stream:
            if line.startswith(b"id: "):
                self.heard[int(line[4:])] = time.monotonic()


def memory_kb(process: int) -> int:
    """Give a process's resident memory in kilobytes (Linux)."""
    lines = Path(f"/proc/{process}/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


@contextmanager
def serving() -> Iterator[subprocess.Popen[str]]:
    """Run a server as a process of its own; the first line that it prints is its port."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", SERVER, f"{folder}/games.db"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:  # noqa: S603
            yield server
            server.terminate()


class Change(NamedTuple):
    """One change of the game: the state's version, when it began (monotonic and on the wall), processor time so far."""

    version: int
    start: float
    used: float
    wall: float


def change(server: subprocess.Popen[str], count: int) -> Change:
    """Change the game: the first player holds `count` tiles."""
    server.stdin.write(f"{count}\n")
    server.stdin.flush()
    version, start, used, wall = server.stdout.readline().split()
    return Change(int(version), float(start), float(used), float(wall))


def main(count: int = 50, seconds: int = 30) -> bool:
    """Watch with `count` tablets while the game changes twice a second, then with a browser; print what is measured."""
    with serving() as server:
        port = int(server.stdout.readline())
        tablets = [Tablet(port) for _ in range(count)]
        for tablet in tablets:
            tablet.start()
        time.sleep(2)
        heard = report(server, tablets, seconds)
    with serving() as server:
        return painted(server, int(server.stdout.readline())) and heard


def report(server: subprocess.Popen[str], tablets: list[Tablet], seconds: int) -> bool:
    """Change the game, and say when it was heard of; tells whether nothing was missed and the bars were met."""
    memory, begun, made = memory_kb(server.pid), time.monotonic(), []
    while time.monotonic() - begun < seconds:
        made.append(change(server, 1 + len(made) % 60))
        time.sleep(1 / CHANGES_A_SECOND)
    time.sleep(2)
    delays = sorted(
        1000 * (tablet.heard[one.version] - one.start)
        for tablet in tablets
        for one in made
        if one.version in tablet.heard
    )
    missed = len(tablets) * len(made) - len(delays)
    late, core = delays[int(0.95 * len(delays))], (made[-1].used - made[0].used) / seconds
    print(f"load of the machine {os.getloadavg()[0]:.0f} on {os.cpu_count()} cores")
    print(f"{len(tablets)} tablets, {len(made)} changes in {seconds} s: {missed} missed")
    print(f"from the change to the tablet: median {statistics.median(delays):.0f} ms, 95 % within {late:.0f} ms")
    print(f"processor {100 * core:.0f} % of a core, memory {memory} -> {memory_kb(server.pid)} kB")
    return missed == 0 and late <= LATEST_MS and core <= MOST_OF_A_CORE


def painted(server: subprocess.Popen[str], port: int) -> bool:
    """Measure from the change to the painted page; true where there is no browser to measure with."""
    try:
        from playwright.sync_api import sync_playwright  # noqa: PLC0415
    except ImportError:
        return True
    if not CHROMIUM.exists():
        return True
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1024, "height": 768})
        page.goto(f"http://127.0.0.1:{port}/", wait_until="load")
        page.evaluate(WATCH_PAINTING)
        made = []
        for number in range(PAINTINGS):
            made.append(change(server, 20 + number))
            page.wait_for_timeout(1000 / CHANGES_A_SECOND)
        times = page.evaluate("window.painted")
        browser.close()
    delays = sorted(times[str(20 + number)] - 1000 * one.wall for number, one in enumerate(made))
    late = delays[int(0.95 * len(delays))]
    print(f"from the change to the painted page: median {statistics.median(delays):.0f} ms, 95 % within {late:.0f} ms")
    return late <= LATEST_MS


if __name__ == "__main__":
    sys.exit(0 if main(*map(int, sys.argv[1:3])) else 1)
