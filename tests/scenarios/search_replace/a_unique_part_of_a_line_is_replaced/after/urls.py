ROUTES = [
    route("/", home), route("/cart/", basket),
    route("/about/", about),
]
