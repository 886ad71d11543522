def main(value=None):
    return value
