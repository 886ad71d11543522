"""Keeps processes of the same user apart, since they run the scripts of others."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

_PR_SET_DUMPABLE: Final = 4
_PR_SET_NO_NEW_PRIVS: Final = 38

_LANDLOCK_CREATE_RULESET: Final = 444
_LANDLOCK_ADD_RULE: Final = 445
_LANDLOCK_RESTRICT_SELF: Final = 446
_LANDLOCK_CREATE_RULESET_VERSION: Final = 1
_LANDLOCK_RULE_PATH_BENEATH: Final = 1
_LANDLOCK_ACCESS_FS_REFER: Final = 1 << 13

_ABI_MIN: Final = 2
"""The first version of Landlock (Linux 5.19) in which a domain need not forbid to rename a file into another folder."""


def hide() -> bool:
    """Makes this process not dumpable on Linux: no other process can read its memory, environment or open files.

    Programs that it starts are dumpable again. Returns whether the process is hidden.
    """
    prctl = c_function("prctl")
    return prctl is not None and prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0) == 0


def confine() -> bool:
    """Keeps this process, and all programs that it starts, from reading the memory, environment and open files of other
    processes, and from tracing them.

    Puts this process into a Landlock domain, from which Linux lets it inspect processes of the same domain only. The
    domain restricts no access to files. To enter it, the process must give up the right to become another user, as by
    ``sudo``. Applies to the calling thread and those that it starts. Returns whether the process is confined.
    """
    syscall, prctl = c_function("syscall"), c_function("prctl")
    if syscall is None or prctl is None:
        return False
    if syscall(_LANDLOCK_CREATE_RULESET, None, 0, _LANDLOCK_CREATE_RULESET_VERSION) < _ABI_MIN:
        return False
    ruleset = syscall(_LANDLOCK_CREATE_RULESET, _uint64(_LANDLOCK_ACCESS_FS_REFER), 8, 0)
    if ruleset < 0:
        return False
    try:
        return (
            _allow_renames(syscall, ruleset)
            and prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
            and syscall(_LANDLOCK_RESTRICT_SELF, ruleset, 0) == 0
        )
    finally:
        os.close(ruleset)


def _allow_renames(syscall: Callable[..., int], ruleset: int) -> bool:
    """Allows to rename and link files into other folders, everywhere. Every domain forbids it unless a rule allows it."""
    root = os.open("/", os.O_PATH | os.O_CLOEXEC)
    try:
        rule = _uint64(_LANDLOCK_ACCESS_FS_REFER) + root.to_bytes(4, sys.byteorder)
        return syscall(_LANDLOCK_ADD_RULE, ruleset, _LANDLOCK_RULE_PATH_BENEATH, rule, 0) == 0
    finally:
        os.close(root)


def _uint64(value: int) -> bytes:
    return value.to_bytes(8, sys.byteorder)


def c_function(name: str) -> Callable[..., int] | None:
    """Returns a function of the C library that takes and returns integers and takes bytes, on Linux.

    Uses the module behind ``ctypes``, whose import takes a tenth of the time.
    """
    if sys.platform != "linux":
        return None
    try:
        import _ctypes

        class Function(_ctypes.CFuncPtr):
            _flags_ = _ctypes.FUNCFLAG_CDECL

        # None names this process, as in dlopen(3); the type stubs know files only.
        itself = _ctypes.dlopen(None, 0)  # pyright: ignore[reportArgumentType]
        return Function(_ctypes.dlsym(itself, name))
    except Exception:  # Another implementation of Python.
        return None
