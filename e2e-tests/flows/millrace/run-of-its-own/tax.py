def main(net, percent):
    return net * percent // 100
