"""The client for code on an event loop of asyncio."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, TypeVar, overload

from .._access import choose_access
from ..blobs import Blob
from . import _calls
from ._async_calls import AsyncCalls
from ._blobs import BlobReader, BlobSource, id_of, upload_stream
from ._calls import Definition, Note, RunFilter
from ._files import read_beside
from ._following import Following
from ._models import (
    BulkOperation,
    BulkRun,
    Deployed,
    Flow,
    Handler,
    Iteration,
    LogChunk,
    Run,
    RunKind,
    RunOptions,
    RunSelection,
    RunSpec,
    RunState,
    Script,
    Step,
    StepState,
    Wait,
    WaitLink,
    convert,
)
from ._client import FIRST_WAIT, TIMEOUT
from ._retries import Retries

T = TypeVar("T")



class AsyncClient:
    """As `Client`, for code on an event loop. Its calls belong to the loop of the first one::

        async with AsyncClient() as client:
            total = await client.run(Flow("pipeline"), {"orders": [1, 2]})
    """

    def __init__(
        self,
        target: str | None = None,
        *,
        workspace: str | None = None,
        token: str | None = None,
        token_file: str | os.PathLike[str] | None = None,
        ca_file: str | os.PathLike[str] | None = None,
        certificate_file: str | os.PathLike[str] | None = None,
        key_file: str | os.PathLike[str] | None = None,
        context: str | None = None,
        allow_plaintext: bool = False,
        retries: Retries = Retries(),
        timeout: float = TIMEOUT,
    ) -> None:
        """Connects at the first call.

        Args:
            target: ``HOST:PORT`` of the scheduler's gRPC services, or several separated by commas.
            workspace: Workspace of all calls.
            token: The token itself.
            token_file: File whose first line is the token; read again when the scheduler refuses it.
            ca_file: Authorities of the scheduler's certificate in PEM, or ``system``; turns TLS on.
            certificate_file: Certificate for a scheduler that asks for one.
            key_file: Its key.
            context: Name of a context of the command line.
            allow_plaintext: Whether a token may leave the machine in plain text, because something else encrypts the
                connection.
            retries: How calls are repeated.
            timeout: Seconds for one attempt of a call.

        Raises:
            AccessError: The settings contradict each other, or a file cannot be used.
        """
        access = choose_access(
            target=target,
            workspace=workspace,
            token=token,
            token_file=token_file,
            ca_file=ca_file,
            certificate_file=certificate_file,
            key_file=key_file,
            context=context,
            allow_plaintext=allow_plaintext,
        )
        self._workspace = access.workspace
        self._timeout = timeout
        self._calls = AsyncCalls(access, retries, timeout)

    async def close(self) -> None:
        """Closes the connection; calls in progress fail."""
        await self._calls.close()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self, _type: type[BaseException] | None, _error: BaseException | None, _traceback: TracebackType | None
    ) -> None:
        await self.close()

    @overload
    async def run(
        self,
        target: Flow | Script | Handler,
        input: Mapping[str, object] | None = None,
        *,
        options: RunOptions = ...,
        request_id: str | None = ...,
        timeout: float | None = ...,
    ) -> Any: ...
    @overload
    async def run(
        self,
        target: Flow | Script | Handler,
        input: Mapping[str, object] | None = None,
        *,
        returns: type[T],
        options: RunOptions = ...,
        request_id: str | None = ...,
        timeout: float | None = ...,
    ) -> T: ...
    async def run(
        self,
        target: Flow | Script | Handler,
        input: Mapping[str, object] | None = None,
        *,
        returns: Any = None,
        options: RunOptions = RunOptions(),
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> Any:
        """Starts a run, waits for its end and returns its output. A flow may return a result before its end.

        Args:
            target: What to run.
            input: Input by parameter.
            returns: Type to make of the output, by the rules for parameters of scripts; None leaves JSON values.
            options: Further wishes.
            request_id: Name of this request; with the same id and input, later calls return the same run.
            timeout: Seconds to wait for the end; None waits as long as it takes.

        Raises:
            RunFailed: The run failed, or was canceled (`RunCanceled`).
            TimedOut: The run has not ended in time. It goes on.
            ClientError: A call failed.
        """
        first = FIRST_WAIT if timeout is None else min(timeout, FIRST_WAIT)
        call = _calls.submit_run(
            self._workspace, RunSpec(target, input, options), request_id, wait=timedelta(seconds=first)
        )
        submitted = await self._calls.perform(call, wait=first)
        if submitted.early is not None:
            return convert(submitted.early[0], returns)
        run = submitted.run
        if not run.state.is_end:
            run = await self.wait(run.id, timeout=None if timeout is None else max(0.0, timeout - first))
        return run.result(returns)

    async def submit(
        self,
        target: Flow | Script | Handler,
        input: Mapping[str, object] | None = None,
        *,
        options: RunOptions = RunOptions(),
        request_id: str | None = None,
    ) -> Run:
        """Starts a run, which is durable once this returns."""
        call = _calls.submit_run(self._workspace, RunSpec(target, input, options), request_id)
        return (await self._calls.perform(call)).run

    async def submit_all(self, specs: Iterable[RunSpec], *, request_id: str | None = None) -> list[str]:
        """Starts up to 10,000 runs in one transaction, all or none; returns their ids in order."""
        return await self._calls.perform(_calls.submit_runs(self._workspace, specs, request_id))

    async def wait(self, run_id: str, *, timeout: float | None = None) -> Run:
        """Waits for the end of a run and returns it with its output.

        Raises:
            TimedOut: The run has not ended within `timeout` seconds. It goes on.
        """
        async for _ in self.follow(run_id, logs=False, fold_loops=True, timeout=timeout):
            pass
        return await self.get_run(run_id)

    def follow(
        self, run_id: str, *, logs: bool = True, fold_loops: bool = False, timeout: float | None = None
    ) -> AsyncIterator[Run | Step | LogChunk]:
        """Returns the events of a run to its end: its present state, every change, and its log. Survives lost connections.

        Args:
            run_id: Id of the run.
            logs: Whether pieces of its log are among the events.
            fold_loops: Whether the steps inside loops of more than 20 iterations are left out. The step of such a loop then
                has `iterations`.
            timeout: Seconds until `TimedOut` is raised; None for no limit.
        """

        def watch(position: int) -> Any:
            return _calls.watch_run(self._workspace, run_id, logs=logs, fold_loops=fold_loops, after_position=position)

        return self._calls.events(watch, Following(), timeout)

    async def get_run(self, run_id: str) -> Run:
        """Returns a run with its input and output."""
        return await self._calls.perform(_calls.get_run(self._workspace, run_id))

    def search(
        self,
        *,
        states: Sequence[RunState] = (),
        name: str = "",
        created_from: datetime | None = None,
        created_before: datetime | None = None,
        with_input: Sequence[str] = (),
        with_output: Sequence[str] = (),
        kind: RunKind | None = None,
        tag: str = "",
    ) -> AsyncIterator[Run]:
        """Returns the runs of the workspace, the newest first, without input and output. Pages are read as they are needed.

        Args:
            states: Only these states; empty means all.
            name: Only runs of this flow, script or handler.
            created_from: Only runs accepted at this time or later.
            created_before: Only runs accepted before this time.
            with_input: Only runs whose input meets all these conditions, such as ``customer.id=7`` or ``name~smith``.
            with_output: The same for outputs.
            kind: Only runs of this kind; None means work, or all if there is a name.
            tag: Only runs of which a job has this tag.
        """
        wanted = RunFilter(
            states=states,
            name=name,
            created_from=created_from,
            created_before=created_before,
            with_input=with_input,
            with_output=with_output,
            kind=kind,
            tag=tag,
        )
        return self._calls.pages(lambda token: _calls.list_runs(self._workspace, wanted, token))

    def steps(
        self, run_id: str, *, payloads: bool = False, fold_loops: bool = False, iteration: str = ""
    ) -> AsyncIterator[Step]:
        """Returns the steps of a run: the ended ones in the order of their ends, then the others.

        Args:
            run_id: Id of the run.
            payloads: Whether the steps have their inputs and results.
            fold_loops: Whether the steps inside loops of more than 20 iterations are left out. The step of such a loop then
                has `iterations`, and `iterations()` lists them.
            iteration: Key of an iteration, such as ``count[3]``, for the steps inside it alone, which folds loops inside it.
        """
        wanted = _calls.Wanted(payloads=payloads, fold_loops=fold_loops, iteration=iteration)
        return self._calls.pages(lambda token: _calls.list_steps(self._workspace, run_id, wanted, token))

    def iterations(
        self, run_id: str, loop: str, *, states: Sequence[StepState] = (), from_number: int = 0
    ) -> AsyncIterator[Iteration]:
        """Returns the iterations of a loop that have begun, in the order of their numbers.

        Args:
            run_id: Id of the run.
            loop: Key of the loop, such as ``count``.
            states: Only these states; empty means all.
            from_number: Number of the first iteration.
        """
        return self._calls.pages(
            lambda token: _calls.list_iterations(self._workspace, run_id, loop, states, from_number, token)
        )

    def logs(self, run_id: str, *, job_id: str = "") -> AsyncIterator[LogChunk]:
        """Returns the stored log of a run, or of one of its jobs; `follow` also returns what comes later."""
        return self._calls.pages(lambda token: _calls.list_logs(self._workspace, run_id, job_id, token))

    async def cancel(self, run_id: str, *, actor: str = "", reason: str = "", request_id: str | None = None) -> Run:
        """Cancels a run: waiting jobs are dropped, running ones are stopped."""
        return await self._operate(_calls.cancel_run, run_id, actor, reason, request_id)

    async def pause(self, run_id: str, *, actor: str = "", reason: str = "", request_id: str | None = None) -> Run:
        """Pauses a run: running jobs finish, and no further job begins."""
        return await self._operate(_calls.pause_run, run_id, actor, reason, request_id)

    async def resume(self, run_id: str, *, actor: str = "", reason: str = "", request_id: str | None = None) -> Run:
        """Resumes a paused run."""
        return await self._operate(_calls.resume_run, run_id, actor, reason, request_id)

    async def retry(self, run_id: str, *, actor: str = "", reason: str = "", request_id: str | None = None) -> Run:
        """Reopens a failed or canceled run; succeeded steps keep their results."""
        return await self._operate(_calls.retry_run, run_id, actor, reason, request_id)

    async def restart(
        self,
        run_id: str,
        input: Mapping[str, object] | None = None,
        *,
        actor: str = "",
        reason: str = "",
        request_id: str | None = None,
    ) -> Run:
        """Starts a new run of the same version, with the same input or another, and returns it."""
        note = Note(actor=actor, reason=reason, request_id=request_id)
        return await self._calls.perform(_calls.restart_run(self._workspace, run_id, input, note))

    async def rerun(
        self,
        run_id: str,
        step: str,
        input: Mapping[str, object] | None = None,
        *,
        flow_hash: str = "",
        step_input: Mapping[str, object] | None = None,
        actor: str = "",
        reason: str = "",
        request_id: str | None = None,
    ) -> Run:
        """Starts a new run at a step, with the results before it, and returns the new run.

        Args:
            run_id: The run whose results the new one takes over.
            step: Key of the step at which the new run begins.
            input: Input of the new run; None takes that of the old one.
            flow_hash: Version of the flow that the new run executes; empty takes that of the old one.
            step_input: Input of the step, in place of the one that the flow computes.
            actor: Who asks.
            reason: Why.
            request_id: Name of the request, under which repeated calls take effect once.
        """
        note = Note(actor=actor, reason=reason, request_id=request_id)
        call = _calls.rerun_run(self._workspace, run_id, step, input, note, flow_hash=flow_hash, step_input=step_input)
        return await self._calls.perform(call)

    async def skip(
        self,
        run_id: str,
        step: str,
        result: object = None,
        *,
        actor: str = "",
        reason: str = "",
        request_id: str | None = None,
    ) -> Run:
        """Ends a waiting or running step as skipped, with this result."""
        note = Note(actor=actor, reason=reason, request_id=request_id)
        return await self._calls.perform(_calls.skip_step(self._workspace, run_id, step, result, note))

    async def rerun_all(
        self,
        runs: RunSelection,
        step: str,
        *,
        flow_hash: str = "",
        step_input: Mapping[str, object] | None = None,
        actor: str = "",
        reason: str = "",
        request_id: str | None = None,
    ) -> BulkOperation:
        """Starts new runs at a step of many runs, in the background, and returns the operation.

        Args:
            runs: The runs; unless they are named by id, their states must be given.
            step: Key of the step at which each new run begins.
            flow_hash: Version of the flow that the new runs execute; empty takes that of each run.
            step_input: Input of the step in each new run, in place of the one that the flow computes.
            actor: Who asks.
            reason: Why.
            request_id: Name of the request, under which repeated calls take effect once.
        """
        note = Note(actor=actor, reason=reason, request_id=request_id)
        call = _calls.rerun_all(self._workspace, runs, step, note, flow_hash=flow_hash, step_input=step_input)
        return await self._calls.perform(call)

    async def cancel_all(
        self, runs: RunSelection, *, actor: str = "", reason: str = "", request_id: str | None = None
    ) -> BulkOperation:
        """Cancels many runs in the background, and returns the operation."""
        note = Note(actor=actor, reason=reason, request_id=request_id)
        return await self._calls.perform(_calls.cancel_all(self._workspace, runs, note))

    async def bulk(self, bulk_id: str) -> BulkOperation:
        """Returns how far an operation on many runs has come."""
        return await self._calls.perform(_calls.get_bulk(self._workspace, bulk_id))

    def bulk_runs(self, bulk_id: str) -> AsyncIterator[BulkRun]:
        """Returns what an operation on many runs did to each of them, ordered by id."""
        return self._calls.pages(lambda token: _calls.list_bulk_runs(self._workspace, bulk_id, token))

    async def stop_bulk(self, bulk_id: str, *, actor: str = "", reason: str = "") -> BulkOperation:
        """Leaves out the runs that an operation on many runs has not reached; nothing is undone."""
        note = Note(actor=actor, reason=reason)
        return await self._calls.perform(_calls.stop_bulk(self._workspace, bulk_id, note))

    async def signal(
        self, run_id: str, name: str, payload: object = None, *, actor: str = "", request_id: str | None = None
    ) -> str:
        """Sends a signal. Returns the step that took it; empty if the run keeps it for a later wait."""
        return await self._calls.perform(_calls.send_signal(self._workspace, run_id, name, payload, actor, request_id))

    def waits(self, run_id: str) -> AsyncIterator[Wait]:
        """Returns the steps of a run that wait now, the oldest wait first."""
        return self._calls.pages(lambda token: _calls.list_waits(self._workspace, run_id, token))

    async def approve(
        self, run_id: str, payload: object = None, *, step: str = "", actor: str = "", request_id: str | None = None
    ) -> str:
        """Approves a step that waits for people, and returns its key; `step` may be empty if only one waits."""
        return await self._answer("approve", run_id, payload, step, actor, request_id)

    async def deny(
        self, run_id: str, payload: object = None, *, step: str = "", actor: str = "", request_id: str | None = None
    ) -> str:
        """Denies a step that waits for people, and returns its key."""
        return await self._answer("deny", run_id, payload, step, actor, request_id)

    async def complete(
        self, run_id: str, payload: object = None, *, step: str = "", actor: str = "", request_id: str | None = None
    ) -> str:
        """Hands in the result of a human task, and returns the key of its step."""
        return await self._answer("complete", run_id, payload, step, actor, request_id)

    async def wait_links(
        self, run_id: str, step: str, actors: Sequence[str], *, valid_for: timedelta | None = None
    ) -> list[WaitLink]:
        """Signs links with which these people can answer a step; None lets them be valid for 30 days."""
        return await self._calls.perform(_calls.create_wait_links(self._workspace, run_id, step, actors, valid_for))

    async def put_blob(
        self,
        data: bytes | bytearray | memoryview | os.PathLike[str] | BinaryIO,
        *,
        media_type: str = "application/octet-stream",
    ) -> Blob:
        """Uploads a blob, and returns its reference for an input. It is kept for a day unless a run opens it.

        Args:
            data: The bytes, the path of a file with them, or a file that is open for reading bytes, of which the rest is
                taken. Files are read in a thread. If the connection breaks, the upload begins again, unless the file cannot
                be read twice.
            media_type: What the bytes are, 1 to 255 printable ASCII characters.

        Raises:
            TypeError: `data` is of another type.
            OSError: The file cannot be read.
            InvalidRequest: The blob is too large.
            Overloaded: The workspace has no room for it (``reason`` is ``QUOTA_EXCEEDED``), or the scheduler has none.
        """
        source = BlobSource(data)
        return await self._calls.upload(
            lambda: upload_stream(self._workspace, media_type, source), can_repeat=source.can_repeat
        )

    def open_blob(self, blob: Blob | dict[str, Any] | str) -> BlobReader:
        """Opens a blob for reading, by what `put_blob` has returned, the reference in an output, or its id.

        The bytes come while they are read, and a broken connection continues::

            async with client.open_blob(run.output["table"]) as parts:
                async for part in parts:
                    digest.update(part)

        Reading raises `NotFound` if the workspace has no such blob.
        """
        return BlobReader(self._calls.download(self._workspace, id_of(blob)))

    async def deploy(self, file: str | os.PathLike[str], *, path: str = "") -> Deployed:
        """Deploys a script, or a flow with the scripts beside it.

        Args:
            file: A script (``.py``, ``.ts``, ``.js``, ``.mts``, ``.mjs``) or the definition of a flow.
            path: Path on the server; empty means the name of the script's file, or the name in the definition.

        Raises:
            InvalidFlow: The definition has problems.
        """
        source = Path(file)
        if _calls.is_script(source.name):
            return await self.deploy_script(path or source.name, source.read_text(encoding="utf-8"))
        bare = Definition(content=source.read_text(encoding="utf-8"), file_name=source.name)
        names = await self._calls.perform(_calls.script_paths(self._workspace, bare))
        return await self.deploy_flow(
            bare.content, file_name=bare.file_name, path=path, files=read_beside(source, names)
        )

    async def deploy_script(self, path: str, content: str) -> Deployed:
        """Stores a version of a script and makes it the current one of its path."""
        return await self._calls.perform(_calls.deploy_script(self._workspace, path, content))

    async def deploy_flow(
        self,
        definition: str,
        *,
        file_name: str = "flow.yaml",
        path: str = "",
        files: Mapping[str, str] | None = None,
    ) -> Deployed:
        """Stores a version of a flow with its scripts and makes it the current one of its path.

        Args:
            definition: The definition.
            file_name: Its name, for messages and to tell JSON from YAML.
            path: Path of the flow; empty means the name in the definition.
            files: Scripts by the relative paths that the definition names; others must be deployed already.
        """
        whole = Definition(content=definition, file_name=file_name, path=path, files=files)
        return await self._calls.perform(_calls.deploy_flow(self._workspace, whole))

    async def _operate(
        self,
        make: Callable[[str, str, Note], Any],
        run_id: str,
        actor: str,
        reason: str,
        request_id: str | None,
    ) -> Run:
        note = Note(actor=actor, reason=reason, request_id=request_id)
        run: Run = await self._calls.perform(make(self._workspace, run_id, note))
        return run

    async def _answer(
        self, answer: str, run_id: str, payload: object, step: str, actor: str, request_id: str | None
    ) -> str:
        call = _calls.answer_wait(
            self._workspace, run_id, answer, step=step, payload=payload, actor=actor, request_id=request_id
        )
        return await self._calls.perform(call)
