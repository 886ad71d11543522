"""Adds up the counts of all chunks and picks the most frequent words."""

from collections import Counter


def main(counts: list[dict[str, int]], top: int = 10) -> dict[str, object]:
    total: Counter[str] = Counter()
    for count in counts:
        total.update(count)
    # Sort equally frequent words by the alphabet, so that the same texts always give the same result.
    ranking = sorted(total.items(), key=lambda entry: (-entry[1], entry[0]))
    print(f"Counted {total.total()} words, {len(total)} different ones")
    return {
        "words": total.total(),
        "different": len(total),
        "top": [{"word": word, "count": count} for word, count in ranking[:top]],
    }
