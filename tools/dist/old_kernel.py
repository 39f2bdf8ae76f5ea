"""Runs a command as on an older kernel: old_kernel.py [--docker] COMMAND …

System calls that Linux 3.10 (RHEL 7) does not have fail with ENOSYS, by a seccomp filter. With `--docker` only those of io_uring fail, with EPERM,
as under the filter that Docker has by default. The filter stays with everything that the command starts.
"""

import ctypes
import errno
import os
import platform
import struct
import sys

# Numbers of x86-64, and of 64-bit ARM where they differ (from 424 on they are the same).
SINCE_3_10 = {
    "x86_64": {
        "sched_setattr": 314, "sched_getattr": 315, "renameat2": 316, "seccomp": 317, "getrandom": 318, "memfd_create": 319, "bpf": 321,
        "execveat": 322, "userfaultfd": 323, "membarrier": 324, "mlock2": 325, "copy_file_range": 326, "preadv2": 327, "pwritev2": 328,
        "statx": 332, "io_pgetevents": 333, "rseq": 334,
    },
    "aarch64": {
        "sched_setattr": 274, "sched_getattr": 275, "renameat2": 276, "seccomp": 277, "getrandom": 278, "memfd_create": 279, "bpf": 280,
        "execveat": 281, "userfaultfd": 282, "membarrier": 283, "mlock2": 284, "copy_file_range": 285, "preadv2": 286, "pwritev2": 287,
        "statx": 291, "io_pgetevents": 292, "rseq": 293,
    },
}
URING = {"io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427}
# pidfd_send_signal, clone3, close_range, openat2, faccessat2, epoll_pwait2 and all later ones.
LATER = range(424, 480)

LOAD, EQUAL, RETURN = 0x20, 0x15, 0x06
ALLOW, REFUSE = 0x7FFF0000, 0x00050000
NO_NEW_PRIVILEGES, SET_SECCOMP, MODE_FILTER = 38, 22, 2


class Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_char_p)]


def program(numbers, error):
    """Instructions of the kernel's filter machine: load the number of the call, compare it with each, answer."""
    code = [struct.pack("HBBI", LOAD, 0, 0, 0)]
    code += [struct.pack("HBBI", EQUAL, len(numbers) - at, 0, number) for at, number in enumerate(numbers)]
    code += [struct.pack("HBBI", RETURN, 0, 0, ALLOW), struct.pack("HBBI", RETURN, 0, 0, REFUSE | error)]
    return code


def forbid(numbers, error):
    code = program(sorted(numbers), error)
    libc = ctypes.CDLL(None, use_errno=True)
    wanted = Program(len(code), b"".join(code))
    if libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0) or libc.prctl(SET_SECCOMP, MODE_FILTER, ctypes.byref(wanted), 0, 0):
        sys.exit(f"the kernel takes no filter: {os.strerror(ctypes.get_errno())}")


def main(words):
    docker = words[:1] == ["--docker"]
    command = words[docker:]
    if not command:
        sys.exit(__doc__.splitlines()[0])
    if docker:
        forbid(URING.values(), errno.EPERM)
    else:
        forbid([*SINCE_3_10[platform.machine()].values(), *LATER], errno.ENOSYS)
    os.execvp(command[0], command)


if __name__ == "__main__":
    main(sys.argv[1:])
