def main(message: dict, source: str = "nobody") -> str:
    order = message["value"]
    return f"{source} ordered {', '.join(order['items'])} ({message['key']})"
