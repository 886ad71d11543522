import time


def main():
    time.sleep(60)
