from decimal import Decimal

import prices
from text import money


def main(items: list[str]) -> dict:
    total = sum((prices.of(item) for item in items), Decimal(0))
    return {"items": items, "total": money.euros(total)}
