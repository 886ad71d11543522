def main(message="no luck"):
    raise ValueError(message)
