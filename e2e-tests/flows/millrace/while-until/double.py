def main(number):
    return number * 2
