def main(user):
    print("the token of", user)
    return "secret"
