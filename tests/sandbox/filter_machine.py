"""What a kernel does with a classic BPF filter, to judge one for a machine that is not this one."""

from collections.abc import Sequence


def answer(
    program: Sequence[tuple[int, int, int, int]], arch: int, call: int, *arguments: int
) -> int:
    """Run a filter on one system call, as linux/kernel/seccomp.c would."""
    data = {0: call, 4: arch}
    for index, value in enumerate(arguments):
        data[16 + 8 * index] = value & 0xFFFFFFFF
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
            case 0x45:
                at += if_true if register & constant else if_false
            case _:
                raise AssertionError(code)
