"""Sends calls and waits for their answers, on a blocking channel."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from random import random
from typing import Any, TypeVar

import grpc
from google.protobuf.message import Message

from .._access import Access, Channels, Route, channel_credentials, channel_options
from .._proto.blob.v1.blob_service_pb2 import (
    DownloadBlobRequest,
    DownloadBlobResponse,
    UploadBlobRequest,
    UploadBlobResponse,
)
from ..blobs import Blob
from ._blobs import SERVICE, blob_of
from ._calls import Call, Page
from ._errors import ClientError, TimedOut, Unauthenticated, Unavailable, error_of
from ._following import Following
from ._models import LogChunk, Run, Step
from ._retries import Attempts, Retries, is_of_connection

A = TypeVar("A", bound=Message)
T = TypeVar("T")

STREAM_ENDED = "The stream ended before the run."


class SyncCalls:
    """The channels with their retries. Thread-safe."""

    def __init__(self, access: Access, retries: Retries, timeout: float) -> None:
        self._access = access
        self._retries = retries
        self._timeout = timeout
        options = channel_options()
        credentials = None if access.tls is None else channel_credentials(access.tls)
        self._channels: Channels[grpc.Channel] = Channels(
            access.targets(),
            lambda target: grpc.insecure_channel(target, options=options)
            if credentials is None
            else grpc.secure_channel(target, credentials, options=options),
        )

    def close(self) -> None:
        """Closes the channels; calls in progress fail."""
        for channel in self._channels.take_all():
            channel.close()

    def perform(self, call: Call[A, T], *, wait: float = 0.0) -> T:
        """Sends a call until it is answered, and returns what the answer says.

        Args:
            call: The call.
            wait: Seconds that the server may take on top of the usual time.

        Raises:
            ClientError: The last failure, once repeating does not help.
        """
        route, attempts = self._channels.route(), self._attempts(wait)
        while True:
            send: Any = route.channel().unary_unary(
                call.method,
                request_serializer=type(call.request).SerializeToString,
                response_deserializer=call.answers.FromString,
            )
            shown = self._access.tokens.metadata()
            try:
                answer: A = send(call.request, timeout=attempts.timeout(self._timeout + wait), metadata=shown)
                return call.read(answer)
            except grpc.RpcError as failure:
                error = self._error(failure, call.name)
            self._pause(error, shown, attempts, route)

    def pages(self, page: Callable[[str], Call[A, Page[T]]]) -> Iterator[T]:
        """Returns the entries of all pages, each read when it is needed."""
        token = ""
        while True:
            found = self.perform(page(token))
            yield from found.entries
            if not found.next_token:
                return
            token = found.next_token

    def events(
        self,
        watch: Callable[[int], Call[Any, Run | Step | LogChunk | None]],
        following: Following,
        timeout: float | None,
    ) -> Iterator[Run | Step | LogChunk]:
        """Returns the events of a run to its end; a new stream continues one that broke.

        Args:
            watch: Makes the call for the events after a position of the log.
            following: Remembers the place.
            timeout: Seconds until `TimedOut` is raised; None for no limit.
        """
        deadline = None if timeout is None else time.monotonic() + timeout
        route, attempts = self._channels.route(), self._attempts(0.0)
        while True:
            call = watch(following.position)
            shown = self._access.tokens.metadata()
            stream = self._open(route, call, shown, deadline)
            try:
                for answer in stream:
                    attempts.progressed()
                    event = following.take(call.read(answer))
                    if event is not None:
                        yield event
                if following.ended:
                    return
                error: ClientError = Unavailable(STREAM_ENDED, call=call.name, target=self._access.target)
            except grpc.RpcError as failure:
                error = self._error(failure, call.name)
            finally:
                stream.cancel()
            if deadline is not None and time.monotonic() >= deadline:
                raise still_runs(timeout, call.name, self._access.target)
            self._pause(error, shown, attempts, route)

    def upload(self, requests: Callable[[], Iterator[UploadBlobRequest]], *, can_repeat: bool) -> Blob:
        """Uploads a blob, from its begin again if the connection breaks.

        Args:
            requests: Makes the messages.
            can_repeat: Whether they can be made again.

        Raises:
            ClientError: The last failure, once repeating does not help.
        """
        name = "UploadBlob"
        route, attempts = self._channels.route(), self._attempts(0.0)
        while True:
            send: Any = route.channel().stream_unary(
                SERVICE + name,
                request_serializer=UploadBlobRequest.SerializeToString,
                response_deserializer=UploadBlobResponse.FromString,
            )
            shown = self._access.tokens.metadata()
            try:
                answer: UploadBlobResponse = send(requests(), metadata=shown)
                return blob_of(answer.blob)
            except grpc.RpcError as failure:
                error = self._error(failure, name)
            if not can_repeat:
                raise error
            self._pause(error, shown, attempts, route)

    def download(self, workspace: str, blob_id: str, offset: int) -> Iterator[bytes]:
        """Returns the bytes of a blob from one on, part by part; a new stream continues one that broke."""
        route, attempts = self._channels.route(), self._attempts(0.0)
        while True:
            request = DownloadBlobRequest(workspace=workspace, blob_id=blob_id, offset=offset)
            call = Call(SERVICE + "DownloadBlob", request, DownloadBlobResponse, part_of)
            shown = self._access.tokens.metadata()
            stream = self._open(route, call, shown, None)
            try:
                for answer in stream:
                    attempts.progressed()
                    data = call.read(answer)
                    offset += len(data)
                    if data:
                        yield data
                return
            except grpc.RpcError as failure:
                error = self._error(failure, call.name)
            finally:
                stream.cancel()
            self._pause(error, shown, attempts, route)

    def _open(
        self,
        route: Route[grpc.Channel],
        call: Call[Any, Any],
        shown: tuple[tuple[str, str], ...],
        deadline: float | None,
    ) -> Any:
        open_stream: Any = route.channel().unary_stream(
            call.method,
            request_serializer=type(call.request).SerializeToString,
            response_deserializer=call.answers.FromString,
        )
        left = None if deadline is None else max(0.001, deadline - time.monotonic())
        return open_stream(call.request, timeout=left, metadata=shown)

    def _attempts(self, wait: float) -> Attempts:
        return Attempts(
            self._retries, seconds_max=self._retries.seconds_max + wait, clock=time.monotonic, random=random
        )

    def _error(self, failure: grpc.RpcError, call: str) -> ClientError:
        return error_of(failure, call=call, target=self._access.target)

    def _pause(
        self,
        error: ClientError,
        shown: tuple[tuple[str, str], ...],
        attempts: Attempts,
        route: Route[grpc.Channel],
    ) -> None:
        """Waits before the next attempt; raises the error if there is none."""
        if isinstance(error, Unauthenticated) and self._access.tokens.renew(shown):
            return
        goes_elsewhere = is_of_connection(error) and route.leads_on()
        time.sleep(attempts.delay_after(error, goes_elsewhere=goes_elsewhere))


def part_of(answer: DownloadBlobResponse) -> bytes:
    """Returns the bytes of a message; empty for the first one, which describes the blob."""
    return answer.part.data


def still_runs(timeout: float | None, call: str, target: str) -> TimedOut:
    """Returns the error of a wait that took too long."""
    return TimedOut(
        f"The run has not ended within {timeout:g} s. It goes on.",
        call=call,
        target=target,
        status=grpc.StatusCode.DEADLINE_EXCEEDED.name,
    )
