"""`config`: the settings in force, and where each comes from."""

from __future__ import annotations

import argparse

from dreamd import config
from dreamd.app import wiring
from dreamd.cli import common
from dreamd.config import Loaded
from dreamd.domain.settings import each_setting
from dreamd.errors import ConfigError


def run(arguments: argparse.Namespace) -> int:
    """Print every setting, its value and its source; the defaults where one of them is wrong."""
    try:
        loaded = wiring.start().loaded
    except ConfigError:
        if not arguments.json:
            print(render(config.defaults()), end="")
        raise
    if arguments.json:
        settings = {
            each.key: {"value": each.value, "source": loaded.sources[each.key]}
            for each in each_setting(loaded.settings)
        }
        common.answer({"settings": settings, "paths": loaded.paths})
    else:
        print(render(loaded), end="")
    return 0


def render(loaded: Loaded) -> str:
    """Return a table for a person: key, value in force, and where it is from; then the paths."""
    words = {True: "true", False: "false"}
    found = {each.key: each.value for each in each_setting(loaded.settings)}
    values = {k: words[v] if isinstance(v, bool) else str(v) for k, v in found.items()}
    wide, broad = (max(map(len, column)) for column in (values.keys(), values.values()))
    rows = [
        f"{key:{wide}}  {value:{broad}}  {loaded.sources[key]}" for key, value in values.items()
    ]
    rows += ["", f"configuration  {loaded.paths.config_file}"]
    rows += [f"state          {loaded.paths.state}", f"client         {loaded.paths.claude}"]
    return "\n".join([*rows, ""])
