def main(items, factor):
    return {"sum": sum(items) * factor}
