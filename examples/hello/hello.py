"""Greets someone. Millrace calls `main` and fills its parameters by name from the input."""


def main(name: str, excited: bool = False) -> str:
    print(f"Greeting {name} from Python")
    return f"Hello, {name}{'!' if excited else '.'}"
