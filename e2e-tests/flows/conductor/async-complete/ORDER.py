def main(n):
    return {"ticket": n, "paid": False}
