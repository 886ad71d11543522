"""What calls return and take: plain immutable values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from typing import Any, TypeVar, overload

from .._conversion import Conversions, Unfit
from .._errors import ResultError
from ._errors import RunCanceled, RunFailed

T = TypeVar("T")


class RunState(str, Enum):
    """State of a run, in the words of REST and command line."""

    QUEUED = "queued"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELED = "canceled"

    @property
    def is_end(self) -> bool:
        """Whether the run changes no more, unless somebody retries it."""
        return self in (RunState.SUCCEEDED, RunState.FAILED, RunState.CANCELED)


class RunKind(str, Enum):
    """Runs by what starts them."""

    WORK = "work"
    """What flows, scripts and handlers do."""
    PREPARATION = "preparation"
    """Deployments start these runs: they choose packages, check types and read signatures."""
    ALL = "all"


class StepState(str, Enum):
    """State of a step."""

    QUEUED = "queued"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELED = "canceled"
    SKIPPED = "skipped"


class LogStream(str, Enum):
    """Source of a piece of log."""

    STDOUT = "stdout"
    STDERR = "stderr"
    SYSTEM = "system"
    TRACE = "trace"


@dataclass(frozen=True, slots=True)
class Flow:
    """A flow to run: the current version of a path, or the version with a hash.

    Attributes:
        path: Path of the flow.
        hash: Hash of a version, in place of a path.
    """

    path: str = ""
    hash: str = ""


@dataclass(frozen=True, slots=True)
class Script:
    """A script to run: the current version of a path, or the version with a hash.

    Attributes:
        path: Path of the script.
        hash: Hash of a version, in place of a path.
    """

    path: str = ""
    hash: str = ""


@dataclass(frozen=True, slots=True)
class Handler:
    """A handler to call, which a worker offers in its own process.

    Attributes:
        name: Name of the handler.
    """

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """How often and when failed jobs of a run are tried again.

    Attributes:
        max_retries: Retries after the first attempt.
        delay: Time before the first retry.
        multiplier: Factor between one delay and the next.
        max_delay: Longest delay; None means one hour.
        jitter: Random share of each delay, from 0 to 1.
    """

    max_retries: int
    delay: timedelta = timedelta(0)
    multiplier: float = 1.0
    max_delay: timedelta | None = None
    jitter: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class JobLimit:
    """A limit that all jobs of the workspace with the same key share.

    Attributes:
        key: Key of the queue; empty means the handler, or the version of the script.
        max: Most jobs that run at once; 0 for no such limit.
        rate: Number of jobs that begin within a period, and its length; None for no such limit.
    """

    key: str = ""
    max: int = 0
    rate: tuple[int, timedelta] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """What can be asked for with a run.

    Attributes:
        tag: Tag that routes the job to workers; empty means the tag of the target.
        priority: -1000 to 1000; jobs with a higher priority run earlier.
        run_after: Time before which the job does not run.
        timeout: Longest time that one attempt may run.
        retry: Retries after a failed attempt.
        traceparent: W3C trace context of the caller; by default that of the present span of OpenTelemetry, if any.
        tracestate: W3C ``tracestate`` that goes with ``traceparent``; ignored without one.
        env: Values that replace values of the flow's environment.
        limit: Limit under which the job waits; only for scripts and handlers.
        start_within: Longest time between acceptance and start.
    """

    tag: str = ""
    priority: int = 0
    run_after: datetime | None = None
    timeout: timedelta | None = None
    retry: RetryPolicy | None = None
    traceparent: str = ""
    env: Mapping[str, object] | None = None
    limit: JobLimit | None = None
    start_within: timedelta | None = None
    tracestate: str = ""


@dataclass(frozen=True, slots=True)
class RunSpec:
    """A run to start.

    Attributes:
        target: What to run.
        input: Input by parameter; values as scripts may return them.
        options: Further wishes.
    """

    target: Flow | Script | Handler
    input: Mapping[str, object] | None = None
    options: RunOptions = RunOptions()


@dataclass(frozen=True, slots=True, kw_only=True)
class RunError:
    """Why a run or a step failed.

    Attributes:
        name: Type of the error, such as ``ValueError`` or ``TimedOut``.
        message: Full sentences.
        stack: Stack of user code; may be empty.
        retryable: Whether another attempt may help.
    """

    name: str
    message: str
    stack: str = ""
    retryable: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A run as it stood when the call returned.

    Attributes:
        id: Id, a UUID.
        workspace: Its workspace.
        name: Path of the script or flow, or name of the handler.
        state: Its state.
        input: Input as JSON value; None in lists.
        output: Result as JSON value; None unless it has succeeded, and in lists.
        error: Why it failed or was canceled.
        create_time: Time of acceptance.
        start_time: Time when the first attempt began.
        end_time: Time when it ended.
        is_paused: Whether no further job goes to a worker.
        wait_reason: Why it has not started, as a full sentence; empty once it has.
        is_from_cache: Whether the output comes from the cache.
        started_by: Who started it; empty in lists and for callers without a token.
        progress: What the code of a running script or handler has told last about how far it is; None in lists and for flows.
    """

    id: str
    workspace: str
    name: str
    state: RunState
    input: Any = None
    output: Any = None
    error: RunError | None = None
    create_time: datetime | None = None
    start_time: datetime | None = None
    end_time: datetime | None = None
    is_paused: bool = False
    wait_reason: str = ""
    is_from_cache: bool = False
    started_by: str = ""
    progress: Any = None

    @overload
    def result(self) -> Any: ...
    @overload
    def result(self, returns: type[T]) -> T: ...
    def result(self, returns: Any = None) -> Any:
        """Returns the output of a run that has succeeded.

        Args:
            returns: Type to make of the output, by the rules for parameters of scripts; None leaves JSON values.

        Raises:
            RunCanceled: The run was canceled.
            RunFailed: The run failed.
            ResultError: The output does not fit `returns`.
            ValueError: The run has not ended.
        """
        match self.state:
            case RunState.SUCCEEDED:
                return convert(self.output, returns)
            case RunState.FAILED:
                raise RunFailed(self)
            case RunState.CANCELED:
                raise RunCanceled(self)
            case RunState.QUEUED | RunState.RUNNING:
                raise ValueError(f"The run {self.id} is {self.state.value} and has no result yet: call wait() first.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A step of a run.

    Attributes:
        key: Key within the run, such as ``count[3].tokenize``; empty for the root.
        job_id: Id of its job.
        kind: Kind, such as ``script`` or ``for_each``.
        state: Its state.
        attempt: Number of the present or last attempt, from 1.
        input: Input, if payloads were asked for.
        result: Result, if payloads were asked for.
        error: Why it failed.
        create_time: Time when it was enqueued.
        start_time: Time when the last attempt began.
        end_time: Time when it ended.
        worker: Name of the worker that ran it.
        is_from_cache: Whether the result comes from the cache.
        child_run_id: Run whose end it waits for; empty for other kinds.
        progress: What its code has told last about how far it is; None unless it runs and has told something.
        iterations: Iterations of the loop by their states, if its steps were left out; None for other steps.
    """

    key: str
    job_id: str
    kind: str
    state: StepState
    attempt: int
    input: Any = None
    result: Any = None
    error: RunError | None = None
    create_time: datetime | None = None
    start_time: datetime | None = None
    end_time: datetime | None = None
    worker: str = ""
    is_from_cache: bool = False
    child_run_id: str = ""
    progress: Any = None
    iterations: IterationCounts | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class IterationCounts:
    """Number of iterations of a loop in each state.

    Attributes:
        total: Number of iterations that the loop will have at most; 0 if that is not known.
        queued: Iterations that wait for a slot or for a time.
        running: Iterations in progress.
        succeeded: Iterations that have succeeded.
        failed: Iterations that have failed.
        canceled: Iterations that were canceled.
        skipped: Iterations of which every step was skipped.
        is_only_live: Whether only iterations in progress are counted, because the run has too many others.
    """

    total: int
    queued: int
    running: int
    succeeded: int
    failed: int
    canceled: int
    skipped: int
    is_only_live: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Iteration:
    """An iteration of a loop.

    Attributes:
        number: Its number, from 0.
        key: Its key, such as ``count[3]``.
        state: It is running as long as one of its steps is, and has failed if one has.
        create_time: Time when its first step was enqueued.
        start_time: Time when its first step began to run.
        end_time: Time when its last step ended.
    """

    number: int
    key: str
    state: StepState
    create_time: datetime | None = None
    start_time: datetime | None = None
    end_time: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LogChunk:
    """A piece of the output of a job: several lines, or part of one.

    Attributes:
        run_id: Its run.
        job_id: Its job.
        step: Key of the step; empty for the root.
        attempt: Attempt that printed it.
        stream: Where it comes from.
        text: The text.
        time: Time when the scheduler received it.
        position: Place in the order of arrival.
    """

    run_id: str
    job_id: str
    step: str
    attempt: int
    stream: LogStream
    text: str
    time: datetime | None
    position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Wait:
    """A step that waits now.

    Attributes:
        step: Key of the step.
        kind: ``timer``, ``signal``, ``approval`` or ``human``.
        name: Name of the signal.
        required: Number of events that must arrive.
        received: Number of events that have arrived.
        approvers: People who have approved so far.
        details: Title, description, form and assignees; None if there are none.
        create_time: Time when the wait began.
        end_time: Time when it ends by itself.
    """

    step: str
    kind: str
    name: str
    required: int
    received: int
    approvers: Sequence[str]
    details: Any
    create_time: datetime | None
    end_time: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitLink:
    """Tokens with which one person answers a step. Whoever has a token can use it.

    Attributes:
        actor: The person.
        accept_token: Approves or completes.
        deny_token: Denies.
        expire_time: Time when both expire.
    """

    actor: str
    accept_token: str
    deny_token: str
    expire_time: datetime | None

    def __repr__(self) -> str:
        return f"WaitLink(actor={self.actor!r}, expire_time={self.expire_time!r})"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSelection:
    """Runs to which an operation on many runs applies: those with these ids, or those that match.

    Attributes:
        run_ids: Ids of runs, whatever their state; the other attributes must then be left out.
        flow: Only runs of the flow with this path.
        states: Only runs in these states. Empty means those for which the operation is made, such as failed ones.
        created_from: Only runs accepted at this time or later.
        created_before: Only runs accepted before this time.
        name: Only runs of this flow, script or handler; `flow` must then be left out.
        with_input: Conditions on the input, such as `customer.id=7` or `name~smith`, all of which must hold. The
            scheduler refuses a search by input, output or tag that takes more than 20 s.
        with_output: Conditions on the output, so that the runs have ended.
        tag: Only runs of which a job has this tag.
    """

    run_ids: Sequence[str] = ()
    flow: str = ""
    states: Sequence[RunState] = ()
    created_from: datetime | None = None
    created_before: datetime | None = None
    name: str = ""
    with_input: Sequence[str] = ()
    with_output: Sequence[str] = ()
    tag: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BulkOperation:
    """An operation on many runs, which the schedulers work off in the background.

    Attributes:
        id: Its id.
        total: Number of its runs.
        done: Number of runs to which it was applied.
        failed: Number of runs that refused it.
        left_out: Number of runs that were left out because it was canceled.
        create_time: When it was accepted.
        end_time: When the last of its runs was done; None before.
    """

    id: str
    total: int
    done: int
    failed: int
    left_out: int
    create_time: datetime
    end_time: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class BulkRun:
    """What an operation on many runs did to one of them.

    Attributes:
        run_id: Id of the run.
        state: ``waiting``, ``done``, ``failed`` or ``left_out``.
        new_run_id: Id of the run that a rerun has started; empty for none.
        error: Why the run refused the operation; empty if it did not.
    """

    run_id: str
    state: str
    new_run_id: str
    error: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Deployed:
    """A version of a script or flow that was stored.

    Attributes:
        path: Path by which callers start it.
        hash: Hash of the version.
        warnings: Parts of a flow's definition that have no effect.
    """

    path: str
    hash: str
    warnings: Sequence[str] = ()


def convert(value: Any, returns: Any) -> Any:
    """Makes a value of this type of a JSON value; None leaves it as it is."""
    conversion = None if returns is None else Conversions().find(returns, {})
    if conversion is None:
        return value
    try:
        return conversion(value)
    except Unfit as unfit:
        raise ResultError(f"output{unfit.path}: {unfit.problem}.") from None
