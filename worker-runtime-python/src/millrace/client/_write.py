"""Makes messages of what callers give."""

from __future__ import annotations

from collections.abc import Mapping

from .._proto.common.v1 import retry_policy_pb2
from .._proto.run.v1 import run_pb2
from .._results import encode_value
from ._models import Flow, Handler, JobLimit, RetryPolicy, RunSpec, Script
from ._trace import current_traceparent, current_tracestate


def json_value(value: object, name: str) -> bytes:
    """Returns a value as JSON; dates, dataclasses and the like have the forms that results of scripts have.

    Raises:
        ResultError: The value cannot be written as JSON; the message names the place.
    """
    return encode_value(value, name)


def json_object(value: Mapping[str, object] | None) -> bytes:
    """Returns an object as JSON; nothing for None."""
    return b"" if value is None else encode_value(dict(value), "input")


def spec(given: RunSpec) -> run_pb2.RunSpec:
    """Returns the message of a run to start."""
    options = given.options
    return run_pb2.RunSpec(
        target=_target(given.target),
        input=json_object(given.input),
        tag=options.tag,
        priority=options.priority,
        run_after=options.run_after,
        timeout=options.timeout,
        retry=None if options.retry is None else _retry(options.retry),
        traceparent=options.traceparent or current_traceparent(),
        tracestate=options.tracestate if options.traceparent else current_tracestate(),
        env=b"" if options.env is None else encode_value(dict(options.env), "env"),
        limit=None if options.limit is None else _limit(options.limit),
        start_within=options.start_within,
    )


def _target(target: Flow | Script | Handler) -> run_pb2.RunTarget:
    match target:
        case Handler():
            return run_pb2.RunTarget(handler=target.name)
        case Flow():
            _require_one(target)
            return (
                run_pb2.RunTarget(flow_hash=target.hash) if target.hash else run_pb2.RunTarget(flow_path=target.path)
            )
        case Script():
            _require_one(target)
            return (
                run_pb2.RunTarget(script_hash=target.hash)
                if target.hash
                else run_pb2.RunTarget(script_path=target.path)
            )


def _require_one(target: Flow | Script) -> None:
    if bool(target.path) == bool(target.hash):
        raise ValueError(f"{target} names {'both' if target.path else 'neither'} a path and a hash: give one of them.")


def _retry(policy: RetryPolicy) -> retry_policy_pb2.RetryPolicy:
    return retry_policy_pb2.RetryPolicy(
        max_retries=policy.max_retries,
        delay=policy.delay,
        multiplier=policy.multiplier,
        max_delay=policy.max_delay,
        jitter=policy.jitter,
    )


def _limit(limit: JobLimit) -> run_pb2.JobLimit:
    rate = None if limit.rate is None else run_pb2.JobLimit.Rate(count=limit.rate[0], per=limit.rate[1])
    return run_pb2.JobLimit(key=limit.key, max=limit.max, rate=rate)
