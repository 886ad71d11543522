"""Restores what ordinary code changes in its process, so that each job begins as the first one did.

docs/reference/process-protocol.md lists what is restored and what stays. What the script changes while it is loaded is its
own, and holds for all of its jobs.
"""

from __future__ import annotations

import _socket
import gc
import os
import signal
import sys
import time
import warnings
from _contextvars import copy_context

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _contextvars import ContextVar
    from collections.abc import Callable
    from types import ModuleType
    from typing import Any, Final

_signal: Any = sys.modules["_signal"]
"""The signals without the enumerations of ``signal``, which cost ten times as much."""

_SIGNALS: Final = tuple(
    number
    for name in ("SIGHUP", "SIGINT", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGPIPE", "SIGALRM", "SIGTERM", "SIGCHLD", "SIGXCPU")
    if (number := getattr(signal, name, None)) is not None
)


_ROOT_LEVEL = 30
"""``logging.WARNING``, with which the root logger begins."""


class Baseline:
    """What a process is like once its script has loaded.

    Each restorer compares first: it costs a fraction of a microsecond as long as nothing has changed.
    """

    __slots__ = ("_restorers",)

    def __init__(self) -> None:
        self._restorers: Final[tuple[Callable[[], None], ...]] = (
            _environment(),
            _folder(),
            _interpreter(),
            _signals(),
            _imports(),
            _warnings(),
            _locale(),
            _sockets(),
            _decimals(),
            _loggers(),
            _randomness(),
        )

    def restore(self) -> None:
        """Takes back what earlier jobs, or threads that they left behind, have changed."""
        for restorer in self._restorers:
            try:
                restorer()
            except Exception as error:  # Such as a module that user code has replaced: the job must begin nevertheless.
                print(f"The process could not be restored for the next job: {error!r}", file=sys.stderr)


def _folder() -> Callable[[], None]:
    current, change, mask = os.getcwd, os.chdir, os.umask
    folder = current()
    umask = mask(0)
    mask(umask)

    def restore() -> None:
        mask(umask)
        try:
            if current() != folder:
                change(folder)
        except FileNotFoundError:
            os.makedirs(folder, mode=0o700, exist_ok=True)
            change(folder)

    return restore


def _environment() -> Callable[[], None]:
    environ: Any = os.environ
    data: dict[Any, Any] = environ._data
    kept = dict(data)
    zone = time.tzname
    temporary = _attribute("tempfile", "tempdir")
    variables = tuple(environ.encodekey(name) for name in ("TMPDIR", "TEMP", "TMP"))

    def restore() -> None:
        nonlocal zone
        if os.environ is not environ:
            os.environ = environ
        if data != kept:
            if any(data.get(name) != kept.get(name) for name in variables):
                _set_attribute("tempfile", "tempdir", temporary)
            for name in [name for name in environ if data.get(environ.encodekey(name)) != kept.get(environ.encodekey(name))]:
                del environ[name]
            for name, value in kept.items():
                if data.get(name) != value:
                    environ[environ.decodekey(name)] = environ.decodevalue(value)
        if time.tzname is not zone:  # Each call of tzset makes a new one.
            time.tzset()
            zone = time.tzname

    return restore


def _interpreter() -> Callable[[], None]:
    arguments = list(sys.argv)
    recursion, switch = sys.getrecursionlimit(), sys.getswitchinterval()
    digits_now: Any = getattr(sys, "get_int_max_str_digits", None)
    set_digits: Any = getattr(sys, "set_int_max_str_digits", None)
    digits = digits_now() if digits_now else None
    stdin, excepthook, displayhook = sys.stdin, sys.excepthook, sys.displayhook
    collects = gc.isenabled()

    def restore() -> None:
        if sys.argv != arguments:
            sys.argv = list(arguments)
        if sys.getrecursionlimit() != recursion:
            sys.setrecursionlimit(recursion)
        if sys.getswitchinterval() != switch:
            sys.setswitchinterval(switch)
        if digits_now and digits_now() != digits:
            set_digits(digits)
        if sys.gettrace() is not None:
            sys.settrace(None)
        if sys.getprofile() is not None:
            sys.setprofile(None)
        if gc.isenabled() != collects:
            (gc.enable if collects else gc.disable)()
        sys.stdin, sys.excepthook, sys.displayhook = stdin, excepthook, displayhook

    return restore


def _signals() -> Callable[[], None]:
    handler_of = _signal.getsignal
    handlers = [(number, handler_of(number)) for number in _SIGNALS]
    mask = _signal.pthread_sigmask(_signal.SIG_BLOCK, ())

    look, block = _signal.pthread_sigmask, _signal.SIG_BLOCK

    def restore() -> None:
        for number, handler in handlers:
            if handler_of(number) is not handler and handler is not None:
                _signal.signal(number, handler)
        if look(block, ()) != mask:
            look(_signal.SIG_SETMASK, mask)

    return restore


def _imports() -> Callable[[], None]:
    """Restores ``sys.path``.

    Modules that are imported for the first time run only once. So the folders that they add stay, but behind the others.
    """
    path = sys.path
    kept = list(path)
    modules = len(sys.modules)

    def restore() -> None:
        nonlocal modules
        if sys.path is path and path == kept and len(sys.modules) == modules:
            return
        if len(sys.modules) > modules:
            kept.extend(folder for folder in sys.path if folder not in kept)
        modules = len(sys.modules)
        path[:] = kept
        sys.path = path

    return restore


def _warnings() -> Callable[[], None]:
    kept: list[Any] = list(warnings.filters)
    show = warnings.showwarning

    def restore() -> None:
        if warnings.filters != kept:
            warnings.resetwarnings()  # Tells the caches, too.
            filters: Any = warnings.filters
            filters[:] = kept
        if warnings.showwarning is not show:
            warnings.showwarning = show

    return restore


def _locale() -> Callable[[], None]:
    import _locale

    kept = _locale.setlocale(_locale.LC_ALL)
    # The names of all categories together cost a microsecond, and almost nobody changes another one alone.
    numbers, times = _locale.setlocale(_locale.LC_NUMERIC), _locale.setlocale(_locale.LC_TIME)

    def restore() -> None:
        if _locale.setlocale(_locale.LC_NUMERIC) != numbers or _locale.setlocale(_locale.LC_TIME) != times:
            _locale.setlocale(_locale.LC_ALL, kept)

    return restore


def _sockets() -> Callable[[], None]:
    timeout_now = _socket.getdefaulttimeout
    kept = timeout_now()

    def restore() -> None:
        if timeout_now() != kept:
            _socket.setdefaulttimeout(kept)

    return restore


def _decimals() -> Callable[[], None]:
    """Gives each job a context of its own. If nobody has asked for one before, ``decimal`` itself makes it in the job."""
    kept: Any = None
    variable: ContextVar[Any] | None = None
    if "decimal" in sys.modules:
        variable = _decimal_variable()
        kept = variable.get(None)
        kept = kept and kept.copy()

    def restore() -> None:
        nonlocal variable
        module = sys.modules.get("decimal")
        if module is None:
            return
        if variable is None:
            variable = _decimal_variable()
        if variable.get(None) is not None:
            module.setcontext((kept or module.DefaultContext).copy())

    return restore


def _decimal_variable() -> ContextVar[Any]:
    """Finds the variable of the current decimal context, without making a context in this one."""
    variables = copy_context()
    variables.run(sys.modules["decimal"].getcontext)
    return next(variable for variable in variables if variable.name == "decimal_context")


def _loggers() -> Callable[[], None]:
    """Restores the root logger, and removes handlers that jobs have added to loggers.

    A library that a job imports for the first time adds its handlers only then, so they stay. Loggers are looked at one by
    one only if the number of all handlers has changed.
    """
    loaded = sys.modules.get("logging")
    disabled, level = (loaded.root.manager.disable, loaded.root.level) if loaded else (0, _ROOT_LEVEL)
    kept: dict[Any, list[Any]] = {logger: list(logger.handlers) for logger in _all_loggers(loaded)} if loaded else {}
    modules = frozenset(sys.modules)
    count = _count_handlers(loaded)

    def is_of_new_library(logger: Any) -> bool:
        package = logger.name.partition(".")[0]
        return logger not in kept and package in sys.modules and package not in modules

    def restore() -> None:
        nonlocal count
        module = sys.modules.get("logging")
        if module is None:
            return
        root = module.root
        if root.manager.disable != disabled:
            module.disable(disabled)
        if root.level != level:
            root.setLevel(level)
        if _count_handlers(module) == count and root.handlers == kept.get(root, []):
            return
        for logger in _all_loggers(module):
            if not is_of_new_library(logger):
                logger.handlers[:] = kept.get(logger, [])
        count = _count_handlers(module)

    return restore


def _randomness() -> Callable[[], None]:
    """Seeds ``random`` anew after a job that has chosen a seed, which would let everybody foresee the next job's numbers.

    To compare states would cost more than a job. But ``seed`` and ``setstate`` give the generator an attribute, which shows as
    long as only its class has one of that name.
    """
    mark = "gauss_next"

    def find() -> Any:
        generator: Any = _attribute("random", "_inst")
        if generator is not None and not hasattr(generator.__class__, mark):
            generator.__class__.gauss_next = None
        return generator

    def attributes(generator: Any) -> dict[str, Any]:
        return generator.__dict__

    if (loaded := find()) is not None:
        attributes(loaded).pop(mark, None)

    def restore() -> None:
        generator = loaded if loaded is not None else find()
        if generator is not None and mark in attributes(generator):
            generator.seed()
            del attributes(generator)[mark]

    return restore


def _all_loggers(module: ModuleType) -> list[Any]:
    found = [logger for logger in module.root.manager.loggerDict.values() if isinstance(logger, module.Logger)]
    return [module.root, *found]


def _count_handlers(module: ModuleType | None) -> int:
    return len(getattr(module, "_handlerList", ()))


def _attribute(module: str, name: str) -> Any:
    return getattr(sys.modules.get(module), name, None)


def _set_attribute(module: str, name: str, value: object) -> None:
    loaded = sys.modules.get(module)
    if loaded is not None:
        setattr(loaded, name, value)
