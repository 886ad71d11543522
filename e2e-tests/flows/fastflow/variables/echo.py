def main(file, mode):
    return {"shareData": {"file": file, "mode": mode}}
