"""Durations as ISO 8601 writes them, such as ``P1DT2H30M`` and ``-PT0.5S``."""

from __future__ import annotations

import re
from datetime import timedelta

_NUMBER = r"(\d{1,12}(?:\.\d{1,9})?)"
_DURATION = re.compile(
    rf"([+-])?P(?:{_NUMBER}W)?(?:{_NUMBER}D)?(?:T(?:{_NUMBER}H)?(?:{_NUMBER}M)?(?:{_NUMBER}S)?)?", re.ASCII
)


def parse(text: str) -> timedelta:
    """Reads a duration of weeks, days, hours, minutes and seconds.

    Raises:
        ValueError: It is none.
        OverflowError: It is longer than a timedelta can be.
    """
    match = _DURATION.fullmatch(text)
    if match is None or not any(match.groups()[1:]) or text.endswith("T"):
        raise ValueError(text)
    sign, *numbers = match.groups()
    weeks, days, hours, minutes, seconds = (_number(number) for number in numbers)
    length = timedelta(weeks=weeks, days=days, hours=hours, minutes=minutes, seconds=seconds)
    return -length if sign == "-" else length


def write(duration: timedelta) -> str:
    """Writes a duration with days, hours, minutes and seconds, without those that are 0. Those of pandas have nanoseconds."""
    micros = (duration.days * 86_400 + duration.seconds) * 1_000_000 + duration.microseconds
    return write_count(micros * 1_000 + getattr(duration, "nanoseconds", 0), 9)


def write_count(count: int, digits: int) -> str:
    """Writes a duration of `count` units, of which a second has ten to the power of `digits`."""
    all_seconds, rest = divmod(abs(count), 10**digits)
    days, seconds = divmod(all_seconds, 86_400)
    hours, minutes, seconds = seconds // 3600, seconds // 60 % 60, seconds % 60
    text = f"{days}D" if days else ""
    clock = (f"{hours}H" if hours else "") + (f"{minutes}M" if minutes else "")
    if rest:
        clock += f"{seconds}.{rest:0{digits}}".rstrip("0") + "S"
    elif seconds or not (text or clock):
        clock += f"{seconds}S"
    return ("-" if count < 0 else "") + "P" + text + (f"T{clock}" if clock else "")


def _number(text: str | None) -> float:
    if text is None:
        return 0
    return float(text) if "." in text else int(text)
