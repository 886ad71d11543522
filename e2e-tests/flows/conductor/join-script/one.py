def main(n, **_):
    if n < 0:
        raise ValueError("no less than nothing")
    return {"n": n}
