"""Runs, started and followed while a job runs."""

from __future__ import annotations

from ._errors import RunFailed, RunTimeout

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime
    from typing import Any, Final

    from ._host import Host

WAIT_SECONDS_MAX = 365 * 24 * 3600.0
"""Longest time that a job without a timeout waits for a run."""


class StartedRun:
    """A run as `Runs.get` found it.

    Attributes:
        run_id: Id of the run.
        name: Path of its script or flow.
        state: ``queued``, ``running``, ``succeeded``, ``failed`` or ``canceled``.
        output: Result of a run that has succeeded; None before, and for all others.
        error: Name and message of the error of a run that has failed or was canceled; None for all others.
    """

    __slots__ = ("error", "name", "output", "run_id", "state")

    def __init__(self, found: dict[str, Any]) -> None:
        self.run_id: Final = str(found["run_id"])
        self.name: Final = str(found["name"])
        self.state: Final = str(found["state"])
        self.output: Final[Any] = found.get("output")
        error = found.get("error")
        self.error: Final[tuple[str, str] | None] = None if error is None else (error["name"], error["message"])

    @property
    def has_ended(self) -> bool:
        """Whether the run has ended."""
        return self.state not in ("queued", "running")

    def __repr__(self) -> str:
        return f"StartedRun(run_id={self.run_id!r}, name={self.name!r}, state={self.state!r})"


class WaitLink:
    """Addresses with which a person answers a step, without a login. Whoever has them can use them.

    Attributes:
        person: Who answers by them.
        accept_path: Path on the server that approves or completes.
        deny_path: Path on the server that denies.
        expire_time: When both expire, in RFC 3339.
    """

    __slots__ = ("accept_path", "deny_path", "expire_time", "person")

    def __init__(self, signed: dict[str, Any]) -> None:
        self.person: Final = str(signed["person"])
        self.accept_path: Final = str(signed["accept_path"])
        self.deny_path: Final = str(signed["deny_path"])
        self.expire_time: Final = str(signed["expire_time"])

    def __repr__(self) -> str:
        return f"WaitLink(person={self.person!r}, expire_time={self.expire_time!r})"


