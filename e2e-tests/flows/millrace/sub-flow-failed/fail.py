def main(who):
    raise ValueError(f"no luck for the {who}")
