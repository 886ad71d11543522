def main(text):
    return text.upper()
