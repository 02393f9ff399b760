"""`config`: the settings in force, and where each comes from."""

from __future__ import annotations

import argparse

from dreamd import app as wiring
from dreamd import config
from dreamd.cli import common


def configure(parser: argparse.ArgumentParser, name: str) -> None:
    """Add the arguments of `config`."""
    del name
    common.json_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print every setting, its value and its source."""
    loaded = wiring.start().loaded
    if arguments.json:
        common.answer(config.as_json(loaded))
    else:
        print(config.render(loaded), end="")
    return 0
