def main(name: str):
    """Tells whose run has ended."""
    return f"the run of {name} has ended"
