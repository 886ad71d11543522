def main(kind: str, at: str = "by hand"):
    """Says for which time a report is."""
    return f"{kind} report for {at}"
