def main(ctx=None):
    return ctx.data.get("notes")
