def main(begun, item):
    if begun == 2:
        raise ValueError("too early")
    return item
