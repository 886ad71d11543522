"""Computes the total price, in cents."""


def main(subtotal: int, discount: float, shipping: int) -> int:
    total = round(subtotal * (1 - discount)) + shipping
    print(f"The customer pays {total} cents")
    return total
