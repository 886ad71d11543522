def main(body):
    raise ValueError("no text")
