import time


def main():
    return time.time()
