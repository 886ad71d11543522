"""Keeps the worker's session with the scheduler across any number of connections."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import cycle
from random import random
from threading import Event, RLock, Thread
from typing import Any

import grpc

from .._access import Access, CallStatus, channel_credentials, channel_options, read_status
from .._proto.worker.v1 import session_pb2
from .._proto.worker.v1.worker_session_service_pb2 import OpenSessionRequest, OpenSessionResponse
from ._leased_job import Limits
from ._life import SessionLife
from ._outbox import Outbox
from ._session_jobs import ALONE, JobEngine, SessionJobs
from ._shared_folders import SharedFolders

METHOD = "/millrace.worker.v1.WorkerSessionService/OpenSession"
WELCOME_SECONDS_MAX = 10.0
GOODBYE_SECONDS_MAX = 2.0
SILENT_HEARTBEATS_MAX = 2
"""A connection on which nothing has arrived for this many heartbeats counts as dead."""

ASK_SECONDS = 60.0
"""Interval of asking which shared folders are not needed any more, in case the message of the scheduler was lost."""

HEARTBEATS_PER_TTL_MIN = 3
"""Fewer heartbeats would leave it in doubt whether the session lives."""

HEARTBEAT_SECONDS_MIN = 0.05
DELAY_SECONDS_MIN = 0.1
DELAY_SECONDS_MAX = 3.0

_logger = logging.getLogger("millrace.worker")


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """What the worker reports about itself in every Hello."""

    name: str
    version: str
    runtimes: dict[str, str]
    labels: dict[str, str] = field(default_factory=dict[str, str])
    groups: Sequence[session_pb2.SlotGroup]


class _Stream:
    """One stream of the session. Its sender is the iterator of requests, which gRPC runs on a thread of its own."""

    def __init__(self, resumes: bool) -> None:
        self.resumes = resumes
        self.hello_time = time.monotonic()
        self.last_arrival = self.hello_time
        self.is_welcomed = False
        self.must_reconnect = False
        self.is_over = False
        self.call: Any = None
        self.reason = ""

    def abort(self, reason: str) -> None:
        """Ends the stream at once; its late messages are ignored."""
        self.reason = reason
        self.is_over = True
        if self.call is not None:
            self.call.cancel()


class Session:
    """The session of one worker.

    One thread opens streams and handles what arrives; gRPC's thread sends. Messages of a stream that is not the present one
    have no effect, so the list of held leases in a Hello is exact.
    """

    def __init__(
        self,
        access: Access,
        identity: Identity,
        engine: JobEngine,
        *,
        outbox: Outbox,
        life: SessionLife,
        folders: SharedFolders,
    ) -> None:
        self._access = access
        self._folders = folders
        self._identity = identity
        self._engine = engine
        self._outbox = outbox
        self._life = life
        self.jobs = SessionJobs(engine, outbox, folders)
        self.limits = Limits()
        self.connected = Event()
        self._lock = RLock()
        self._current: _Stream | None = None
        self._session_id = ""
        self._resume_token = ""
        self._stops_demand = False
        self._is_leaving = False
        self._failures = 0
        self._thread = Thread(target=self._run, name="millrace-session", daemon=True)
        self._targets = cycle(access.targets())
        self._channel = self._make_channel()

    @property
    def channel(self) -> grpc.Channel:
        """The connection, for calls beside the session."""
        return self._channel

    def start(self) -> None:
        """Connects in the background."""
        self._thread.start()

    def stop_demand(self) -> None:
        """Asks the scheduler for no further jobs."""
        self._stops_demand = True
        self.jobs.give_back_waiting("The worker is stopping.")
        self._outbox.wake()

    def close(self) -> None:
        """Says goodbye if there is a connection, and ends the session."""
        self._is_leaving = True
        self._outbox.close()
        self._outbox.wake()
        self._thread.join(GOODBYE_SECONDS_MAX)
        stream = self._current
        if stream is not None:
            stream.abort("The worker has stopped.")
        self._channel.close()
        self._thread.join(GOODBYE_SECONDS_MAX)

    def _make_channel(self) -> grpc.Channel:
        """Returns a channel to the next scheduler of the list."""
        target, options = next(self._targets), channel_options()
        if self._access.tls is None:
            return grpc.insecure_channel(target, options=options)
        return grpc.secure_channel(target, channel_credentials(self._access.tls), options=options)

    def _run(self) -> None:
        while not self._is_leaving:
            try:
                stream, failure = self._connect_and_receive()
            except Exception:  # A bug must not end the session and with it the worker.
                _logger.exception("The session failed; reconnecting.")
                self._pause()
                continue
            finally:
                self._life.interrupted()
            if not self._is_leaving:
                self._after_end(stream, failure)

    def _connect_and_receive(self) -> tuple[_Stream, CallStatus | None]:
        open_stream: Any = self._channel.stream_stream(
            METHOD,
            request_serializer=OpenSessionRequest.SerializeToString,
            response_deserializer=OpenSessionResponse.FromString,
        )
        with self._lock:
            stream = _Stream(resumes=bool(self._session_id))
            demand = self._demand()
            hello = self._hello(demand)
            self._current = stream
        shown = self._access.tokens.metadata()
        stream.call = open_stream(self._requests(stream, hello, demand), metadata=shown)
        failure: CallStatus | None = None
        try:
            for message in stream.call:
                stream.last_arrival = time.monotonic()
                self._receive(stream, message)
        except grpc.RpcError as error:
            failure = read_status(error)
            if failure.code is grpc.StatusCode.UNAUTHENTICATED:
                self._access.tokens.renew(shown)
        finally:
            stream.is_over = True
            stream.call.cancel()
            self._outbox.wake()
        return stream, failure

    def _hello(self, demand: list[session_pb2.SlotGroup]) -> OpenSessionRequest:
        return OpenSessionRequest(
            hello=session_pb2.Hello(
                worker_name=self._identity.name,
                version=self._identity.version,
                runtimes=self._identity.runtimes,
                labels=self._identity.labels,
                slot_groups=demand,
                session_id=self._session_id,
                resume_token=self._resume_token,
                held_leases=self.jobs.leases() if self._session_id else [],
            )
        )

    def _requests(
        self, stream: _Stream, hello: OpenSessionRequest, told: list[session_pb2.SlotGroup]
    ) -> Iterator[OpenSessionRequest]:
        """Yields what this stream sends, until it is over."""
        yield hello
        heartbeat_time = ask_time = stream.hello_time
        while True:
            wakes = self._outbox.wakes
            if stream.is_over:
                return
            now = time.monotonic()
            interval = self.limits.heartbeat_interval
            if not stream.is_welcomed:
                left = stream.hello_time + WELCOME_SECONDS_MAX - now
                if left <= 0 or self._is_leaving:
                    stream.abort("The scheduler did not answer the Hello.")
                    return
                self._outbox.wait(left, wakes=wakes, for_messages=False)
                continue
            silence = now - stream.last_arrival
            if stream.must_reconnect:
                stream.abort("The scheduler asked to reconnect.")
                return
            if silence > interval * SILENT_HEARTBEATS_MAX:
                stream.abort(f"The scheduler has not answered {SILENT_HEARTBEATS_MAX} heartbeats.")
                return
            if now >= heartbeat_time:
                yield OpenSessionRequest(heartbeat=session_pb2.Heartbeat(sequence=self._life.send()))
                heartbeat_time = now + interval
            if now >= ask_time:
                if groups := self._folders.groups():
                    yield OpenSessionRequest(held_folders=session_pb2.HeldFolders(group_ids=groups))
                ask_time = now + ASK_SECONDS
            demand = self._demand()
            if demand != told:
                yield OpenSessionRequest(demand=session_pb2.Demand(slot_groups=demand))
                told = demand
            yield from self._outbox.take(lambda: stream.is_over)
            if self._is_leaving:
                yield OpenSessionRequest(goodbye=session_pb2.Goodbye())
                return
            wake_time = min(heartbeat_time, stream.last_arrival + interval * SILENT_HEARTBEATS_MAX + 0.001)
            self._outbox.wait(wake_time - time.monotonic(), wakes=wakes, for_messages=True)

    def _demand(self) -> list[session_pb2.SlotGroup]:
        groups = list(self._identity.groups)
        if not self._stops_demand and not self.jobs.is_alone:
            return groups
        reason = "" if self._stops_demand else ALONE
        return [session_pb2.SlotGroup(name=group.name, tags=group.tags, pause_reason=reason) for group in groups]

    def _receive(self, stream: _Stream, message: OpenSessionResponse) -> None:
        with self._lock:
            if stream is not self._current or stream.is_over:
                return
            match message.WhichOneof("message"):
                case "welcome":
                    self._welcome(stream, message.welcome)
                case "leases":
                    self.jobs.accept(message.leases.leases, self.limits)
                case "result_acks":
                    self.jobs.acknowledge(message.result_acks.acks)
                case "log_ack":
                    self._outbox.acknowledge_logs(message.log_ack.batch)
                case "cancel_jobs":
                    self.jobs.cancel(message.cancel_jobs.jobs)
                case "heartbeat":
                    self._life.answered(message.heartbeat.sequence)
                    self._engine.resume()
                case "ended_folders":
                    self._folders.end(message.ended_folders.group_ids)
                case "reconnect":
                    stream.must_reconnect = True
                    self._outbox.wake()
                case _:  # A message of a later version.
                    pass

    def _welcome(self, stream: _Stream, welcome: session_pb2.Welcome) -> None:
        if stream.resumes and not welcome.resumed:
            self._lose("The scheduler has opened a new session instead of the old one.")
        self.limits = _limits(welcome)
        self._session_id = welcome.session_id
        self._resume_token = welcome.resume_token
        if welcome.resumed:
            self._outbox.resend(welcome.logs_acknowledged)
            self.jobs.tell_started()
        _logger.info(
            "Connected to the scheduler at %s%s.", self._access.target, ", with all leases kept" if welcome.resumed else ""
        )
        self._failures = 0
        self._life.opened(stream.hello_time, self.limits.session_ttl)
        stream.is_welcomed = True
        self._engine.resume()
        self.connected.set()
        self._outbox.wake()

    def _lose(self, reason: str) -> None:
        self._session_id = self._resume_token = ""
        self.jobs.drop_all(reason)
        self._outbox.clear()
        self._folders.end_all()

    def _after_end(self, stream: _Stream, failure: CallStatus | None) -> None:
        """Decides how to continue: immediately if the session is gone, else after a delay."""
        code = None if failure is None else failure.code
        said = "It closed the stream." if failure is None else failure.message
        if code is grpc.StatusCode.FAILED_PRECONDITION and self._session_id:
            with self._lock:
                self._lose(f"The scheduler has ended the session: {said}")
            return
        if stream.must_reconnect:
            _logger.info("The scheduler is stopping; reconnecting with all leases kept.")
        else:
            reason = stream.reason or said
            _logger.warning("The connection to the scheduler at %s ended; reconnecting: %s", self._access.target, reason)
        if stream.reason or code in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED):
            self._replace_channel()
        self._pause()

    def _replace_channel(self) -> None:
        """Drops the connection, a half-open one included, and goes to the next scheduler."""
        old, self._channel = self._channel, self._make_channel()
        old.close()

    def _pause(self) -> None:
        due = min(DELAY_SECONDS_MAX, DELAY_SECONDS_MIN * 2 ** min(self._failures, 10))
        self._failures += 1
        end = time.monotonic() + due / 2 * (1 + random())
        while True:
            wakes = self._outbox.wakes
            if self._is_leaving or time.monotonic() >= end:
                return
            self._outbox.wait(end - time.monotonic(), wakes=wakes, for_messages=False)


def _limits(welcome: session_pb2.Welcome) -> Limits:
    usual = Limits()
    ttl = _seconds(welcome.session_ttl.ToTimedelta(), usual.session_ttl)
    interval = min(_seconds(welcome.heartbeat_interval.ToTimedelta(), usual.heartbeat_interval), ttl / HEARTBEATS_PER_TTL_MIN)
    return Limits(
        heartbeat_interval=max(interval, HEARTBEAT_SECONDS_MIN),
        session_ttl=ttl,
        result_bytes_max=welcome.result_bytes_max or usual.result_bytes_max,
        log_bytes_max=welcome.log_bytes_max or usual.log_bytes_max,
    )


def _seconds(told: timedelta, if_unset: float) -> float:
    return told.total_seconds() or if_unset
