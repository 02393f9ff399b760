"""`uninstall`: take back what `install` did; notes, and what dreamd knows of them, stay."""

from __future__ import annotations

import argparse
import shlex
import sys

from dreamd import app as wiring
from dreamd.cli import install
from dreamd.cli.paint import on_one_line
from dreamd.install import plan, plugin, service
from dreamd.install.plan import Plan

_NOTHING = "There is nothing to remove."


def configure(parser: argparse.ArgumentParser, name: str) -> None:
    """Add the arguments of `uninstall`."""
    del name
    install.claude_options(parser)
    parser.add_argument(
        "--dry-run", action="store_true", help="print what would be done, and do nothing"
    )


def run(arguments: argparse.Namespace) -> int:
    """Take it back, and say what is left and how to remove that."""
    app = wiring.start()
    folder = install.plugin_folder(app, arguments)
    if folder is not None:
        todo = plugin.uninstall(folder)
        if install.perform(todo, dry=arguments.dry_run, otherwise=_NOTHING):
            plan.carry_out(todo, service.tell)
            print("Take it out of the client with these two lines:")
            print("  /plugin uninstall dreamd@dreamd")
            print("  /plugin marketplace remove dreamd")
        return 0
    if sys.platform == "darwin":
        piece = install.on_a_mac(app)
        todo = Plan(take=(piece,), top=piece.path.parent, before=install.bootout())
    else:
        todo = service.uninstall(install.units_folder(app))
    if not install.perform(todo, dry=arguments.dry_run, otherwise=_NOTHING):
        return 0
    code = install.tell(todo)
    state = app.loaded.paths.state
    if state.is_dir():
        print(on_one_line(f"Your notes are as they were. What every dream did is in {state};"))
        print(on_one_line(f"`rm -r {shlex.quote(str(state))}` removes it, and with it every undo."))
    return code
