"""Greets someone. `main` is what Millrace calls; its parameters are filled by name from the input."""


def main(name: str, excited: bool = False) -> str:
    print(f"Greeting {name} from Python")
    return f"Hello, {name}{'!' if excited else '.'}"
