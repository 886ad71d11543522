def main(ctx=None):
    raise ValueError(f"attempt {ctx.attempt}")
