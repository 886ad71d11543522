def main(a: int, b: int):
    return a + b
