# /// script
# requires-python = ">=3.10"
# ///
def main(words: list[str]) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for word in words:
        match len(word):  # new in Python 3.10
            case 0:
                continue
            case length:
                groups.setdefault(str(length), []).append(word)
    return groups
