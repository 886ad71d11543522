def main(key, ctx=None):
    notes = ctx.data.get("notes", []) + ["run " + key]
    ctx.data.set("notes", notes)
    return {"shareData": {"notes": notes}}
