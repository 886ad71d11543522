def main(error):
    return {"keys": sorted(error), "step": error["step_id"], "trace": "script.py" in error["stack"]}
