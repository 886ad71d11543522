def main(error):
    return {"keys": sorted(error), "step": error["step_id"], "trace": "fail.py" in error["stack"]}
