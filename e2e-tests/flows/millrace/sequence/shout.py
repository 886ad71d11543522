def main(text: str):
    return {"text": text.upper(), "length": len(text)}
