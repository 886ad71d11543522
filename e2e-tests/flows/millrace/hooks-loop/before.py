def main(n):
    return n
