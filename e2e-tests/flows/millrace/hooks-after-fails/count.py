def main(key, enough, ctx=None):
    count = ctx.data.get(key, 0) + 1
    ctx.data.set(key, count)
    if count < enough:
        raise ValueError("again")
    return count
