def main():
    return "done"
