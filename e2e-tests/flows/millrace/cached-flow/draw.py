import random


def main(seed):
    return random.random()
