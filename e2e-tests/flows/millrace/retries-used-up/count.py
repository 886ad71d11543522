def main(ctx=None):
    raise RuntimeError(f"attempt {ctx.attempt}")
