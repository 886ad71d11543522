from decimal import Decimal

from .rounding import to_cents


def euros(amount: Decimal) -> str:
    return f"{to_cents(amount)} EUR"
