"""Calls of a running job to the host."""

from __future__ import annotations

import json
import signal
from typing import TYPE_CHECKING, Any

from runtime_process import RuntimeProcess, printed

if TYPE_CHECKING:
    from pathlib import Path

LOCKS = """
    def main(ctx):
        with ctx.lock("invoice", ttl=60, wait=5) as lock:
            print("fence", lock.fence)
        return "done"
"""


def answer(process: RuntimeProcess, call: dict[str, Any], **members: object) -> None:
    message = {"type": "answer", "id": call["id"], "call": call["call"], **members}
    process.send(json.dumps(message, separators=(",", ":")).encode() + b"\n")


def test_takes_and_releases_a_lock(tmp_path: Path) -> None:
    with RuntimeProcess(tmp_path, LOCKS) as process:
        process.send_job("job-1")
        acquire = process.frames_until("call")[-1]
        answer(process, acquire, value={"fence": 7, "input": [1]})
        frames = process.frames_until("call")
        release = frames[-1]
        answer(process, release, value=True)
        frames += process.frames_until_end("job-1")

    assert acquire["method"] == "lock.acquire"
    assert acquire["arguments"] == {**release["arguments"], "ttl_ms": 60_000, "wait_ms": 5_000}
    assert acquire["arguments"]["name"] == "invoice"
    assert release["method"] == "lock.release"
    assert printed(frames) == "fence 7\n"
    assert frames[-1]["result"] == "done"


def test_says_that_a_lock_was_never_free(tmp_path: Path) -> None:
    with RuntimeProcess(tmp_path, LOCKS) as process:
        process.send_job("job-1")
        answer(process, process.frames_until("call")[-1], value=None)
        error = process.frames_until_end("job-1")[-1]

    assert error["name"] == "LockTimeout"
    assert error["message"] == "The mutex 'invoice' was held by others for all of the 5 seconds that this job waited."


def test_waits_for_a_lock_no_longer_than_the_attempt_has_time(tmp_path: Path) -> None:
    script = """
        def main(ctx):
            ctx.lock("a", wait=float("inf"))
    """
    with RuntimeProcess(tmp_path, script) as process:
        process.send_job("job-1", deadline_ms=5_000)
        call = process.frames_until("call")[-1]

    assert 0 < call["arguments"]["wait_ms"] <= 5_000


def test_has_no_deadline_without_a_timeout(tmp_path: Path) -> None:
    script = """
        from millrace import current

        def main():
            with current().lock("a"):
                return [current().seconds_left, current().deadline]
    """
    with RuntimeProcess(tmp_path, script) as process:
        process.send_job("job-1", deadline_ms=0)
        call = process.frames_until("call")[-1]
        answer(process, call, value={"fence": 1})
        answer(process, process.frames_until("call")[-1], value=True)
        result = process.frames_until_end("job-1")[-1]["result"]

    assert result == [None, None]
    assert call["arguments"]["wait_ms"] == 365 * 24 * 3_600_000


def test_releases_a_lock_when_the_block_fails(tmp_path: Path) -> None:
    script = """
        def main(ctx):
            with ctx.lock("a"):
                raise ValueError("inside")
    """
    with RuntimeProcess(tmp_path, script) as process:
        process.send_job("job-1")
        answer(process, process.frames_until("call")[-1], value={"fence": 1})
        release = process.frames_until("call")[-1]
        answer(process, release, error={"name": "LeaseLost", "message": "Too late."})
        error = process.frames_until_end("job-1")[-1]

    assert release["method"] == "lock.release"
    assert error["name"] == "ValueError"


def test_raises_what_the_host_could_not_do(tmp_path: Path) -> None:
    with RuntimeProcess(tmp_path, LOCKS) as process:
        process.send_job("job-1")
        answer(process, process.frames_until("call")[-1], error={"name": "LeaseLost", "message": "Too late."})
        error = process.frames_until_end("job-1")[-1]

    assert (error["name"], error["message"]) == ("CallFailed", "LeaseLost: Too late.")


def test_a_cancel_ends_the_wait_for_an_answer(tmp_path: Path) -> None:
    with RuntimeProcess(tmp_path, LOCKS) as process:
        process.send_job("job-1")
        process.frames_until("call")
        process.cancel("job-1")
        error = process.frames_until_end("job-1")[-1]

        assert error["name"] == "Canceled"
        assert error["spent"] is True
        # The line alone ends the wait, so the signal may come after the interpreter has removed its handlers.
        assert process.exit_code() in {0, -signal.SIGTERM}


def test_jobs_may_arrive_during_a_call(tmp_path: Path) -> None:
    with RuntimeProcess(tmp_path, LOCKS) as process:
        process.send_job("job-1")
        call = process.frames_until("call")[-1]
        process.send_job("job-2")
        answer(process, call, value=None)
        process.frames_until_end("job-1")
        answer(process, process.frames_until("call")[-1], value=None)

        assert process.frames_until_end("job-2")[-1]["name"] == "LockTimeout"


