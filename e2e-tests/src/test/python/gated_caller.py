"""Runs the job of gated_worker.py, and prints its result."""

from millrace.client import Client, Handler

with Client() as client:
    print(client.run(Handler("tests.gated")))
