"""Computes the cost of shipping, in cents."""


def main(subtotal: int, rate: float) -> int:
    cost = round(subtotal * rate)
    print(f"Shipping costs {cost} cents")
    return cost
