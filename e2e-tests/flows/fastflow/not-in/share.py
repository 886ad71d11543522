def main(key="k", value="v"):
    return {"shareData": {key: value}}
