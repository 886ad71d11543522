"""Adds up the items of an order, in cents."""


def main(items: list[dict[str, int]]) -> int:
    subtotal = sum(item["price"] * item["quantity"] for item in items)
    print(f"{len(items)} items cost {subtotal} cents")
    return subtotal
