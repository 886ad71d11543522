def main(message: dict, limit: float = 60) -> str:
    celsius = message["payload"]["celsius"]
    state = "too hot" if celsius > limit else "fine"
    return f"machine {message['levels'][1]} is {state}: {celsius}"
