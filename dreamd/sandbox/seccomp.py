"""A filter of system calls that no process below it can take off again (seccomp, classic BPF).

Allowed by default: what Landlock or read-only mounts decide is left to them. Refused is what
they do not see (sockets, modes and times of files, tracing, mounts, namespaces, io_uring …).
Format: Linux Documentation/userspace-api/seccomp_filter.rst and linux/filter.h.
"""

from __future__ import annotations

import ctypes
import errno
import struct
from collections.abc import Iterable
from typing import Final

from dreamd.sandbox import privileges, syscalls

Instruction = tuple[int, int, int, int]  # code, jump if true, jump if false, constant

_LOAD, _AND, _RETURN = 0x20, 0x54, 0x06
_IF_EQUAL, _IF_AT_LEAST, _IF_ANY_BIT = 0x15, 0x35, 0x45
_KILL: Final = 0x80000000  # SECCOMP_RET_KILL_PROCESS
_ALLOW: Final = 0x7FFF0000
_REFUSE: Final = 0x00050000 | errno.EPERM
_ABSENT: Final = 0x00050000 | errno.ENOSYS  # so that the C library takes the older call
_ARCHITECTURES: Final = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_X32: Final = 0x40000000  # numbers of x86_64's other ABI start here
_SET_SECCOMP, _GET_SECCOMP, _MODE_FILTER = 22, 21, 2

