def main(ctx=None):
    if ctx.attempt < 3:
        raise ValueError(f"attempt {ctx.attempt}")
    return "done"
