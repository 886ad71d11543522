"""A scheduler for tests of the client: answers calls as the test says, over a real connection."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Any

import grpc
from google.protobuf.any_pb2 import Any as Packed
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2  # pyright: ignore[reportMissingTypeStubs]

Answer = Message | Exception | Callable[[Any], Message] | list[Any]


class Refusal(Exception):
    """A status with the details that schedulers send."""

    def __init__(self, code: grpc.StatusCode, message: str, *details: Any) -> None:
        super().__init__(message)
        self.code = code
        status: Any = status_pb2.Status(code=code.value[0], message=message)
        for detail in details:
            packed = Packed()
            packed.Pack(detail)
            status.details.append(packed)
        self.trailers = (("grpc-status-details-bin", status.SerializeToString()),)


def reason(word: str) -> Any:
    """Returns the detail with the reason for programs."""
    return error_details_pb2.ErrorInfo(domain="millrace.dev", reason=word)


def retry_after(seconds: float) -> Any:
    """Returns the detail with the delay."""
    info: Any = error_details_pb2.RetryInfo()
    info.retry_delay.FromMilliseconds(int(seconds * 1000))
    return info


def violation(field: str, description: str) -> Any:
    """Returns the detail with a broken rule."""
    request: Any = error_details_pb2.BadRequest()
    request.field_violations.add(field=field, description=description)
    return request


class FakeScheduler(grpc.GenericRpcHandler):
    """Answers each call of a method by the next answer that was set for it; the last one stays."""

    def __init__(self) -> None:
        self._answers: dict[str, deque[Answer]] = defaultdict(deque)
        self.requests: dict[str, list[Any]] = defaultdict(list)
        self.metadata: list[dict[str, Any]] = []
        self._classes: dict[str, type[Message]] = {}
        self._serve: Callable[[Iterator[Any]], Iterator[Message]] = iter
        self._server = grpc.server(ThreadPoolExecutor(8))
        self._server.add_generic_rpc_handlers((self,))
        self.target = f"localhost:{self._server.add_insecure_port('localhost:0')}"

    def on(self, method: str, request: type[Message], *answers: Answer) -> None:
        """Sets the answers of a method, named without its package."""
        self._classes[method] = request
        self._answers[method].extend(answers)

    def on_session(self, request: type[Message], serve: Callable[[Iterator[Any]], Iterator[Message]]) -> None:
        """Sets what serves the streams of workers."""
        self._classes["OpenSession"] = request
        self._serve = serve

    def stop(self) -> None:
        """Ends at once, with all calls in progress."""
        self._server.stop(None).wait()

    def __enter__(self) -> FakeScheduler:
        self._server.start()
        return self

    def __exit__(
        self, _type: type[BaseException] | None, _error: BaseException | None, _traceback: TracebackType | None
    ) -> None:
        self.stop()

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> Any:
        """Finds the handler of a call."""
        method = handler_call_details.method.rpartition("/")[2]
        if method not in self._classes:
            return None
        deserialize: Any = self._classes[method].FromString

        def unary(request: Any, context: Any) -> Any:
            return self._next(method, request, context)

        def stream(request: Any, context: Any) -> Iterator[Any]:
            answer = self._next(method, request, context)
            for message in answer:
                if isinstance(message, Refusal):
                    self._refuse(message, context)
                yield message

        def session(requests: Any, _: Any) -> Iterator[Any]:
            return self._serve(requests)

        if method == "OpenSession":
            return grpc.stream_stream_rpc_method_handler(session, deserialize, _serialize)
        if any(isinstance(answer, list) for answer in self._answers[method]):
            return grpc.unary_stream_rpc_method_handler(stream, deserialize, _serialize)
        return grpc.unary_unary_rpc_method_handler(unary, deserialize, _serialize)

    def _next(self, method: str, request: Any, context: Any) -> Any:
        self.requests[method].append(request)
        self.metadata.append(dict(context.invocation_metadata()))
        answers = self._answers[method]
        answer = answers.popleft() if len(answers) > 1 else answers[0]
        if isinstance(answer, Refusal):
            self._refuse(answer, context)
        return answer(request) if callable(answer) else answer

    def _refuse(self, refusal: Refusal, context: Any) -> None:
        context.set_trailing_metadata(refusal.trailers)
        context.abort(refusal.code, str(refusal))


def _serialize(message: Any) -> bytes:
    return message.SerializeToString()
