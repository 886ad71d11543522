def main(row: dict, source: str = "nobody") -> str:
    return f"{source}: {row['customer']} ordered {', '.join(row['items'])}"
