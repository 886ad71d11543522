def main(ctx=None):
    count = ctx.data.get("count", 0) + 1
    ctx.data.set("count", count)
    return {"shareData": {"beside": count}}
