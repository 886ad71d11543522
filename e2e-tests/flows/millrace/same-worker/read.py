import os


def main():
    return sorted(os.listdir("./shared"))
