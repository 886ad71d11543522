def main(text):
    return {"said": text}
