"""One tool call from its name and arguments to its answer; nothing that goes wrong escapes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from dreamd.engine.model.faults import place_of
from dreamd.engine.model.tools import BY_NAME, TOOLS, Home
from dreamd.engine.model.tools.arguments import checked
from dreamd.engine.model.tools.page import MOST, within
from dreamd.engine.model.tools.patience import OutOfTimeError
from dreamd.engine.model.tools.place import Answer, Place
from dreamd.errors import DreamdError
from dreamd.text.secrets.secrets import redact
from dreamd.transcripts.plain import plain

Run = Callable[[Mapping[str, Any], Place], Answer]


def runner(name: str) -> Run:
    """Return the function of a tool, importing its module only now: each has libraries of its own.

    Raises:
        KeyError: there is no such tool.
    """
    module = import_module(f"dreamd.engine.model.tools.{BY_NAME[name].name.lower()}")
    run: Run = module.run
    return run


def answered(name: str, arguments: Any, place: Place, home: Home) -> Answer:
    """Return the answer to one call of a tool that this home serves, whatever it was given.

    What goes to the model holds no secret and is no longer than a page, whatever the tool did.
    """
    tool = BY_NAME.get(name)
    if tool is None or tool.home != home:
        here = ", ".join(each.name for each in TOOLS if each.home == home)
        return Answer(f"There is no tool {name!r:.60} here; there are {here}.", is_error=True)
    try:
        answer = runner(name)(checked(tool, arguments), place)
    except OutOfTimeError:
        return Answer(f"{name} took too long; ask for less at once.", is_error=True)
    except (DreamdError, OSError) as error:
        said = str(error).replace(str(place.stage), str(place.memory))
        return Answer(within(redact(plain(said)), MOST), is_error=True)
    except Exception as error:  # noqa: BLE001 - one call's fault is not the session's end
        words = f"{name} failed inside: {type(error).__name__}."
        return Answer(words, is_error=True, facts={"fault": place_of(error)})
    return Answer(within(redact(plain(answer.text)), MOST), answer.is_error, answer.facts)
