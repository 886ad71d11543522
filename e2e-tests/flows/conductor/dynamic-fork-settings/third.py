def main(until, ctx=None):
    if ctx.attempt < until:
        raise RuntimeError("not yet")
    return {"attempt": ctx.attempt}
