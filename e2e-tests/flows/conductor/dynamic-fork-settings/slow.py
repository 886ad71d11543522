import time


def main(ctx=None):
    if ctx.attempt == 1:
        time.sleep(60)
    return {"attempt": ctx.attempt}
