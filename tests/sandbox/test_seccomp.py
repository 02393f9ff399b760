"""The filter of system calls answers as its table says, on machines that are not this one too."""

import errno
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from dreamd.sandbox import seccomp

ALLOW, KILL = 0x7FFF0000, 0x80000000
ANSWERS = {"ALLOW": ALLOW, "REFUSE": 0x50000 | errno.EPERM, "ABSENT": 0x50000 | errno.ENOSYS}
MACHINES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
HEADERS = {
    "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": Path("/usr/include/asm-generic/unistd.h"),
}


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


def test_a_call_is_answered_as_the_table_says() -> None:
    table = Path(__file__).with_name("answers.tsv").read_text().splitlines()
    for row in table[1:]:
        _, *numbers, arguments, programs, expected = row.split("\t")
        given = [int(each, 0) for each in arguments.split() if each != "-"]
        for machine, number in zip(MACHINES, numbers, strict=True):
            for who in programs.split() if number != "-" else ():
                program = seccomp.program(who, machine)
                found = answer(program, MACHINES[machine], int(number), *given)
                assert found == ANSWERS[expected], (row, machine, who)
    assert len(table) > 35


@pytest.mark.parametrize("machine", MACHINES)
def test_a_call_of_another_architecture_kills_and_every_jump_lands_inside(machine: str) -> None:
    for who in ("helper", "command"):
        program = seccomp.program(who, machine)
        for other in {0x40000003, 0x40000028, *MACHINES.values()} - {MACHINES[machine]}:
            assert answer(program, other, 0) == KILL
        if machine == "x86_64":  # whose second ABI has numbers of its own
            assert answer(program, MACHINES[machine], 0x40000029) == KILL
        assert len(program) <= 4096
        for at, (code, yes, no, _) in enumerate(program):
            assert code & 0x07 != 0x05 or at + 1 + max(yes, no) < len(program)
        assert program[-1] == (0x06, 0, 0, ALLOW)


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
