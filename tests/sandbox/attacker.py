"""Serve attempts: for each one a child that walls itself in, or does not, and then tries.

One JSON object a line in, one out.
"""

import ctypes
import fcntl
import glob
import json
import os
import re
import resource
import select
import signal
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from dreamd.sandbox import landlock, run, seccomp
from dreamd.sandbox.confine import confine
from dreamd.sandbox.policy import Level, Policy

_LIBC = ctypes.CDLL(None, use_errno=True)
_ROWS = [row.split("\t") for row in seccomp._ROWS.read_text().splitlines() if row[0] != "#"]
_NUMBERS = {name: numbers for _, _, name, *numbers in _ROWS} | {
    "renameat2": ["316", "276"], "execveat": ["322", "281"],
}  # fmt: skip
USED_BY_NAME = (fcntl, glob, re, resource, signal, socket, struct)  # in attempts
BASH = ["bash", "--noprofile", "--norc", "-c"]
LOOT, LIFE = 3, 4
PATIENCE = 1.5


def call(name: str, *values: Any) -> int:
    number = int(_NUMBERS[name][os.uname().machine != "x86_64"].replace("-", "9999"))
    given: list[Any] = []
    for each in values:
        raw = each.encode() + b"\0" if isinstance(each, str) else each
        given.append(ctypes.c_char_p(raw) if isinstance(raw, bytes) else raw)
    given = [ctypes.c_long(each) if isinstance(each, int) else each for each in given]
    answer = _LIBC.syscall(ctypes.c_long(number), *given)
    if answer < 0:
        raise OSError(ctypes.get_errno(), name)
    return int(answer)


def loot(what: str | bytes) -> None:
    os.write(LOOT, what.encode() if isinstance(what, str) else what)


def won() -> None:
    os.write(LOOT, b"WON")


def handle(path: str) -> tuple[Any, int]:
    body = ctypes.create_string_buffer(struct.pack("Ii", 128, 0) + bytes(128))
    mount = ctypes.c_int()
    call("name_to_handle_at", -100, path, body, ctypes.byref(mount), 0)
    return body, os.open("/", os.O_RDONLY)


def by_handle(found: tuple[Any, int], flags: int) -> int:
    body, mount = found
    return call("open_by_handle_at", mount, body, flags)


def disk() -> str:
    for line in Path("/proc/partitions").read_text().splitlines()[2:]:
        return "/dev/" + line.split()[3]
    raise OSError("no disk")


def daemon(work: Callable[[], object]) -> None:
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            work()
            os._exit(0)
        os._exit(0)
    os.wait()


def files(top: str) -> list[str]:
    found = [f"{at}/{name}" for at, _, names in os.walk(top) for name in names]
    return [each for each in found or [top] if Path(each).is_file()]


def attempt(order: dict[str, Any], policy: Policy | None) -> None:
    """What the child does; it never returns."""
    null = os.open("/dev/null", os.O_RDWR)
    for each in (0, 1, 2):
        os.dup2(null, each)
    os.closerange(5, 256)
    for each in (LOOT, LIFE):
        os.set_inheritable(each, True)
    ambient = {
        "W": order["world"], "VICTIM": str(order["victim"]), "TCP": str(order["ports"]["tcp"]),
        "UDP": str(order["ports"]["udp"]), "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
    }  # fmt: skip
    if policy is not None:
        confine(policy)
    if order["kind"] == "python":
        names = dict(
            globals(), W=order["world"], VICTIM=order["victim"], ports=order["ports"],
            BASE=order["base"], ADDRESS=order["address"],
        )  # fmt: skip
        exec(order["code"], names)
    elif order["kind"] == "shell":
        subprocess.run(
            [*BASH, order["code"]],
            stdout=LOOT, stderr=LOOT, env=ambient, pass_fds=[LIFE], check=False,
        )  # fmt: skip
    else:
        exports = "".join(f"export {name}='{value}';" for name, value in ambient.items())
        commands = [[*BASH, exports + order["code"]]]
        loot(run.piped(commands, domain=landlock.Domain(1 << 6), seconds=2).output)


def serve(order: dict[str, Any], policy: Policy | None) -> dict[str, Any]:
    heard, saying = os.pipe()
    living, life = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.setsid()
            os.dup2(saying, 10)
            os.dup2(life, 11)
            os.dup2(10, LOOT)
            os.dup2(11, LIFE)
            attempt(order, policy)
        except BaseException as error:  # noqa: BLE001 - whatever stopped it is what it said
            os.write(LOOT, f"!{type(error).__name__}: {error}"[:200].encode())
        finally:
            os._exit(0)
    os.close(saying)
    os.close(life)
    said, until, hung = b"", time.monotonic() + PATIENCE, False
    while not (hung or os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT)):
        if select.select([heard], [], [], 0.002)[0]:
            piece = os.read(heard, 65536)
            said += piece if len(said) < 1 << 20 else b""
            time.sleep(0.002 if not piece else 0)
        hung = time.monotonic() > until
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    while select.select([heard], [], [], 0)[0] and (piece := os.read(heard, 65536)):
        said += piece
    alive = not select.select([living], [], [], 0.05)[0]
    if alive and policy is None:
        select.select([living], [], [], 3)
    os.close(heard)
    os.close(living)
    return {"said": said.decode("utf-8", "replace"), "alive": alive, "hung": hung}


def main() -> None:
    level, stage, *denied = sys.argv[1:]
    policy = None
    if level != "none":
        policy = Policy(Path(stage), tuple(map(Path, denied)), Level(level))
    for line in sys.stdin:
        sys.stdout.write(json.dumps(serve(json.loads(line), policy)) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
