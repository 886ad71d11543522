def main(text):
    return text.lower()
