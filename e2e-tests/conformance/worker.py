"""The handlers of the conformance suite in Python: as functions, or with the argument ``async`` as coroutine functions."""

from __future__ import annotations

import asyncio
import base64
import functools
import inspect
import logging
import sys
import time
from pathlib import Path
from typing import Any

from millrace import current
from millrace.worker import Canceled, HandlerContext, NonRetryableError, Worker

logging.basicConfig(level="INFO")
worker = Worker(sys.argv[1], name="under-test", slots=4)


class Rejected(NonRetryableError):
    """Fails a job for good."""


def echo(text: str) -> str:
    return text


def describe() -> dict[str, Any]:
    ctx = current()
    return {
        "attempt": ctx.attempt,
        "run": ctx.run_id,
        "step": ctx.step,
        "workspace": ctx.workspace,
        "key": ctx.idempotency_key,
    }


def fail(message: str, text: str = "") -> None:
    raise ValueError(message)


def reject(message: str) -> None:
    raise Rejected(message)


def log(lines: int, ctx: HandlerContext) -> int:
    for number in range(1, lines + 1):
        ctx.log(f"line {number}")
    return lines


def large(size: int) -> str:
    return "x" * size


def gated(ctx: HandlerContext) -> str:
    ctx.log("begun")
    return ctx.data.get("gate")


def share(text: str, ctx: HandlerContext) -> str:
    ctx.data.set("shared", text)
    return ctx.data.get("shared")


def spill(text: str, ctx: HandlerContext) -> dict[str, Any]:
    ctx.log(f"the secret is {text} in {base64.b64encode(text.encode()).decode()}")
    return {"length": len(text), "text": f"a{text} b"}


def note(ctx: HandlerContext) -> list[str]:
    if ctx.shared_folder is None:
        return []
    folder = Path(ctx.shared_folder)
    (folder / ctx.job_id).touch()
    return sorted(file.name for file in folder.iterdir())


def hang(ctx: HandlerContext) -> None:
    ctx.log("hanging")
    try:
        while True:
            time.sleep(0.01)
    except Canceled:
        ctx.data.set("stopped", ctx.job_id)
        raise


async def hang_async(ctx: HandlerContext) -> None:
    ctx.log("hanging")
    try:
        await asyncio.Event().wait()
    except asyncio.CancelledError:
        await asyncio.to_thread(ctx.data.set, "stopped", ctx.job_id)
        raise


def as_coroutine(function: Any) -> Any:
    """Returns a coroutine function that calls the function in a thread."""

    @functools.wraps(function)
    async def called(*positional: Any, **named: Any) -> Any:
        return await asyncio.to_thread(function, *positional, **named)

    called.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]
    return called


is_async = sys.argv[2:] == ["async"]
for function in (echo, describe, fail, reject, log, large, gated, share, spill, note):
    worker.job(function.__name__)(as_coroutine(function) if is_async else function)
worker.job("hang")(hang_async if is_async else hang)
worker.run()
