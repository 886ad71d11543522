def main(number: int, position: int):
    return number * 2 + position
