"""Calls the function `main` of scripts: a line of JSON in, a line of JSON out."""

import importlib.util
import json
import sys

answers = sys.stdout
sys.stdout = sys.stderr
for line in sys.stdin:
    call = json.loads(line)
    try:
        spec = importlib.util.spec_from_file_location("script", call["file"])
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        answer = {"result": module.main(**call["input"])}
    except Exception as error:
        answer = {"name": type(error).__name__, "message": str(error)}
    print(json.dumps(answer, separators=(",", ":")), file=answers, flush=True)
