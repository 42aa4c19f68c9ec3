"""How quickly many watching tablets hear of a change, and what it costs: a real server on loopback, bounded in time.

python -m benchmarks.pages [tablets=50] [seconds=30]
"""

import http.client
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

CHANGES_A_SECOND = 2
LATEST_MS = 100
MOST_OF_A_CORE = 0.2
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
        start = time.monotonic()
        version = desk.add_time(1, version=None, now=now_ms()).version
        print(version, start, time.process_time(), flush=True)

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


def main(count: int = 50, seconds: int = 30) -> bool:
    """Watch with `count` tablets while the game changes twice a second, and print what was measured."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", SERVER, f"{folder}/games.db"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:  # noqa: S603
            port = int(server.stdout.readline())
            tablets = [Tablet(port) for _ in range(count)]
            for tablet in tablets:
                tablet.start()
            time.sleep(2)
            met = report(server, tablets, seconds)
            server.terminate()
    return met


def report(server: subprocess.Popen[str], tablets: list[Tablet], seconds: int) -> bool:
    """Change the game, and say when it was heard of; tells whether nothing was missed and the bars were met."""
    memory, begun, started, cpu = memory_kb(server.pid), time.monotonic(), {}, []
    while time.monotonic() - begun < seconds:
        server.stdin.write("\n")
        server.stdin.flush()
        version, start, used = server.stdout.readline().split()
        started[int(version)] = float(start)
        cpu.append(float(used))
        time.sleep(1 / CHANGES_A_SECOND)
    time.sleep(2)
    delays = sorted(
        1000 * (tablet.heard[version] - start)
        for tablet in tablets
        for version, start in started.items()
        if version in tablet.heard
    )
    missed = len(tablets) * len(started) - len(delays)
    print(f"{len(tablets)} tablets, {len(started)} changes in {seconds} s: {missed} missed")
    late, core = delays[int(0.95 * len(delays))], (cpu[-1] - cpu[0]) / seconds
    print(f"from the change to the tablet: median {statistics.median(delays):.0f} ms, 95 % within {late:.0f} ms")
    print(f"processor {100 * core:.0f} % of a core, memory {memory} -> {memory_kb(server.pid)} kB")
    return missed == 0 and late <= LATEST_MS and core <= MOST_OF_A_CORE


if __name__ == "__main__":
    sys.exit(0 if main(*map(int, sys.argv[1:3])) else 1)
