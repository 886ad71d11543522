def main(ctx=None):
    if ctx.attempt < 3:
        raise ValueError("not yet")
    return ctx.attempt
