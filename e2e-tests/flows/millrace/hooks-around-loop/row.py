def main(n, ctx=None):
    begun = ctx.data.get("begun", 0) + 1
    ctx.data.set("begun", begun)
    if begun == 2:
        raise ValueError("too early")
    return n * 10
