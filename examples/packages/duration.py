# /// script
# dependencies = [
#   "humanize>=4,<5",
# ]
# ///
from datetime import timedelta

import humanize


def main(seconds: int):
    return humanize.precisedelta(timedelta(seconds=seconds))
