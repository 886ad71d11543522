def main(key, ctx=None):
    if ctx.data.get("notes") != ["before " + key, "run " + key]:
        raise ValueError("not after the action")
