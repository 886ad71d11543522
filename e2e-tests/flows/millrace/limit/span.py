import time


def main(n):
    begin = time.time()
    time.sleep(0.05)
    return {"begin": begin, "end": time.time()}
