def main():
    raise ValueError("no luck")