class Runs:
    """Runs of the workspace; see `JobContext.runs`.

    The job has the rights of whoever started its run, at most with the role developer, and its runs belong to the same person.
    A job that waits keeps its slot: runs that wait for one another need as many slots at once.
    """

    __slots__ = ("_counts", "_host", "_seconds_left")

    def __init__(self, host: Host, counts: dict[str, int], seconds_left: float | None) -> None:
        self._host: Final = host
        self._counts: Final = counts
        self._seconds_left: Final = seconds_left

    def start(
        self,
        *,
        script: str = "",
        flow: str = "",
        is_hash: bool = False,
        input: Mapping[str, object] | None = None,
        key: str = "",
        tag: str = "",
        priority: int = 0,
        run_after: datetime | None = None,
    ) -> str:
        """Starts a run of the current version of a script or flow, and returns its id.

        A repeated attempt of the job does not start the run again: it gets the id of the run that the attempt before has
        started, unless that run has failed or was canceled. Without a key, it does so for a start with the same arguments, and
        several of them count by their number. With a key, the key alone decides.

        Args:
            script: Path of the script; name either a script or a flow.
            flow: Path of the flow.
            is_hash: Whether a hash is given in place of a path: that version runs.
            input: Its arguments by name, at most 1 MiB as JSON.
            key: Name of the start within the job, at most 150 characters.
            tag: Tag of the worker, for a script; empty for that of its language.
            priority: -1000 to 1000; jobs with a higher priority run earlier.
            run_after: Time before which the run does not begin.

        Raises:
            ResultError: The input cannot be written as JSON.
            CallFailed: There is no such script or flow, whoever started the run of the job may not run it, the input does not
                fit or contains a secret that the job has read, the job has started 1,000 runs, the job has lost its lease, or
                the scheduler cannot be reached.
        """
        return self.start_any(
            {
                "script": script,
                "flow": flow,
                "is_hash": is_hash,
                "input": dict(input or {}),
                "tag": tag,
                "priority": priority,
            },
            key,
            run_after,
        )

    def start_any(self, arguments: dict[str, object], key: str = "", run_after: datetime | None = None) -> str:
        """Starts what the arguments of the call `run.start` say; for layers over this class. See `start`."""
        call = {**arguments, "key": "key:" + key if key else self._key_of(arguments)}
        if run_after is not None:  # It is no part of the key, as most scripts count from the present time.
            call["run_after_ms"] = int(run_after.timestamp() * 1000)
        answer: Any = self._host.call("run.start", call)
        return answer

    def _key_of(self, arguments: dict[str, object]) -> str:
        """Returns a key that a repeated attempt makes for the same start: what is started, and how many were before."""
        import hashlib
        import json

        from ._results import encode_value

        content = json.dumps(json.loads(encode_value(arguments, "arguments")), sort_keys=True)
        digest = hashlib.sha256(content.encode()).hexdigest()
        number = self._counts.get(digest, 0) + 1
        self._counts[digest] = number
        return f"{digest}/{number}"

    def run(
        self,
        *,
        script: str = "",
        flow: str = "",
        input: Mapping[str, object] | None = None,
        key: str = "",
        tag: str = "",
        priority: int = 0,
        timeout: float | None = None,
    ) -> Any:
        """Starts a run as `start` does, waits for its end, and returns its output as `result` does."""
        run_id = self.start(script=script, flow=flow, input=input, key=key, tag=tag, priority=priority)
        return self.result(run_id, timeout=timeout)

    def wait(self, run_id: str, *, timeout: float | None = None) -> bool:
        """Waits for the end of a run, and returns whether it has ended.

        Args:
            run_id: Any run of the workspace but that of the job.
            timeout: Seconds to wait; None waits as long as the attempt may run, at most 365 days.

        Raises:
            CallFailed: There is no such run, or as for `start`.
        """
        left = WAIT_SECONDS_MAX if self._seconds_left is None else self._seconds_left
        seconds = max(0.0, left if timeout is None else min(timeout, left))
        return self._host.call("run.await", {"run_id": run_id, "wait_ms": int(seconds * 1000)}) is True

    def result(self, run_id: str, *, timeout: float | None = None) -> Any:
        """Waits for the end of a run, and returns its output.

        Raises:
            RunFailed: The run has failed or was canceled.
            RunTimeout: It has not ended within `timeout` seconds.
            CallFailed: There is no such run, or as for `start`.
        """
        if not self.wait(run_id, timeout=timeout):
            raise RunTimeout(f"Run {run_id} has not ended in time. It goes on: wait longer, or cancel it.")
        found = self.get(run_id)
        if found.state == "succeeded":
            return found.output
        raise RunFailed(found.run_id, found.name, found.state, found.error)

    def get(self, run_id: str) -> StartedRun:
        """Returns a run as it is now.

        Raises:
            CallFailed: There is no such run, or as for `start`.
        """
        found: Any = self._host.call("run.get", {"run_id": run_id})
        return StartedRun(found)

    def cancel(self, run_id: str, *, reason: str = "") -> None:
        """Cancels a run; one that has ended stays as it is.

        Raises:
            CallFailed: There is no such run, whoever started the run of the job may not cancel it, or as for `start`.
        """
        self._host.call("run.cancel", {"run_id": run_id, "reason": reason})

    def wait_links(self, step: str, people: Sequence[str] = (), *, valid_for: float | None = None) -> list[WaitLink]:
        """Signs links with which people answer a step of this run, which need not wait yet.

        Args:
            step: Key of the step that will wait.
            people: Names of the people; none means whoever started the run.
            valid_for: Seconds for which the links are valid, at most 366 days; None for 30 days.

        Raises:
            CallFailed: The step no longer waits, or whoever started the run may answer for nobody else, as service accounts may
                that act for others; or as for `start`.
        """
        arguments: dict[str, object] = {"step": step, "people": list(people)}
        if valid_for is not None:
            arguments["valid_ms"] = int(valid_for * 1000)
        signed: Any = self._host.call("wait.sign", arguments)
        return [WaitLink(link) for link in signed]
