def main(which, text):
    return {"said": text}