_REFUSED: Final = """\
    socket socketpair connect bind listen accept accept4 sendto sendmsg sendmmsg
    chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat
    utime utimes utimensat futimesat file_setattr
    setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr setxattrat removexattrat
    mount umount2 pivot_root chroot open_tree open_tree_attr move_mount mount_setattr
    fsopen fsconfig fsmount fspick swapon swapoff quotactl quotactl_fd acct
    unshare setns io_uring_setup io_uring_enter io_uring_register
    ptrace process_vm_readv process_vm_writev process_madvise process_mrelease pidfd_getfd kcmp
    bpf perf_event_open userfaultfd keyctl add_key request_key memfd_create memfd_secret
    mknod mknodat link linkat symlink symlinkat truncate flock
    mq_open mq_unlink shmget shmat shmctl semget semctl semop semtimedop
    msgget msgctl msgsnd msgrcv
    name_to_handle_at open_by_handle_at fanotify_init fanotify_mark
    inotify_init inotify_init1 inotify_add_watch
    init_module finit_module delete_module kexec_load kexec_file_load reboot iopl ioperm
    settimeofday clock_settime clock_adjtime adjtimex sethostname setdomainname syslog vhangup
    modify_ldt personality lsm_set_self_attr
    setuid setgid setreuid setregid setresuid setresgid setfsuid setfsgid setgroups capset
    setpriority ioprio_set sched_setscheduler sched_setparam sched_setattr sched_setaffinity
    migrate_pages move_pages setsid
""".split()  # noqa: SIM905 - a table of words
_SPAWNING: Final = ["execve", "execveat", "fork", "vfork", "setpgid"]
_SIGNALLING: Final = [
    *("kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "pidfd_send_signal")
]
# clone: namespaces MNT CGROUP UTS IPC USER PID NET; a thread is what a non-spawning one may make
_NAMESPACES: Final = 0x7E020000
_THREAD: Final = 0x00010000
# open with O_TRUNC and no right to write still empties the file; before ABI 3 only we would see it
_TRUNCATE, _ACCESS_MODE = 0x200, 0x3
# ioctl: only what asks a terminal or pipe, or sets a flag of one's own descriptor. TIOCSTI types
# into a terminal, FS_IOC_SETFLAGS changes a file that is open for reading only.
_IOCTLS: Final = (
    *(0x5401, 0x540F, 0x5413, 0x5429, 0x541B),  # TCGETS TIOCGPGRP TIOCGWINSZ TIOCGSID FIONREAD
    *(0x5450, 0x5451, 0x5421),  # FIONCLEX FIOCLEX FIONBIO
)
# fcntl: only what copies or asks about a descriptor of one's own. A lock or a lease on a file open
# for reading stops others, an owner gets signals, a hint stays with the file.
_FCNTLS: Final = (
    *(0, 1, 2, 3, 4, 5),  # F_DUPFD F_GETFD F_SETFD F_GETFL F_SETFL F_GETLK
    *(9, 11, 16, 36),  # F_GETOWN F_GETSIG F_GETOWN_EX F_OFD_GETLK
    *(1025, 1027, 1028),  # F_GETLEASE F_DUPFD_QUERY F_CREATED_QUERY
    *(1030, 1031, 1032, 1034, 1035),  # F_DUPFD_CLOEXEC F_{SET,GET}PIPE_SZ F_GET_SEALS F_GET_RW_HINT
)
# prctl: PR_SET_DUMPABLE PR_SET_MM PR_SET_PTRACER; in commands PR_SET_PDEATHSIG, …CHILD_SUBREAPER
_PRCTLS: Final = (4, 35, 0x59616D61)
_COMMAND_PRCTLS: Final = (1, 36)

# What a client has of the refused: the internet, and file events, without which some do not start
_CONNECTING: Final = frozenset(
    {
        *("socket", "socketpair", "connect", "bind", "sendto", "sendmsg", "sendmmsg"),
        *("inotify_init", "inotify_init1", "inotify_add_watch"),
    }
)
_FAMILIES: Final = (2, 10, 16)  # AF_INET AF_INET6 AF_NETLINK (which addresses there are)
_PROTOCOLS: Final = (0, 6, 17)  # any (of netlink: routes), TCP, UDP; not MPTCP, unseen by Landlock
_STREAMS: Final = (1, 0x801, 0x80001, 0x80801)  # SOCK_STREAM: a pair of it never connects again
_FAST_OPEN: Final = 0x20000000  # MSG_FASTOPEN, which connects by sending


def is_available() -> bool:
    """Say whether this kernel filters system calls on a machine whose numbers we know."""
    if syscalls.machine() is None:
        return False
    # A filter at address 0 is refused with EFAULT where filters are known, else with EINVAL.
    return privileges.prctl(_SET_SECCOMP, _MODE_FILTER, 0) == errno.EFAULT


def helper_program(
    machine: str, *, may_spawn: bool, may_connect: bool = False
) -> list[Instruction]:
    """Return the filter of a helper; one that may not spawn starts and signals no process.

    One that may connect has the sockets of the internet, and pairs of its own; no local ones, and
    none on which Landlock does not see a connection.
    """
    refused = [each for each in _REFUSED if not (may_connect and each in _CONNECTING)]
    clone = [(_LOAD, 0, 0, _argument(0))]
    if may_spawn:
        clone += [(_IF_ANY_BIT, 0, 1, _NAMESPACES), _give(_REFUSE), _give(_ALLOW)]
    else:
        refused += [*_SPAWNING, *_SIGNALLING, "pidfd_open"]
        clone += [(_IF_ANY_BIT, 1, 0, _THREAD), _give(_REFUSE), _give(_ALLOW)]
    return _program(
        machine,
        refused,
        [
            ("clone", clone),
            ("clone3", [_give(_ABSENT)]),  # its flags lie in memory, where no filter sees them
            ("openat2", [_give(_ABSENT)]),  # and so do its
            ("open", _unless_truncating(1)),
            ("openat", _unless_truncating(2)),
            ("ioctl", _only(1, _IOCTLS)),
            ("fcntl", _only(1, _FCNTLS)),
            ("prlimit64", _only(0, (0,))),  # one's own limits only
            ("prctl", _all_but(0, _PRCTLS)),
            *(_SOCKETS if may_connect else ()),
        ],
    )


def command_program(machine: str, *, may_signal: bool) -> list[Instruction]:
    """Return the filter that a shell command has on top of its helper's.

    It cannot leave its process group, so that one kill reaches all that it started.
    `may_signal` is for kernels that keep its signals among its own.
    """
    refused = ["setpgid", *([] if may_signal else _SIGNALLING)]
    return _program(machine, refused, [("prctl", _all_but(0, _COMMAND_PRCTLS))])


def install(program: Iterable[Instruction]) -> None:
    """Put a filter on this thread and all it starts, for good; needs no_new_privs.

    Raises:
        OSError: the kernel refused it.
    """
    Packed(program)()


class Packed:
    """A filter laid out in memory: installing it between fork and exec allocates little."""

    def __init__(self, program: Iterable[Instruction]) -> None:
        data = b"".join(struct.pack("=HBBI", *each) for each in program)
        self._data = ctypes.create_string_buffer(data, len(data))
        head = struct.pack("@HP", len(data) // 8, ctypes.addressof(self._data))
        self._head = ctypes.create_string_buffer(head, len(head))
        self._address = ctypes.addressof(self._head)

    def __call__(self) -> None:
        """Install it; raises OSError where the kernel refuses."""
        if code := privileges.prctl(_SET_SECCOMP, _MODE_FILTER, self._address):
            raise OSError(code, "the kernel refused the filter of system calls")


def is_on() -> bool:
    """Say whether a filter is on this thread."""
    return privileges.asked(_GET_SECCOMP) == _MODE_FILTER


def _program(
    machine: str, refused: list[str], special: list[tuple[str, list[Instruction]]]
) -> list[Instruction]:
    program = [
        (_LOAD, 0, 0, 4),  # seccomp_data.arch
        (_IF_EQUAL, 1, 0, _ARCHITECTURES[machine]),
        _give(_KILL),
        (_LOAD, 0, 0, 0),  # seccomp_data.nr
    ]
    if machine == "x86_64":
        program += [(_IF_AT_LEAST, 0, 1, _X32), _give(_KILL)]
    for name in refused:
        if (call := syscalls.number(name, machine)) is not None:
            program += [(_IF_EQUAL, 0, 1, call), _give(_REFUSE)]
    for name, body in special:
        if (call := syscalls.number(name, machine)) is not None:
            program += [(_IF_EQUAL, 0, len(body), call), *body]
    return [*program, _give(_ALLOW)]


def _give(answer: int) -> Instruction:
    return (_RETURN, 0, 0, answer)


def _argument(index: int) -> int:
    return 16 + 8 * index  # the low half: both machines are little-endian, all we judge is 32 bit


def _only(index: int, values: tuple[int, ...]) -> list[Instruction]:
    return [(_LOAD, 0, 0, _argument(index)), *_among(values, _ALLOW), _give(_REFUSE)]


def _all_but(index: int, values: tuple[int, ...]) -> list[Instruction]:
    return [(_LOAD, 0, 0, _argument(index)), *_among(values, _REFUSE), _give(_ALLOW)]


def _among(values: tuple[int, ...], answer: int) -> list[Instruction]:
    return [step for each in values for step in ((_IF_EQUAL, 0, 1, each), _give(answer))]


def _unless_truncating(index: int) -> list[Instruction]:
    return [
        (_LOAD, 0, 0, _argument(index)),
        (_AND, 0, 0, _TRUNCATE | _ACCESS_MODE),
        *_among((_TRUNCATE, _TRUNCATE | _ACCESS_MODE), _REFUSE),
        _give(_ALLOW),
    ]


def _provided(index: int, values: tuple[int, ...]) -> list[Instruction]:
    """Refuse a call whose argument is none of these, and go on with one whose is."""
    asked = [(_IF_EQUAL, len(values) - at, 0, each) for at, each in enumerate(values)]
    return [(_LOAD, 0, 0, _argument(index)), *asked, _give(_REFUSE)]


def _unless_flagged(index: int, flag: int) -> list[Instruction]:
    asked = [(_LOAD, 0, 0, _argument(index)), (_IF_ANY_BIT, 0, 1, flag)]
    return [*asked, _give(_REFUSE), _give(_ALLOW)]


_SOCKETS: Final = (
    ("socket", [*_provided(0, _FAMILIES), *_only(2, _PROTOCOLS)]),
    ("socketpair", _only(1, _STREAMS)),
    ("sendto", _unless_flagged(3, _FAST_OPEN)),
    ("sendmsg", _unless_flagged(2, _FAST_OPEN)),
    ("sendmmsg", _unless_flagged(3, _FAST_OPEN)),
)
