def main(n: int):
    print(n)
    return n if n < 2 else main(n - 1) + main(n - 2)
