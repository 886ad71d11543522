"""Deploys the flow beside this file, runs it, and prints its output."""

import json
from pathlib import Path

from millrace.client import Client, Flow

HERE = Path(__file__).parent

with Client() as client:
    flow = client.deploy(HERE / "flow.yaml")
    output = client.run(Flow(flow.path), json.loads((HERE / "in.json").read_text()))
    print(json.dumps(output))
