def main(rows: int = 3):
    """Stands for a program that imports something."""
    return {"rows": rows}
