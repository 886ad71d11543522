def main(ctx=None):
    ctx.data.set("clean", ctx.data.get("dirty"))
