"""Make the weights again: `python -m models.train all --photos ../shared/photos/train`.

Each stage can be called alone, and goes on where it was stopped; everything lies under `--work`.
"""

import argparse
import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from models.export import default_folder, export_aligner, export_detector, export_reader
from models.train.batches import Sampler
from models.train.calibrate import calibrate
from models.train.crops import collect
from models.train.detector import SIDE, cut_outs, train_detector, write_data_file
from models.train.faces import Plan, train_aligner, train_reader
from models.train.lookalikes import lookalikes
from models.train.mined import mined
from models.train.patterns import patterns as views_of_patterns
from models.train.scenes import render_scenes
from vision.detector import Detector
from vision.engine import OnnxNetwork, checked_weights

_LOG = logging.getLogger(__name__)
_WATCH_SEED = 7_000_000
_LEAST_SCORE = 0.15
"""Finds below the reader's own limit teach the small networks too."""
_PATTERN_SCORE, _PATTERN_EPOCHS = 0.3, 2


@dataclass(frozen=True)
class Job:
    """What to make, from where, and how much of it."""

    work: Path
    photos: Path
    out: Path
    scenes: int
    crop_scenes: int
    epochs: int
    steps: int
    seed: int
    start: Path | None = None


def scenes(job: Job) -> None:
    """Render the scenes of the detector, a few to watch it by, and those of the crops."""
    far, near = (f"{SIDE}x{SIDE}", "13-72"), ("960x960", "22-110")
    render_scenes(job.work / "scenes", job.scenes, seed=job.seed, look=far)
    render_scenes(job.work / "watch", max(8, job.scenes // 60), seed=_WATCH_SEED, look=far, options=("--hold-out",))
    render_scenes(job.work / "close", job.crop_scenes, seed=job.seed + 300_000, look=near)
    many = ("--many-jokers", "--layouts", "melds,lines,scatter,cluster,grid,rack,mixed")
    render_scenes(job.work / "jokers", job.crop_scenes, seed=job.seed + 600_000, look=near, options=many)


def cutouts(job: Job) -> None:
    """Cut the real photographs into training pictures of the detector."""
    if not (job.work / "real" / "images").exists():
        _LOG.info("%d cut-outs of real photographs", cut_outs(job.photos, job.work / "real", each=5, seed=job.seed))


def detector(job: Job) -> None:
    """Train the detector."""
    data = write_data_file(job.work, _detectors_pictures(job), job.work / "watch")
    train_detector(data, job.work / "runs", epochs=job.epochs, start=job.start)


def _detectors_pictures(job: Job) -> list[Path]:
    return [folder for folder in (job.work / "scenes", job.work / "real") if folder.exists()]


def _trained_detector(job: Job) -> Path:
    return job.work / "runs" / "detector" / "weights" / "last.pt"


def patterns(job: Job) -> None:
    """Show the detector the patterns of table-tops that it takes for many tiles, and export it again."""
    views, made = job.work / "patterns", job.work / "patterns.part"
    if not views.exists():
        finder = Detector(OnnxNetwork(checked_weights("detector.onnx", job.out)), least_score=_PATTERN_SCORE)
        _LOG.info("%d views of patterns", views_of_patterns(job.work / "close", finder, made, seed=job.seed))
        made.rename(views)
    data = write_data_file(views, [views, *_detectors_pictures(job)], job.work / "watch")
    last = train_detector(data, job.work / "runs-patterns", epochs=_PATTERN_EPOCHS, start=_trained_detector(job))
    export_detector(last, job.out)


def crops(job: Job) -> None:
    """Cut the crops of the small networks."""
    for name, folder, real in (
        ("far", job.work / "scenes", False),
        ("close", job.work / "close", False),
        ("jokers", job.work / "jokers", False),
        ("photos", job.photos, True),
    ):
        store = job.work / "crops" / name
        if not (store / "labels.npz").exists() and folder.exists():
            collect(folder, real=real, background=4, seed=job.seed).save(store)


def strangers(job: Job) -> None:
    """Draw crops of things that are no tile but look like one."""
    store = job.work / "crops" / "lookalikes"
    if not (store / "labels.npz").exists():
        lookalikes(job.crop_scenes * 8, seed=job.seed).save(store)


def false_finds(job: Job) -> None:
    """Cut crops of what the exported detector takes for tiles in the scenes and is none."""
    store = job.work / "crops" / "mined"
    if not (store / "labels.npz").exists():
        folders = [folder for folder in (job.work / "close", job.work / "hard") if folder.exists()]
        finder = Detector(OnnxNetwork(checked_weights("detector.onnx", job.out)), least_score=_LEAST_SCORE)
        mined(folders, finder, seed=job.seed).save(store)


def aligner(job: Job) -> None:
    """Train and export the aligner."""
    export_aligner(train_aligner(_sampler(job), _plan(job), job.work / "aligner.pt"), job.out)


def reader(job: Job) -> None:
    """Train and export the reader of faces."""
    export_reader(train_reader(_sampler(job), _plan(job), job.work / "reader.pt"), job.out)


def export(job: Job) -> None:
    """Export the detector."""
    export_detector(_trained_detector(job), job.out)


def calibration(job: Job) -> None:
    """Fit the temperatures of the exported weights."""
    calibrate(job.out, max(4, job.crop_scenes // 10))


def _plan(job: Job) -> Plan:
    return Plan(job.steps, rate=2e-3 if job.start is None else 5e-4, seed=job.seed, start=job.start)


def _sampler(job: Job) -> Sampler:
    return Sampler.open(job.work / "crops")


_OF_THE_DETECTOR = (scenes, cutouts, detector, export, patterns)
_OF_THE_SMALL_NETWORKS = (crops, strangers, false_finds, aligner, reader, calibration)
STAGES: dict[str, Callable[[Job], None]] = {
    stage.__name__: stage for stage in (*_OF_THE_DETECTOR, *_OF_THE_SMALL_NETWORKS)
}


def main() -> None:
    """Run the stages asked for."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    args = _parser().parse_args()
    job = Job(**{k: v for k, v in vars(args).items() if k != "stage"})
    for name in STAGES if args.stage == "all" else [args.stage]:
        _LOG.info("stage %s", name)
        STAGES[name](job)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m models.train", description=__doc__)
    parser.add_argument("stage", choices=["all", *STAGES])
    parser.add_argument("--work", type=Path, default=Path("work"), help="folder for everything that is made on the way")
    parser.add_argument(
        "--photos", type=Path, default=Path("../shared/photos/train"), help="real photographs with truth"
    )
    parser.add_argument("--out", type=Path, default=default_folder(), help="folder for the ONNX files")
    parser.add_argument("--scenes", type=int, default=2700, help="rendered pictures for the detector")
    parser.add_argument("--crop-scenes", type=int, default=800, help="rendered pictures for the crops")
    parser.add_argument("--epochs", type=int, default=5, help="rounds of the detector over its pictures")
    parser.add_argument("--steps", type=int, default=8000, help="batches for each small network")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--start", type=Path, help="weights to teach further: a detector's .pt, or a small network's .onnx"
    )
    return parser


if __name__ == "__main__":
    main()
