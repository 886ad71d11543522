import random


def main():
    return random.random()