def test_only_the_main_thread_asks_the_host(tmp_path: Path) -> None:
    script = """
        from concurrent.futures import ThreadPoolExecutor

        def main(ctx):
            with ThreadPoolExecutor() as threads:
                return threads.submit(ctx.lock, "a").result()
    """
    with RuntimeProcess(tmp_path, script) as process:
        error = process.error()

    assert error["name"] == "RuntimeError"
    assert "thread that runs main" in error["message"]


def test_traces_beside_what_it_prints(tmp_path: Path) -> None:
    script = """
        def main(ctx):
            ctx.trace("begun")
            print("printed")
            ctx.trace("x" * 10_000)
    """
    with RuntimeProcess(tmp_path, script) as process:
        frames = process.run()

    assert printed(frames, "trace") == "begun\n" + "x" * 10_000 + "\n"
    assert printed(frames) == "printed\n"


def test_works_beside_the_folder_that_its_group_shares(tmp_path: Path) -> None:
    shared = tmp_path / "group" / "shared"
    script = """
        import os

        def main(ctx, write=False):
            if write:
                with open("./shared/word", "w") as file:
                    file.write("here")
            word = open("./shared/word").read() if os.path.exists("./shared/word") else None
            return [ctx.shared_folder, word]
    """
    with RuntimeProcess(tmp_path, script) as process:
        first = process.result({"write": True}, shared_folder=str(shared))
        second = process.result({}, shared_folder=str(shared))
        alone = process.result({})

    assert first == [str(shared), "here"]
    assert second == [str(shared), "here"]
    assert alone == [None, None]


def test_knows_keys_that_all_attempts_share(tmp_path: Path) -> None:
    script = """
        def main(ctx):
            return [ctx.step_token, ctx.idempotency_key]
    """
    with RuntimeProcess(tmp_path, script) as process:
        result = process.result(step="count[3]", idempotency_key="11d8c6a0-0000-3000-8000-000000000000")

    assert result == ["run-1/count[3]", "11d8c6a0-0000-3000-8000-000000000000"]


def test_shares_data_with_other_steps(tmp_path: Path) -> None:
    script = """
        def main(ctx):
            ctx.data.set("k", {"a": [1, None]})
            return [ctx.data.get("k"), ctx.data.get("none", "default")]
    """
    with RuntimeProcess(tmp_path, script) as process:
        process.send_job("job-1")
        set_call = process.frames_until("call")[-1]
        answer(process, set_call, value=None)
        answer(process, process.frames_until("call")[-1], value={"value": {"a": [1, None]}})
        get_call = process.frames_until("call")[-1]
        answer(process, get_call, value=None)
        result = process.frames_until_end("job-1")[-1]["result"]

    assert (set_call["method"], set_call["arguments"]) == ("data.set", {"key": "k", "value": {"a": [1, None]}})
    assert (get_call["method"], get_call["arguments"]) == ("data.get", {"key": "none"})
    assert result == [{"a": [1, None]}, "default"]


def test_reads_and_writes_values_of_the_workspace(tmp_path: Path) -> None:
    script = """
        from dataclasses import dataclass

        @dataclass
        class Database:
            host: str
            port: int

        def main(ctx):
            key = ctx.secrets.get("shop/key")
            db = ctx.resources.get("shop/db", Database)
            seen = ctx.state.get(0)
            ctx.state.set(seen + 1)
            return [key, db.port, seen]
    """
    with RuntimeProcess(tmp_path, script) as process:
        process.send_job("job-1")
        calls: list[tuple[object, object]] = []
        for value in ("correct horse", {"host": "h", "port": 5432}, None, None):
            call = process.frames_until("call")[-1]
            calls.append((call["method"], call["arguments"]))
            answer(process, call, value=value)
        result = process.frames_until_end("job-1")[-1]["result"]

    assert calls == [
        ("secret.get", {"path": "shop/key"}),
        ("resource.get", {"path": "shop/db"}),
        ("state.get", {"path": ""}),
        ("state.set", {"path": "", "value": 1}),
    ]
    assert result == ["correct horse", 5432, 0]


def test_says_that_a_resource_does_not_fit_without_its_value(tmp_path: Path) -> None:
    script = """
        from dataclasses import dataclass
        from datetime import date

        @dataclass
        class Database:
            since: date

        def main(ctx):
            return ctx.resources.get("shop/db", Database)
    """
    with RuntimeProcess(tmp_path, script) as process:
        process.send_job("job-1")
        answer(process, process.frames_until("call")[-1], value={"since": "correct horse"})
        error = process.frames_until_end("job-1")[-1]

    assert error["name"] == "InputError"
    assert error["message"] == "The resource shop/db does not fit Database."
    assert "horse" not in str(error)


