"""The filter of system calls answers as its table says, on machines that are not this one too."""

import errno
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from dreamd.sandbox import seccomp

ALLOW, KILL = 0x7FFF0000, 0x80000000
REFUSE, ABSENT = 0x00050000 | errno.EPERM, 0x00050000 | errno.ENOSYS
MACHINES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
HEADERS = {
    "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": Path("/usr/include/asm-generic/unistd.h"),
}
# Call, its numbers on x86_64 and aarch64, arguments, and the answer of each program that is asked
TABLE = """
read 0 63 | | helper client command: ALLOW
openat 257 56 | 0 0 0 | helper client: ALLOW
openat 257 56 | 0 0 0o1101 | helper client: ALLOW
openat 257 56 | 0 0 0x200 | helper client: REFUSE
openat 257 56 | 0 0 0x203 | helper client: REFUSE
open 2 - | 0 0x200 | helper client: REFUSE
openat2 437 437 | | helper client: ABSENT
clone3 435 435 | | helper client: ABSENT
clone 56 220 | 0x01200011 | helper client: ALLOW
clone 56 220 | 0x01200011 | command: REFUSE
clone 56 220 | 0x003d0f00 | helper client command: ALLOW
clone 56 220 | 0x00020011 | helper client: REFUSE
clone 56 220 | 0x02000011 | helper client: REFUSE
clone 56 220 | 0x10000011 | helper client: REFUSE
clone 56 220 | 0x40000011 | helper client: REFUSE
fork 57 - | | helper client: ALLOW
fork 57 - | | command: REFUSE
execve 59 221 | | helper client command: ALLOW
kill 62 129 | 1 9 | helper client: ALLOW
kill 62 129 | 1 9 | command: REFUSE
setpgid 109 154 | | helper client: REFUSE
prctl 157 167 | 4 1 | helper client: REFUSE
prctl 157 167 | 1 0 | command: REFUSE
ioctl 16 29 | 1 0x5401 | helper client: ALLOW
ioctl 16 29 | 1 0x5412 | helper client: REFUSE
ioctl 16 29 | 1 0x40086602 | helper client: REFUSE
fcntl 72 25 | 1 1030 | helper client: ALLOW
fcntl 72 25 | 1 1024 | helper client: REFUSE
prlimit64 302 261 | 0 | helper client: ALLOW
prlimit64 302 261 | 7 | helper client: REFUSE
socket 41 198 | 2 1 0 | client: ALLOW
socket 41 198 | 2 1 0 | helper: REFUSE
socket 41 198 | 1 1 0 | client: REFUSE
socket 41 198 | 2 1 262 | client: REFUSE
socketpair 53 199 | 1 2 | client: REFUSE
sendto 44 206 | 0 0 0 0x20000000 | client: REFUSE
chmod 90 - | | helper client: REFUSE
fchmodat2 452 452 | | helper client: REFUSE
setxattrat 463 463 | | helper client: REFUSE
io_uring_setup 425 425 | | helper client: REFUSE
ptrace 101 117 | | helper client: REFUSE
linkat 265 37 | | helper client: REFUSE
mount 165 40 | | helper client: REFUSE
bpf 321 280 | | helper client: REFUSE
"""


def answer(program: Sequence[seccomp.Instruction], arch: int, call: int, *arguments: int) -> int:
    """Run a filter on one system call, as linux/kernel/seccomp.c would."""
    data = {0: call, 4: arch} | {16 + 8 * at: value for at, value in enumerate(arguments)}
    at = register = 0
    while True:
        code, if_true, if_false, constant = program[at]
        at += 1
        match code:
            case 0x20:
                register = data.get(constant, 0)
            case 0x54:
                register &= constant
            case 0x06:
                return constant
            case 0x15:
                at += if_true if register == constant else if_false
            case 0x35:
                at += if_true if register >= constant else if_false
            case _:
                raise AssertionError(code)


@pytest.mark.parametrize("row", TABLE.strip().splitlines())
def test_a_call_is_answered_as_the_table_says(row: str) -> None:
    call, arguments, said = (part.split() for part in row.split("|"))
    *programs, expected = " ".join(said).replace(":", "").split()
    for machine, number in zip(MACHINES, call[1:], strict=True):
        for who in programs if number != "-" else ():
            program = seccomp.program(who, machine)
            given = [int(each, 0) for each in arguments]
            found = answer(program, MACHINES[machine], int(number), *given)
            assert found == globals()[expected], (machine, who)


@pytest.mark.parametrize("machine", MACHINES)
def test_a_call_of_another_architecture_kills(machine: str) -> None:
    for other in {0x40000003, 0x40000028, *MACHINES.values()} - {MACHINES[machine]}:
        assert answer(seccomp.program("helper", machine), other, 0) == KILL
    if machine == "x86_64":  # whose second ABI has numbers of its own
        assert answer(seccomp.program("helper", machine), MACHINES[machine], 0x40000029) == KILL


@pytest.mark.parametrize("machine", MACHINES)
def test_the_numbers_are_those_of_the_kernels_headers(machine: str) -> None:
    if not HEADERS[machine].exists():
        pytest.skip("no headers of Linux here")
    defined = re.findall(r"define __NR(?:3264)?_(\w+)\s+(\d+)", HEADERS[machine].read_text())
    known = dict(defined)
    assert len(known) > 250
    newest = max(map(int, known.values()))
    for line in seccomp._ROWS.read_text().splitlines():
        if not line.startswith("#"):
            _, _, name, *numbers = line.split("\t")
            number = numbers[list(MACHINES).index(machine)]
            if number == "-" or int(number) <= newest:
                assert known.get(name, "-") == number, name


def test_every_jump_lands_inside() -> None:
    for machine in MACHINES:
        for who in ("helper", "client", "command"):
            program = seccomp.program(who, machine)
            assert len(program) <= 4096
            for at, (code, yes, no, _) in enumerate(program):
                assert code & 0x07 != 0x05 or at + 1 + max(yes, no) < len(program)
            assert program[-1] == (0x06, 0, 0, ALLOW)
