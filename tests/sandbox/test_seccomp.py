"""The filter of system calls answers as it says, on machines that are not this one too."""

import errno

import pytest

from dreamd.sandbox import seccomp, syscalls
from tests.sandbox.filter_machine import answer

ALLOW = 0x7FFF0000
REFUSE = 0x00050000 | errno.EPERM
ABSENT = 0x00050000 | errno.ENOSYS
KILL = 0x80000000
MACHINES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
# Linux, arch/x86/entry/syscalls/syscall_64.tbl and include/uapi/asm-generic/unistd.h
SOME_REFUSED = {
    "x86_64": {
        "socket": 41,
        "chmod": 90,
        "ptrace": 101,
        "link": 86,
        "mount": 165,
        "fchmodat2": 452,
    },
    "aarch64": {"socket": 198, "fchmod": 52, "ptrace": 117, "linkat": 37, "mount": 40, "bpf": 280},
}
READ = {"x86_64": 0, "aarch64": 63}
OPENAT = {"x86_64": 257, "aarch64": 56}
CLONE = {"x86_64": 56, "aarch64": 220}
EXECVE = {"x86_64": 59, "aarch64": 221}
IOCTL = {"x86_64": 16, "aarch64": 29}
KILLING = {"x86_64": 62, "aarch64": 129}

machines = pytest.mark.parametrize("machine", sorted(MACHINES))


def reader(machine: str, call: int, *arguments: int) -> int:
    program = seccomp.helper_program(machine, may_spawn=True)
    return answer(program, MACHINES[machine], call, *arguments)


def writer(machine: str, call: int, *arguments: int) -> int:
    program = seccomp.helper_program(machine, may_spawn=False)
    return answer(program, MACHINES[machine], call, *arguments)


@machines
def test_what_landlock_does_not_see_is_refused(machine: str) -> None:
    for call in SOME_REFUSED[machine].values():
        assert reader(machine, call) == REFUSE
    for call in (452, 463, 466, 469, 425, 426, 427):  # the same on both
        assert reader(machine, call) == REFUSE


@machines
def test_reading_is_left_to_landlock(machine: str) -> None:
    assert reader(machine, READ[machine]) == ALLOW
    assert reader(machine, OPENAT[machine], 0, 0, 0) == ALLOW
    assert reader(machine, OPENAT[machine], 0, 0, 0o1101) == ALLOW  # to write, create, truncate


@machines
def test_a_call_of_another_architecture_kills(machine: str) -> None:
    for other in (0x40000003, 0x40000028, *MACHINES.values()):
        if other != MACHINES[machine]:
            program = seccomp.helper_program(machine, may_spawn=True)
            assert answer(program, other, READ[machine]) == KILL


def test_the_second_abi_of_x86_64_kills() -> None:
    assert reader("x86_64", 0x40000000 + 41) == KILL
    assert reader("x86_64", 0x40000000) == KILL


@machines
def test_a_child_may_be_made_but_no_namespace(machine: str) -> None:
    assert reader(machine, CLONE[machine], 0x01200011) == ALLOW
    for namespace in (0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x40000000):
        assert reader(machine, CLONE[machine], 17 | namespace) == REFUSE
    assert reader(machine, 435) == ABSENT  # clone3: its flags cannot be seen


@machines
def test_a_writer_starts_nothing_but_threads(machine: str) -> None:
    assert writer(machine, EXECVE[machine]) == REFUSE
    assert writer(machine, CLONE[machine], 17) == REFUSE
    assert writer(machine, CLONE[machine], 0x003D0F00) == ALLOW
    assert writer(machine, KILLING[machine], 1, 9) == REFUSE
    assert reader(machine, EXECVE[machine]) == ALLOW


@machines
def test_opening_for_reading_empties_no_file(machine: str) -> None:
    assert reader(machine, OPENAT[machine], 0, 0, 0x200) == REFUSE
    assert reader(machine, OPENAT[machine], 0, 0, 0x203) == REFUSE
    assert reader(machine, 437) == ABSENT  # openat2: its flags cannot be seen
    if machine == "x86_64":
        assert reader(machine, 2, 0, 0x200) == REFUSE


@machines
def test_only_harmless_ioctls_pass(machine: str) -> None:
    assert reader(machine, IOCTL[machine], 1, 0x5401) == ALLOW  # TCGETS
    for request in (0x5412, 0x541C, 0x40086602, 0x401C5820, 0x5000940E):
        assert reader(machine, IOCTL[machine], 1, request) == REFUSE


@machines
def test_a_command_keeps_its_group_and_signals_only_where_they_stay_inside(machine: str) -> None:
    setpgid = {"x86_64": 109, "aarch64": 154}[machine]
    for may_signal in (True, False):
        program = seccomp.command_program(machine, may_signal=may_signal)
        assert answer(program, MACHINES[machine], setpgid) == REFUSE
        expected = ALLOW if may_signal else REFUSE
        assert answer(program, MACHINES[machine], KILLING[machine], 1, 9) == expected


def test_every_jump_lands_inside_and_every_program_ends_in_an_answer() -> None:
    for machine in MACHINES:
        for spawn in (True, False):
            program = seccomp.helper_program(machine, may_spawn=spawn)
            assert len(program) <= 4096
            for at, (code, yes, no, _) in enumerate(program):
                if code & 0x07 == 0x05:
                    assert at + 1 + max(yes, no) < len(program)
            assert program[-1][0] == 0x06


def test_a_machine_that_is_not_known_has_no_numbers() -> None:
    with pytest.raises(KeyError):
        syscalls.number("socket", "riscv64")
