def main(body):
    return {"words": body["text"].split()}
