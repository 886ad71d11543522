def main(y: int):
    return y + 1
