"""Sends calls and awaits their answers, on a channel of asyncio."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from random import random
from typing import Any, TypeVar

import grpc
import grpc.aio
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
from ._errors import ClientError, Unauthenticated, Unavailable, error_of
from ._following import Following
from ._models import LogChunk, Run, Step
from ._retries import Attempts, Retries, is_of_connection
from ._sync_calls import STREAM_ENDED, part_of, still_runs

A = TypeVar("A", bound=Message)
T = TypeVar("T")


class AsyncCalls:
    """The channels with their retries, each made at the first call on it and bound to the loop of that call."""

    def __init__(self, access: Access, retries: Retries, timeout: float) -> None:
        self._access = access
        self._retries = retries
        self._timeout = timeout
        options = channel_options()
        credentials = None if access.tls is None else channel_credentials(access.tls)
        self._channels: Channels[grpc.aio.Channel] = Channels(
            access.targets(),
            lambda target: grpc.aio.insecure_channel(target, options=options)
            if credentials is None
            else grpc.aio.secure_channel(target, credentials, options=options),
        )

    async def close(self) -> None:
        """Closes the channels; calls in progress fail."""
        for channel in self._channels.take_all():
            await channel.close()

    async def perform(self, call: Call[A, T], *, wait: float = 0.0) -> T:
        """As `SyncCalls.perform`."""
        route, attempts = self._channels.route(), self._attempts(wait)
        while True:
            send: Any = route.channel().unary_unary(
                call.method,
                request_serializer=type(call.request).SerializeToString,
                response_deserializer=call.answers.FromString,
            )
            shown = self._access.tokens.metadata()
            try:
                answer: A = await send(call.request, timeout=attempts.timeout(self._timeout + wait), metadata=shown)
                return call.read(answer)
            except grpc.RpcError as failure:
                error = self._error(failure, call.name)
            await self._pause(error, shown, attempts, route)

    async def pages(self, page: Callable[[str], Call[A, Page[T]]]) -> AsyncIterator[T]:
        """As `SyncCalls.pages`."""
        token = ""
        while True:
            found = await self.perform(page(token))
            for entry in found.entries:
                yield entry
            if not found.next_token:
                return
            token = found.next_token

    async def events(
        self,
        watch: Callable[[int], Call[Any, Run | Step | LogChunk | None]],
        following: Following,
        timeout: float | None,
    ) -> AsyncIterator[Run | Step | LogChunk]:
        """As `SyncCalls.events`."""
        deadline = None if timeout is None else time.monotonic() + timeout
        route, attempts = self._channels.route(), self._attempts(0.0)
        while True:
            call = watch(following.position)
            shown = self._access.tokens.metadata()
            stream = self._open(route, call, shown, deadline)
            try:
                async for answer in stream:
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
            await self._pause(error, shown, attempts, route)

    async def upload(self, requests: Callable[[], AsyncIterator[UploadBlobRequest]], *, can_repeat: bool) -> Blob:
        """As `SyncCalls.upload`."""
        name = "UploadBlob"
        route, attempts = self._channels.route(), self._attempts(0.0)
        while True:
            send: Any = route.channel().stream_unary(
                SERVICE + name,
                request_serializer=UploadBlobRequest.SerializeToString,
                response_deserializer=UploadBlobResponse.FromString,
            )
            shown = self._access.tokens.metadata()
            messages = _Messages(requests())
            try:
                answer: UploadBlobResponse = await send(messages, metadata=shown)
                return blob_of(answer.blob)
            except grpc.RpcError as failure:
                error = self._error(failure, name)
            except asyncio.CancelledError:
                if messages.failure is not None:
                    raise messages.failure from None
                raise
            if not can_repeat:
                raise error
            await self._pause(error, shown, attempts, route)

    async def download(self, workspace: str, blob_id: str) -> AsyncIterator[bytes]:
        """As `SyncCalls.download`, from the first byte on."""
        offset = 0
        route, attempts = self._channels.route(), self._attempts(0.0)
        while True:
            request = DownloadBlobRequest(workspace=workspace, blob_id=blob_id, offset=offset)
            call = Call(SERVICE + "DownloadBlob", request, DownloadBlobResponse, part_of)
            shown = self._access.tokens.metadata()
            stream = self._open(route, call, shown, None)
            try:
                async for answer in stream:
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
            await self._pause(error, shown, attempts, route)

    def _open(
        self,
        route: Route[grpc.aio.Channel],
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

    async def _pause(
        self,
        error: ClientError,
        shown: tuple[tuple[str, str], ...],
        attempts: Attempts,
        route: Route[grpc.aio.Channel],
    ) -> None:
        if isinstance(error, Unauthenticated) and self._access.tokens.renew(shown):
            return
        goes_elsewhere = is_of_connection(error) and route.leads_on()
        await asyncio.sleep(attempts.delay_after(error, goes_elsewhere=goes_elsewhere))


class _Messages:
    """The messages of an upload, and why there are no more: gRPC cancels a call without telling what its iterator raised."""

    def __init__(self, messages: AsyncIterator[UploadBlobRequest]) -> None:
        self._messages = messages
        self.failure: Exception | None = None

    def __aiter__(self) -> _Messages:
        return self

    async def __anext__(self) -> UploadBlobRequest:
        try:
            return await anext(self._messages)
        except StopAsyncIteration:
            raise
        except Exception as failure:
            self.failure = failure
            raise
