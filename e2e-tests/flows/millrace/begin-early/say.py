def main(text):
    return text
