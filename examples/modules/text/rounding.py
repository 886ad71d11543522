from decimal import ROUND_HALF_UP, Decimal


def to_cents(amount: Decimal) -> Decimal:
    return amount.quantize(Decimal("0.01"), ROUND_HALF_UP)
