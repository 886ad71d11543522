"""Starts a run for each half of a list, and waits for both."""

import millrace


def main(numbers: list[int]) -> int:
    runs = millrace.current().runs
    middle = len(numbers) // 2
    halves = [numbers[:middle], numbers[middle:]]
    started = [runs.start(flow="examples/sum", input={"numbers": half}) for half in halves]
    return sum(runs.result(run) for run in started)
