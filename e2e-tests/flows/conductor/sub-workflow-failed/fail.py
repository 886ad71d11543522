def main(who):
    raise ValueError("no luck for the " + who)
