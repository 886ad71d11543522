def main(a, b):
    return a + b
