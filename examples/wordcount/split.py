"""Splits texts into chunks of about the same size, so that a loop can count them in parallel."""

LINES_A_CHUNK = 120


def main(texts: list[dict[str, str]]) -> list[dict[str, str]]:
    chunks = []
    for text in texts:
        lines = text["text"].splitlines()
        for start in range(0, len(lines), LINES_A_CHUNK):
            chunk = "\n".join(lines[start : start + LINES_A_CHUNK])
            chunks.append({"name": f"{text['name']}:{start + 1}", "text": chunk})
    print(f"Split {len(texts)} texts into {len(chunks)} chunks")
    return chunks
