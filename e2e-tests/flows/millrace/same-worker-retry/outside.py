def main(built, ctx):
    return [built, ctx.shared_folder]
