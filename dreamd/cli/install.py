"""`install`, `uninstall`: start dreamd by itself, or add it to the client; and take it back.

What is going to be done is said first. Notes, and what dreamd knows of them, stay.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path

from dreamd import config
from dreamd.app import engines
from dreamd.app.wiring import App
from dreamd.cli import common
from dreamd.cli.paint import on_one_line
from dreamd.domain.settings import EngineChoice
from dreamd.errors import UsageError
from dreamd.host import files
from dreamd.install import agent, launch, plan, plugin, service
from dreamd.install.launch import Launch
from dreamd.install.plan import Plan
from dreamd.stores import choice, identity
from dreamd.stores.project import memory_directory


def run(arguments: argparse.Namespace) -> int:
    """Say what is going to be done, do it, and say how to go on."""
    app, comes = common.start(arguments), arguments.command == "install"
    if arguments.dir is not None and not arguments.claude:
        raise UsageError("--dir says where the plugin lies: it needs --claude")
    if arguments.claude and comes and (arguments.timer or arguments.now):
        raise UsageError("--claude installs a plugin, which takes neither --timer nor --now")
    if comes:
        app = _with_engine(app, arguments)
    if arguments.claude:
        todo, then = _plugin(app, arguments.dir, comes=comes)
    elif comes:
        if not arguments.dry_run:  # a service may write only to what is there
            files.make_private(app.loaded.paths.state)
        todo = _service(app, timer=arguments.timer, now=arguments.now)
        then = _hints(app, todo, now=arguments.now, timer=arguments.timer)
    else:
        todo, then = _no_service(app)
    if comes:
        then.append(f"Engine: {engines.dreams_with(app)}.")
    nothing = "All files are as they should be." if comes else "There is nothing to remove."
    would = "would " if arguments.dry_run else ""
    for line in [f"{would}{each}" for each in plan.in_words(todo)] or [nothing]:
        print(on_one_line(line), flush=True)
    return 0 if would else _carry_out(todo, then)


def _with_engine(app: App, arguments: argparse.Namespace) -> App:
    """Record the engine of dreams that begin by themselves, as the option says or a person does.

    For a model, a key that is merely in the environment is kept in a file, with its address: one
    that the configuration does not name, only once a person saw it and said yes.
    """
    from dreamd.engine.model.key import in_environment, of_environment  # noqa: PLC0415 - only here

    loaded, model, named = app.loaded, app.loaded.settings.model, arguments.engine
    is_stored, path = model.key_file or model.base_url, loaded.paths.config_file
    variable = None if is_stored else in_environment(loaded.environ)
    address, key = loaded.environ.get("ANTHROPIC_BASE_URL", "").strip(), path.with_name("key")
    is_open = variable and loaded.sources["engine"] == "default" and not arguments.dry_run
    if not named and is_open and sys.stdin.isatty() and sys.stdout.isatty():
        where = f" at {address}" if address else ""
        is_meant = common.asked(
            f"May dreams that begin by themselves use {model.name}{where}, for at most "
            f"${model.day_dollars:.2f} a day?\nThe key in {variable} is then kept in {key}, which "
            "only you can read."
        )
        named = EngineChoice.MODEL if is_meant else EngineChoice.AUTO
    if not named:
        return app
    chosen = {"engine": str(named)}
    secret = None
    if variable and named == EngineChoice.MODEL:
        secret = of_environment(loaded.environ, "" if arguments.engine else address)
        chosen |= {"model.key_file": str(key)} | ({"model.base_url": address} if address else {})
    for name, value in chosen.items():
        print(on_one_line(f"{'would ' * arguments.dry_run}set {name}: {value} in {path}"))
    if arguments.dry_run:
        return app
    config.record(path, chosen)
    if secret:
        with files.faults("write", key):
            files.replace(key, secret.encode())
    return common.start(arguments)


def _carry_out(todo: Plan, then: list[str]) -> int:
    """Do it; say what the system refused, what is left to the user, and how to go on."""
    refused = plan.carry_out(todo)
    for line in refused:
        print(f"dreamd: {on_one_line(line)}", file=sys.stderr)
    left = [f"  {shlex.join(each)}" for each in (*todo.before, *todo.after) if todo.refusal]
    if left:
        left.insert(0, f"Nothing could be started or stopped: {todo.refusal}. Run it there:")
    for line in (*left, *then):
        print(on_one_line(line))
    return 1 if refused else 0


def _plugin(app: App, named: str | None, *, comes: bool) -> tuple[Plan, list[str]]:
    """Return the plan for the plugin, and the two lines that a person types in the client."""
    folder = plugin.place(app.loaded.paths.home)
    if named is not None:
        folder = identity.real(choice.path_of(named, app.here))
    if not comes:
        lines = ["  /plugin uninstall dreamd@dreamd", "  /plugin marketplace remove dreamd"]
        lead = "Take it out of the client with these two lines:"
        return Plan(folder, is_own=True), [lead, *lines]
    add = f"  /plugin marketplace add {shlex.quote(str(folder))}"
    lead = "Add it in the client with these two lines:"
    todo = plugin.install(folder, launch.this(app.loaded.environ))
    return todo, [lead, add, "  /plugin install dreamd@dreamd"]


def _no_service(app: App) -> tuple[Plan, list[str]]:
    """Return the plan to remove the service, and how to remove what then is left."""
    paths = app.loaded.paths
    if sys.platform == "darwin":
        todo = agent.uninstall(paths.home)
    else:
        todo = service.uninstall(service.place(paths.config_file))
    if not paths.state.is_dir():
        return todo, []
    return todo, [
        f"Your notes are as they were. What every dream did is in {paths.state};",
        f"`rm -r {shlex.quote(str(paths.state))}` removes it, and with it every undo.",
    ]


def _service(app: App, *, timer: bool, now: bool) -> Plan:
    """Return the plan for the service: how it starts this dreamd, and where it may write."""
    paths, settings, environ = app.loaded.paths, app.loaded.settings, app.loaded.environ
    places: list[Path | None] = [paths.claude, paths.state.parent, memory_directory(paths.claude)]
    places += [each.memory for each in app.known_stores() if each.memory.is_dir()]
    key = settings.model.key_file
    started = Launch(
        words=launch.this(environ),
        environ=launch.moved(environ),
        writable=service.writable(each for each in places if each is not None),
        key_file=choice.path_of(key, app.here) if key else None,
    )
    if sys.platform == "darwin":
        return agent.install(paths.home, started, timer=timer, now=now)
    return service.install(service.place(paths.config_file), started, timer=timer, now=now)


def _hints(app: App, todo: Plan, *, now: bool, timer: bool) -> list[str]:
    """Return what the user should know of a service that differs from this shell."""
    loaded, said = app.loaded, []
    unit = service.TIMER if timer else "dreamd"
    if not todo.refusal and not now and sys.platform != "darwin":
        said.append(f"It starts with your next login; `systemctl --user start {unit}` starts it.")
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
