def main(number):
    if number == 2:
        raise ValueError("2 is not wanted")
    return number * 10
