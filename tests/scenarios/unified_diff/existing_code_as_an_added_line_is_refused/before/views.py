def handle(request):
    user = authenticate(request)
    if user is None:
        return forbidden()
    order = parse(request.body)
    if not order.lines:
        return bad_request("no lines")
    save(order)
    return created(order)


def parse(body):
    return Order.from_json(body)
