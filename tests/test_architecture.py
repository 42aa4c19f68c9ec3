import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
OURS = ("referee", "vision", "web", "models")
THIRD_PARTY = {
    "referee": set(),
    "vision": {"cv2", "numpy", "scipy"},
    "web": {
        "flask",
        "waitress",
        "click",
        "flask_babel",
        "segno",
        "werkzeug",
        "babel",
        "markupsafe",
        "jinja2",
        "itsdangerous",
        "platformdirs",
        "cv2",
        "numpy",
    },
    "models": {"cv2", "numpy"},
}
EXTRA = {
    "referee/arrange": {"highspy"},
    "referee/log": {"sqlalchemy"},
    "vision/engine": {"onnxruntime"},
    "vision/ocr": {"pytesseract"},
    "models/train": {"torch", "ultralytics", "yaml", "scipy", "onnx"},
    "models/export": {"torch", "ultralytics", "onnxruntime"},
    "models/engine": {"torch", "ultralytics"},
    "models/render/fonts": {"fontTools", "pathops"},
}
INNER = {"referee": set(), "vision": {"referee"}, "models": {"referee", "vision"}, "web": {"referee", "vision"}}
WORKSHOP_DOORS = {"web/commands/demo", "web/commands/replay", "web/cli", "web/eyes"}
"""The only modules of web that may open the workshop, inside a function."""


def modules() -> list[Path]:
    return [p.relative_to(ROOT) for name in OURS for p in sorted((ROOT / name).rglob("*.py"))]


def imports(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            names.add(node.module)
    return names


def allowed_extra(path: Path) -> set[str]:
    return set().union(*(extra for start, extra in EXTRA.items() if path.as_posix().startswith(start)))


@pytest.mark.parametrize("path", modules(), ids=str)
def test_arrows_point_inward(path: Path):
    home = path.parts[0]
    for name in imports(path):
        top = name.split(".")[0]
        if top in OURS and top != home:
            door = home == "web" and top == "models" and path.with_suffix("").as_posix() in WORKSHOP_DOORS
            assert top in INNER[home] or door, f"{path} imports {name}"


@pytest.mark.parametrize("path", modules(), ids=str)
def test_only_named_libraries_are_imported(path: Path):
    known = set(OURS) | THIRD_PARTY[path.parts[0]] | allowed_extra(path) | set(sys.stdlib_module_names)
    assert {name.split(".")[0] for name in imports(path)} <= known


@pytest.mark.parametrize("path", [p for p in modules() if p.parts[0] == "web"], ids=str)
def test_web_opens_the_workshop_inside_functions_alone(path: Path):
    for node in ast.parse((ROOT / path).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom | ast.Import):
            names = [node.module] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names]
            assert not any(n.split(".")[0] == "models" for n in names), f"{path}: {names}"


def test_finding_the_weights_imports_nothing():
    assert (ROOT / "models" / "__init__.py").read_text() == ""


@pytest.mark.parametrize("path", modules(), ids=str)
def test_no_file_is_over_400_lines(path: Path):
    assert len((ROOT / path).read_text(encoding="utf-8").splitlines()) <= 400
