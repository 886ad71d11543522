def main(key, value=None, ctx=None):
    ctx.data.set("notes", ctx.data.get("notes", []) + [key if value is None else f"{key} {value}"])
    return {"value": value}
