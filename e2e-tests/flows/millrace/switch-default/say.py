def main(word: str):
    return word
