"""Adds numbers."""


def main(numbers: list[int]) -> int:
    return sum(numbers)
