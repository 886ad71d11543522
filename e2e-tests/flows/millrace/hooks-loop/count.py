def main(n):
    if n == 5:
        raise ValueError("five")
    return n * 10
