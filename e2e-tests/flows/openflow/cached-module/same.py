def main(one, other):
    return one == other
