def main(text, __index):
    return {"said": f"{text} {__index}"}
