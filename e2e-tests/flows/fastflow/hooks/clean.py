def main(key, ctx=None):
    notes = ctx.data.get("notes", []) + ["clean " + key]
    ctx.data.set("notes", notes)
    return None
