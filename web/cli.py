"""The command `rummy-referee`: a thin shell; each command is loaded only when it is called."""

import sys
from importlib import import_module

import click

from referee.errors import GameError, LogError, NotationError, RecordError, RuleError
from vision.errors import CameraError, ModelError, PictureError, TileSetError
from web.errors import InputError

COMMANDS = {
    "read": "Say what lies on the table in a photo.",
    "judge": "Say whether a turn is legal.",
    "score": "Count the end of a game.",
    "arrange": "Put tiles in order, where that can be done.",
    "rules": "Show the rules and their options.",
    "teach": "Learn the tiles of your own set.",
    "doctor": "Check camera, light, model and disk.",
    "run": "Referee a game live, and serve its pages.",
    "demo": "Watch a simulated game being refereed.",
    "replay": "Referee a recorded game again.",
}
INTERRUPTED = 130
MISTAKES = (InputError, NotationError, RuleError, GameError, RecordError, PictureError, TileSetError)


class LazyGroup(click.Group):
    """A group that imports `web.commands.<name>` when `<name>` is called, and only then."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """List the commands in the order of their use."""
        return list(COMMANDS)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load a command."""
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"web.commands.{cmd_name}")
        command: click.Command = module.command
        return command

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Show what each command does without loading any."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="rummy-referee")
def cli() -> None:
    """A camera referee for tile rummy on a real table."""


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and leave with the contract's exit code; whatever goes wrong is one line."""
    try:
        code = cli.main(arguments, prog_name="rummy-referee", standalone_mode=False)
    except (KeyboardInterrupt, click.Abort):
        sys.exit(INTERRUPTED)
    except click.ClickException as error:
        fail(
            2,
            error.format_message(),
            error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else "",
        )
    except MISTAKES as error:
        fail(2, str(error))
    except (CameraError, LogError, ModelError) as error:
        fail(3, str(error))
    except BrokenPipeError:
        sys.stderr.close()
        code = 0
    sys.exit(code or 0)


def fail(code: int, message: str, command: str = "") -> None:
    """Say in one line what is wrong, and leave."""
    one_line = " ".join(message.split())
    click.echo(f"{command or 'rummy-referee'}: {one_line}", err=True)
    sys.exit(code)


if __name__ == "__main__":
    main()
