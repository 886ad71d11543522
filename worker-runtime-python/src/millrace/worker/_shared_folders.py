"""Folders that the jobs of a group share on this worker."""

from __future__ import annotations

import fcntl
import hashlib
import logging
import os
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path
from threading import Lock
from uuid import uuid4

from .._proto.worker.v1 import session_pb2

FOLDERS_MAX = 10_000
"""Most groups whose folders a worker holds."""

LOCK_ENDING = ".lock"
SHARED = "shared"

_logger = logging.getLogger("millrace.worker")


class SharedFolders:
    """Folders ``ROOT/WORKER/GROUP/shared``, where GROUP is a hash that also counts the lost sessions: a job of a lost session may
    still run when the next attempt begins here.

    They are deleted when the scheduler says so, when the session is lost, and when the worker ends. While it lives, a worker
    holds the lock of a file, so that the next one can delete what a killed one has left. Thread-safe.
    """

    def __init__(self, root: Path | None = None) -> None:
        self._root = root or Path(tempfile.gettempdir(), f"millrace-shared-python-{os.getuid()}")
        self._worker = str(uuid4())
        self._lock = Lock()
        self._held: dict[str, Path] = {}
        self._sessions_lost = 0
        self._lock_file: int | None = None

    def hold(self, lease: session_pb2.Lease) -> Path | None:
        """Returns the folder for a job, which may not exist yet; None for a job outside of groups.

        Raises:
            OSError: There can be none.
        """
        if not lease.group_id:
            return None
        with self._lock:
            if lease.group_id not in self._held:
                if len(self._held) >= FOLDERS_MAX:
                    raise OSError(f"The worker holds {FOLDERS_MAX} shared folders already.")
                self._take_root()
                name = f"{lease.workspace}\0{lease.group_id}\0{self._sessions_lost}"
                self._held[lease.group_id] = self._root / self._worker / hashlib.sha256(name.encode()).hexdigest()[:32]
            return self._held[lease.group_id] / SHARED

    def groups(self) -> list[str]:
        """Returns the groups whose folders are held."""
        with self._lock:
            return list(self._held)

    def end(self, groups: Iterable[str]) -> None:
        """Deletes the folders of these groups."""
        with self._lock:
            folders = [self._held.pop(group) for group in groups if group in self._held]
        for folder in folders:
            _delete(folder)

    def end_all(self) -> None:
        """Deletes all folders, because the session is lost."""
        self.end(self.groups())
        with self._lock:
            self._sessions_lost += 1

    def close(self) -> None:
        """Deletes everything of this worker."""
        self.end_all()
        with self._lock:
            if self._lock_file is not None:
                _delete(self._root / self._worker)
                (self._root / (self._worker + LOCK_ENDING)).unlink(missing_ok=True)
                os.close(self._lock_file)
                self._lock_file = None

    def _take_root(self) -> None:
        """Locks the file of this worker at the first group, and deletes what killed workers have left."""
        if self._lock_file is not None:
            return
        self._root.mkdir(mode=0o700, parents=True, exist_ok=True)
        if self._root.stat().st_uid != os.getuid():
            raise OSError(f"The folder {self._root} belongs to another user: delete it, or set TMPDIR.")
        self._lock_file = _lock(self._root / (self._worker + LOCK_ENDING), wait=True)
        for left in self._root.glob("*" + LOCK_ENDING):
            lock = _lock(left) if left.name != self._worker + LOCK_ENDING else None
            if lock is not None:
                _delete(left.with_suffix(""))
                left.unlink(missing_ok=True)
                os.close(lock)


def _lock(file: Path, *, wait: bool = False) -> int | None:
    """Returns the descriptor of a file that is locked now; None if a live worker holds its lock.

    Args:
        file: The file; it is made if it is missing.
        wait: Whether to wait for the lock, which another worker may hold for a moment while it looks for leftovers.
    """
    descriptor = os.open(file, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        return descriptor
    except OSError:
        os.close(descriptor)
        return None


def _delete(folder: Path) -> None:
    try:
        if folder.exists():
            shutil.rmtree(folder)
    except OSError as error:
        _logger.warning("The shared folder %s cannot be deleted; the next worker tries it again: %s", folder, error)
