"""`doctor`: is everything here that the referee needs, and does the camera see well enough?"""

import json
import platform
import sys
from typing import Any

import click

from web.checkup import Finding, check_camera, check_data, check_database, check_model, check_tesseract
from web.options import as_json, common_options, settings_of


@click.command("doctor", short_help="Check camera, light, model and disk.")
@click.option("--camera", metavar="SOURCE", help="The camera to check; without it only the program.")
@common_options
@as_json
def command(*, as_json: bool, **flags: Any) -> int:  # noqa: ANN401
    """Check everything, and say what to do about what is wrong: exit 1 where something is."""
    settings = settings_of(flags)
    findings = [_system(), check_data(settings), check_database(settings), check_model(settings), check_tesseract()]
    if settings.camera:
        findings += check_camera(settings)
    click.echo(
        json.dumps({"checks": [one._asdict() for one in findings]}, ensure_ascii=False)
        if as_json
        else _printed(findings)
    )
    return 0 if all(one.ok for one in findings) else 1


def _system() -> Finding:
    return Finding(
        "system", ok=True, value=f"{platform.system()} {platform.machine()}, Python {sys.version.split()[0]}"
    )


def _printed(findings: list[Finding]) -> str:
    lines = []
    for one in findings:
        lines.append(f"{'ok ' if one.ok else 'NO '} {one.name:15} {one.value}")
        lines += [f"    {one.remedy}"] if one.remedy else []
    return "\n".join(lines)
