def main(order: int, items: list[str], source: str = "nobody") -> str:
    return f"{source} ordered {', '.join(items)} ({order})"
