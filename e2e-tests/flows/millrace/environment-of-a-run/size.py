def main(size):
    return size * 2
