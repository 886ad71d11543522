def main(error):
    return {"message": error["message"], "step": error["step_id"]}
