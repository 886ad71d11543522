import os
import time
import uuid


# The files of a worker are in a folder with its name.
WORKER = next((part for part in __file__.split(os.sep) if part.startswith("worker-")), "an unknown worker")


def note(folder, ctx, what, nonce):
    """Appends one line to the file of the run, in one write: what an attempt did, even if its result is lost."""
    line = "\t".join([what, ctx.step, str(ctx.attempt), nonce, ctx.job_id, str(time.time_ns()), WORKER]) + "\n"
    file = os.open(os.path.join(folder, ctx.run_id), os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.write(file, line.encode())
    finally:
        os.close(file)


def share(shared_folder, nonce):
    """Returns the files of the previous steps in the folder, and leaves another file there."""
    found = os.listdir(shared_folder)
    open(os.path.join(shared_folder, nonce), "w").close()
    return found


def main(
    ctx,
    folder: str,
    value: int,
    lines: int,
    millis: int = 0,
    until: int = 1,
    needs: str = "",
    lock: str = "",
    shares: bool = False,
):
    nonce = uuid.uuid4().hex
    found = share(ctx.shared_folder, nonce) if shares else []
    note(folder, ctx, "begin", nonce)
    fence = 0
    for i in range(lines):
        print(f"{nonce} {i}")
        time.sleep(millis / 1000 / lines)
    if ctx.attempt < until:
        raise ValueError(f"attempt {ctx.attempt} of {until}")
    if needs and not os.path.exists(os.path.join(folder, needs)):
        raise FileNotFoundError(needs)
    if lock:
        with ctx.lock(lock, ttl=20) as held:
            fence = held.fence
    if shares and not os.path.exists(os.path.join(ctx.shared_folder, nonce)):
        raise FileNotFoundError(f"{nonce} has gone from the shared folder")
    note(folder, ctx, "end", nonce)
    return {
        "value": (value * 3 + 1) % 1_000_003,
        "nonce": nonce,
        "attempt": ctx.attempt,
        "lines": lines,
        "fence": fence,
        "found": found,
    }
