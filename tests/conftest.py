import logging
import os
from pathlib import Path

import pytest

SHARED = Path(__file__).parents[2] / "shared"


@pytest.fixture
def shared() -> Path:
    """The folder of photographs and judged cases beside the checkout, where there is one."""
    if not (SHARED / "RULEBOOK.md").exists():
        pytest.skip("needs ../shared")
    return SHARED


@pytest.fixture(autouse=True)
def _no_errors_logged(caplog: pytest.LogCaptureFixture):
    yield
    errors = [
        r.getMessage() for when in ("setup", "call") for r in caplog.get_records(when) if r.levelno >= logging.ERROR
    ]
    assert not errors, f"logged as ERROR: {errors}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item):
    """In CI nothing may be skipped but what needs a GPU: a skip there hides what nobody checked."""
    report = yield
    if (
        report.skipped
        and os.environ.get("CI") == "true"
        and not hasattr(report, "wasxfail")
        and "GPU" not in str(report.longrepr)
    ):
        report.outcome = "failed"
        report.longrepr = f"skipped in CI: {report.longrepr}"
    return report
