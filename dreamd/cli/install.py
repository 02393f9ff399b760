"""`install`: start dreamd by itself, or add it to the client; said first, then done."""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path

from dreamd import app as wiring
from dreamd.app import App
from dreamd.cli.paint import on_one_line
from dreamd.errors import HostError, UsageError
from dreamd.host import files, resources
from dreamd.install import agent, launch, laying, plan, plugin, seal, service, units
from dreamd.install.launch import Launch
from dreamd.install.plan import Plan
from dreamd.stores import choice, identity


def configure(parser: argparse.ArgumentParser, name: str) -> None:
    """Add the arguments of `install`."""
    del name
    parser.add_argument("--timer", action="store_true", help="use a timer instead of a daemon")
    parser.add_argument("--now", action="store_true", help="start it now")
    claude_options(parser)
    parser.add_argument(
        "--dry-run", action="store_true", help="print what would be done, and do nothing"
    )


def claude_options(parser: argparse.ArgumentParser) -> None:
    """Add `--claude` and `--dir`."""
    parser.add_argument(
        "--claude", action="store_true", help="the plugin for Claude Code: /dream and its hooks"
    )
    parser.add_argument("--dir", metavar="DIR", help="the folder of the plugin (with --claude)")


def run(arguments: argparse.Namespace) -> int:
    """Install, and say how to go on."""
    app = wiring.start()
    if arguments.claude and (arguments.timer or arguments.now):
        raise UsageError("--claude installs a plugin, which takes neither --timer nor --now")
    folder = plugin_folder(app, arguments)
    command = launch.this(app.loaded.environ)
    if folder is not None:
        return _plugin(app, folder, command, dry=arguments.dry_run)
    started = _launch(app, command)
    todo = _service(app, started, timer=arguments.timer, now=arguments.now)
    if not perform(todo, dry=arguments.dry_run):
        return 0
    files.make_private(app.loaded.paths.state)  # a service is let write only to what is there
    code = tell(todo)
    for line in _hints(app, todo, now=arguments.now, timer=arguments.timer):
        print(on_one_line(line))
    return code


def plugin_folder(app: App, arguments: argparse.Namespace) -> Path | None:
    """Return where the plugin is to lie; None where none is meant.

    Raises:
        UsageError: a folder is named, and no plugin.
    """
    if arguments.dir is not None and not arguments.claude:
        raise UsageError("--dir says where the plugin lies: it needs --claude")
    if not arguments.claude:
        return None
    if arguments.dir is not None:
        return identity.real(choice.path_of(arguments.dir, app.here))
    return app.loaded.paths.home / ".local" / "share" / "dreamd" / "claude"


def perform(todo: Plan, *, dry: bool, otherwise: str = "All files are as they should be.") -> bool:
    """Say what is going to be done, or that it is nothing; return whether it is to be done now."""
    said = list(plan.in_words(todo))
    if not said:
        print(otherwise)
    for line in said:
        print(on_one_line(f"{'would ' if dry else ''}{line}"))
    sys.stdout.flush()
    return not dry


def tell(todo: Plan) -> int:
    """Do it; say what the system refused, or what is left to the user. Return the exit code."""
    refused = plan.carry_out(todo, service.tell)
    for each in refused:
        print(f"dreamd: {on_one_line(each)}", file=sys.stderr)
    left = plan.left_to_run(todo)
    if left:
        print(on_one_line(f"Nothing could be started or stopped: {todo.refusal}. Run it there:"))
        for each in left:
            print(on_one_line(f"  {each}"))
    return 1 if refused else 0


def units_folder(app: App) -> Path:
    """Return where the units of the user lie (systemd.unit(5), "User Unit Search Path")."""
    return app.loaded.paths.config_file.parents[1] / "systemd" / "user"


def on_a_mac(app: App, text: str = "") -> laying.Piece:
    """Return the agent of launchd as a piece to lay or to take up."""
    return laying.Piece(agent.place(app.loaded.paths.home), text, seal.is_unedited)


def bootout() -> tuple[tuple[str, ...], ...]:
    """Return the command that ends the agent, if launchd knows of it."""
    try:
        service.tell(("launchctl", "print", agent.target()))
    except HostError:
        return ()
    return (("launchctl", "bootout", agent.target()),)


def _plugin(app: App, folder: Path, command: tuple[str, ...], *, dry: bool) -> int:
    todo = plugin.install(folder, command, launch.spoken(command, app.loaded.environ))
    if perform(todo, dry=dry):
        plan.carry_out(todo, service.tell)
        print("Add it in the client with these two lines:")
        print(on_one_line(f"  /plugin marketplace add {shlex.quote(str(folder))}"))
        print("  /plugin install dreamd@dreamd")
    return 0


def _launch(app: App, command: tuple[str, ...]) -> Launch:
    """Return how a service starts this dreamd, and the places it must be let write to."""
    loaded = app.loaded
    paths, settings = loaded.paths, loaded.settings
    from dreamd.stores.project import memory_directory  # noqa: PLC0415 - beside its only use

    places = [paths.claude, paths.state.parent]
    chosen = memory_directory(paths.claude)
    places += [chosen] if chosen is not None else []
    places += [each.memory for each in app.known_stores() if each.memory.is_dir()]
    if settings.diary and settings.diary_file:
        places.append(choice.path_of(settings.diary_file, paths.state).parent)
    key = settings.model.key_file
    return Launch(
        words=command,
        environ=launch.moved(loaded.environ),
        writable=units.writable(places),
        key_file=choice.path_of(key, app.here) if key else None,
    )


def _service(app: App, started: Launch, *, timer: bool, now: bool) -> Plan:
    if sys.platform == "darwin":
        text = agent.rendered(started, app.loaded.paths.home, timer=timer)
        piece = on_a_mac(app, seal.sealed(text, "<!--"))
        load = ("launchctl", "bootstrap", agent.target().rpartition("/")[0], str(piece.path))
        return Plan(
            lay=(piece,),
            top=piece.path.parent,
            before=bootout() if now else (),
            after=(load,) if now else (),
        )
    folder = resources.folder("systemd")
    with files.faults("read", folder):
        shipped = {each.name: each.read_text("utf-8") for each in folder.iterdir()}
    return service.install(units_folder(app), shipped, started, timer=timer, now=now)


def _hints(app: App, todo: Plan, *, now: bool, timer: bool) -> list[str]:
    """Return what the user should know of a service that differs from this shell."""
    loaded, said = app.loaded, []
    unit = units.TIMER if timer else "dreamd"
    if not todo.refusal and not now and sys.platform != "darwin":
        said.append(f"It starts with your next login; `systemctl --user start {unit}` starts it.")
    if loaded.environ.get("ANTHROPIC_API_KEY") and not loaded.settings.model.key_file:
        said.append(
            "ANTHROPIC_API_KEY is known to this shell, not to a service: put the key into a file, "
            "set model.key_file to it, and install again."
        )
    only_here = sorted(each for each in loaded.sources.values() if each.startswith("DREAMD_"))
    if only_here:
        said.append(
            f"{', '.join(only_here)}: known to this shell, not to a service; "
            f"set it in {loaded.paths.config_file}."
        )
    if not loaded.paths.claude.is_dir():
        said.append(
            f"There is no {loaded.paths.claude} yet: once there is, start the service anew, so "
            "that it may write there."
        )
    return said
