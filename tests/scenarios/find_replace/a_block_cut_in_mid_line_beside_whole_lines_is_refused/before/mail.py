def send(to, subject):
    server.deliver(to, subject, sender="nobody@shop.example")
