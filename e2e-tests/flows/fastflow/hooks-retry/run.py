def main(ctx=None):
    if not ctx.data.get("clean", False):
        ctx.data.set("dirty", True)
        raise ValueError("no room")
    return {"shareData": {"attempt": ctx.attempt}}
