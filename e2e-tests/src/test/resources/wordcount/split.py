def main(texts: list[str]) -> list[str]:
    return [text.lower() for text in texts]
