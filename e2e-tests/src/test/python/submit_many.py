"""Submits runs one after the other, and prints the number of each run once it is accepted.

Before each run it waits for a line at its standard input.
"""

import sys

from millrace.client import Client, Handler

with Client() as client:
    for line in sys.stdin:
        number = int(line)
        client.submit(Handler("tests.nobody"), {"number": number})
        print(number)
