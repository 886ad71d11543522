import os


def main(word, ctx):
    with open(os.path.join(ctx.shared_folder, word), "w") as file:
        file.write(word)
