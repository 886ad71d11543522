def main(value):
    raise ValueError(str(len(value)))
