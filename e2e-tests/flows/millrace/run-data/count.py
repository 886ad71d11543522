def main(ctx=None):
    count = ctx.data.get("count", 0) + 1
    ctx.data.set("count", count)
    if count < 3:
        raise ValueError("again")
    return count
