def main(ctx=None):
    return [ctx.data.get(key, 0) for key in ("run", "before_retry", "after")]
