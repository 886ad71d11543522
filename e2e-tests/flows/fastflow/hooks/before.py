def main(key, ctx=None):
    notes = ctx.data.get("notes", []) + ["before " + key]
    ctx.data.set("notes", notes)
    return None
