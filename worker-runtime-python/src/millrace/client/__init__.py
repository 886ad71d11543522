"""A client for Millrace, with blocking and asynchronous calls.

Install it with ``pip install "millrace[client]"``::

    from millrace.client import Client, Flow

    with Client() as client:
        print(client.run(Flow("wordcount"), {"texts": [{"name": "a", "text": "one two"}]}))

It is for programs outside of Millrace; scripts need only the package ``millrace``.
"""

from .._access import AccessError
from ..blobs import Blob
from ._async_client import AsyncClient
from ._blobs import BlobReader
from ._client import Client
from ._errors import (
    ClientError,
    InvalidFlow,
    InvalidRequest,
    NotFound,
    Overloaded,
    PermissionDenied,
    RequestIdReused,
    RunCanceled,
    RunFailed,
    ServerFailed,
    StateUnsuitable,
    TimedOut,
    Unauthenticated,
    Unavailable,
    Violation,
)
from ._models import (
    BulkOperation,
    BulkRun,
    Deployed,
    Flow,
    Handler,
    Iteration,
    IterationCounts,
    JobLimit,
    LogChunk,
    LogStream,
    RetryPolicy,
    Run,
    RunError,
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
)
from ._retries import Retries

__all__ = [
    "AccessError",
    "AsyncClient",
    "Blob",
    "BlobReader",
    "BulkOperation",
    "BulkRun",
    "Client",
    "ClientError",
    "Deployed",
    "Flow",
    "Handler",
    "InvalidFlow",
    "InvalidRequest",
    "Iteration",
    "IterationCounts",
    "JobLimit",
    "LogChunk",
    "LogStream",
    "NotFound",
    "Overloaded",
    "PermissionDenied",
    "RequestIdReused",
    "Retries",
    "RetryPolicy",
    "Run",
    "RunCanceled",
    "RunError",
    "RunFailed",
    "RunKind",
    "RunOptions",
    "RunSelection",
    "RunSpec",
    "RunState",
    "Script",
    "ServerFailed",
    "StateUnsuitable",
    "Step",
    "StepState",
    "TimedOut",
    "Unauthenticated",
    "Unavailable",
    "Violation",
    "Wait",
    "WaitLink",
]
