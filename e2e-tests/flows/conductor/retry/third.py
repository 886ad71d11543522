def main(ctx=None):
    if ctx.attempt < 3:
        raise RuntimeError("not yet")
    return {"attempt": ctx.attempt}