def test_scripts_of_windmill_find_wmill(tmp_path: Path) -> None:
    script = """
        import wmill
        from wmill import get_variable, whoami

        def main():
            wmill.set_state({"n": 1})
            value = [get_variable("u/me/key"), wmill.get_resource("$res:u/me/db"), wmill.get_state()]
            try:
                whoami()
            except NotImplementedError as missing:
                return [*value, str(missing)]
    """
    with RuntimeProcess(tmp_path, script) as process:
        process.send_job("job-1")
        calls: list[object] = []
        for value in (None, "correct horse", {"host": "h"}, {"value": {"n": 1}}):
            call = process.frames_until("call")[-1]
            calls.append([call["method"], call["arguments"]["path"]])
            answer(process, call, value=value)
        result = process.frames_until_end("job-1")[-1]["result"]

    assert calls == [
        ["state.set", ""],
        ["secret.get", "u/me/key"],
        ["resource.get", "u/me/db"],
        ["state.get", ""],
    ]
    assert result[:3] == ["correct horse", {"host": "h"}, {"n": 1}]
    assert result[3].startswith("wmill.whoami does not work in Millrace.")


def test_variables_of_windmill_are_secrets_or_texts(tmp_path: Path) -> None:
    script = """
        import wmill

        def main():
            wmill.set_variable("u/me/key", "correct horse")
            wmill.set_variable("u/me/stage", "prod")
            wmill.set_variable("u/me/new", "battery staple", is_secret=True)
            return [wmill.get_variable("$var:u/me/stage")]
    """
    answers: list[tuple[str, dict[str, Any]]] = [
        ("secret.get u/me/key", {"value": "wrong horse"}),
        ("secret.set u/me/key", {"value": None}),
        ("secret.get u/me/stage", {"error": {"name": "NotFound", "message": "There is no secret."}}),
        ("resource.set u/me/stage", {"value": None}),
        ("secret.set u/me/new", {"value": None}),
        ("secret.get u/me/stage", {"error": {"name": "NotFound", "message": "There is no secret."}}),
        ("resource.get u/me/stage", {"value": "prod"}),
    ]
    with RuntimeProcess(tmp_path, script) as process:
        process.send_job("job-1")
        for expected, outcome in answers:
            call = process.frames_until("call")[-1]
            assert f"{call['method']} {call['arguments']['path']}" == expected
            answer(process, call, **outcome)
        assert process.frames_until_end("job-1")[-1]["result"] == ["prod"]


RUNS = """
    import wmill
    from millrace import current

    def main(n, ctx):
        ids = [ctx.runs.start(flow="f", input={"b": 1, "a": n}), ctx.runs.start(flow="f", input={"a": n, "b": 1})]
        ids.append(wmill.run_script_async("u/me/other", {"x": 1}, scheduled_in_secs=60))
        ids.append(ctx.runs.start(flow="f", key="mine"))
        return [*ids, wmill.wait_job(ids[0])]
"""


def test_starts_of_a_repeated_attempt_have_the_same_keys(tmp_path: Path) -> None:
    def play(process: RuntimeProcess, job: str) -> list[dict[str, Any]]:
        process.send_job(job, {"n": 1})
        calls: list[dict[str, Any]] = []
        for value in ("r1", "r2", "r3", "r4", True, True, {"run_id": "r1", "name": "f", "state": "succeeded", "output": 7}):
            call = process.frames_until("call")[-1]
            calls.append({"method": call["method"], **call["arguments"]})
            answer(process, call, value=value)
        assert process.frames_until_end(job)[-1]["result"] == ["r1", "r2", "r3", "r4", 7]
        return calls

    with RuntimeProcess(tmp_path, RUNS) as process:
        first, second = play(process, "job-1"), play(process, "job-2")

    keys = [call["key"] for call in first[:4]]
    assert [call["key"] for call in second[:4]] == keys
    assert keys[0].endswith("/1")
    assert keys[1] == keys[0].removesuffix("1") + "2"
    assert keys[2].endswith("/1")
    assert keys[3] == "key:mine"
    assert first[2]["run_after_ms"] > 0
    assert [call["method"] for call in first[4:]] == ["run.await", "run.await", "run.get"]


def test_says_why_a_run_has_no_result(tmp_path: Path) -> None:
    script = """
        def main(ctx):
            ctx.runs.result("r1")
    """
    with RuntimeProcess(tmp_path, script) as process:
        process.send_job("job-1")
        answer(process, process.frames_until("call")[-1], value=True)
        found = {"run_id": "r1", "name": "shop/ship", "state": "failed", "error": {"name": "E", "message": "No."}}
        answer(process, process.frames_until("call")[-1], value=found)
        error = process.frames_until_end("job-1")[-1]
        process.send_job("job-2")
        answer(process, process.frames_until("call")[-1], value=False)
        late = process.frames_until_end("job-2")[-1]

    assert error["name"] == "RunFailed"
    assert error["message"] == "Run r1 of shop/ship has failed. E: No."
    assert late["name"] == "RunTimeout"
