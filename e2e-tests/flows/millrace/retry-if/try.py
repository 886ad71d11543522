def main(kind, ctx=None):
    count = ctx.data.get(kind, 0) + 1
    ctx.data.set(kind, count)
    if kind == "transient" and count == 3:
        return f"{kind} after {count}"
    raise ValueError(f"{kind} in {count}")
