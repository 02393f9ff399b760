"""Serve attempts: for each one a child that walls itself in, or does not, and then tries.

One JSON object a line in, one out.
"""

import ctypes
import fcntl
import json
import os
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

from dreamd.sandbox import landlock, run
from dreamd.sandbox.confine import confine
from dreamd.sandbox.policy import Level, Policy, Role
from dreamd.sandbox.spawn import sweep

_LIBC = ctypes.CDLL(None, use_errno=True)
_X86 = os.uname().machine == "x86_64"
_NUMBERS = {  # x86_64, aarch64
    "renameat2": (316, 276), "openat2": (437, 437), "fchmodat2": (452, 452),
    "setxattrat": (463, 463), "process_vm_readv": (310, 270), "pidfd_getfd": (438, 438),
    "syslog": (103, 116), "tgkill": (234, 131), "rt_sigqueueinfo": (129, 138),
    "ptrace": (101, 117), "io_uring_setup": (425, 425), "unshare": (272, 97), "mount": (165, 40),
    "clone": (56, 220), "clone3": (435, 435), "setns": (308, 268), "open_tree": (428, 428),
    "fsopen": (430, 430), "perf_event_open": (298, 241), "bpf": (321, 280), "add_key": (248, 217),
    "userfaultfd": (323, 282), "fanotify_init": (300, 262), "inotify_init1": (294, 26),
    "shmget": (29, 194), "shmctl": (31, 195), "mq_open": (240, 180), "mq_unlink": (241, 181),
    "semget": (64, 190), "semctl": (66, 191), "iopl": (172, 9999), "personality": (135, 92),
    "kcmp": (312, 272), "capset": (126, 91), "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265), "keyctl": (250, 219), "process_madvise": (440, 440),
    "process_vm_writev": (311, 271), "ioprio_set": (251, 30), "sched_setattr": (314, 274),
    "migrate_pages": (256, 238), "execveat": (322, 281), "msgget": (68, 186),
    "msgctl": (71, 187), "memfd_secret": (447, 447),
}  # fmt: skip
USED_BY_NAME = (fcntl, resource, signal, socket)  # in attempts
BASH = ["bash", "--noprofile", "--norc", "-c"]
LOOT, LIFE = 3, 4
PATIENCE = 5.0


def call(name: str, *values: Any) -> int:
    number = _NUMBERS[name][0 if _X86 else 1]
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
    if order["way"] == "python":
        names = dict(
            globals(), W=order["world"], VICTIM=order["victim"], ports=order["ports"],
            BASE=order["base"], ADDRESS=order["address"],
        )  # fmt: skip
        exec(order["code"], names)
    elif order["way"] == "shell":
        subprocess.run(
            [*BASH, order["code"]],
            stdout=LOOT, stderr=LOOT, env=ambient, pass_fds=[LIFE], check=False,
        )  # fmt: skip
    elif policy is not None:
        exports = "".join(f"export {name}='{value}';" for name, value in ambient.items())
        commands = [[*BASH, exports + order["code"]]]
        loot(
            run.piped(commands, domain=landlock.Domain(1 << 6), limits=run.Limits(seconds=3)).output
        )


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
    said, until = b"", time.monotonic() + PATIENCE
    while True:
        ended, _ = os.waitpid(child, os.WNOHANG)
        if select.select([heard], [], [], 0.002)[0]:
            piece = os.read(heard, 65536)
            said += piece
            if not piece:
                time.sleep(0.002)
        if ended:
            break
        if time.monotonic() > until:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            break
    sweep(child)
    while select.select([heard], [], [], 0)[0] and (piece := os.read(heard, 65536)):
        said += piece
    alive = not select.select([living], [], [], 0.05)[0]
    if alive and order["wait"]:
        select.select([living], [], [], 3)
    os.close(heard)
    os.close(living)
    return {"said": said.decode("utf-8", "replace"), "alive": alive}


def main() -> None:
    role, level, stage, *denied = sys.argv[1:]
    policy = None
    if level != "none":
        policy = Policy(
            Role(role), Path(stage), tuple(map(Path, denied)), Level(level),
            scratch=Path(stage).parent / "scratch", ports=(53, 443),
        )  # fmt: skip
    for line in sys.stdin:
        sys.stdout.write(json.dumps(serve(json.loads(line), policy)) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
