def main(a, b):
    return {"sum": a + b}
